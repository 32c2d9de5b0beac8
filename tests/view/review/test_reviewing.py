"""Edits over HTTP end up in the reviewer's file beside the data, or are refused with a sentence."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from pathlib import Path

import msgspec
import pytest

from curate.model.edits import Edit, fingerprint
from curate.store.dataset import read_records
from curate.store.edits import EditsFile, edits_folder, read_edits
from curate.view.review.data import ReviewData
from curate.view.review.reviewing import RefusedError, store_edit, why_read_only
from tests.factories import make_trajectory
from tests.view.review.conftest import make_dataset
from tests.view.review.serving import serving


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_dataset(tmp_path / "data", [make_trajectory("one"), make_trajectory("two", instruction="Other")])


def test_an_edit_is_stored_with_who_when_and_of_what(root: Path) -> None:
    record = next(iter(read_records(root)))
    with serving(root, by="anna") as asked:
        stored = [
            asked.edit(id="one", kind="correct", step=2, value=False, of=fingerprint(record)),
            asked.edit(id="one", kind="blur", step=0, value=[0.1, 0.2, 0.5, 0.6]),
            asked.edit(id="two", kind="instruction", value="Besser: das Budget</script>\u202e"),
            asked.edit(id="one", kind="undo", undoes=1),
        ]
        assert [answer.status for answer in stored] == [200] * 4
        found = asked.json("edits")
    assert [answer.plain for answer in stored] == found["edits"]
    edits = read_edits([edits_folder(root) / "anna.jsonl"])
    assert [(edit.number, edit.by, edit.kind) for edit in edits] == [
        (1, "anna", "correct"), (2, "anna", "blur"), (3, "anna", "instruction"), (4, "anna", "undo"),
    ]  # fmt: skip
    assert {edit.of for edit in edits if edit.id == "one"} == {fingerprint(record)}
    assert {path.name for path in root.iterdir()} == {"dataset.json", "trajectories"}, "never in the data"


def test_two_reviewers_see_each_other_and_where_they_differ(root: Path) -> None:
    with serving(root, by="anna") as anna, serving(root, by="bert") as bert:
        assert anna.edit(id="one", kind="outcome", value=True).status == 200
        assert bert.edit(id="one", kind="outcome", value=False).status == 200
        assert bert.edit(id="two", kind="cut", step=3).status == 200
        for asked in (anna, bert):
            found = asked.json("edits")
            assert len(found["edits"]) == 3
            (disagreement,) = found["disagreements"]
            assert (disagreement["id"], disagreement["step"], disagreement["kind"]) == ("one", None, "outcome")
            assert disagreement["sides"] == [{"by": "anna", "value": True}, {"by": "bert", "value": False}]


def test_edits_sent_at_once_all_get_their_number(root: Path) -> None:
    with serving(root, by="anna") as asked:
        threads = [
            threading.Thread(target=asked.edit, kwargs={"id": "one", "kind": "note", "value": f"note {k}"})
            for k in range(12)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        edits = asked.json("edits")["edits"]
    assert [edit["number"] for edit in edits] == list(range(1, 13))
    assert {edit["value"] for edit in edits} == {f"note {k}" for k in range(12)}


REFUSED = [
    b"", b"null", b"[]", b"{", b"\xff\xfe", b'{"id":"one"}', b'{"id":"one","kind":"erase"}',
    b'{"id":"one","kind":"outcome","value":"yes"}', b'{"id":"one","kind":"correct","value":true}',
    b'{"id":"one","kind":"correct","step":-1,"value":true}', b'{"id":"one","kind":"blur","step":0,"value":[0,0,2,1]}',
    b'{"id":"one","kind":"blur","step":0,"value":[0.5,0,0.5,1]}', b'{"id":"one","kind":"note","value":"x","by":"bert"}',
    b'{"id":"one","kind":"outcome","value":true,"number":9}', b'{"id":"one","kind":"instruction","value":" "}',
    b'{"id":"nobody","kind":"outcome","value":true}', b'{"id":"one","kind":"undo","undoes":5}',
    b'{"id":"one","kind":"outcome","value":true,"of":"' + b"0" * 64 + b'"}', b'{"id":"","kind":"note","value":"x"}',
    b'{"id":"one","kind":"note","value":"' + b"x" * 30_000 + b'"}', b"[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_no_edit_of_this_data_is_refused_and_nothing_stored(root: Path, body: bytes) -> None:
    with serving(root, by="anna") as asked:
        answer = asked("/api/edits", "POST", body, X_Curate="1")
        assert answer.status == 400 and answer.plain["error"].endswith("."), answer
        assert str(root.parent) not in answer.plain["error"], "a page is told no place of this computer"
        assert asked.json("edits")["edits"] == []
    assert not (edits_folder(root) / "anna.jsonl").exists() or not (edits_folder(root) / "anna.jsonl").read_bytes()


def test_a_step_that_is_not_there_is_refused(root: Path) -> None:
    with serving(root) as asked:
        answer = asked.edit(id="one", kind="correct", step=99, value=True)
    assert answer.status == 404 and "no step 99" in answer.plain["error"]


def test_more_than_an_edit_is_not_taken(root: Path) -> None:
    with serving(root) as asked:
        answer = asked("/api/edits", "POST", b"x" * (5 << 20), X_Curate="1")
        assert answer.status == 413 and answer.plain["error"]
        assert asked.json("about")["editable"]


def test_a_file_of_edits_that_is_broken_is_told_by_name_and_line(root: Path) -> None:
    folder = edits_folder(root)
    folder.mkdir()
    (folder / "bert.jsonl").write_text('{"schema": "edit.v1"}\n{}\n', "utf-8")
    with serving(root, by="anna") as asked:
        answer = asked("/api/edits.json")
        assert answer.status == 400 and "bert.jsonl" in answer.plain["error"] and "1" in answer.plain["error"]
        assert str(folder.parent) not in answer.plain["error"]
        assert asked.edit(id="one", kind="outcome", value=True).status == 200, "one's own file is sound"


def test_a_torn_last_line_is_mended_by_the_next_edit(root: Path) -> None:
    with serving(root, by="anna") as asked:
        assert asked.edit(id="one", kind="outcome", value=True).status == 200
        path = edits_folder(root) / "anna.jsonl"
        path.write_bytes(path.read_bytes() + b'{"schema":"edit.v1","num')
        found = asked.json("edits")
        assert len(found["edits"]) == 1
        assert found["told"] == ["anna.jsonl: line 2 was cut short when it was written, and is passed over."]
        assert asked.edit(id="two", kind="outcome", value=False).plain["number"] == 2
    assert [edit.id for edit in EditsFile(path).read()] == ["one", "two"]


def test_where_edits_cannot_be_stored_it_is_said_before_and_when_tried(root: Path) -> None:
    edits_folder(root).write_text("in the way")
    with serving(root, by="anna") as asked:
        about = asked.json("about")
        assert about["editable"] is False and "cannot be stored" in about["not_editable"]
        answer = asked.edit(id="one", kind="outcome", value=True)
        assert answer.status == 400 and answer.plain["error"] == about["not_editable"]
        assert asked.json("edits") == {"edits": [], "disagreements": [], "told": []}
    assert edits_folder(root).read_text() == "in the way"


def test_where_the_disk_refuses_the_page_is_told_the_file_and_no_place(root: Path) -> None:
    (edits_folder(root) / "anna.jsonl").mkdir(parents=True)
    with serving(root, by="anna") as asked:
        answer = asked.edit(id="one", kind="outcome", value=True)
    assert answer.status == 400 and answer.plain["error"].startswith("Cannot write anna.jsonl")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have other rights there")
def test_a_folder_that_cannot_be_written_to_is_read_only() -> None:
    with tempfile.TemporaryDirectory() as folder:  # not below pytest's, which only its owner may enter
        root = make_dataset(Path(folder) / "data", [make_trajectory("one")])
        assert why_read_only(ReviewData(root)) is None
        Path(folder).chmod(0o555)
        said = _as_nobody(root) if os.geteuid() == 0 else _tried(root)
        Path(folder).chmod(0o755)
    assert len(said) == 2 and said[0] == said[1] and "cannot be written" in said[0], said


def _tried(root: Path) -> list[str]:
    data = ReviewData(root)
    with pytest.raises(RefusedError) as refused:
        store_edit(data, "anna", b'{"id": "one", "kind": "outcome", "value": true}')
    return [str(why_read_only(data)), str(refused.value)]


def _as_nobody(root: Path) -> list[str]:
    """What somebody is told who may not do everything, as root may."""
    come, go = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setuid(65534)
            os.write(go, "\n".join(_tried(root)).encode())
        except BaseException as error:
            os.write(go, repr(error).encode())
        os._exit(0)
    os.close(go)
    os.waitpid(child, 0)
    with os.fdopen(come, "rb") as said:
        return said.read().decode().splitlines()


def test_the_fingerprint_that_the_page_is_told_is_the_one_that_edits_carry(root: Path) -> None:
    with serving(root) as asked:
        found = asked.json("run/0")
        stored = msgspec.convert(asked.edit(id="one", kind="outcome", value=None, of=found["fingerprint"]).plain, Edit)
    assert stored.of == found["fingerprint"]
