"""Tool calls of the Qwen models: `computer_use` (Qwen2.5-VL; Qwen3-VL has more verbs) and `mobile_use` (Qwen3-VL).

A step is one or more calls in a row: a drag is a `mouse_move` to where it begins and a `left_click_drag`, a key that is
pressed three times is three calls. Held keys, other buttons that drag, and keys that go down and up apart have no verb.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from curate.formats.base import escape_json
from curate.formats.languages.phrases import Phrase, finger_path, number, phrases
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.constants import PIXELS_A_NOTCH, REPEATED_CALLS, SAID_LONG_PRESS_S, UNKNOWN_WAIT_S


class Frame(NamedTuple):
    """Coordinates run from 0 to `width` and `height`; a notch of the wheel is `notch` of what `pixels` counts."""

    width: int
    height: int
    notch: float


_Say = Callable[[Any, Frame], list[str] | None]
"""The arguments of each call, as JSON; None: no verb."""


def computer_use(actions: Sequence[Action], frame: Frame, more: bool) -> str | None:
    """The calls of a step. `more`: with the verbs of Qwen3-VL (triple_click, hscroll, answer)."""
    return _calls("computer_use", actions, frame, _COMPUTER_MORE if more else _COMPUTER)


def mobile_use(actions: Sequence[Action], frame: Frame) -> str | None:
    """The calls of a step on a phone."""
    return _calls("mobile_use", actions, frame, _MOBILE)


def _calls(tool: str, actions: Sequence[Action], frame: Frame, verbs: dict[type[Any], _Say]) -> str | None:
    if len(actions) == 1 and type(actions[0]) is act.Click:  # most steps
        point = _point(actions[0], frame)
        return None if point is None else _call(tool, f'{{"action": "{_LEFT[tool]}", {point}}}')
    arguments: list[str] = []
    for phrase in phrases(actions):
        said = _phrase(phrase, frame, verbs)
        if said is None:
            return None
        arguments += said
    return "\n".join([_call(tool, one) for one in arguments]) if arguments else None


_LEFT = {"computer_use": "left_click", "mobile_use": "click"}


def _call(tool: str, arguments: str) -> str:
    return f'<tool_call>\n{{"name": "{tool}", "arguments": {arguments}}}\n</tool_call>'


def _phrase(phrase: Phrase, frame: Frame, verbs: dict[type[Any], _Say]) -> list[str] | None:
    say = verbs.get(type(phrase.action))
    said = None if say is None else say(phrase.action, frame)
    if said is None or phrase.start is None:
        return said
    move = verbs.get(act.MoveTo)
    moved = None if move is None else move(phrase.start, frame)
    return None if moved is None else [*moved, *said]


def _point(action: Any, frame: Frame, name: str = "coordinate") -> str | None:
    if action.x is None or action.modifiers:
        return None
    return f'"{name}": [{round(action.x * frame.width)}, {round(action.y * frame.height)}]'


def _at(verb: str, more: str = "") -> _Say:
    def say(action: Any, frame: Frame) -> list[str] | None:
        point = _point(action, frame)
        return None if point is None else [f'{{"action": "{verb}", {point}{more}}}']

    return say


def _drag(action: act.DragTo, frame: Frame) -> list[str] | None:
    return _at("left_click_drag")(action, frame) if action.button == "left" else None


def _scroll(verb: str) -> _Say:
    def say(action: Any, frame: Frame) -> list[str] | None:
        if action.modifiers:
            return None
        side = frame.height if verb == "scroll" else frame.width
        notches = {"notch": 1.0, "pixel": 1 / PIXELS_A_NOTCH, "page": side / PIXELS_A_NOTCH}[action.unit]
        pixels = number(action.amount * notches * frame.notch)
        return None if pixels == "0" else [f'{{"action": "{verb}", "pixels": {pixels}}}']

    return say


def _text(verb: str, text: str) -> list[str]:
    return [f'{{"action": "{verb}", "text": {_json(text)}}}']


def _json(text: str) -> str:
    return escape_json(json.dumps(text, ensure_ascii=False))


@lru_cache(4096)
def _keys(keys: tuple[str, ...], times: int) -> list[str] | None:
    if times > REPEATED_CALLS:
        return None
    listed = ", ".join(map(_json, keys))
    return [f'{{"action": "key", "keys": [{listed}]}}'] * times


def _waited(action: act.Wait, _: Frame) -> list[str]:
    seconds = UNKNOWN_WAIT_S if action.seconds is None else action.seconds
    return [f'{{"action": "wait", "time": {number(seconds)}}}']


def _ended(action: act.Terminate, _: Frame) -> list[str] | None:
    if action.status is None:
        return None
    status = "success" if action.status == "success" else "failure"
    return [f'{{"action": "terminate", "status": "{status}"}}']


def _swiped(action: Action, frame: Frame) -> list[str] | None:
    path = finger_path(action)
    if path is None:
        return None
    start = f"[{round(path.x * frame.width)}, {round(path.y * frame.height)}]"
    end = f"[{round(path.to_x * frame.width)}, {round(path.to_y * frame.height)}]"
    return [f'{{"action": "swipe", "coordinate": {start}, "coordinate2": {end}}}']


def _button(name: str) -> _Say:
    return lambda _action, _frame: [f'{{"action": "system_button", "button": "{name}"}}']


_EVERYWHERE: dict[type[Any], _Say] = {
    act.Write: lambda action, _: _text("type", action.text),
    act.Wait: _waited,
    act.Terminate: _ended,
}
_COMPUTER: dict[type[Any], _Say] = {
    **_EVERYWHERE,
    act.Click: _at("left_click"),
    act.DoubleClick: _at("double_click"),
    act.RightClick: _at("right_click"),
    act.MiddleClick: _at("middle_click"),
    act.MoveTo: _at("mouse_move"),
    act.DragTo: _drag,
    act.Scroll: _scroll("scroll"),
    act.Press: lambda action, _: _keys((action.key,), action.presses),
    act.Hotkey: lambda action, _: _keys(action.keys, 1),
}
_COMPUTER_MORE: dict[type[Any], _Say] = {
    **_COMPUTER,
    act.TripleClick: _at("triple_click"),
    act.HScroll: _scroll("hscroll"),
    act.Answer: lambda action, _: _text("answer", action.text),
}
_MOBILE: dict[type[Any], _Say] = {
    **_EVERYWHERE,
    act.Click: _at("click"),
    act.LongPress: _at("long_press", f', "time": {SAID_LONG_PRESS_S}'),
    act.Swipe: _swiped,
    act.Scroll: _swiped,
    act.HScroll: _swiped,
    act.Back: _button("Back"),
    act.Home: _button("Home"),
    act.Enter: _button("Enter"),
    act.Press: lambda action, frame: _button("Enter")(action, frame) if action == act.Press("enter") else None,
    act.OpenApp: lambda action, _: _text("open", action.app),
    act.Answer: lambda action, _: _text("answer", action.text),
}
