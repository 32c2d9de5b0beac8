"""More of what stands between a publication and the Hub: proxies, redirects, slow answers, tokens without rights, parts
that are not verified, a commit that was made and is said not to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.model.errors import CurateError, StoreError, UsageError
from curate.publish.first_rows import first_rows
from tests.publish.hub import REPO, TOKEN, Server, Waits
from tests.publish.upload.test_upload import COMMIT, content, seen, send, theirs

PASSES = {
    "429 without Retry-After, twice": ({"on": "whoami", "do": "status", "status": 429, "times": 2},),
    "429 with a date for Retry-After": (
        {"on": "/tree/", "do": "status", "status": 429, "retry_after": "Wed, 21 Oct 2015 07:28:00 GMT"},
    ),
    "408 where contents are asked about": ({"on": "preupload", "do": "status", "status": 408},),
    "504 with a proxy's page": ({"on": "/tree/", "do": "page", "status": 504},),
    "the commit was made and 500 is said": ({"on": COMMIT, "do": "late", "status": 500},),
    "the commit was made and a proxy says 504": ({"on": COMMIT, "do": "late", "status": 504},),
    "503 on the verification of a file": ({"on": "info/lfs/verify", "do": "status", "status": 503},),
    "an answer is slow": ({"on": "/tree/", "do": "slow", "seconds": 1.5},),
    "moved to where it is": ({"on": "/tree/", "do": "move"},),
    "the commit's answer is lost, and the look whether it was made is cut": (
        {"on": COMMIT, "do": "lose"},
        {"on": f"GET /api/datasets/{REPO}/revision/main", "do": "cut", "after": 5, "skip": 2},
    ),
    "503 on the commit, then its answer is lost": (
        {"on": COMMIT, "do": "status", "status": 503}, {"on": COMMIT, "do": "lose"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("faults", PASSES.values(), ids=PASSES.keys())
def test_what_passes(
    faults: tuple[dict[str, Any], ...], hub_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
    hub_server.faults(*faults)
    waits = Waits()
    done = send(hub_server, tmp_path / "one", content(), waits=waits)
    repo = hub_server.repository()
    assert theirs(hub_server) == seen(content())
    assert len(repo["commits"]) == 2 and repo["tags"] == {"v1.0.0": done.commit}
    assert all(0 < seconds <= 120 for seconds in waits.seconds)


STAYS = {
    "a network's page to log in, on every question": (
        {"on": "/api/", "do": "page", "status": 200, "times": 99}, StoreError, "no answer of a Hub"
    ),
    "a proxy's page that refuses": ({"on": "/api/", "do": "page", "status": 403, "times": 99}, StoreError, "not write"),
    "a proxy that asks to log in": ({"on": "/api/", "do": "page", "status": 407, "times": 99}, StoreError, "407"),
    "moved for ever": ({"on": "whoami", "do": "move", "times": 99}, StoreError, "huggingface_hub could not"),
    "a file is never verified": (
        {"on": "info/lfs/verify", "do": "status", "status": 404, "times": 99}, CurateError, "The Hub"
    ),
    "a file is not taken": ({"on": "PUT /lfs/", "do": "status", "status": 403, "times": 99}, StoreError, "may not"),
}  # fmt: skip


@pytest.mark.parametrize(("fault", "kind", "word"), STAYS.values(), ids=STAYS.keys())
def test_what_stays_wrong_is_one_sentence(
    fault: dict[str, Any], kind: type[CurateError], word: str, hub_server: Server, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
    hub_server.faults(fault)
    with pytest.raises(kind, match=word) as caught:
        send(hub_server, tmp_path / "one", content())
    said = str(caught.value)
    assert "\n" not in said and "<" not in said and TOKEN not in said and "http:" not in said
    repo = hub_server.repositories().get(REPO)
    assert repo is None or len(repo["commits"]) == 1
    hub_server.faults()
    assert send(hub_server, tmp_path / "two", content()).new and theirs(hub_server) == seen(content())


def test_a_token_that_may_only_read(hub_server: Server, tmp_path: Path) -> None:
    hub_server.config(users={TOKEN: ["user", "read"]})
    with pytest.raises(StoreError, match="may not write"):
        send(hub_server, tmp_path / "one", content())
    assert hub_server.repositories() == {}
    hub_server.config(users={TOKEN: ["user", "write"]})
    first = send(hub_server, tmp_path / "two", content())
    hub_server.config(users={TOKEN: ["user", "read"]})
    with pytest.raises(StoreError, match="may not write"):
        send(hub_server, tmp_path / "three", content(**{"README.md": b"---\nlicense: mit\n---\n# New\n"}))
    assert hub_server.repository()["refs"]["main"] == first.commit


def test_a_token_of_somebody_else(hub_server: Server, tmp_path: Path) -> None:
    hub_server.config(users={TOKEN: ["other", "write"]})
    with pytest.raises(StoreError, match="may not write"):
        send(hub_server, tmp_path / "one", content())
    hub_server.config(users={})
    with pytest.raises(UsageError, match="does not accept the token"):
        send(hub_server, tmp_path / "two", content())


@pytest.mark.parametrize("on", ["whoami", "revision/main", "PUT /lfs/", COMMIT, "/tag/"])
def test_a_hub_that_says_nothing_is_not_waited_for_for_ever(
    on: str, hub_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import close_session

    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda seconds: None)
    monkeypatch.setattr("curate.model.constants.HUB_SILENT_S", 0.4)
    close_session()
    hub_server.faults({"on": on, "do": "stall"})
    try:
        done = send(hub_server, tmp_path / "one", content())
    finally:
        close_session()
    assert theirs(hub_server) == seen(content()) and hub_server.repository()["tags"] == {"v1.0.0": done.commit}


def test_files_that_datasets_does_not_read_are_told(
    hub_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = send(hub_server, tmp_path / "one", content())  # noise under the names of tables
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_DISABLE_XET", "1")
    with pytest.raises(StoreError, match="All files are there, but `datasets` does not read them: ") as caught:
        first_rows(REPO, done.commit, hub_server.url)
    assert TOKEN not in str(caught.value) and "\n" not in str(caught.value)
