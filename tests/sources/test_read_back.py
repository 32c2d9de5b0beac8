"""What this project writes in a format that a source reads comes back as the record that it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import datasets
import pytest

from curate.formats import base
from curate.model.actions import (
    Back,
    Click,
    DragTo,
    Hotkey,
    LongPress,
    MoveTo,
    OpenApp,
    Scroll,
    Swipe,
    Terminate,
    Wait,
    Write,
)
from curate.model.trajectory import Trajectory
from curate.sources import registry
from curate.sources.base import Read, ReadContext
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore
from tests.factories import make_step, make_trajectory, png
from tests.sources.folders import read_all, read_one

STEPS = [
    [Click(0.25, 0.5)],
    [MoveTo(0.2, 0.3), DragTo(0.6, 0.7)],
    [MoveTo(0.5, 0.5), Scroll(-5)],
    [Write("it's")],
    [Hotkey(("ctrl", "c"))],
    [Terminate("success")],
]
SIZE = (280, 280)  # as UI-TARS sees it too, so that no pixel is rounded


@pytest.mark.parametrize(
    ("name", "dialect", "source"),
    [("aguvis", None, "aguvis"), ("scalecua", None, "scalecua"), ("uitars", "v1", "uitars"),
     ("uitars", "point", "uitars")],
)  # fmt: skip
def test_rows_of_a_format_are_the_run_again(tmp_path: Path, name: str, dialect: str | None, source: str) -> None:
    picture = MediaStore(tmp_path).add_bytes(png(*SIZE), "png")
    words = ["Click it", "Drag it", "Scroll down the page", "Type it", "Copy it", "Stop"]
    shared = {"image": picture, "image_size": SIZE, "element": None, "flags": []}
    steps = [
        make_step(index, does, action=text, thought=f"Thought {index}", **shared)
        for index, (does, text) in enumerate(zip(STEPS, words, strict=True))
    ]
    record = make_trajectory(steps=steps, platform="windows")
    form, options = base.format_named(name), base.FormatOptions(**({"dialect": dialect} if dialect else {}))
    rows = list(base.rows(form, record, [step.index for step in record.steps], options))
    assert len(rows) == len(STEPS)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = read_one(path, tmp_path / "out")
    assert isinstance(found, Trajectory) and found.source.name == source
    assert found.instruction == record.instruction
    assert [step.actions for step in found.steps] == STEPS
    assert [step.index for step in found.steps] == list(range(len(STEPS)))
    assert all(step.image for step in found.steps)


CHATS = [
    ("messages", {}), ("messages", {"images": 3}), ("opencua", {}), ("opencua", {"coordinates": "absolute"}),
    ("opencua", {"level": "L1"}), ("llamafactory", {}), ("llamafactory", {"coordinates": "absolute"}), ("ms-swift", {}),
    ("trl", {}), ("qwen25vl", {}), ("qwen25vl", {"dialect": "thinking"}), ("qwen3vl", {}), ("qwen3vl", {"images": 4}),
]  # fmt: skip
PHONE_STEPS = [[Swipe(0.5, 0.75, 0.5, 0.25)], [LongPress(0.25, 0.5)], [Back()], [OpenApp("Maps")], [Wait(2.0)],
               [Write("it's")], [Click(0.5, 0.5)], [Terminate("success")]]  # fmt: skip


def chat_record(tmp_path: Path, does: list[list[Any]], platform: str) -> Trajectory:
    steps = []
    for index, one in enumerate(does):
        name = MediaStore(tmp_path).add_bytes(png(*SIZE, shade=40 + index), "png")
        words = f'Do "it" {index} <image>'
        shared = {"image": name, "image_size": SIZE, "element": None, "flags": []}
        steps.append(make_step(index, one, action=words, thought=f"Thought {index}", **shared))
    return make_trajectory("run", steps=steps, platform=platform, instruction="Find\n\nthe <image> of a cat")


def without_units(actions: list[Any]) -> list[Any]:
    """A tool's scroll says that it counts pixels, whatever a notch was."""
    return [Scroll(one.amount, "pixel") if isinstance(one, Scroll) else one for one in actions]


@pytest.mark.parametrize(("name", "options"), CHATS, ids=str)
def test_chat_rows_are_the_run_again(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    phone = name == "qwen3vl" and not options
    record = chat_record(tmp_path, PHONE_STEPS if phone else STEPS, "android" if phone else "linux")
    form, told = base.format_named(name), base.FormatOptions(**options)
    rows = list(base.rows(form, record, [step.index for step in record.steps], told))
    assert len(rows) == len(record.steps)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = read_one(path, tmp_path / "out")
    assert isinstance(found, Trajectory) and found.source.name == "training_chats"
    assert found.instruction == record.instruction
    assert [step.index for step in found.steps] == [step.index for step in record.steps]
    assert [step.action for step in found.steps] == [step.action for step in record.steps]
    tools = name.startswith("qwen")
    assert [step.actions for step in found.steps] == [
        without_units(step.actions) if tools else step.actions for step in record.steps
    ]
    assert [step.image for step in found.steps] == [step.image for step in record.steps], "by content"
    thoughtful = options.get("dialect") == "thinking" or (not tools and options.get("level") != "L1")
    assert [step.thought for step in found.steps] == [step.thought if thoughtful else None for step in record.steps]


@pytest.mark.parametrize(("name", "dialect"), [("low_level", None), ("ms-swift", "low_level"), ("ms-swift", "point")])
def test_single_commands_come_back_as_runs_of_one_step(tmp_path: Path, name: str, dialect: str | None) -> None:
    record = chat_record(tmp_path, [[Click(0.25, 0.5)], [Click(0.75, 0.5)]], "linux")
    form, told = base.format_named(name), base.FormatOptions(**({"dialect": dialect} if dialect else {}))
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(list(base.rows(form, record, [0, 1], told)), indent=1), encoding="utf-8")
    found = read_all(path, tmp_path / "out")
    steps = [step for one in found for step in one.steps]  # type: ignore[union-attr]
    assert [one.instruction for one in found] == [step.action for step in record.steps]  # type: ignore[union-attr]
    assert [step.actions for step in steps] == [step.actions for step in record.steps]
    assert [step.action for step in steps] == [step.action for step in record.steps]


def test_rows_that_do_not_say_whose_they_are_are_put_together_by_what_they_tell(tmp_path: Path) -> None:
    """As upstream's rows, which have no `trajectory` and no `step`; two runs of one task come apart."""
    form, told = base.format_named("opencua"), base.FormatOptions()
    rows = []
    for run in (0, 1):
        does = STEPS[run:]
        record = chat_record(tmp_path, does, "linux")
        for step in record.steps:
            step.action = f"Run {run}: {step.action}"
        for row in base.rows(form, record, [step.index for step in record.steps], told):
            rows.append({"messages": row["messages"], "loss_on": row["loss_on"]})
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    one, other = read_all(path, tmp_path / "out")
    assert isinstance(one, Trajectory) and isinstance(other, Trajectory)
    assert [step.actions for step in one.steps] == STEPS
    assert [step.actions for step in other.steps] == STEPS[1:]


@pytest.mark.parametrize("phone", [False, True])
def test_transitions_come_back(tmp_path: Path, phone: bool) -> None:
    record = chat_record(tmp_path, PHONE_STEPS if phone else STEPS, "android" if phone else "linux")
    form, told = base.format_named("transitions"), base.FormatOptions()
    path = tmp_path / "rows.jsonl"
    rows = list(base.rows(form, record, [step.index for step in record.steps], told))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = read_one(path, tmp_path / "out")
    assert found.source.name == "digirl" and found.instruction == record.instruction
    assert [step.actions for step in found.steps] == [step.actions for step in record.steps]
    assert [step.image for step in found.steps] == [step.image for step in record.steps]


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_a_table_with_its_pictures_inside(tmp_path: Path, form: str) -> None:
    """As `datasets` keeps rows of TRL: pictures as the bytes of their files."""
    record = chat_record(tmp_path, STEPS, "linux")
    rows = list(base.rows(base.format_named("trl"), record, [0, 1], base.FormatOptions()))
    for row in rows:
        row["images"] = [{"bytes": (tmp_path / name).read_bytes(), "path": None} for name in row["images"]]
    rows[1]["images"][-1]["bytes"] = rows[1]["images"][-1]["bytes"][:90]
    where = tmp_path / "set"
    if form == "parquet":
        where.mkdir()
        datasets.Dataset.from_list(rows).to_parquet(where / "rows.parquet")
    else:
        datasets.Dataset.from_list(rows).save_to_disk(where)
    found = read_one(where, tmp_path / "out")
    assert [step.actions for step in found.steps] == STEPS[:2]
    assert [step.image for step in found.steps] == [record.steps[0].image, None]
    assert found.steps[1].flags == ["picture_damaged", "picture_missing"]


@pytest.mark.parametrize(
    ("name", "dialect"),
    [("uitars", "v1"), ("uitars", "1.5"), ("uitars", "point"), ("aguvis", None), ("scalecua", None), ("qwen25vl", None),
     ("qwen3vl", None), ("messages", None), ("opencua", None), ("llamafactory", None), ("trl", None)],
)  # fmt: skip
def test_a_step_that_the_language_cannot_say_loses_no_other(tmp_path: Path, name: str, dialect: str | None) -> None:
    """A click with Ctrl held, and a pointer that only moves, between two clicks: rows of the others tell it in words,
    or there is a gap where it was."""
    does: list[list[Any]] = [[Click(0.25, 0.5)], [Click(0.5, 0.25, ("ctrl",))], [MoveTo(0.75, 0.5)], [Click(0.5, 0.5)]]
    record = chat_record(tmp_path, does, "linux")
    form, told = base.format_named(name), base.FormatOptions(**({"dialect": dialect} if dialect else {}))
    written = [at for at, why in enumerate(form.why_not(record, told)) if why is None]
    path = tmp_path / "rows.jsonl"
    rows = list(base.rows(form, record, written, told))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    said = {"import": {"space": "picture_pixel"}} if dialect == "1.5" else {}
    (one,) = find_inputs([path]).inputs
    context = ReadContext(media=MediaStore(tmp_path / "out"), options=said, shown=one.shown)
    (item,) = registry.source(one.source).read(one.path, context)
    assert isinstance(item, Read), item
    found = item.trajectory
    assert {0, 3} <= set(written)
    here = {step.index: step for step in found.steps}
    for at in written:
        assert here[at].actions == does[at] and here[at].weight != 0, at
    for at in set(here) - set(written):
        assert here[at].flags == ["unsupported_action"] and not here[at].actions and here[at].weight == 0, at
        assert here[at].action
    gaps = [step.index for step in found.steps if "step_gap" in step.flags]
    assert gaps == [at for at in here if at and at - 1 not in here], (gaps, sorted(here), written)
