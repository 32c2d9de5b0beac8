"""OSWorld's action objects, by the table of its `desktop_env/actions.py`."""

from __future__ import annotations

from typing import Any

import pytest

from curate.model import actions as act
from curate.sources.actions.computer13 import read_action
from curate.sources.common.reading import UnreadableError


@pytest.mark.parametrize(
    ("given", "actions"),
    [
        ({"action_type": "MOVE_TO", "parameters": {"x": 1920, "y": 0}}, [act.MoveTo(1920, 0)]),
        ({"action_type": "CLICK", "parameters": {}}, [act.Click(7, 8)]),  # where the pointer is
        ({"action_type": "CLICK", "x": 3, "y": 4.5}, [act.Click(3, 4.5)]),  # parameters beside the type
        ({"action_type": "CLICK", "parameters": {"x": 3, "y": 4, "num_clicks": 3}}, [act.TripleClick(3, 4)]),
        ({"action_type": "CLICK", "parameters": {"x": 3, "y": 4, "button": "middle"}}, [act.MiddleClick(3, 4)]),
        ({"action_type": "RIGHT_CLICK", "parameters": {}}, [act.RightClick(7, 8)]),
        ({"action_type": "DOUBLE_CLICK", "parameters": {"x": 3, "y": 4}}, [act.DoubleClick(3, 4)]),
        ({"action_type": "DRAG_TO", "parameters": {"x": 3, "y": 4}}, [act.MoveTo(7, 8), act.DragTo(3, 4)]),
        ({"action_type": "SCROLL", "parameters": {"dx": 0, "dy": -3}}, [act.Scroll(-3)]),  # down, as in PyAutoGUI
        ({"action_type": "SCROLL", "parameters": {"dx": 2, "dy": 1}}, [act.Scroll(1), act.HScroll(2)]),
        ({"action_type": "TYPING", "parameters": {"text": "a\n"}}, [act.Write("a\n")]),
        ({"action_type": "PRESS", "parameters": {"key": "enter"}}, [act.Press("enter")]),
        ({"action_type": "KEY_DOWN", "parameters": {"key": "shift"}}, [act.KeyDown("shift")]),
        ({"action_type": "HOTKEY", "parameters": {"keys": ["c", "ctrl"]}}, [act.Hotkey(("ctrl", "c"))]),
        ({"action_type": "WAIT"}, [act.Wait()]),
        ({"action_type": "DONE"}, [act.Terminate("success")]),
        ({"action_type": "FAIL"}, [act.Terminate("impossible")]),  # the task cannot be done
    ],
)
def test_actions(given: dict[str, Any], actions: list[act.Action]) -> None:
    assert read_action(given, (7, 8), "linux") == actions


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"action_type": "MOUSE_DOWN", "parameters": {}}, "import.unsupported_action"),
        ({"action_type": "FLY"}, "import.unsupported_action"),
        ({"action_type": 3}, "import.unsupported_action"),
        ({"action_type": "CLICK", "parameters": {"x": "a", "y": 1}}, "validate.coordinate_out_of_range"),
        ({"action_type": "CLICK", "parameters": {"button": "fourth"}}, "import.unsupported_action"),
        ({"action_type": "TYPING", "parameters": {}}, "validate.schema"),
        ({"action_type": "PRESS", "parameters": {"key": "prose of a kind"}}, "read.code"),
        ({"action_type": "SCROLL", "parameters": {"dy": "much"}}, "validate.schema"),
    ],
)
def test_what_is_no_action(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read_action(given, None, None)
    assert caught.value.reason == reason


def test_a_click_without_a_point_before_any_point_has_none() -> None:
    assert read_action({"action_type": "CLICK"}, None, None) == [act.Click(None, None)]
