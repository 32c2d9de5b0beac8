"""The lesson's unrolling gives the lesson's printed results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from curate.formats.base import FormatOptions, format_named, rows
from curate.model.parse import parse
from curate.model.trajectory import Origin, Step, Trajectory


def _vectors(shared: Path) -> dict[str, dict[str, Any]]:
    vectors = json.loads((shared / "vectors/seed_vectors.json").read_text("utf-8"))["vectors"]
    return {vector["id"]: vector for vector in vectors if vector["capability"].startswith("unroll")}


def _record(published: dict[str, Any]) -> Trajectory:
    steps = [
        Step(
            index=step["index"],
            image=step["image"],
            thought=step["value"]["thought"],
            action=step["value"]["action"],
            actions=parse(step["value"]["code"]),
            correct=step["value"]["last_step_correct"],
            redundant=step["value"]["last_step_redundant"],
        )
        for step in published["traj"]
    ]
    source = Origin(name="lesson")
    return Trajectory(id="lesson:1", source=source, instruction=published["instruction"], steps=steps)


def _rows(record: Trajectory, **options: Any) -> list[dict[str, Any]]:
    targets = [step.index for step in record.steps if step.correct is not False and step.redundant is not True]
    return list(rows(format_named("lesson"), record, targets, FormatOptions(**options)))


def test_three_steps_give_three_examples(shared: Path) -> None:
    vector = _vectors(shared)["unroll_3"]
    assert len(_rows(_record(vector["inputs"]["record"]))) == vector["expected"]


def test_fifth_example_of_eight(shared: Path) -> None:
    vector = _vectors(shared)["unroll_8_fifth"]
    rows = _rows(_record(vector["inputs"]["record"]))
    assert len(rows) == vector["expected"]["examples"]
    assert rows[4]["input"]["previous"] == vector["expected"]["fifth_previous"]
    assert rows[4]["input"]["image"] == vector["expected"]["fifth_image"]
    assert rows[4]["input"]["task"] == vector["inputs"]["record"]["instruction"]


def test_wrong_and_redundant_steps_stay_in_the_history(shared: Path) -> None:
    vector = _vectors(shared)["unroll_flags"]
    record = _record(vector["inputs"]["record"])
    kept = _rows(record, untrained="keep")
    assert [row["train_on_this"] for row in kept] == vector["expected"]["train_on_this"]
    assert kept[-1]["input"]["previous"] == vector["expected"]["last_previous"]
    omitted = _rows(record)
    assert [row["step"] for row in omitted] == [0, 3]
    assert omitted[-1]["input"]["previous"] == vector["expected"]["last_previous"]


def test_target_text(shared: Path) -> None:
    vector = _vectors(shared)["unroll_target_text"]
    given = vector["inputs"]
    step = Step(index=0, thought=given["thought"], action=given["action"], actions=parse(given["code"]))
    record = Trajectory(id="a", source=Origin(name="lesson"), instruction="x", steps=[step])
    (row,) = _rows(record)
    assert row["target"] == vector["expected"]
    assert row["input"]["image"] is None


def test_unknown_flags_are_targets(shared: Path) -> None:
    assert _vectors(shared)["unroll_nullable"]["inputs"]["flags"] == [None, None]
    step = Step(index=0, action="a0", actions=parse("press('enter')"), correct=None, redundant=None)
    record = Trajectory(id="a", source=Origin(name="lesson"), instruction="x", steps=[step])
    (row,) = _rows(record)
    assert row["train_on_this"] is True
    assert row["target"] == "## Action: a0\n## Code: pyautogui.press('enter')"
