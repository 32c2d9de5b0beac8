"""Runs with edits: what is in the run folder afterwards, byte for byte."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.engine.plan import make_plan
from curate.engine.progress import Silent
from curate.engine.recipe import load_recipe
from curate.engine.run import run
from curate.model.edits import Edit, fingerprint
from curate.model.errors import GateError, InputError
from curate.model.trajectory import Trajectory
from curate.store.dataset import read_records
from curate.store.edits import edits_file, edits_folder
from curate.store.media import MediaStore, encode_png, read_rgb
from curate.store.run_folder import RunFolder
from curate.view.report import write_report
from tests.engine.editing.test_in_force import edit, reviews
from tests.factories import make_step, make_trajectory, write_records
from tests.runs import command, contents, curate, rows, run_here

WHOLE = (0.0, 0.0, 1.0, 1.0)


def picture(seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(1, 256, (18, 32, 3), dtype=np.uint8)


def sha(seed: int) -> str:
    return hashlib.sha256(encode_png(picture(seed))).hexdigest()


def made(folder: Path, ids: str = "abcdef", files: int = 1) -> Path:
    """Records of four steps with pictures, in some files. The picture with seed 0 is the first of all of them; the one
    after a step is the one before the next."""
    folder.mkdir(parents=True, exist_ok=True)
    media = MediaStore(folder)
    found = []
    for row, id in enumerate(ids):
        refs = [media.add_png(picture(0 if k == 0 else 10 * (row + 1) + k)) for k in range(5)]
        does = [f"click {id}{k}" for k in range(4)]
        steps = [
            make_step(k, does[k], image=refs[k], image_after=refs[k + 1], image_size=(32, 18), screen=None)
            for k in range(4)
        ]
        found.append(make_trajectory(id, steps=steps, final_image=refs[4], instruction=f"Task {id} of the day"))
    for number in range(files):
        write_records(folder / f"{number}.jsonl", found[number::files])
    return folder


def write(path: Path, edits: Iterable[Edit]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(msgspec.json.encode(edit) + b"\n" for edit in edits))
    return path


def by_id(out: Path) -> dict[str, Trajectory]:
    return {record.id: record for record in read_records(out)}


def shas(out: Path) -> set[str]:
    """Of every file below a folder, and every name."""
    files = [path for path in out.rglob("*") if path.is_file()]
    return {hashlib.sha256(path.read_bytes()).hexdigest() for path in files} | {path.name[:64] for path in files}


EDITS = [
    edit(1, "outcome", None, False, id="a"),
    edit(2, "correct", 1, False, id="b"),
    edit(3, "cut", 3, id="c"),
    edit(4, "instruction", None, "Other words", id="d"),
    edit(5, "blur", 1, (0.0, 0.0, 0.5, 0.5), id="e"),
    edit(6, "note", None, "odd", id="f"),
    edit(7, "correct", 9, False, id="f"),
    edit(8, "outcome", None, True, id="nobody"),
]


def test_a_run_does_what_reviewers_decided_and_counts_it(tmp_path: Path) -> None:
    data = made(tmp_path / "in")
    write(tmp_path / "in.edits" / "anna.jsonl", EDITS)
    write(tmp_path / "in.edits" / "ben.jsonl", [edit(1, "instruction", None, "Not those", "ben", "d")])
    out = tmp_path / "out"
    report = run_here([data], out, edits=[tmp_path / "in.edits"]).report
    found = by_id(out)
    assert found["a"].outcome.completed is False
    assert found["b"].steps[1].correct is False
    assert len(found["c"].steps) == 3
    assert found["d"].instruction == "Task d of the day"
    assert "blurred" in found["e"].steps[1].flags
    left = [(row.id, row.kind, row.by, row.reason) for row in RunFolder(out).read_edits_left_out()]
    assert left == [
        ("d", "instruction", "anna", "edits.disagreement"), ("d", "instruction", "ben", "edits.disagreement"),
        ("f", "correct", "anna", "edits.no_step"), ("nobody", "outcome", "anna", "edits.no_record"),
    ]  # fmt: skip
    assert report["edits"] == {
        "files": 2, "read": 9, "in_force": 9, "superseded": 0, "undone": 0, "undos": 0,
        "applied": {"blur": 1, "correct": 1, "cut": 1, "note": 1, "outcome": 1},
        "left_out": {"edits.disagreement": 2, "edits.no_record": 1, "edits.no_step": 1}, "disagreements": 1,
        "reviewers": {"anna": 8, "ben": 1}, "records": 4,
    }  # fmt: skip
    assert {row["id"]: row["reason"] for row in rows(out / "rejected.jsonl")}["a"] == "outcome.not_completed"
    assert ("b", 1) in [(row["id"], row["step"]) for row in rows(out / "steps_left_out.jsonl")]
    sha256 = hashlib.sha256((tmp_path / "in.edits" / "anna.jsonl").read_bytes()).hexdigest()
    assert RunFolder(out).read_run()["edits"]["anna"] == {"edits": 8, "sha256": sha256}
    lineage = [line for record in found.values() for line in record.lineage if line.startswith("edited: ")]
    assert len(lineage) == 4
    page = write_report(out).read_text(encoding="utf-8")
    assert "What reviewers decided" in page and "edits.no_record" in page


def test_without_edits_nothing_is_other_than_before(tmp_path: Path) -> None:
    data = made(tmp_path / "in")
    run_here([data], tmp_path / "plain")
    run_here([data], tmp_path / "edited", edits=[write(tmp_path / "anna.jsonl", EDITS)])
    names = {path.name for path in (tmp_path / "plain").rglob("*")}
    assert not [name for name in names if "edit" in name or "shared" in name]
    assert RunFolder(tmp_path / "plain").read_report()["edits"] is None
    assert "edits" not in RunFolder(tmp_path / "plain").read_run()
    run_here([data], tmp_path / "edited", resume_anyway=True)
    assert contents(tmp_path / "edited") == contents(tmp_path / "plain")


def test_other_edits_are_another_run(tmp_path: Path) -> None:
    data = made(tmp_path / "in", "ab")
    file = write(tmp_path / "anna.jsonl", EDITS[:1])
    run_here([data], tmp_path / "out", edits=[file])
    with pytest.raises(GateError, match="--edits"):
        run_here([data], tmp_path / "out")
    write(file, EDITS[:2])
    with pytest.raises(GateError, match="other edits"):
        run_here([data], tmp_path / "out", edits=[file])
    run_here([data], tmp_path / "out", edits=[file], resume_anyway=True)
    run_here([data], tmp_path / "fresh", edits=[file])
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")
    with pytest.raises(InputError, match="line 1"):
        run_here([data], tmp_path / "bad", edits=[write(tmp_path / "bad.jsonl", [msgspec.Raw(b"{}")])])  # type: ignore[list-item]


@pytest.mark.parametrize(("files", "redacts"), [(1, False), (3, False), (3, True)])
def test_what_is_black_is_nowhere_else(tmp_path: Path, files: int, redacts: bool) -> None:
    """The first picture is that of all records, in whichever shard they are: black in one is black in all."""
    data = made(tmp_path / "in", "abcdef", files)
    options: list[str] = []
    if redacts:
        (tmp_path / "secrets").write_text("hunter2hunter2\n")
        order = "[validate, normalise, redact, images, outcome, leaks, nearcopies, split, leaks, weights, unroll]"
        options = [f"order={order}", f"redact.secrets={tmp_path / 'secrets'}"]
    edits = [
        edit(1, "blur", 0, (0.0, 0.0, 0.5, 0.5), id="b"), edit(2, "blur", 0, (0.25, 0.25, 1.0, 1.0), id="e"),
        edit(3, "blur", 2, WHOLE, id="c"),
    ]  # fmt: skip
    file = write(tmp_path / "anna.jsonl", edits)
    out = tmp_path / "out"
    report = run_here([data], out, options, edits=[file]).report
    assert report["edits"]["applied"] == {"blur": 3}
    wanted = picture(0)
    wanted[:9, :16] = 0
    wanted[4:, 8:] = 0
    found = by_id(out)
    for record in found.values():
        assert (read_rgb(MediaStore(out).read(record.steps[0].image or "")) == wanted).all()
        assert record.steps[0].flags.count("blurred") == 1
    assert found["c"].steps[1].image_after == found["c"].steps[2].image
    assert not {sha(0), sha(32)} & shas(out)
    parts = {path.name[:64] for path in (out / "media").rglob("*.png")}
    named = [ref for record in found.values() for step in record.steps for ref in (step.image, step.image_after)]
    named += [record.final_image for record in found.values()]
    assert parts == {Path(ref or "").name[:64] for ref in named}
    assert {sha(0), sha(32)} <= shas(data), "what was read is as it was"
    run_here([data], tmp_path / "two", options, edits=[file], workers=2)
    assert contents(tmp_path / "two") == contents(out)
    again = run_here([data], out, options, edits=[file])
    assert (again.done.shards, again.done.parts) == (0, 0)
    assert contents(tmp_path / "two") == contents(out)


def test_examples_alone_show_nothing_that_is_black(tmp_path: Path) -> None:
    data = made(tmp_path / "in", "abcd", 2)
    edits = [edit(1, "blur", 0, WHOLE, id="b"), edit(2, "blur", 0, (0.0, 0.0, 0.5, 1.0), id="c")]
    file = write(tmp_path / "anna.jsonl", edits)
    run(make_plan([data], load_recipe("web"), tmp_path / "out", edits=[file], examples_only=True))
    assert sha(0) not in shas(tmp_path / "out")
    half = picture(0)
    half[:, :16] = 0
    assert hashlib.sha256(encode_png(half)).hexdigest() not in shas(tmp_path / "out")
    run_here([data], tmp_path / "kept", edits=[file])
    texts = [b"".join(p.read_bytes() for p in sorted((tmp_path / k / "examples").glob("*"))) for k in ("out", "kept")]
    assert texts[0] == texts[1]


class Stopping(Silent):
    """Interrupts a run after so many pieces of work."""

    def __init__(self, after: int) -> None:
        self.left = after

    def advance(self, pieces: int = 1) -> None:
        self.left -= pieces
        if self.left < 0:
            raise KeyboardInterrupt


def test_a_run_that_was_stopped_anywhere_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    data = made(tmp_path / "in", "abcdef", 3)
    file = write(tmp_path / "anna.jsonl", [*EDITS, edit(9, "blur", 0, WHOLE, id="f")])
    run_here([data], tmp_path / "whole", edits=[file])
    plan = make_plan([data], load_recipe("web"), tmp_path / "out", edits=[file])
    stopped = 0
    for after in range(0, 9):
        try:
            run(plan, Stopping(after % 5))
        except KeyboardInterrupt:
            stopped += 1
    assert stopped > 2
    run(plan)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    data = made(tmp_path / "in", "abcdef", 3)
    file = write(tmp_path / "anna.jsonl", [*EDITS, edit(9, "blur", 0, WHOLE, id="f")])
    arguments = command("run", data, "--recipe", "web", "--out", tmp_path / "out", "--edits", file, "--workers", "2")
    running = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not list((tmp_path / "out").glob(".work/read/*/edits.json")) and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    run_here([data], tmp_path / "out", edits=[file])
    run_here([data], tmp_path / "whole", edits=[file])
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_second_review_speaks_of_the_same_records(tmp_path: Path) -> None:
    """A run is reviewed, made again with the edits, reviewed again; both reviews hold on the data that was read first,
    and the second on what the first made."""
    data, first, second = made(tmp_path / "in", "ab"), tmp_path / "first", tmp_path / "second"
    run_here([data], first)
    seen = by_id(first)["a"]
    anna = edits_file(edits_folder(first), "anna")
    for one in (
        edit(1, "instruction", None, "Better", id="a"),
        edit(2, "blur", 1, WHOLE, id="a"),
        edit(3, "cut", 3, id="a"),
    ):
        anna.append(msgspec.structs.replace(one, of=fingerprint(seen)))
    run_here([data], second, edits=[edits_folder(first)])
    edited = by_id(second)["a"]
    assert (edited.instruction, len(edited.steps)) == ("Better", 3)
    assert fingerprint(edited) == fingerprint(seen)
    ben = edits_file(edits_folder(second), "ben")
    ben.append(msgspec.structs.replace(edit(1, "correct", 2, False, "ben", "a"), of=fingerprint(edited)))
    both = [edits_folder(first), edits_folder(second)]
    on_inputs = run_here([data], tmp_path / "third", edits=both).report["edits"]
    assert on_inputs["applied"] == {"blur": 1, "correct": 1, "cut": 1, "instruction": 1}
    on_run = run_here([second], tmp_path / "fourth", edits=both).report["edits"]
    assert on_run["left_out"] == {}
    third, fourth = by_id(tmp_path / "third")["a"], by_id(tmp_path / "fourth")["a"]
    assert third.steps == fourth.steps
    assert (third.instruction, third.wordings) == (fourth.instruction, fourth.wordings)


def test_an_edit_of_what_has_changed_since_is_left_out(tmp_path: Path) -> None:
    data = made(tmp_path / "in", "ab")
    run_here([data], tmp_path / "first")
    seen = fingerprint(by_id(tmp_path / "first")["a"])
    file = write(tmp_path / "anna.jsonl", [msgspec.structs.replace(edit(1, "blur", 1, WHOLE, id="a"), of=seen)])
    lines = (data / "0.jsonl").read_text().replace("Task a", "Job a")
    (data / "0.jsonl").write_text(lines)
    done = curate("run", data, "--recipe", "web", "--out", tmp_path / "out", "--edits", file, "--workers", "1")
    assert "Not blackened, though a reviewer wanted it: 1 regions, such as step 1 of a." in done.stderr
    assert [row.reason for row in RunFolder(tmp_path / "out").read_edits_left_out()] == ["edits.other_record"]


def test_the_second_of_an_id_is_found_by_how_it_looked(tmp_path: Path) -> None:
    data = made(tmp_path / "in", "ab")
    lines = (data / "0.jsonl").read_text().replace('"id":"b"', '"id":"a"', 1)
    (data / "0.jsonl").write_text(lines)
    run_here([data], tmp_path / "first")
    seen = by_id(tmp_path / "first")
    assert set(seen) == {"a", "a#2"}
    edits = [msgspec.structs.replace(edit(1, "outcome", None, False, id="a#2"), of=fingerprint(seen["a#2"]))]
    edits += [msgspec.structs.replace(edit(2, "outcome", None, None, id="a"), of=fingerprint(seen["a"]))]
    report = run_here([data], tmp_path / "out", edits=[write(tmp_path / "anna.jsonl", edits)]).report
    assert report["edits"]["applied"] == {"outcome": 2}
    assert {id: record.outcome.completed for id, record in by_id(tmp_path / "out").items()} == {"a": None, "a#2": False}


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(edits=reviews(), chance=st.randoms(use_true_random=False))
def test_no_edit_is_lost_and_the_order_of_files_has_no_say(
    tmp_path_factory: pytest.TempPathFactory, edits: list[Edit], chance: Any
) -> None:
    folder = tmp_path_factory.mktemp("run")
    data = made(folder / "in", "ab")
    names = sorted({one.by for one in edits})
    files = [write(folder / f"{by}.jsonl", [one for one in edits if one.by == by]) for by in names]
    shuffled = list(files)
    chance.shuffle(shuffled)
    found = run_here([data], folder / "out", edits=files).report.get("edits")
    run_here([data], folder / "other", edits=shuffled)
    assert contents(folder / "out") == contents(folder / "other")
    if found is None:
        return
    assert found["read"] == len(edits)
    assert found["read"] == found["in_force"] + found["superseded"] + found["undone"] + found["undos"]
    assert found["in_force"] == sum(found["applied"].values()) + sum(found["left_out"].values())
    assert sum(found["left_out"].values()) == len(rows(folder / "out" / "edits_left_out.jsonl"))
