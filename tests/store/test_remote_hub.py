"""Inputs from the Hub, against the stand-in that the conformance data has (no network; LFS, not Xet)."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.factories import make_trajectory, write_records
from tests.runs import ROOT, command, contents, run_here

UPLOAD = """
import sys
from huggingface_hub import HfApi
api = HfApi()
api.create_repo("user/made", repo_type="dataset")
api.upload_folder(folder_path=sys.argv[1], path_in_repo="data", repo_id="user/made", repo_type="dataset")
"""


@pytest.fixture
def hub(shared: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment in which the Hub is a server of this machine."""
    script = shared / "recipes" / "minihub.py"
    if not script.is_file():
        pytest.skip("the conformance data has no stand-in for the Hub")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, str(script), str(port), str(tmp_path / "hub")])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.05)
    own = {
        "HF_ENDPOINT": f"http://127.0.0.1:{port}", "HF_TOKEN": "hf_fake", "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "CURATE_CACHE": str(tmp_path / "cache"),
    }  # fmt: skip
    try:
        yield {**os.environ, **own}
    finally:
        server.terminate()
        server.wait()


def test_a_run_over_a_dataset_of_the_hub_is_the_run_over_its_files(hub: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "data"
    for name in ("a", "b"):
        records = [make_trajectory(f"{name}:{k}", instruction=f"Do the thing number {k}") for k in range(5)]
        write_records(folder / name / "records.jsonl", [*records, b"{"])
    subprocess.run([sys.executable, "-c", UPLOAD, str(folder)], env=hub, check=True, capture_output=True, timeout=240)
    run_here([folder], tmp_path / "local")
    arguments = ("run", "hf://datasets/user/made/data", "-r", "web", "-o", tmp_path / "run")
    done = subprocess.run(
        command(*arguments), env=hub, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    found = contents(tmp_path / "run")
    found.pop("report.html")
    assert found == contents(tmp_path / "local")
    missing = ("run", "hf://datasets/user/nothing", "-r", "web", "-o", tmp_path / "none")
    done = subprocess.run(
        command(*missing), env=hub, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 3 and "there is no such repository" in done.stderr and "hf_fake" not in done.stderr
