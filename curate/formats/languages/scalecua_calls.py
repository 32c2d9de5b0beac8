"""ScaleCUA's calls, one a line: PyAutoGUI's names without the module, points as fractions of the picture, and a
phone's own. A wheel scrolls by `clicks`, more than 0 is up, as the released agent hands them to PyAutoGUI."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from curate.formats.base import escape_code
from curate.formats.languages.phrases import FRACTIONS, finger_path, number, phrases, quoted
from curate.model import actions as act
from curate.model.actions import Action

_Say = Callable[[Any, "act.MoveTo | None"], "list[str] | None"]


def calls(actions: Sequence[Action], phone: bool) -> str | None:
    """The calls of a step; None where one of its actions has no word."""
    if len(actions) == 1 and type(actions[0]) in _FEW:
        return _of_few(actions[0], phone)
    return _said(actions, phone)


def _said(actions: Sequence[Action], phone: bool) -> str | None:
    verbs = _PHONE if phone else _DESKTOP
    lines: list[str] = []
    for phrase in phrases(actions):
        say = verbs.get(type(phrase.action))
        said = None if say is None else say(phrase.action, phrase.start)
        if said is None:
            return None
        lines += said
    return "\n".join(lines) or None


@lru_cache(4096)
def _of_few(action: Action, phone: bool) -> str | None:
    """The call of an action that is one of few: keys, notches, seconds."""
    return _said([action], phone)


_FEW = frozenset((act.Press, act.Hotkey, act.Scroll, act.HScroll, act.Wait, act.Terminate))


def same(code: str, phone: bool) -> str | None:
    """The call that is written as it is in our own code (`model.render`), but for the module: most are. None for any
    other, which says nothing."""
    if code.startswith(_SAME_ON_PHONES if phone else _SAME) and "\n" not in code:
        return escape_code(code[len(_MODULE) :])
    return None


_MODULE = "pyautogui."
_SAME_ON_PHONES = (f"{_MODULE}click(x=", f"{_MODULE}write(message=")
_SAME = (*_SAME_ON_PHONES, *(f"{_MODULE}{name}(" for name in ("doubleClick", "rightClick", "moveTo", "hotkey")))


def _where(action: Any) -> str | None:
    return None if action.x is None else f"x={FRACTIONS[action.x]}, y={FRACTIONS[action.y]}"


def _at(verb: str, more: str = "") -> _Say:
    def say(action: Any, _: act.MoveTo | None) -> list[str] | None:
        where = _where(action)
        return None if where is None else _held(action, [f"{verb}({where}{more})"])

    return say


_move = _at("moveTo")


def _held(action: Any, lines: list[str]) -> list[str]:
    """The lines with the keys that are held meanwhile."""
    keys = action.modifiers
    if not keys:
        return lines
    return [*(f"keyDown(key='{key}')" for key in keys), *lines, *(f"keyUp(key='{key}')" for key in reversed(keys))]


def _drag(action: act.DragTo, start: act.MoveTo | None) -> list[str] | None:
    dragged = _at("dragTo", f", button='{action.button}'")(action, start)
    return dragged if start is None else _behind(start, dragged)


def _behind(start: act.MoveTo, lines: list[str] | None) -> list[str] | None:
    moved = _move(start, None)
    return None if moved is None or lines is None else [*moved, *lines]


def _scroll(action: act.Scroll, start: act.MoveTo | None) -> list[str] | None:
    if action.unit != "notch" or not action.amount or (start is not None and (start.x is None or start.modifiers)):
        return None
    where = "" if start is None else f", {_where(start)}"
    return _held(action, [f"scroll(clicks={number(action.amount)}{where})"])


def _swiped(action: Action, start: act.MoveTo | None) -> list[str] | None:
    path = None if start is not None else finger_path(action)
    if path is None:
        return None
    x, y, to_x, to_y = map(number, path)
    return [f"swipe(from_coord=[{x}, {y}], to_coord=[{to_x}, {to_y}])"]


def _text(verb: str, text: str) -> list[str]:
    return [f"{verb}={escape_code(quoted(text))})"]


def _pressed(action: act.Press, _: act.MoveTo | None) -> list[str]:
    times = f", presses={action.presses}" if action.presses != 1 else ""
    return [f"press(keys={quoted(action.key)}{times})"]


def _waited(action: act.Wait, _: act.MoveTo | None) -> list[str]:
    return ["wait()" if action.seconds is None else f"wait(seconds={number(action.seconds)})"]


def _ended(action: act.Terminate, _: act.MoveTo | None) -> list[str] | None:
    if action.status is None:
        return None
    return [f"terminate(status='{'success' if action.status == 'success' else 'failure'}')"]


def _word(line: str) -> _Say:
    return lambda _action, _start: [line]


_PHONE_AT: dict[type[Any], tuple[str, str]] = {act.Click: ("click", ""), act.LongPress: ("long_press", "")}
_DESKTOP_AT: dict[type[Any], tuple[str, str]] = {
    act.Click: ("click", ""),
    act.DoubleClick: ("doubleClick", ""),
    act.TripleClick: ("click", ", clicks=3"),
    act.RightClick: ("rightClick", ""),
    act.MiddleClick: ("click", ", button='middle'"),
    act.MoveTo: ("moveTo", ""),
}
"""Calls at one point, and what stands behind it."""

_EVERYWHERE: dict[type[Any], _Say] = {
    act.Write: lambda action, _: _text("write(message", action.text),
    act.Press: _pressed,
    act.Wait: _waited,
    act.Terminate: _ended,
    act.Answer: lambda action, _: _text("response(answer", action.text),
}
_DESKTOP: dict[type[Any], _Say] = {
    **_EVERYWHERE,
    **{kind: _at(*parts) for kind, parts in _DESKTOP_AT.items()},
    act.DragTo: _drag,
    act.Scroll: _scroll,
    act.Hotkey: lambda action, _: [f"hotkey({', '.join(map(quoted, action.keys))})"],
    act.KeyDown: lambda action, _: [f"keyDown(key={quoted(action.key)})"],
    act.KeyUp: lambda action, _: [f"keyUp(key={quoted(action.key)})"],
}
_PHONE: dict[type[Any], _Say] = {
    **_EVERYWHERE,
    **{kind: _at(*parts) for kind, parts in _PHONE_AT.items()},
    act.Swipe: _swiped,
    act.Scroll: _swiped,
    act.HScroll: _swiped,
    act.OpenApp: lambda action, _: _text("open_app(app_name", action.app),
    act.Home: _word("navigate_home()"),
    act.Back: _word("navigate_back()"),
    act.Enter: _word("press(keys='enter')"),
}
