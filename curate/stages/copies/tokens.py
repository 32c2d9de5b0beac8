"""What a run did, as tokens: one for each step's main action.

A token is the action's type with what it acted on (the element's role and name; else the source's id of it; else the
cell of a coarse grid that the point lies in, and the app whose window it is) and its text or keys. A record knows no
window's place, so the grid is the screen's. Scrolls, waits and bare moves are how a run wandered, not what it did: they
are left out by their type. Words are the label only where a record has nothing else (no typed action), never beside a
typed action: two models word the same click differently.

Every step of a run passes here, so that what repeats is looked up: a token costs about half a microsecond.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from curate.model import actions as act
from curate.model.actions import Action, MoveTo, Swipe, main_action
from curate.model.constants import OFF_SCREEN_CELL_PX, POINT_GRID, TOKEN_CACHE
from curate.model.trajectory import Element, Step

_LOOKED_UP = 256  # characters: longer names are rare, and would fill the memory
IGNORED: tuple[type, ...] = (act.Scroll, act.HScroll, act.Wait, act.MoveTo)

_IGNORED_WORDS = re.compile(
    r"^(?:pyautogui\.|computer\.)?(?:h?scroll|wait|moveto)(?:[\W\d_]|\b(?:up|down|left|right|by|a|bit|pages?|notch(?:es)?"
    r"|for|s|sec(?:ond)?s?|the|screen|amount|unit|notch|x|y)\b)*$",
    re.IGNORECASE,
)


def tokens(steps: Sequence[Step]) -> list[str]:
    """The tokens of a run, in order; steps that are ignored, or of which nothing is known, give none."""
    return [found for step in steps if (found := token(step)) is not None]


def token(step: Step) -> str | None:
    """The token of one step, None for an ignored or unknown one."""
    actions = step.actions
    main = actions[0] if len(actions) == 1 else main_action(actions)
    if main is None:
        words = step.action or ""
        return _of_words(words) if len(words) <= _LOOKED_UP else _of_words.__wrapped__(words)
    return _TOKEN_OF[type(main)](main, step)


@lru_cache(TOKEN_CACHE)
def _of_words(text: str) -> str | None:
    words = _same(text)
    return None if not words or _IGNORED_WORDS.match(words) else f"words|{words}"


def _nothing(main: Any, step: Step) -> None:
    return None


def _at_point(main: Any, step: Step) -> str:
    """A click, in all its kinds: on an element, or at a point; with the keys held."""
    tag, element = _TAGS[type(main)], step.element
    if element is not None and (name := element.name) and len(name) <= _LOOKED_UP and not main.modifiers:
        found = _clicked(tag, element.role, name)  # nearly all
        if found is not None:
            return found
    on = _named(element) or _unnamed(main, step)
    return f"{tag}|{on}|{'+'.join(main.modifiers)}" if main.modifiers and type(main) is act.Click else f"{tag}|{on}"


def _select(main: act.SelectOption, step: Step) -> str:
    return f"selectOption|{_acted_on(main, step)}|{main.value}" if main.value else _at_point(main, step)


def _drag(main: act.DragTo, step: Step) -> str:
    start = next((action for action in step.actions if isinstance(action, MoveTo)), None)
    label = _acted_on(main, step) if step.element else _cell(start.x, start.y) if start else "?"
    return f"dragTo|{label}>{_cell(main.x, main.y)}"


def _swipe(main: Swipe, step: Step) -> str:
    named = _named(step.element)
    label = named or f"{_role(step.element)}@{_window(step)}{_cell(main.x, main.y)}"
    return f"swipe|{label}>{_cell(main.to_x, main.to_y)}"


def _acted_on(main: Any, step: Step) -> str:
    """The element by role and name, else by the source's id, else the cell of the point."""
    return _named(step.element) or _unnamed(main, step)


def _unnamed(main: Any, step: Step) -> str:
    element = step.element
    if isinstance(main.element_id, str):
        return f"{_role(element)}#{main.element_id}"
    return f"{_role(element)}@{_window(step)}{_place(main)}"


def _named(element: Element | None) -> str | None:
    if element is None or not element.name:
        return None
    if len(element.name) <= _LOOKED_UP:
        return _name_of(element.role, element.name)
    return _name_of.__wrapped__(element.role, element.name)


@lru_cache(TOKEN_CACHE)
def _clicked(tag: str, role: str | None, name: str) -> str | None:
    """The token of a click of this kind on an element of that name; None where nothing is left of the name."""
    on = _name_of(role, name)
    return None if on is None else f"{tag}|{on}"


@lru_cache(TOKEN_CACHE)
def _name_of(role: str | None, name: str) -> str | None:
    """Role and name of an element; None where nothing is left of the name."""
    same = _same(name)
    return f"{_same(role or '')}:{same}" if same else None


def _role(element: Element | None) -> str:
    return "" if element is None or not element.role else _same(element.role)


def _window(step: Step) -> str:
    """Whose window a nameless point lies in: the same cell in another app is another thing."""
    return f"{_same(step.app)} " if step.app else ""


def _place(main: Any) -> str:
    """The cell of the point. Off the picture, the recorded pixels in squares of OFF_SCREEN_CELL_PX, so that two
    clicks somewhere outside are not the same click."""
    if main.x is None and main.raw_point is not msgspec.UNSET:
        raw = main.raw_point
        return f"off {raw[0] // OFF_SCREEN_CELL_PX:.0f},{raw[1] // OFF_SCREEN_CELL_PX:.0f}"
    return _cell(main.x, main.y)


def _cell(x: float | None, y: float | None) -> str:
    """The cell of the POINT_GRID x POINT_GRID grid, as column,row; the far edges belong to the last cells."""
    if x is None or y is None:
        return "off"
    return f"{min(int(x * POINT_GRID), POINT_GRID - 1)},{min(int(y * POINT_GRID), POINT_GRID - 1)}"


@lru_cache(TOKEN_CACHE)
def _same(text: str) -> str:
    """One spelling: case, Unicode's compatibility forms and white space aside."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _typed(text: str) -> str:
    """Text as it was typed, white space aside."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def _with(tag: str, given: str) -> str:
    return f"{tag}|{given}" if given else tag


def _plain(kind: type) -> Callable[[Any, Step], str]:
    tag = _TAGS[kind]
    return lambda main, step: tag


def _keyed(kind: type) -> Callable[[Any, Step], str]:
    tag = _TAGS[kind]
    return lambda main, step: _with(tag, main.key)


_KINDS: tuple[type, ...] = Action.__args__
_TAGS: dict[type, str] = {kind: msgspec.inspect.type_info(kind).tag for kind in _KINDS}  # type: ignore[attr-defined]
_TOKEN_OF: dict[type, Callable[[Any, Step], str | None]] = {
    **dict.fromkeys(act.POINTED, _at_point),
    **{kind: _plain(kind) for kind in (act.Back, act.Home, act.Enter, act.Terminate)},
    **{kind: _keyed(kind) for kind in (act.Press, act.KeyDown, act.KeyUp)},
    act.Write: lambda main, step: _with("write", _typed(main.text)),
    act.Answer: lambda main, step: _with("answer", _typed(main.text)),
    act.Hotkey: lambda main, step: "hotkey|" + "+".join(main.keys),
    act.OpenApp: lambda main, step: _with("openApp", main.app),
    act.Goto: lambda main, step: _with("goto", main.url),
    act.SelectOption: _select,
    act.DragTo: _drag,
    act.Swipe: _swipe,
    **dict.fromkeys(IGNORED, _nothing),
}
