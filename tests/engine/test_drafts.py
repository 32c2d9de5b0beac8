"""Examples that were drafted while records were read are those made of the records at the end; a run that keeps no
dataset gives the examples, reasons and decisions of one that does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from curate.engine import unrolling
from curate.engine.drafts import draft_key
from curate.engine.plan import make_plan
from curate.engine.recipe import load_recipe
from curate.engine.run import run
from curate.model.errors import GateError
from curate.model.trajectory import Trajectory, Weight
from curate.store.media import MediaStore
from curate.store.run_folder import RunFolder
from tests.factories import make_trajectory, png, write_records


def corpus(folder: Path) -> Path:
    """Runs with weights, wrong steps, an id that comes twice, a copy, a failure, and a line that is none."""
    made: list[Trajectory] = []
    picture = MediaStore(folder).add_bytes(png(64, 36), "png")
    for number in range(12):
        does = [f"click Button {number}", f"write text {number}", "press enter", f"click Save {number}"]
        record = make_trajectory(f"r{min(number, 10)}", does, instruction=f"Do the thing of number {number} now")
        record.weight = Weight(value=1 + number / 4, by="test")
        record.steps[1].correct = False if number % 3 == 0 else None
        record.steps[2].weight = 0.5 if number % 4 == 0 else None
        record.outcome.completed = number != 7
        for step in record.steps:
            step.image, step.image_size = picture, (64, 36)
        made.append(record)
    made.append(make_trajectory("copy", [f"click Button {0}", "write text 0", "press enter", "click Save 0"],
                                instruction="Do the thing of number 0 now"))  # fmt: skip
    path = write_records(folder / "records.jsonl", made)
    with path.open("ab") as file:
        file.write(b'{"broken"\n')
    return path


def made(path: Path, out: Path, sets: tuple[str, ...] = (), *, only: bool = False, again: bool = False) -> RunFolder:
    plan = make_plan([path], load_recipe("web", sets), out, examples_only=only, resume_anyway=again)
    run(plan)
    return RunFolder(out)


def files(run_folder: RunFolder) -> dict[str, bytes]:
    paths = [*run_folder.examples.iterdir(), run_folder.rejected, run_folder.steps_left_out]
    return {path.name: path.read_bytes() for path in paths}


@pytest.mark.parametrize("format_name", ["messages", "opencua", "lesson"])
def test_drafts_give_the_bytes_that_records_give(
    tmp_path: Path, format_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, sets = corpus(tmp_path), (f"unroll.format={format_name}", "split.test=0.3")
    drafted = files(made(path, tmp_path / "drafted", sets))
    monkeypatch.setattr(unrolling, "read_drafts", lambda path: None)
    from_records = files(made(path, tmp_path / "records", sets))
    assert drafted == from_records and any(name.startswith("test-") for name in drafted)


def test_examples_only_keeps_no_dataset_and_gives_the_same(tmp_path: Path) -> None:
    path = corpus(tmp_path)
    whole, only = made(path, tmp_path / "whole"), made(path, tmp_path / "only", only=True)
    assert files(whole) == files(only)
    assert not (only.root / "trajectories").exists() and not (only.root / "dataset.json").exists()
    assert not list((only.root / ".work").rglob("records-*")) and not list((only.root / ".work").rglob("drafts-*"))
    told, of_whole = only.read_report(), whole.read_report()
    for name in ("read", "stages", "rejected", "trajectories", "examples", "rejected_by_reason", "splits"):
        assert told[name] == of_whole[name]
    assert only.read_run()["examples_only"] is True and "examples_only" not in whole.read_run()


def test_examples_only_is_part_of_what_makes_a_run(tmp_path: Path) -> None:
    path = corpus(tmp_path)
    made(path, tmp_path / "run")
    with pytest.raises(GateError, match="examples-only"):
        made(path, tmp_path / "run", only=True)
    before = files(RunFolder(tmp_path / "run"))
    turned = made(path, tmp_path / "run", only=True, again=True)
    assert files(turned) == before and not (turned.root / "dataset.json").exists()
    back = made(path, tmp_path / "run", again=True)
    assert files(back) == before and (back.root / "dataset.json").is_file()


def test_a_changed_option_makes_the_examples_again_though_no_record_was_kept(tmp_path: Path) -> None:
    path = corpus(tmp_path)
    made(path, tmp_path / "run", only=True)
    for sets in (("outcome.keep=all",), ("unroll.history=1",), ("unroll.untrained=keep",), ("images.erased=keep",)):
        changed = made(path, tmp_path / "run", sets, only=True, again=True)
        assert files(changed) == files(made(path, tmp_path / "fresh", sets)), sets
        shutil.rmtree(tmp_path / "fresh")


def test_no_drafts_where_decisions_reach_into_the_bodies() -> None:
    assert draft_key(load_recipe("web")) is not None
    for sets in (["unroll.untrained=keep"], ["images.blank=drop_step"]):
        assert draft_key(load_recipe("web", sets)) is None
    assert draft_key(load_recipe("web", ["unroll.history=1"])) != draft_key(load_recipe("web"))
