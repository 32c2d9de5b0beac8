"""kill -9 while a publication is being sent: users see the last revision or the new one, and what arrived is not sent
again."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from curate.publish.options import PublishOptions
from curate.publish.upload import upload
from tests.publish.hub import REPO, Server, client, staged
from tests.publish.upload.test_upload import ROWS, content, seen, theirs
from tests.runs import ROOT

SENDER = """
import sys, pathlib, msgspec
from curate.publish.manifest import Manifest
from curate.publish.options import PublishOptions
from curate.publish.staged import Staged
from curate.publish.upload import upload
folder = pathlib.Path(sys.argv[1])
manifest = msgspec.json.decode((folder / "manifest.json").read_bytes(), type=Manifest)
upload(Staged(folder=folder, manifest=manifest), PublishOptions(repo=sys.argv[2], license="mit"))
"""

MOMENTS = {
    "before anything": ("repos/create", 0),
    "in the middle of the first file": ("PUT /lfs/", 0),
    "in the middle of the third": ("PUT /lfs/", 2),
    "while the commit is on its way": (f"POST /api/datasets/{REPO}/commit", 0),
    "after the commit, before its tag": ("/tag/", 0),
}


@pytest.mark.parametrize(("on", "skip"), MOMENTS.values(), ids=MOMENTS.keys())
def test_the_same_command_goes_on(on: str, skip: int, hub_server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "staged"
    ready = staged(folder, content(), ROWS)
    hub_server.faults({"on": on, "do": "stall", "skip": skip})
    arguments = [sys.executable, "-c", SENDER, str(folder), REPO]
    sender = subprocess.Popen(arguments, env=hub_server.environment(tmp_path), cwd=ROOT)
    deadline = time.monotonic() + 120
    while len(hub_server.log(on)) <= skip and time.monotonic() < deadline:
        assert sender.poll() is None
        time.sleep(0.05)
    sender.kill()
    sender.wait()
    made = "tag" in on
    assert (theirs(hub_server) if REPO in hub_server.repositories() else {}) == (seen(content()) if made else {})

    arrived = sum(row["status"] == 200 for row in hub_server.log("PUT /lfs/"))
    assert arrived >= {"PUT /lfs/": skip, "repos/create": 0}.get(on, 3)
    hub_server.faults()
    hub_server.forget_log()
    done = upload(ready, PublishOptions(repo=REPO, license="mit"), hub=client(hub_server))
    assert theirs(hub_server) == seen(content())
    repo = hub_server.repository()
    assert len(repo["commits"]) == 2 and repo["tags"] == {"v1.0.0": done.commit} and done.new is not made
    assert len(hub_server.log("PUT /lfs/")) == 3 - arrived  # what did not arrive, once
