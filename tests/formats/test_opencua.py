"""The rows equal the worked examples of the released agent's templates, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.formats.base import FormatOptions, format_named, rows
from curate.model.parse import parse
from curate.model.trajectory import Origin, Step, Trajectory
from tests.formats.records import PICTURES, note_record


def _bench_record(shared: Path) -> Trajectory:
    """The first three steps of the benchmark task that the worked examples were made from."""
    task = json.loads((shared / "data/sources/agentnetbench/s_df0fd37049f470c2.json").read_text("utf-8"))
    steps = [
        Step(
            index=index,
            image=f"images/{step['image']}",
            observation=step["inner_monologue"]["observation"],
            thought=step["inner_monologue"]["thought"],
            action=step["inner_monologue"]["low_level_instruction"],
            actions=parse(step["action"]),
        )
        for index, step in enumerate(task["steps"][:3])
    ]
    instruction = task["high_level_task_description"]
    return Trajectory(id="bench", source=Origin(name="agentnetbench"), instruction=instruction, steps=steps)


@pytest.mark.parametrize("level", ["L1", "L2", "L3"])
def test_worked_examples(shared: Path, level: str) -> None:
    options = FormatOptions(level=level, system_prompt="<SYSTEM PROMPT>")  # type: ignore[arg-type]
    (row,) = rows(format_named("opencua"), _bench_record(shared), [2], options)
    shown = {name: row[name] for name in ("messages", "loss_on")}
    golden = (shared / f"data/training-formats/opencua_{level.lower()}_relative.json").read_bytes()
    assert json.dumps(shown, indent=1, ensure_ascii=False).encode() == golden.rstrip(b"\n")


def _roles(row: dict[str, Any]) -> list[str]:
    return [turn["role"] for turn in row["messages"]]


def test_older_steps_stand_in_one_turn_before_the_pictures() -> None:
    (row,) = rows(format_named("opencua"), note_record(), [4], FormatOptions())
    assert _roles(row) == ["system", "assistant", "user", "assistant", "user", "assistant", "user", "assistant"]
    assert row["messages"][1]["content"] == (
        '# Step 1:\n## Action:\nClick the menu "File"\n\n# Step 2:\n## Action:\nType the name wrong.txt\n'
    )
    assert [turn["content"][0]["image"] for turn in row["messages"] if turn["role"] == "user"] == PICTURES[2:5]
    assert row["messages"][-1]["content"] == (
        "# Step 5:\n## Action:\nFinish: the task is done\n\n## Code:\n```code\n"
        "computer.terminate(status='success')\n```\n"
    )


def test_options_of_history_pictures_and_colon() -> None:
    (row,) = rows(format_named("opencua"), note_record(), [4], FormatOptions(history=1, images=1, colon=False))
    assert _roles(row) == ["system", "assistant", "user", "assistant"]
    assert row["messages"][1]["content"].startswith("# Step 4\n## Action:\nScroll down")
    (none,) = rows(format_named("opencua"), note_record(), [4], FormatOptions(history=0))
    assert _roles(none) == ["system", "user", "assistant"]


def test_a_step_without_picture_ends_the_pictures() -> None:
    record = note_record()
    record.steps[2].image = None
    (row,) = rows(format_named("opencua"), record, [4], FormatOptions())
    assert _roles(row) == ["system", "assistant", "user", "assistant", "user", "assistant"]
    shown = [[part["type"] for part in turn["content"]] for turn in row["messages"] if turn["role"] == "user"]
    assert shown == [["image"], ["image", "text"]]


@pytest.mark.parametrize("coordinates", [None, "absolute"])
def test_a_step_without_picture_has_no_row(coordinates: Any) -> None:
    """The released agent, and all of its data, show the screen at every step."""
    record, options = note_record(), FormatOptions(coordinates=coordinates)
    for step in record.steps:
        step.image_size = (1000, 500)
    record.steps[4].image = None
    form = format_named("opencua")
    assert list(rows(form, record, [4], options)) == []
    assert form.why_not(record, options)[4] == "unroll.no_picture"
