"""Commands that are printed can be typed: a path with spaces, quotes or a dollar comes back whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from curate.cli._say import quoted

NAMES = ["plain", "my recordings", "it's", 'say "so"', "$HOME", "später 日本", "a;b&c", "-x"]


@pytest.mark.skipif(os.name == "nt", reason="asks a POSIX shell")
def test_a_shell_reads_the_paths_that_were_quoted(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in NAMES]
    show = f"{quoted(Path(sys.executable))} -c 'import sys; print(sys.argv[1:])' {quoted(*paths)}"
    done = subprocess.run(["sh", "-c", show], capture_output=True, text=True, check=True, env={"PYTHONUTF8": "1"})
    assert done.stdout.strip() == str([str(path) for path in paths])
