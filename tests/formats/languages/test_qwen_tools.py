"""Qwen's tool calls: the verbs that its tools describe, and nothing that they do not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.formats.languages.qwen_tools import Frame, computer_use, mobile_use
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.render import canonical
from tests.formats.languages.readers import read_qwen, tool_calls
from tests.model import strategies

FRAME = Frame(1288, 728, 1.0)
QWEN25 = {
    "key", "type", "mouse_move", "left_click", "left_click_drag", "right_click", "middle_click", "double_click",
    "scroll", "wait", "terminate",
}  # fmt: skip  # the enum of the published tool
QWEN3 = QWEN25 | {"triple_click", "hscroll", "answer"}
MOBILE = {"key", "click", "long_press", "swipe", "type", "system_button", "open", "wait", "answer", "terminate"}
AT = (0.5276, 0.2694)


@pytest.mark.parametrize(
    ("actions", "calls"),
    [
        ([act.Click(*AT)], [{"action": "left_click", "coordinate": [680, 196]}]),
        ([act.DoubleClick(1.0, 0.0)], [{"action": "double_click", "coordinate": [1288, 0]}]),
        (
            [act.MoveTo(0.25, 0.5), act.DragTo(0.75, 0.5)],  # a drag begins where the pointer is: it goes there first
            [{"action": "mouse_move", "coordinate": [322, 364]},
             {"action": "left_click_drag", "coordinate": [966, 364]}],
        ),
        (
            [act.MoveTo(0.5, 0.5), act.Scroll(-3.0)],
            [{"action": "mouse_move", "coordinate": [644, 364]}, {"action": "scroll", "pixels": -3}],
        ),
        ([act.Scroll(-250.0, "pixel")], [{"action": "scroll", "pixels": -2.5}]),
        ([act.Press("down", 3)], [{"action": "key", "keys": ["down"]}] * 3),
        ([act.Hotkey(("ctrl", "c"))], [{"action": "key", "keys": ["ctrl", "c"]}]),
        ([act.Click(*AT), act.Write('say "<image>"\n')],
         [{"action": "left_click", "coordinate": [680, 196]}, {"action": "type", "text": 'say "<image>"\n'}]),
        ([act.Wait(1.5)], [{"action": "wait", "time": 1.5}]),
        ([act.Wait()], [{"action": "wait", "time": 2}]),  # the tool asks for a time
        ([act.Terminate("success")], [{"action": "terminate", "status": "success"}]),
        ([act.Terminate("impossible")], [{"action": "terminate", "status": "failure"}]),
    ],
)  # fmt: skip
def test_computer_use(actions: list[Action], calls: list[dict[str, Any]]) -> None:
    for more in (False, True):
        text = computer_use(actions, FRAME, more)
        assert text is not None and tool_calls(text, "computer_use") == calls
        assert "<image>" not in text, "what a trainer takes for a picture's place is not written out"


@pytest.mark.parametrize(
    ("actions", "qwen3"),
    [
        ([act.TripleClick(*AT)], [{"action": "triple_click", "coordinate": [680, 196]}]),
        ([act.HScroll(2.0)], [{"action": "hscroll", "pixels": 2}]),
        ([act.Answer("42")], [{"action": "answer", "text": "42"}]),
        ([act.Click(*AT, modifiers=("ctrl",))], None),
        ([act.KeyDown("ctrl")], None),
        ([act.DragTo(*AT, button="right")], None),
        ([act.Click(None, None, raw_point=(9000.0, 1.0))], None),
        ([act.Click(element_id="42")], None),
        ([act.SelectOption(*AT, value="Blue")], None),
        ([act.Goto("https://a.example")], None),
        ([act.Swipe(0.5, 0.8, 0.5, 0.2)], None),
        ([act.Terminate(None)], None),
        ([act.Press("backspace", 200)], None),  # two hundred calls are no answer
        ([act.Click(*AT), act.Back()], None),  # half a step is another step
        ([], None),
    ],
)
def test_what_only_qwen3_has_a_verb_for_and_what_nobody_has(
    actions: list[Action], qwen3: list[dict[str, Any]] | None
) -> None:
    assert computer_use(actions, FRAME, False) is None
    text = computer_use(actions, FRAME, True)
    assert (None if text is None else tool_calls(text, "computer_use")) == qwen3


@pytest.mark.parametrize(
    ("actions", "calls"),
    [
        ([act.Click(*AT)], [{"action": "click", "coordinate": [528, 269]}]),
        ([act.LongPress(*AT)], [{"action": "long_press", "coordinate": [528, 269], "time": 2}]),
        ([act.Swipe(0.5, 0.8, 0.5, 0.2)], [{"action": "swipe", "coordinate": [500, 800], "coordinate2": [500, 200]}]),
        # AndroidWorld's own: scroll down is a finger from the middle to the top edge, right is to the left edge
        ([act.Scroll(-1.0, "page")], [{"action": "swipe", "coordinate": [500, 500], "coordinate2": [500, 0]}]),
        ([act.Scroll(1.0, "page")], [{"action": "swipe", "coordinate": [500, 500], "coordinate2": [500, 1000]}]),
        ([act.HScroll(1.0, "page")], [{"action": "swipe", "coordinate": [500, 500], "coordinate2": [0, 500]}]),
        ([act.HScroll(-1.0, "page")], [{"action": "swipe", "coordinate": [500, 500], "coordinate2": [1000, 500]}]),
        ([act.Scroll(-0.4, "page")], [{"action": "swipe", "coordinate": [500, 700], "coordinate2": [500, 300]}]),
        ([act.Back()], [{"action": "system_button", "button": "Back"}]),
        ([act.Home()], [{"action": "system_button", "button": "Home"}]),
        ([act.Write("a"), act.Enter()],
         [{"action": "type", "text": "a"}, {"action": "system_button", "button": "Enter"}]),
        ([act.OpenApp("Zoho Meet")], [{"action": "open", "text": "Zoho Meet"}]),
        ([act.Wait()], [{"action": "wait", "time": 2}]),
        ([act.Terminate("failure")], [{"action": "terminate", "status": "failure"}]),
        ([act.Scroll(-3.0)], None),  # a wheel
        ([act.Scroll(-3.0, "page")], None),  # more than a finger's way
        ([act.RightClick(*AT)], None),
        ([act.Hotkey(("ctrl", "c"))], None),
        ([act.MoveTo(*AT)], None),
    ],
)  # fmt: skip
def test_mobile_use(actions: list[Action], calls: list[dict[str, Any]] | None) -> None:
    text = mobile_use(actions, Frame(1000, 1000, 1.0))
    assert (None if text is None else tool_calls(text, "mobile_use")) == calls


def rounded(actions: list[Action], frame: Frame) -> list[Action]:
    """Actions as far as the tool can say them: points on its grid, times and amounts of four decimals."""

    def grid(value: float, side: int) -> float:
        return round(value * side) / side

    found: list[Action] = []
    for action in canonical(actions):
        match action:
            case act.Press(key, presses) if found and isinstance(found[-1], act.Press) and found[-1].key == key:
                action = act.Press(key, found.pop().presses + presses)  # type: ignore[union-attr]
            case act.Scroll(amount, unit):
                side = {"notch": 1.0, "pixel": 0.01, "page": frame.height / 100}[unit]
                action = act.Scroll(round(amount * side, 4))
            case act.HScroll(amount, unit):
                side = {"notch": 1.0, "pixel": 0.01, "page": frame.width / 100}[unit]
                action = act.HScroll(round(amount * side, 4))
            case act.Wait(seconds):
                action = act.Wait(2.0 if seconds is None else round(seconds, 4))
            case act.Terminate(status):
                action = act.Terminate("success" if status == "success" else "failure")
            case act.Swipe(float(x), float(y), float(to_x), float(to_y)):
                action = act.Swipe(grid(x, frame.width), grid(y, frame.height),
                                   grid(to_x, frame.width), grid(to_y, frame.height))  # fmt: skip
            case _ if isinstance(action, act.Pointed) and action.x is not None and action.y is not None:
                action = type(action)(grid(action.x, frame.width), grid(action.y, frame.height))
        found.append(action)
    return found


sane = strategies.some_actions.filter(
    lambda actions: (
        not re.search(r"\\ud[89a-f]", ascii(actions))
        and all(abs(a.amount) < 1e6 for a in actions if isinstance(a, act.Scroll | act.HScroll))
        and all(a.presses < 9 for a in actions if isinstance(a, act.Press))
    )
)


@given(sane, st.sampled_from([(1288, 728), (1000, 1000), (28, 5600)]))
def test_what_is_said_reads_back(actions: list[Action], size: tuple[int, int]) -> None:
    frame, actions = Frame(*size, 1.0), canonical(actions)  # points of a record have four decimals
    for more, verbs in ((False, QWEN25), (True, QWEN3)):
        text = computer_use(actions, frame, more)
        if text is not None:
            assert {call["action"] for call in tool_calls(text, "computer_use")} <= verbs
            assert read_qwen(text, "computer_use", *size) == rounded(actions, frame)
    text = mobile_use(actions, frame)
    if text is not None:
        assert {call["action"] for call in tool_calls(text, "mobile_use")} <= MOBILE
        if not any(isinstance(action, act.Scroll | act.HScroll | act.Press) for action in actions):
            assert read_qwen(text, "mobile_use", *size) == rounded(actions, frame)
