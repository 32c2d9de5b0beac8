"""Every reason to refuse, made in the records of a real run: the gate names it and the runs it is in, and nothing else;
and what may be accepted passes when it is accepted by name."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from curate.engine.packs import add_pack
from curate.model.actions import Write
from curate.model.errors import UsageError
from curate.model.trajectory import Element, Keyframe, Trajectory
from curate.publish.gate.codes import CODES, checked_codes
from curate.publish.gate.found import Gate
from curate.publish.gate.gate import Looking
from curate.publish.options import PublishOptions
from curate.store.edits import edits_file, edits_folder
from curate.store.run_folder import RunFolder
from tests.publish.runs import RUNS, finished, picture

NOTHING_CHECKED = {"leak.unchecked"}


@pytest.fixture(autouse=True)
def own_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs of this machine's user are not looked at."""
    monkeypatch.setenv("CURATE_HOME", str(tmp_path / "packs"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def looked(run: Path, ocr: int | None = 0, **more: Any) -> Gate:
    return Looking(run, PublishOptions(**{"repo": "user/traj", "license": "mit", **more}), ocr=ocr).at_run()


def refused(gate: Gate) -> set[str]:
    return {one.code for one in gate.refusing} - NOTHING_CHECKED


def ids(gate: Gate, code: str) -> set[tuple[str | None, int | None]]:
    return {(row.id, row.step) for one in gate.findings if one.code == code for row in one.rows}


def test_a_run_with_nothing_wrong_passes_and_says_what_was_not_looked_at(tmp_path: Path) -> None:
    gate = looked(finished(tmp_path))
    assert [one.code for one in gate.findings] == ["leak.unchecked"] and gate.findings[0].count == RUNS
    told = [one.what for one in gate.unlooked]
    assert any("the text in 30 pictures" in what for what in told)
    assert any("pointer" in what for what in told)  # no recording: where it was is not known
    assert not looked(tmp_path / "run", accept=("leak.unchecked",)).refusing


def put(record: Trajectory, field: str, value: str) -> None:
    """Put a text into a field of a run's second step (or of the run)."""
    step = record.steps[1]
    match field:
        case "instruction":
            record.instruction = value
        case "wordings":
            record.wordings = {"other": value}
        case "typed":
            step.actions = [Write(text=value)]
        case "element":
            step.element = Element(role="button", name=value)
        case "expected":
            record.task.expected = value
        case _:
            setattr(step, field, value)


PERSONAL = [
    ("instruction", "Write to jane.roe@zetalab.org about it", "personal.contact"),
    ("thought", "She is at +49 30 901820 today", "personal.contact"),
    ("wordings", "Mail jane.roe@zetalab.org", "personal.contact"),
    ("typed", "4539 1488 0343 6467", "personal.bank"),
    ("window", "Account DE44500105175407324931", "personal.bank"),
    ("url", "file:///Users/jroe/notes.txt", "personal.user_name"),
    ("element", "ghp_" + "Ab3dE" * 7 + "x", "personal.secret"),
    ("expected", "AKIAIOSFODNN7EXAMPLQ is set", "personal.secret"),
    ("reflection", "jane.roe@zetalab.org was wrong", "personal.contact"),
]


def test_personal_data_is_found_in_every_text_and_not_shown(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        for record, (field, value, _code) in zip(made, PERSONAL, strict=False):
            put(record, field, value)

    gate = looked(finished(tmp_path, change, runs=len(PERSONAL) + 1))
    assert refused(gate) == {code for _, _, code in PERSONAL}
    for number, (field, value, code) in enumerate(PERSONAL):
        step = None if field in ("instruction", "wordings", "expected") else 1
        assert (f"made:{number}", step) in ids(gate, code), field
        assert value not in str(gate)
    assert f"made:{len(PERSONAL)}" not in str(gate)
    assert "jane.roe" not in str(gate) and "jroe" not in str(gate)


def test_personal_data_in_a_pictures_file(tmp_path: Path) -> None:
    def change(made: list[Trajectory], data: Path) -> None:
        made[4].steps[3].image = picture(data, 400, says="taken for jane.roe@zetalab.org")

    gate = looked(finished(tmp_path, change))
    assert refused(gate) == {"personal.contact"} and ids(gate, "personal.contact") == {("made:4", 3)}


def test_text_in_pictures_is_read_where_an_engine_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the program Tesseract, as it is called: a picture on stdin, its text on stdout."""
    program = tmp_path / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\ncat > /dev/null\necho 'From: jane.roe@zetalab.org'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    run = finished(tmp_path)
    gate = looked(run, ocr=7)
    seven = {*(("made:0", step) for step in range(5)), ("made:1", 0), ("made:1", 1)}
    assert refused(gate) == {"personal.contact"} and ids(gate, "personal.contact") == seven
    assert any("the text in 23 of 30 pictures" in one.what and "Tesseract" in one.because for one in gate.unlooked)


def test_missing_pictures_are_never_accepted(tmp_path: Path) -> None:
    run = finished(tmp_path)
    lost, changed = sorted((run / "media").rglob("*.png"))[:2]
    lost.unlink()
    changed.write_bytes(changed.read_bytes() + b"x")
    gate = looked(run)
    assert refused(gate) == {"pictures.missing"} and len(ids(gate, "pictures.missing")) == 2
    with pytest.raises(UsageError, match=r"pictures\.missing cannot be accepted"):
        looked(run, accept=("pictures.missing",))


def test_pictures_of_another_size_and_points_in_doubt(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        made[0].steps[1].flags = ["point_inferred"]
        made[1].lineage = ["import: decided from the data, 91% sure at least: space pixels"]
        made[2].lineage = ["import: decided from the data, 100% sure at least: space pixels"]
        made[3].steps[2].image_size = (640, 360)

    gate = looked(finished(tmp_path, change, ["images.wrong_size=keep"]))
    assert refused(gate) == {"coordinates.point", "coordinates.frame", "coordinates.size"}
    assert ids(gate, "coordinates.point") == {("made:0", 1)}
    assert ids(gate, "coordinates.frame") == {("made:1", None)}
    assert ids(gate, "coordinates.size") == {("made:3", 2)}


def test_licences(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        made[0].source.license = None
        made[1].source.license = "cc-by-nc-4.0"
        made[2].source.license = "CC-BY-SA-4.0"
        made[3].source.license = "cc-by-nd-4.0"
        made[4].source.license = "ask us"
        made[5].source.license = "MIT"

    run = finished(tmp_path, change)

    def conflicts(whole: str, **more: str) -> set[str | None]:
        return {id for id, _ in ids(looked(run, license=whole, **more), "licences.conflict")}

    assert {id for id, _ in ids(looked(run), "licences.missing")} == {"made:0"}
    assert conflicts("mit") == {"made:1", "made:2", "made:3", "made:4"}
    assert conflicts("cc-by-nc-4.0") == {"made:2", "made:3", "made:4"}
    assert conflicts("cc-by-sa-4.0") == {"made:1", "made:3", "made:4"}
    assert conflicts("cc0-1.0") == {"made:1", "made:2", "made:3", "made:4", "made:5"}
    assert conflicts("other", license_name="ours") == {"made:1", "made:2", "made:3", "made:4"}
    with pytest.raises(UsageError, match=r"Did you mean 'cc-by-4\.0'"):
        looked(run, license="cc-by-40")
    with pytest.raises(UsageError, match="--license-name"):
        looked(run, license="other")


def pointers(made: list[Trajectory], on_target: int, steps: int) -> None:
    """Keyframes for so many steps of all runs, the first of which have the pointer on the target."""
    every = [step for record in made for step in record.steps][:steps]
    for number, step in enumerate(every):
        step.keyframe = Keyframe(
            time=0.0, rule="latest_away", pointer=(0.5, 0.5), pointer_on_target=number < on_target, hover=False,
            floor_on_target=False,
        )  # fmt: skip


def test_pointer_rates_against_their_floor(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        pointers(made, 3, 30)

    run = finished(tmp_path, change)
    gate = looked(run)
    # 3 of 30 is beyond 2 points; hover is 0 of 30, whose upper bound (11.4 %) is too
    assert refused(gate) == {"pointer.on_target", "pointer.unsure"}
    assert ids(gate, "pointer.on_target") == {("made:0", 0), ("made:0", 1), ("made:0", 2)}
    assert refused(looked(run, sets=("publish.pointer_points=12",))) == {"pointer.unsure"}  # 3 of 30: up to 25.6 %
    assert refused(looked(run, sets=("publish.pointer_points=30",))) == set()


def test_unknown_outcomes_beyond_what_the_recipe_allows(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        for record in made[:4]:
            record.outcome.completed = None

    run = finished(tmp_path, change, ["publish.unknown_outcomes=0.7"])
    assert refused(looked(run)) == set()
    gate = looked(run, sets=("publish.unknown_outcomes=0.5",))
    assert refused(gate) == {"outcomes.unknown"} and len(ids(gate, "outcomes.unknown")) == 4
    assert {id for id, _ in ids(gate, "outcomes.unknown")} == {f"made:{k}" for k in range(4)}


def test_redactions_until_somebody_looked_at_them(tmp_path: Path) -> None:
    from curate.model.edits import Edit

    def change(made: list[Trajectory], _: Path) -> None:
        made[1].steps[0].flags = ["redacted"]
        made[1].steps[4].flags = ["redacted"]

    run = finished(tmp_path, change)
    assert ids(looked(run), "redactions.unreviewed") == {("made:1", 0), ("made:1", 4)}
    mine = edits_file(edits_folder(run), "anna")
    about = {"id": "made:1", "by": "anna", "at": "2026-11-30T23:59:01Z"}
    mine.append(Edit(number=1, step=0, kind="note", value="all gone", **about))
    assert ids(looked(run), "redactions.unreviewed") == {("made:1", 4)}
    mine.append(Edit(number=1, step=4, kind="note", value="all gone", **about))
    assert refused(looked(run)) == set()
    mine.append(Edit(number=1, kind="undo", undoes=2, **about))
    assert ids(looked(run), "redactions.unreviewed") == {("made:1", 4)}


def test_reviewers_who_disagree(tmp_path: Path) -> None:
    from curate.model.edits import Edit

    run = finished(tmp_path)
    for by, value in (("anna", True), ("ben", False)):
        edit = Edit(number=1, id="made:3", step=2, kind="correct", value=value, by=by, at="2026-11-30T23:59:01Z")
        edits_file(edits_folder(run), by).append(edit)
    gate = looked(run)
    assert refused(gate) == {"edits.disagreement"} and ids(gate, "edits.disagreement") == {("made:3", 2)}


def test_a_strong_leak_against_a_pack_that_came_after_the_run(tmp_path: Path) -> None:
    run = finished(tmp_path)
    tasks = tmp_path / "bench.jsonl"
    tasks.write_text('{"id": "t1", "instruction": "Rename the folder number 4 to plan 4"}\n')
    add_pack("newbench", tasks)
    gate = looked(run)
    assert refused(gate) == {"leak.strong"} and ids(gate, "leak.strong") == {("made:4", None)}
    with pytest.raises(UsageError, match=r"leak\.strong cannot be accepted"):
        looked(run, accept=("leak.strong",))
    again = finished(tmp_path / "again", sets=["leaks.tests=newbench"])
    assert not {"leak.strong", "leak.unchecked"} & {one.code for one in looked(again).findings}


def test_codes_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Did you mean 'leak\.unchecked'"):
        checked_codes(["leak.uncheked"])
    never = {code for code, known in CODES.items() if known.weight == "never"}
    assert never == {"leak.strong", "personal.secret", "pictures.missing"}


def test_all_rows_are_in_a_file_and_none_of_the_last_time(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        for record in made:
            for step in record.steps:
                step.flags = ["point_inferred"]

    run = finished(tmp_path, change)
    for _ in range(2):
        found = next(one for one in looked(run).findings if one.code == "coordinates.point")
        assert found.count == 30 and len(found.rows) == 20 and found.rows_file == "run.gate/coordinates.point.jsonl"
        assert len((tmp_path / found.rows_file).read_text().splitlines()) == 30
    shutil.rmtree(run / "media")
    assert "pictures.missing" in refused(looked(run))
    assert RunFolder(run).read_report()["trajectories"] == RUNS
