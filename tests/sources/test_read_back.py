"""What this project writes in a format that a source reads comes back as the record that it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curate.formats import base
from curate.model.actions import Click, DragTo, Hotkey, MoveTo, Scroll, Terminate, Write
from curate.model.trajectory import Trajectory
from curate.store.media import MediaStore
from tests.factories import make_step, make_trajectory, png
from tests.sources.folders import read_one

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
