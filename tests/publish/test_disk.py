"""A disk that refuses while a publication is put together: one sentence, nothing that looks whole, and the same command
once there is room."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.publish.runs import finished
from tests.runs import ROOT

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from curate.cli._app import run
sys.exit(run(["publish", sys.argv[2], "user/traj", "--license", "mit", "--accept", "leak.unchecked", "--dry-run"]))
"""
"""No file may become larger: what the system answers then goes the way of a disk that is full."""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_a_disk_that_refuses(tmp_path: Path) -> None:
    run = finished(tmp_path)

    def publish(most: int) -> subprocess.CompletedProcess[str]:
        told = [sys.executable, "-c", LIMITED, str(most), str(run)]
        return subprocess.run(told, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)

    done = publish(30_000)
    assert done.returncode == 1, done.stdout
    last = done.stderr.splitlines()[-1]
    assert last.startswith("Error: Cannot write ") and "run.publish" in last and "Traceback" not in done.stderr
    left = [path.name for path in (tmp_path / "run.publish").rglob("*") if path.is_file()]
    assert "manifest.json" not in left and not [name for name in left if name.startswith(".")]
    assert publish(1 << 30).returncode == 0 and (tmp_path / "run.publish" / "manifest.json").is_file()
