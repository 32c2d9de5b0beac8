"""From a run to a dataset on the Hub and back, with the real clients over HTTP: the same records, the same pixels, and
no byte of the token anywhere."""

from __future__ import annotations

import hashlib
import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from curate.model.trajectory import encode
from curate.publish.kept import kept_records
from curate.store.run_folder import RunFolder
from tests.publish.hub import REPO, TOKEN, Server
from tests.publish.runs import finished
from tests.runs import ROOT, command

READER = """
import sys, json, hashlib
from datasets import load_dataset
repo, told = sys.argv[1], {}
sha = lambda data: hashlib.sha256(data).hexdigest()
for config in ("trajectories", "steps", "examples"):
    for streaming in (False, True):
        for split, rows in load_dataset(repo, config, streaming=streaming).items():
            found = [
                [row["id"], row["index"], sha(row["image"].tobytes())] if config == "steps" else
                [row["id"], len(row["steps"])] if config == "trajectories" else sorted(row)
                for row in rows
            ]
            told.setdefault(config, {}).setdefault(str(streaming), []).extend(found)
print(json.dumps(told))
"""


def publish(server: Server, run: Path, home: Path, *more: str, token: str | None = TOKEN) -> Any:
    arguments = command("publish", run, REPO, "--license", "cc-by-4.0", "--accept", "leak.unchecked", *more)
    return subprocess.run(
        arguments, env=server.environment(home, token), cwd=ROOT, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip


def test_there_and_back(hub_server: Server, tmp_path: Path) -> None:
    run, home = finished(tmp_path, sets=["split.test=0.3"]), tmp_path / "home"
    home.mkdir()
    hub_server.config(part=40_000)
    hub_server.faults({"on": "PUT /lfs/", "do": "cut", "after": 500})
    done = publish(hub_server, run, home, "--check")
    assert done.returncode == 0, done.stderr + done.stdout
    assert f"/datasets/{REPO} v1.0.0" in done.stdout and "all as they were sent" in done.stderr
    assert hub_server.repository()["private"]
    _reads_back(hub_server, run, home)
    _imports_back(hub_server, run, home, tmp_path)

    again = publish(hub_server, run, home)
    assert again.returncode == 0 and "Nothing new" in again.stdout
    assert len(hub_server.repository()["commits"]) == 2
    for text in (done.stdout, done.stderr, again.stdout, again.stderr):
        assert TOKEN not in text and "signature=" not in text
    for path in tmp_path.rglob("*"):
        assert not (path.is_file() and TOKEN.encode() in path.read_bytes()), path


def _reads_back(server: Server, run: Path, home: Path) -> None:
    """With `datasets`, whole and streamed, while downloads are cut."""
    server.faults({"on": f"GET /datasets/{REPO}/resolve", "do": "cut", "after": 3000, "skip": 2, "times": 2})
    read = subprocess.run(
        [sys.executable, "-c", READER, REPO], env=server.environment(home), capture_output=True, text=True, timeout=300,
        check=False, cwd=home,
    )  # fmt: skip
    assert read.returncode == 0, read.stderr
    told = json.loads(read.stdout)
    kept = list(kept_records(RunFolder(run)))
    media = RunFolder(run).media
    pixels = {
        (one.record.id, step.index): hashlib.sha256(Image.open(media.open(step.image)).tobytes()).hexdigest()
        for one in kept
        for step in one.record.steps
        if step.image is not None
    }
    for streaming in ("True", "False"):
        rows = told["steps"][streaming]
        assert {(id, index): sha for id, index, sha in rows} == pixels and len(rows) == len(pixels)
        assert sorted(told["trajectories"][streaming]) == sorted([k.record.id, len(k.record.steps)] for k in kept)
        assert len(told["examples"][streaming]) == sum(RunFolder(run).read_report()["examples"].values())


def _imports_back(server: Server, run: Path, home: Path, folder: Path) -> None:
    """A snapshot of the repository, read by `curate import auto`."""
    script = f"from huggingface_hub import snapshot_download as s; s({REPO!r}, repo_type='dataset', local_dir='snap')"
    subprocess.run([sys.executable, "-c", script], env=server.environment(home), cwd=folder, check=True, timeout=300)
    done = subprocess.run(
        command("import", "auto", folder / "snap", "--out", folder / "back"), capture_output=True, text=True,
        timeout=300, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    from curate.store.dataset import read_records
    from curate.store.media import MediaStore

    back = {record.id: record for record in read_records(folder / "back")}
    for kept in kept_records(RunFolder(run)):
        found = back.pop(kept.record.id)
        for step in found.steps:
            assert step.image is not None and MediaStore(folder / "back").read(step.image)
        own = {"lineage": kept.record.lineage, "source": kept.record.source}
        assert encode(msgspec.structs.replace(found, **own)) == encode(kept.record)
    assert not back


def test_a_dry_run_needs_no_network_and_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from curate.cli._app import run as command_line

    run = finished(tmp_path)

    def closed(*_: object) -> None:
        raise AssertionError("a socket was used")

    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "none"))
    monkeypatch.setattr(socket.socket, "connect", closed)
    monkeypatch.setattr(socket, "getaddrinfo", closed)
    arguments = ["publish", str(run), REPO, "--license", "mit", "--dry-run"]
    assert command_line(arguments) == 4  # held against no pack
    told = capsys.readouterr()
    assert "refused" in told.out and "leak.unchecked" in told.out and "--accept leak.unchecked" in told.err
    assert command_line([*arguments, "--accept", "leak.unchecked", "--public"]) == 0
    told = capsys.readouterr()
    for part in (REPO, "public: everybody sees it", "licence     mit", "data/steps/train-00000.parquet", "accepted"):
        assert part in told.out
    assert command_line([*arguments, "--json"]) == 4
    plain = json.loads(capsys.readouterr().out)
    assert plain["refused"] == ["leak.unchecked"] and plain["files"] and plain["unlooked"]


def test_without_a_token_the_gate_has_looked_and_nothing_was_sent(hub_server: Server, tmp_path: Path) -> None:
    run = finished(tmp_path)
    (tmp_path / "home").mkdir()
    done = publish(hub_server, run, tmp_path / "home", token=None)
    assert done.returncode == 2 and "hf auth login" in done.stderr and hub_server.log() == []
    assert "Traceback" not in done.stderr
