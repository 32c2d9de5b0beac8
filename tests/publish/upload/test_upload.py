"""Sending a publication to a Hub that fails in all the ways it can, and what users see meanwhile."""

from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path
from typing import Any

import pytest

from curate.model.errors import CurateError, GateError, StoreError, UsageError
from curate.publish.options import PublishOptions
from curate.publish.upload import Published, upload
from tests.publish.hub import REPO, TOKEN, Server, Waits, client, staged

PRIVATE = PublishOptions(repo=REPO, license="mit")
PUBLIC = PublishOptions(repo=REPO, license="mit", public=True)
COMMIT = f"POST /api/datasets/{REPO}/commit"


def noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)


def content(**more: bytes) -> dict[str, bytes]:
    files = {
        "README.md": b"---\nlicense: mit\n---\n# Made\n",
        "data/trajectories/train-00000.parquet": noise(5_000, 1),
        "data/steps/train-00000.parquet": noise(300_000, 2),
        "data/steps/train-00001.parquet": noise(200_000, 3),
        "examples/train-00000.jsonl": b'{"a": 1}\n' * 10,
    }
    return files | more


ROWS = {"data/trajectories/train-00000.parquet": 4, "data/steps/train-00000.parquet": 30}


def send(server: Server, folder: Path, files: dict[str, bytes], options: Any = PRIVATE, **more: Any) -> Published:
    waits = more.pop("waits", None)
    rows = more.pop("rows", ROWS)
    return upload(staged(folder, files, rows), options, hub=client(server, waits), **more)


def seen(files: dict[str, bytes]) -> dict[str, str]:
    return {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}


def theirs(server: Server) -> dict[str, str]:
    """What users see, but for what every repository has beside the content."""
    return {
        path: sha
        for path, sha in server.files().items()
        if path not in (".gitattributes", "CHANGELOG.md", "manifest.json")
    }


def test_a_revision_is_one_commit_with_a_tag_and_a_line(hub_server: Server, tmp_path: Path) -> None:
    done = send(hub_server, tmp_path / "one", content())
    repo = hub_server.repository()
    assert theirs(hub_server) == seen(content())
    assert repo["private"] and len(repo["commits"]) == 2  # the one that made it, and this one
    assert repo["tags"] == {"v1.0.0": done.commit} and done.new and done.revision == "v1.0.0"
    log = (tmp_path / "hub" / hub_server.files()["CHANGELOG.md"]).read_text()
    assert "- **v1.0.0** (20" in log and "4 trajectories, 30 steps, 0 examples; the first revision." in log


def test_a_second_revision_drops_what_is_stale_and_leaves_what_is_not_ours(hub_server: Server, tmp_path: Path) -> None:
    send(hub_server, tmp_path / "one", content())
    repo = hub_server.repository()
    hub = client(hub_server)
    from huggingface_hub import CommitOperationAdd

    hub.commit([CommitOperationAdd("logo.svg", b"<svg/>")], "a logo", repo["commits"][-1]["id"])
    hub_server.forget_log()
    files = content()
    del files["data/steps/train-00001.parquet"]
    files["data/steps/test-00000.parquet"] = noise(40_000, 4)
    done = send(hub_server, tmp_path / "two", files, rows={**ROWS, "data/steps/test-00000.parquet": 5})
    assert theirs(hub_server) == seen(files | {"logo.svg": b"<svg/>"})
    assert done.removed == ["data/steps/train-00001.parquet"] and done.left_alone == ["logo.svg"]
    assert done.revision == "v1.1.0" and len(hub_server.repository()["commits"]) == 4
    sent = [row["bytes"] for row in hub_server.log("PUT /lfs/")]
    assert sent == [40_000]  # what was there is not sent again
    log = (tmp_path / "hub" / hub_server.files()["CHANGELOG.md"]).read_text()
    assert "35 steps (+5)" in log and "1 new" in log and "1 gone" in log and log.index("v1.1.0") < log.index("v1.0.0")


def test_the_same_content_makes_no_commit_and_says_so(hub_server: Server, tmp_path: Path) -> None:
    first = send(hub_server, tmp_path / "one", content())
    again = send(hub_server, tmp_path / "two", content())
    assert not again.new and again.commit == first.commit and again.revision == "v1.0.0" and again.sent_bytes == 0
    assert len(hub_server.repository()["commits"]) == 2 and len(hub_server.log("PUT /lfs/")) == 3


FAULTS = {
    "429 with Retry-After on the upload": ({"on": "PUT /lfs/", "do": "status", "status": 429, "retry_after": 0},),
    "503 twice where contents are asked about": (
        {"on": "objects/batch", "do": "status", "status": 503, "retry_after": 0, "times": 2},
    ),
    "the connection is cut in the middle of a file": ({"on": "PUT /lfs/", "do": "cut", "after": 100_000},),
    "429 where the account is asked for": ({"on": "whoami", "do": "status", "status": 429, "retry_after": 7},),
    "500 where the files are listed, in the second page": ({"on": "cursor=", "do": "status", "status": 500},),
    "the list of files is cut": ({"on": "/tree/", "do": "cut", "after": 20},),
    "503 on the commit, which did not happen": ({"on": COMMIT, "do": "status", "status": 503},),
    "the commit happened and its answer was lost": ({"on": COMMIT, "do": "lose"},),
    "502 on the tag": ({"on": "/tag/", "do": "status", "status": 502},),
    "502 where the repository is made": ({"on": "repos/create", "do": "status", "status": 502},),
}


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS.keys())
def test_what_passes_is_tried_again(
    faults: tuple[dict[str, Any], ...], hub_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)  # its own waits, for speed
    hub_server.faults(*faults)
    waits = Waits()
    done = send(hub_server, tmp_path / "one", content(), waits=waits)
    repo = hub_server.repository()
    assert theirs(hub_server) == seen(content())
    assert len(repo["commits"]) == 2 and repo["tags"] == {"v1.0.0": done.commit}  # never twice
    if "whoami" in faults[0]["on"]:
        assert waits.seconds == [7.0]  # what the Hub asked for


REFUSED = {
    "a token that the Hub does not know": ({"on": "whoami", "do": "status", "status": 401}, UsageError, "token"),
    "no right to write": ({"on": "repos/create", "do": "status", "status": 403}, StoreError, "may not write"),
    "too large": ({"on": COMMIT, "do": "status", "status": 413}, StoreError, "too large"),
    "a commit in between": ({"on": COMMIT, "do": "status", "status": 412}, GateError, "Somebody else"),
    "out of order for good": ({"on": COMMIT, "do": "status", "status": 503, "times": 99}, StoreError, "goes on where"),
    "slow down for good": ({"on": "whoami", "do": "status", "status": 429, "times": 99}, StoreError, "slow down"),
    "cut for good": ({"on": "whoami", "do": "cut", "after": 3, "times": 99}, StoreError, "hangs up"),
    "a wrong card": ({"on": "validate-yaml", "do": "status", "status": 400, "error": "no"}, StoreError, "refuses"),
}


@pytest.mark.parametrize(("fault", "kind", "word"), REFUSED.values(), ids=REFUSED.keys())
def test_what_stays_wrong_is_one_sentence_and_users_see_nothing_of_it(
    fault: dict[str, Any], kind: type[CurateError], word: str, hub_server: Server, tmp_path: Path
) -> None:
    hub_server.faults(fault)
    with pytest.raises(kind, match=word) as caught:
        send(hub_server, tmp_path / "one", content())
    said = str(caught.value)
    assert "\n" not in said and TOKEN not in said and "signature" not in said and "http" not in said
    assert caught.value.__cause__ is None
    repo = hub_server.repositories().get(REPO)
    assert repo is None or len(repo["commits"]) == 1


def test_somebody_else_commits_in_between(hub_server: Server, tmp_path: Path) -> None:
    from huggingface_hub import CommitOperationAdd

    send(hub_server, tmp_path / "one", content())
    hub = client(hub_server)
    real = hub.commit

    def after_another(operations: Any, message: str, parent: str) -> str:
        client(hub_server).commit([CommitOperationAdd("theirs.txt", b"x")], "theirs", parent)
        return real(operations, message, parent)

    hub.commit = after_another  # type: ignore[method-assign]
    changed = content(**{"README.md": b"---\nlicense: mit\n---\n# Other\n"})
    with pytest.raises(GateError, match="Somebody else has changed"):
        upload(staged(tmp_path / "two", changed, ROWS), PRIVATE, hub=hub)
    assert theirs(hub_server) == seen(content() | {"theirs.txt": b"x"})
    assert len(hub_server.repository()["tags"]) == 1


def test_large_files_go_in_parts_and_come_out_whole(hub_server: Server, tmp_path: Path) -> None:
    hub_server.config(part=70_000)
    hub_server.faults({"on": "part=3", "do": "cut", "after": 10})
    send(hub_server, tmp_path / "one", content())
    assert theirs(hub_server) == seen(content())
    assert len(hub_server.log("part=")) == 5 + 3 + 1  # one of them twice


@pytest.mark.parametrize(("before", "now"), [(PRIVATE, PUBLIC), (PUBLIC, PRIVATE)])
def test_visibility_changes_only_when_it_is_said(
    before: PublishOptions, now: PublishOptions, hub_server: Server, tmp_path: Path
) -> None:
    send(hub_server, tmp_path / "one", content(), before)
    assert hub_server.repository()["private"] is (not before.public)
    with pytest.raises(GateError, match="--change-visibility"):
        send(hub_server, tmp_path / "two", content(), now)
    assert hub_server.repository()["private"] is (not before.public)
    done = send(hub_server, tmp_path / "two", content(), now, change_visibility=True)
    assert hub_server.repository()["private"] is (not now.public) and not done.new


def test_a_repository_of_other_things_is_left_alone(hub_server: Server, tmp_path: Path) -> None:
    from huggingface_hub import CommitOperationAdd

    hub = client(hub_server)
    made = hub.create(private=True)
    hub.commit([CommitOperationAdd("weights.bin", b"x")], "weights", made.head)
    with pytest.raises(GateError, match=r"holds other things already \(weights.bin"):
        send(hub_server, tmp_path / "one", content())


def test_versions(hub_server: Server, tmp_path: Path) -> None:
    def version(number: str, text: bytes) -> Published:
        files = content(**{"README.md": b"---\nlicense: mit\n---\n" + text})
        options = PublishOptions(repo=REPO, license="mit", version=number)
        return send(hub_server, tmp_path / number / text.decode(), files, options)

    assert version("2.0.0", b"a").revision == "v2.0.0"
    with pytest.raises(UsageError, match=r"2\.0\.0 is published already"):
        version("2.0.0", b"b")
    with pytest.raises(UsageError, match="no version"):
        version("1 2", b"c")
    assert len(hub_server.repository()["commits"]) == 2
    assert send(hub_server, tmp_path / "auto", content()).revision == "v2.1.0"


def test_a_tag_that_was_not_made_is_made_up_for(hub_server: Server, tmp_path: Path) -> None:
    hub_server.faults({"on": "/tag/", "do": "status", "status": 503, "times": 99})
    with pytest.raises(StoreError, match="goes on where"):
        send(hub_server, tmp_path / "one", content())
    assert hub_server.repository()["tags"] == {}
    hub_server.faults()
    done = send(hub_server, tmp_path / "one", content())
    assert not done.new and hub_server.repository()["tags"] == {"v1.0.0": done.commit}


def test_what_was_changed_after_the_gate_saw_it_is_not_sent(hub_server: Server, tmp_path: Path) -> None:
    ready = staged(tmp_path / "one", content(), ROWS)
    (tmp_path / "one" / "examples" / "train-00000.jsonl").write_bytes(b'{"a": 2}\n' * 10)
    with pytest.raises(StoreError, match=r"not the file that manifest\.json names"):
        upload(ready, PRIVATE, hub=client(hub_server))
    assert hub_server.log() == []


def test_without_a_token_nothing_is_asked(hub_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "none"))
    monkeypatch.setattr("huggingface_hub.constants.HF_STORED_TOKENS_PATH", str(tmp_path / "none too"))
    with pytest.raises(UsageError, match="no token for the Hub"):
        send(hub_server, tmp_path / "one", content())
    assert hub_server.log() == []
    assert "HF_TOKEN" not in os.environ
