"""Near-copies side by side: steps are marked as the stage compares them."""

from __future__ import annotations

from pathlib import Path

from curate.engine.report.instructions import instructions_of
from curate.engine.report.types import CopyGroup, CopyRow
from curate.model.actions import Click
from curate.store.dataset import DatasetWriter
from curate.store.run_folder import RunFolder
from curate.view.evidence import load, pairs, step_words
from tests.factories import make_step, make_trajectory


def test_marks_are_the_stages_own_comparison(tmp_path: Path) -> None:
    first = ["click File", "scroll -3", "click Export", "press enter", "click Close"]
    second = ["click File", "click Export", "write more", "press enter", "scroll -9", "click Close"]
    near = [make_step(k, Click(x=0.51 + k / 10000, y=0.51)) for k in range(2)]  # one cell of the grid, other pixels
    records = [
        make_trajectory("a:1", first),
        make_trajectory("a:2", second),
        make_trajectory("a:3", steps=near[:1], instruction="Other"),
        make_trajectory("a:4", steps=[make_step(0, near[1].actions)]),
    ]
    with DatasetWriter(tmp_path, part_rows=2) as writer:
        for record in records:
            writer.add(record)
    run = RunFolder(tmp_path)
    groups = [
        CopyGroup(witness="a:1", copies=[CopyRow(id="a:2"), CopyRow(id="gone")]),
        CopyGroup(witness="a:3", copies=[CopyRow(id="a:4")]),
    ]
    found = pairs(run, groups, limit=3, steps=5)
    assert [(pair.witness.id, pair.copy.id) for pair in found] == [("a:1", "a:2"), ("a:3", "a:4")]
    assert [line.kind for line in found[0].witness.steps] == ["same", "ignored", "same", "same", "same"]
    assert [line.kind for line in found[0].copy.steps] == ["same", "same", "only", "same", "ignored"]
    assert found[0].copy.steps_more == 1
    assert [line.kind for line in found[1].copy.steps] == ["same"]
    assert set(load(run, ["a:2", "a:4", "nobody"])) == {"a:2", "a:4"}
    assert instructions_of(run, ["a:3"]) == {"a:3": "Other"}


def test_every_group_is_seen_before_any_is_seen_twice(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path) as writer:
        for k in range(6):
            writer.add(make_trajectory(f"a:{k}"))
    groups = [
        CopyGroup(witness="a:0", copies=[CopyRow(id=f"a:{k}") for k in (1, 2, 3)]),
        CopyGroup(witness="a:4", copies=[CopyRow(id="a:5")]),
    ]
    found = pairs(RunFolder(tmp_path), groups, limit=3, steps=5)
    assert [pair.copy.id for pair in found] == ["a:1", "a:5", "a:2"]


def test_a_step_without_words_and_code_is_told_by_its_actions() -> None:
    step = make_step(0, "click File")
    assert step_words(step) != "(nothing)" and step.actions
    step.action = step.code = None
    assert "File" in step_words(step)
    step.actions = []
    assert step_words(step) == "(nothing)"
