"""The sentence for what a step does, made from its actions and element where the source has no words of its own
(flag `words_generated`): `Click the edit "Search"`, `Type "hello"`, `Press Ctrl+C`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.constants import ELEMENT_NAME_MAX_CHARS
from curate.model.render import canonical
from curate.model.trajectory import Element

_VERBS: dict[type[Any], str] = {
    act.Click: "Click",
    act.DoubleClick: "Double-click",
    act.TripleClick: "Triple-click",
    act.RightClick: "Right-click",
    act.MiddleClick: "Middle-click",
    act.MoveTo: "Move the pointer to",
    act.LongPress: "Long-press",
    act.Clear: "Clear",
}
_KEY_WORDS = {
    "ctrl": "Ctrl", "alt": "Alt", "altright": "AltGr", "shift": "Shift", "win": "Win", "command": "Command",
    "esc": "Escape", "pageup": "Page Up", "pagedown": "Page Down", "capslock": "Caps Lock", "numlock": "Num Lock",
    "scrolllock": "Scroll Lock", "printscreen": "Print Screen", "apps": "Menu", "fn": "Fn",
}  # fmt: skip
_ENDS = {
    "success": "Finish: the task is done",
    "failure": "Finish: the task has failed",
    "impossible": "Finish: the task cannot be done",
    None: "Finish",
}


def words(actions: Sequence[Action], element: Element | None) -> str:
    """One line that says what the actions do, '' for none. `element` is what the step's first point acts on; without
    it points are given as fractions. Typed text stands in full, as a JSON string."""
    parts: list[str] = []
    there = canonical(actions)
    at = 0
    while at < len(there):
        action = there[at]
        following = there[at + 1] if at + 1 < len(there) else None
        if isinstance(action, act.MoveTo) and isinstance(following, act.DragTo | act.Scroll | act.HScroll):
            parts.append(_from_place(action, following, element))
            at += 2
        else:
            parts.append(_one(action, element))
            at += 1
        if any(isinstance(past, act.POINTED) for past in there[:at]):
            element = None  # it was the first point's
    first, *others = parts or [""]
    return ", then ".join([first, *(part[0].lower() + part[1:] for part in others)])


def _one(action: Action, element: Element | None) -> str:
    verb = _VERBS.get(type(action))
    if verb is not None:
        return f"{verb}{_target(action, element, at='' if isinstance(action, act.MoveTo) else 'at ')}{_held(action)}"
    return _SENTENCES[type(action)](action, element)


def _from_place(move: act.MoveTo, action: Action, element: Element | None) -> str:
    if isinstance(action, act.DragTo):
        button = "" if action.button == "left" else f" with the {action.button} button"
        named = _named(element) or f"from {_point(move) or 'there'}"
        return f"Drag {named} to {_point(action) or 'a point off the screen'}{button}{_held(action)}"
    return _one(action, None).replace(_held(action), "") + _over(move, element) + _held(action)


def _over(move: act.MoveTo, element: Element | None) -> str:
    place = _named(element)
    return f" over {place}" if place else f" at {_point(move)}" if _point(move) else ""


def _target(action: Any, element: Element | None, at: str) -> str:
    place = _named(element)
    if place is None and action.element_id is not UNSET and action.x is None:
        place, at = f"element {_quoted(action.element_id)}", ""
    if place is not None:
        return f" {place}"
    if _point(action) is None:
        return " the field" if isinstance(action, act.Clear) else f" {at}a point that is not known"
    return f" {at}{_point(action)}"


def _named(element: Element | None) -> str | None:
    """`the edit "Search"`; None when neither role nor name says anything."""
    role = _clean(element.role) if element and element.role else ""
    name = _clean(element.name) if element and element.name else ""
    if not role and not name:
        return None
    return " ".join(filter(None, ("the", role, _quoted(name) if name else "")))


def _clean(text: str) -> str:
    """One line without control characters, cut to ELEMENT_NAME_MAX_CHARS (whole panes carry their text as name)."""
    line = re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in text)).strip()
    return line if len(line) <= ELEMENT_NAME_MAX_CHARS else line[: ELEMENT_NAME_MAX_CHARS - 1].rstrip() + "…"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _point(action: Any) -> str | None:
    return None if action.x is None or action.y is None else f"({action.x:g}, {action.y:g})"


def _held(action: Any) -> str:
    keys = getattr(action, "modifiers", ())
    return f" while holding {'+'.join(map(_key, keys))}" if keys else ""


def _key(key: str) -> str:
    if key in _KEY_WORDS:
        return _KEY_WORDS[key]
    return key.upper() if len(key) == 1 or re.fullmatch(r"f\d+", key) else key.capitalize()


def _times(count: int) -> str:
    return "" if count == 1 else " twice" if count == 2 else f" {count} times"


_PLURALS = {"notch": "notches", "pixel": "pixels", "page": "pages"}


def _scrolled(up: str, down: str) -> Callable[[Any, Element | None], str]:
    def sentence(action: Any, _: Element | None) -> str:
        size = abs(action.amount)
        unit = action.unit if size == 1 else _PLURALS[action.unit]
        return f"Scroll {up if action.amount > 0 else down} {size:g} {unit}{_held(action)}"

    return sentence


def _swipe(action: act.Swipe, _: Element | None) -> str:
    if action.x is None or action.y is None or action.to_x is None or action.to_y is None:
        return "Swipe"
    return f"Swipe from ({action.x:g}, {action.y:g}) to ({action.to_x:g}, {action.to_y:g})"


def _select(action: act.SelectOption, element: Element | None) -> str:
    return f"Select {_quoted(action.value)} in{_target(action, element, at='the list at ')}{_held(action)}"


def _dragged(action: act.DragTo, _: Element | None) -> str:
    button = "" if action.button == "left" else f" with the {action.button} button"
    return f"Drag to {_point(action) or 'a point off the screen'}{button}{_held(action)}"


def _waited(action: act.Wait, _: Element | None) -> str:
    if action.seconds is None:
        return "Wait"
    return f"Wait {action.seconds:g} second{'' if action.seconds == 1 else 's'}"


_SENTENCES: dict[type[Any], Callable[[Any, Element | None], str]] = {
    act.DragTo: _dragged,
    act.Scroll: _scrolled("up", "down"),
    act.HScroll: _scrolled("right", "left"),
    act.Write: lambda a, _: f"Type {_quoted(a.text)}",
    act.Press: lambda a, _: f"Press {_key(a.key)}{_times(a.presses)}",
    act.Hotkey: lambda a, _: f"Press {'+'.join(map(_key, a.keys))}",
    act.KeyDown: lambda a, _: f"Hold {_key(a.key)}",
    act.KeyUp: lambda a, _: f"Release {_key(a.key)}",
    act.Wait: _waited,
    act.Terminate: lambda a, _: _ENDS[a.status],
    act.Swipe: _swipe,
    act.SelectOption: _select,
    act.Back: lambda _a, _: "Go back",
    act.Home: lambda _a, _: "Go to the home screen",
    act.Enter: lambda _a, _: "Press Enter",
    act.OpenApp: lambda a, _: f"Open the app {_quoted(a.app)}",
    act.Goto: lambda a, _: f"Go to {a.url if a.url.isprintable() and ' ' not in a.url else _quoted(a.url)}",
    act.Answer: lambda a, _: f"Answer {_quoted(a.text)}",
}
