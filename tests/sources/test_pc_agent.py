"""PC Tracker's recordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.model import actions as act
from curate.sources.actions.pc_tracker import read_action
from curate.sources.common.reading import UnreadableError
from curate.sources.registry import sources
from tests.sources.folders import read_one


def test_the_published_recording(shared: Path, tmp_path: Path) -> None:
    """Eight actions on a screen of 1920 x 1080, of which one picture is there. The fourth action is in a window that
    overhangs the screen by 9 pixels: its box is kept raw."""
    path = shared / "data/sources/pc_agent/free_task_20241126_161517.jsonl"
    assert [name for name, known in sources().items() if known.recognise(path)] == ["pc_agent"]
    record = read_one(path, tmp_path)
    assert record.instruction == 'create a new blank slide with title "Hello, world" on desktop.'
    assert len(record.steps) == 8 and record.outcome.completed is None and record.source.license == "MIT"
    start, *_ = record.steps
    assert start.actions == [act.Click(round(828 / 1920, 4), round(1075 / 1080, 4))]
    assert start.element is not None and start.element.name == "Start"
    inside = record.steps[3]
    assert inside.image and inside.image_size == (1920, 1080)
    assert inside.element is None and inside.raw_box == (-9.0, 184.0, 1929.0, 1002.0)
    assert record.steps[4].code == "pyautogui.write(message='Hello, world')"
    assert record.steps[-1].actions == [act.Terminate("success")]
    assert [step.time.start for step in record.steps if step.time] == [0, 2, 5, 7, 9, 17, 19, 21]
    assert ["picture_missing" in step.flags for step in record.steps] == [True] * 3 + [False] + [True] * 4


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("click (828, 1075)", [act.Click(828, 1075)]),
        ("right click (1, 2)", [act.RightClick(1, 2)]),
        ("double click (1.5, 2)", [act.DoubleClick(1.5, 2)]),
        ("drag from (1, 2) to (3, 4)", [act.MoveTo(1, 2), act.DragTo(3, 4)]),
        ("scroll (-3)", [act.Scroll(-3, "pixel")]),  # down
        ("scroll (0, 2)", [act.Scroll(2, "pixel")]),
        ("press key: enter", [act.Press("enter")]),
        ("press key k", [act.Press("k")]),  # part D, case 9
        ("hotkey (ctrl, c)", [act.Hotkey(("ctrl", "c"))]),
        ("hotkey (ctrl, shift, esc)", [act.Hotkey(("ctrl", "shift", "esc"))]),
        ("type text: a: b, (c)", [act.Write("a: b, (c)")]),
        ("type text:  two", [act.Write(" two")]),
        ("type text: a\n", [act.Write("a\n")]),
        ("wait", [act.Wait()]),
        ("fail", [act.Terminate("failure")]),
    ],
)
def test_actions(text: str, actions: list[act.Action]) -> None:
    assert read_action(text) == actions


@pytest.mark.parametrize("text", ["", "click", "click (1)", "press key: prose of a kind", "click (1, 2) and more"])
def test_what_is_no_action(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_action(text)
