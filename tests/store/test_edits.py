"""Files of edits: nothing that was said to be stored is lost, whatever happened meanwhile, and files merge."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.audit_label import AuditLabel
from curate.model.edits import Edit
from curate.model.errors import InputError, StoreError
from curate.store.edits import (
    EditsFile,
    edits_file,
    edits_folder,
    find_edits,
    labels_file,
    read_edits,
    read_labels,
    utc_now,
)


def note(text: str, number: int = 1, by: str = "anna", at: str = "2026-11-30T10:00:00Z") -> Edit:
    return Edit(number=number, id="a", kind="note", value=text, by=by, at=at)


def undo(undoes: int, number: int = 99, by: str = "anna", at: str = "2026-11-30T10:00:00Z") -> Edit:
    return Edit(number=number, id="a", kind="undo", undoes=undoes, by=by, at=at)


def write(path: Path, edits: list[Edit]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(msgspec.json.encode(edit) + b"\n" for edit in edits))
    return path


def test_edits_lie_beside_the_data(tmp_path: Path) -> None:
    assert edits_folder(tmp_path / "run") == tmp_path.resolve() / "run.edits"
    (tmp_path / "run").mkdir()
    assert edits_folder(tmp_path / "run" / ".") == tmp_path.resolve() / "run.edits"


def test_edits_are_numbered_as_they_come(tmp_path: Path) -> None:
    file = edits_file(tmp_path / "run.edits", "anna")
    assert file.read() == []
    stored = [file.append(note(text)) for text in ("one", "two\nlines", "a\u2028b")]
    assert [edit.number for edit in stored] == [1, 2, 3]
    assert stored == EditsFile(file.path).read() == read_edits([tmp_path / "run.edits"])
    assert file.append(undo(2)).number == 4
    with pytest.raises(InputError, match="no edit number 9"):
        file.append(undo(9))
    assert len(file.read()) == 4


@given(st.data())
def test_a_line_cut_short_is_told_and_what_was_stored_stays(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = write(tmp_path_factory.mktemp("torn") / "anna.jsonl", [note("one"), note("two", 2)])
    whole = path.read_bytes()
    second = whole.index(b"\n") + 1
    cut = data.draw(st.integers(second, len(whole)))
    path.write_bytes(whole[:cut])
    stored = 2 if cut >= len(whole) - 1 else 1  # without its end a row is a row all the same
    file = EditsFile(path)
    assert len(file.read()) == stored
    assert len(file.told) == (stored == 1 and cut > second)
    assert file.append(note("three")).number == stored + 1
    after = EditsFile(path)
    assert [edit.value for edit in after.read()] == [*["one", "two"][:stored], "three"]
    assert after.told == []


def test_a_broken_line_in_the_middle_names_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path / "anna.jsonl", [note("one")])
    path.write_bytes(path.read_bytes() + b'{"kind": "note"}\n' + path.read_bytes())
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"anna\.jsonl, line 2: .*required"):
        EditsFile(path).read()
    with pytest.raises(InputError, match="line 2"):
        EditsFile(path).append(note("two"))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ([note("one", 2), note("two", 2)], "numbers rise"),
        ([note("one"), note("two", 2, by="ben")], "of anna and of ben"),
        ([note("one", 2), undo(1, 3)], "undoes number 1"),
        ([note("one"), undo(2, 2)], "undoes number 2"),
    ],
)
def test_a_file_that_cannot_be_is_refused(tmp_path: Path, edits: list[Edit], says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_edits([write(tmp_path / "x.jsonl", edits)])


def test_paths_that_hold_no_edits_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "none.jsonl"):
        with pytest.raises(InputError, match=path.name):
            find_edits([path])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path: Path) -> None:
    import resource

    path = write(tmp_path / "anna.jsonl", [note("one")])
    before = path.read_bytes()
    child = os.fork()
    if not child:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 40, len(before) + 40))
        try:
            EditsFile(path).append(note("two"))
        except StoreError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert path.read_bytes() == before


def test_processes_that_append_at_once_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from curate.model.edits import Edit; from curate.store.edits import *\n"
        "for n in range(40): EditsFile(Path(sys.argv[1])).append("
        "Edit(number=1, id=sys.argv[2], kind='note', value=str(n), by='anna', at=utc_now()))"
    )
    path = tmp_path / "anna.jsonl"
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "xy"]
    assert [one.wait() for one in running] == [0, 0]
    edits = EditsFile(path).read()
    assert [edit.number for edit in edits] == list(range(1, 81))
    for name in "xy":
        assert [edit.value for edit in edits if edit.id == name] == [str(n) for n in range(40)]


def test_a_kill_loses_nothing_that_was_said_to_be_stored(tmp_path: Path) -> None:
    """SIGKILL at a moment that nobody chose, twice; long notes, so that writing takes a while."""
    code = (
        "import sys; from pathlib import Path; from curate.model.edits import Edit; from curate.store.edits import *\n"
        "for n in range(10**6): print(EditsFile(Path(sys.argv[1])).append(Edit(number=1, id='a', kind='note', "
        "value=str(n) + ' x' * 9000, by='anna', at=utc_now())).number, flush=True)"
    )
    path, told = tmp_path / "anna.jsonl", 0
    for least in (7, 19):
        running = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
        assert running.stdout is not None
        while told < least:
            told = int(running.stdout.readline())
        running.kill()
        told = max([told, *(int(line) for line in running.stdout.read().splitlines())])
        running.wait()
        running.stdout.close()
        edits = EditsFile(path).read()
        assert [edit.number for edit in edits] == list(range(1, len(edits) + 1)) and len(edits) >= told
        told = len(edits)


@given(st.permutations(range(3)))
def test_the_order_of_files_does_not_matter(tmp_path_factory: pytest.TempPathFactory, order: list[int]) -> None:
    folder = tmp_path_factory.mktemp("edits")
    paths = [
        write(folder / "z" / "anna.jsonl", [note("first"), note("fourth", 2, at="2026-11-30T12:00:00Z")]),
        write(
            folder / "b" / "anna.jsonl",
            [note("second", at="2026-11-30T10:30:00Z"), undo(1, 2, at="2026-11-30T11:00:00Z")],
        ),
        write(folder / "ben.jsonl", [note("x", by="ben")]),
    ]  # fmt: skip
    edits = read_edits([paths[at] for at in order])
    assert [(edit.by, edit.number, edit.value) for edit in edits] == [
        ("anna", 1, "first"), ("anna", 2, "second"), ("anna", 3, None), ("anna", 4, "fourth"), ("ben", 1, "x"),
    ]  # fmt: skip
    assert edits[2].undoes == 2


def test_an_older_copy_of_a_file_adds_nothing(tmp_path: Path) -> None:
    edits = [note("one"), note("two", 2)]
    old, new = write(tmp_path / "old" / "anna.jsonl", edits[:1]), write(tmp_path / "new" / "anna.jsonl", edits)
    assert read_edits([old, new, new, tmp_path / "new"]) == edits


def test_labels_lie_in_the_same_folder_and_are_no_edits(tmp_path: Path) -> None:
    folder = tmp_path / "run.edits"
    file = labels_file(folder, "pairs", "anna")
    for item, answer in (("a", "copy"), ("b", "unsure"), ("a", "different")):
        row = {"about": "pairs", "run": "0" * 64, "size": 9, "seed": 0, "item": item, "answer": answer}
        file.append(AuditLabel(**row, by="anna", at=utc_now()))  # type: ignore[arg-type]
    edits_file(folder, "anna").append(note("one"))
    assert [(label.item, label.answer) for label in read_labels([folder])] == [("a", "different"), ("b", "unsure")]
    assert len(file.read()) == 3
    assert [edit.value for edit in read_edits([folder])] == ["one"]


def test_a_folder_without_audit_labels_is_told_by_their_name(tmp_path: Path) -> None:
    """Edits are JSONL too: a sentence that misses "*.jsonl" in a folder that holds such files explains nothing."""
    (tmp_path / "anna.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match=r"holds no file of audit labels \(audit-\*\.jsonl\)"):
        read_labels([tmp_path])
