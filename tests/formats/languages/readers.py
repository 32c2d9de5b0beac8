"""What languages say, read back: Qwen's tool calls as their descriptions define them. The others are read by
`model.parse`, which reads published data."""

from __future__ import annotations

import json
import re
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action

_CALL = re.compile(r"<tool_call>\n(.*)\n</tool_call>")
_AT = {
    "left_click": act.Click, "click": act.Click, "double_click": act.DoubleClick, "triple_click": act.TripleClick,
    "right_click": act.RightClick, "middle_click": act.MiddleClick, "mouse_move": act.MoveTo,
    "left_click_drag": act.DragTo, "long_press": act.LongPress,
}  # fmt: skip
_BUTTONS = {"Back": act.Back(), "Home": act.Home(), "Enter": act.Enter()}


def tool_calls(text: str, tool: str) -> list[dict[str, Any]]:
    """The arguments of each call; every line of the text belongs to one."""
    calls = [json.loads(call) for call in _CALL.findall(text)]
    assert text == "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in _CALL.findall(text))
    assert all(call["name"] == tool and list(call) == ["name", "arguments"] for call in calls)
    return [call["arguments"] for call in calls]


def read_qwen(text: str, tool: str, width: int, height: int) -> list[Action]:
    """Actions of tool calls, a key that is pressed again as one press."""
    found: list[Action] = []
    for call in tool_calls(text, tool):
        action = _action(call, width, height)
        before = found[-1] if found else None
        if isinstance(action, act.Press) and isinstance(before, act.Press) and before.key == action.key:
            action = act.Press(action.key, before.presses + 1)
            found.pop()
        found.append(action)
    return found


def _action(call: dict[str, Any], width: int, height: int) -> Action:
    verb = call["action"]
    if verb in _AT:
        x, y = call["coordinate"]
        return _AT[verb](x / width, y / height)
    match verb:
        case "key":
            keys = tuple(call["keys"])
            return act.Hotkey(keys) if len(keys) > 1 else act.Press(keys[0])
        case "type":
            return act.Write(call["text"])
        case "scroll":
            return act.Scroll(call["pixels"])
        case "hscroll":
            return act.HScroll(call["pixels"])
        case "wait":
            return act.Wait(float(call["time"]))
        case "terminate":
            return act.Terminate(call["status"])
        case "answer":
            return act.Answer(call["text"])
        case "swipe":
            (x, y), (to_x, to_y) = call["coordinate"], call["coordinate2"]
            return act.Swipe(x / width, y / height, to_x / width, to_y / height)
        case "system_button":
            return _BUTTONS[call["button"]]
        case "open":
            return act.OpenApp(call["text"])
    raise AssertionError(f"no verb of {call}")
