"""What lies beside the data when somebody is forgotten: what was published and what the gate found, labels of audits,
notes, the index; names of every kind; and a kill at any moment, in any folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from curate.cli._app import run as cli
from curate.engine.forgetting import forget as forgetting
from curate.engine.forgetting.lines import forget_lines
from curate.engine.forgetting.mentions import Mentions
from curate.model.edits import Edit
from curate.model.errors import InputError
from curate.model.trajectory import Actor
from curate.publish.gate.gate import Looking
from curate.publish.options import PublishOptions
from curate.publish.publishing import staged_folder
from curate.publish.staging import stage
from curate.stages.copies.index import batches_in
from curate.store.dataset import DatasetWriter, read_records
from curate.store.edits import edits_file, edits_folder
from curate.store.run_folder import RunFolder
from curate.view.report import write_report
from tests.engine.forgetting.test_forget import SECRETS, a_dataset, left_in, made
from tests.factories import make_trajectory
from tests.runs import ROOT, run_here

PERSON = "person-zq81"
AT = "2026-11-30T12:00:00Z"
OTHERS = [("other:1", "other:4")]
PUBLISHED = PublishOptions(repo="user/traj", license="mit")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset, its run with an index, edits and labels beside it, and all that publishing it made."""
    root = tmp_path_factory.mktemp("beside")
    a_dataset(root / "data", thought="Zanzibar is jane.roe@zetalab.org's")
    sets = ["nearcopies.evidence=actions", "nearcopies.action_people=drop", "split.test=0"]
    run_here([root / "data"], root / "run", sets, against=root / "index")
    write_report(root / "run")
    beside = edits_folder(root / "run")
    edits_file(beside, "anna").append(
        Edit(number=1, id="other:1", kind="note", value="the same as forget-me:0, but for a word", by="anna", at=AT)
    )
    items = [
        {"id": id, "other": other} for id, other in (("forget-me:0", "other:1"), *OTHERS, ("other:4", "forget-me:1"))
    ]
    (beside / "audit-sample.jsonl").write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in items))
    run = root / "run"
    looking = Looking(run, PUBLISHED, ocr=0)
    looking.at_run()
    looking.at_staged(stage(run, staged_folder(run), PUBLISHED, write_report=write_report))
    return root


@pytest.fixture
def there(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "all")
    return tmp_path / "all"


def everywhere(there: Path) -> list[Path]:
    return [there / name for name in ("data", "run", "index")]


def test_what_lies_beside_was_full_of_them(whole: Path) -> None:
    for folder in ("run.publish", "run.gate", "run.edits", "index"):
        assert left_in(whole / folder, SECRETS), folder


def test_nothing_is_left_beside_the_data(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(["forget", PERSON, *map(str, everywhere(there))]) == 0
    assert left_in(there, SECRETS) == []
    assert not (there / "run.publish").exists() and not (there / "run.gate").exists()
    left = (there / "run.edits" / "audit-sample.jsonl").read_bytes().splitlines()
    assert [tuple(msgspec.json.decode(line).values()) for line in left] == OTHERS
    note = edits_file(there / "run.edits", "anna").read()[0]
    assert note.value == "the same as (forgotten 1), but for a word" and note.number == 1
    said = capsys.readouterr().err
    assert "`curate view --export`" in said and "run.publish is gone" in said


def test_the_next_publication_is_without_them(there: Path) -> None:
    forgetting.forget([PERSON], everywhere(there))
    write_report(there / "run")
    ready = stage(there / "run", staged_folder(there / "run"), PUBLISHED, write_report=write_report)
    assert left_in(ready.folder, SECRETS) == []
    kept = {record.id for record in read_records(there / "run")}
    assert 0 < ready.manifest.value("trajectories") <= len(kept) == 6


def test_labels_of_any_shape_go_and_those_of_ids_alike_stay(tmp_path: Path) -> None:
    path = tmp_path / "audit-pairs-a.jsonl"
    rows = [{"item": "7"}, {"item": "7|8"}, {"item": "17|8"}, {"pair": ["8", "7"]}, {"item": "a/made:10.2|x"},
            {"item": "made:10-2"}, {"item": "made:10"}, {"item": "x,made:10"}]  # fmt: skip
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    assert forget_lines(path, Mentions(["7", "made:10"]), anywhere=True) == 5
    left = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    assert left == [rows[2], rows[4], rows[5]]


def test_a_witness_whose_id_begins_as_the_forgotten_one_stays_itself() -> None:
    said = ["made:10-2", "copy of made:10-2.", "copy of made:10.", "made:10.b", "made:10, made:10-2"]
    assert Mentions(["made:10"]).replaced(said) == [
        "made:10-2", "copy of made:10-2.", "copy of (forgotten 1).", "made:10.b", "(forgotten 1), made:10-2",
    ]  # fmt: skip


ODD = [
    "a b",
    'quo"te',
    "back\\slash",
    "line\nbreak",
    "änne-日本",
    "../up",
    "a/b",
    "*",
    "%s",
    "$(x)",
    "e\u0301",
    "-v",
    "0",
]


def test_actors_of_any_name(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "data", made={"by": "test"}) as writer:
        for number, name in enumerate([*ODD, "stays"]):
            record = make_trajectory(f"r:{number:03d}", instruction=f"Do what number {number} asks")
            record.actor = Actor(kind="human", name=name)
            writer.add(record)
    assert cli(["forget", "--", *ODD[-2:], str(tmp_path / "data")]) == 0  # one of them looks like an option
    for left in range(len(ODD) - 2, 0, -1):
        names = [record.actor.name for record in read_records(tmp_path / "data")]
        assert names == [*ODD[:left], "stays"]
        forgetting.forget([ODD[left - 1]], [tmp_path / "data"])
    with pytest.raises(InputError, match="Nobody and no run is named 'a'"):
        forgetting.forget(["a"], [tmp_path / "data"])


def test_a_person_in_two_datasets_goes_from_those_that_are_named(whole: Path, tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        shutil.copytree(whole / "data", tmp_path / name)
    done = forgetting.forget([PERSON], [tmp_path / "one", tmp_path / "two"])
    assert [one.runs for one in done] == [3, 3]
    assert left_in(tmp_path / "one", SECRETS) == left_in(tmp_path / "two", SECRETS) == []
    assert len(list(read_records(tmp_path / "three"))) == 9


def test_who_was_a_witness_is_named_no_more_and_the_verdict_stands(tmp_path: Path) -> None:
    """All nine are one task here, and the person's run came first: all others are copies of it."""
    with DatasetWriter(tmp_path / "data", made={"by": "test"}) as writer:
        first, *_ = records = made(tmp_path / "data")
        for record in records:
            record.instruction = "Write a card"
            for step, same in zip(record.steps, first.steps, strict=True):
                step.action, step.actions, step.code = same.action, same.actions, same.code
            writer.add(record)
    sets = ["nearcopies.evidence=actions", "nearcopies.action_people=drop", "nearcopies.order=input", "split.test=0"]
    run_here([tmp_path / "data"], tmp_path / "run", sets)
    copies = {row.id: row for row in RunFolder(tmp_path / "run").read_rejected() if "forget-me:0" in str(row.detail)}
    others = {str(id) for id in copies if not str(id).startswith("forget-me")}
    assert len(others) == 6
    forgetting.forget([PERSON], [tmp_path / "run"])
    after = {row.id: row for row in RunFolder(tmp_path / "run").read_rejected()}
    assert set(after) == others and left_in(tmp_path / "run", ["forget-me", PERSON]) == []
    for id in others:
        assert after[id].reason == "nearcopies.copy_of" and "shared with (forgotten 1)," in str(after[id].detail)


def whole_again(there: Path) -> None:
    """Nothing of them is left, and what is left is whole."""
    assert left_in(there, SECRETS) == []
    assert [record.id for record in read_records(there / "data", check_hashes=True)] == [
        f"other:{k}" for k in (1, 2, 4, 5, 7, 8)
    ]
    report = RunFolder(there / "run").read_report()
    assert report["read"] == 6 == report["trajectories"] + report["rejected"]
    assert not list(there.rglob(".forgetting")) and batches_in(there / "index")
    told = msgspec.json.decode((there / "run" / "forgotten.json").read_bytes())
    assert [one["runs"] for one in told] == [3]


class KilledError(BaseException):
    """The process ends here."""


def stopping(after: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Every change of a folder is counted; before the given one the process ends. How many there were."""
    count = 0
    for name in ("replace", "unlink", "rmdir"):
        real = getattr(os, name)

        def counted(*arguments: object, real: Callable[..., None] = real, **named: object) -> None:
            nonlocal count
            count += 1
            if count == after:
                raise KilledError
            real(*arguments, **named)

        monkeypatch.setattr(os, name, counted)
    return lambda: count


@pytest.fixture(scope="module")
def changes(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many changes of folders it takes to forget."""
    counted = tmp_path_factory.mktemp("counted") / "all"
    shutil.copytree(whole, counted)
    with pytest.MonkeyPatch.context() as patched:
        count = stopping(0, patched)
        forgetting.forget([PERSON], everywhere(counted))
        return count()


@pytest.mark.parametrize("part", [0, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 1])
def test_stopped_before_any_change_of_any_folder_the_same_command_ends_the_same(
    part: float, changes: int, there: Path
) -> None:
    assert changes > 60
    with pytest.MonkeyPatch.context() as patched:
        stopping(1 + round(part * (changes - 1)), patched)
        with pytest.raises(KilledError):
            forgetting.forget([PERSON], everywhere(there))
    forgetting.forget([PERSON], everywhere(there))
    whole_again(there)


KILLED = """
import os, signal, sys
from pathlib import Path
after, count, real = int(sys.argv[1]), 0, os.replace
def replace(*arguments):
    global count
    count += 1
    if count == after:
        os.kill(os.getpid(), signal.SIGKILL)
    real(*arguments)
os.replace = replace
from curate.engine.forgetting.forget import forget
forget([sys.argv[2]], [Path(one) for one in sys.argv[3:]])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
@pytest.mark.parametrize("after", [4, 12])
def test_kill_9_with_a_file_half_written(there: Path, after: int) -> None:
    folders = everywhere(there)
    told = [sys.executable, "-c", KILLED, str(after), PERSON, *map(str, folders)]
    assert subprocess.run(told, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    assert [path for path in there.rglob(".*") if path.is_file() and path.name != ".forgetting"]  # what it left
    forgetting.forget([PERSON], folders)
    whole_again(there)
    assert [path for path in there.rglob(".*") if path.is_file()] == []
