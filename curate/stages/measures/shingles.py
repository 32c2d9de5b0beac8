"""What a run did, as tokens: one for each step's main action, and shingles of n consecutive tokens.

A token is the action's type with what it acted on (the element's role and name; else the cell of a coarse grid that
the point lies in) and its text or keys. Scrolls, waits and bare moves are how a run wandered, not what it did: they
are left out by their type. Words are the label only where a record has nothing else (no typed action), never beside
a typed action: two models word the same click differently.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from curate.model.actions import (
    Action,
    Answer,
    Click,
    DragTo,
    Goto,
    Hotkey,
    HScroll,
    KeyDown,
    KeyUp,
    MoveTo,
    OpenApp,
    Pointed,
    Press,
    Scroll,
    SelectOption,
    Swipe,
    Wait,
    Write,
    action_type,
    main_action,
)  # fmt: skip
from curate.model.constants import OFF_SCREEN_CELL_PX, POINT_GRID, SHINGLE_N
from curate.model.trajectory import Step

Shingles = frozenset[tuple[str, ...]]
IGNORED: tuple[type, ...] = (Scroll, HScroll, Wait, MoveTo)

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
    main = main_action(step.actions)
    if main is None:
        words = _same(step.action or "")
        return None if not words or _IGNORED_WORDS.match(words) else f"words|{words}"
    if isinstance(main, IGNORED):
        return None
    return "|".join(part for part in (action_type(main), _acted_on(main, step), _given(main)) if part)


def _acted_on(main: Action, step: Step) -> str:
    """The element by role and name, else by the source's id, else the cell of the point."""
    if not isinstance(main, Pointed | Swipe):
        return ""
    role = _same(step.element.role or "") if step.element else ""
    if step.element and step.element.name and (name := _same(step.element.name)):
        label = f"{role}:{name}"
    elif isinstance(main, Pointed) and isinstance(main.element_id, str):
        label = f"{role}#{main.element_id}"
    else:
        label = f"{role}@{_place(main)}"
    if isinstance(main, DragTo):
        start = next((action for action in step.actions if isinstance(action, MoveTo)), None)
        return f"{label if step.element else _cell(start.x, start.y) if start else '?'}>{_cell(main.x, main.y)}"
    return f"{label}>{_cell(main.to_x, main.to_y)}" if isinstance(main, Swipe) else label


def _given(main: Action) -> str:
    """Text or keys that came with the action, and modifiers held."""
    match main:
        case Write() | Answer():
            return " ".join(unicodedata.normalize("NFC", main.text).split())
        case Press() | KeyDown() | KeyUp():
            return main.key
        case Hotkey():
            return "+".join(main.keys)
        case SelectOption():
            return main.value
        case OpenApp():
            return main.app
        case Goto():
            return main.url
        case Click() if main.modifiers:
            return "+".join(main.modifiers)
    return ""


def _place(main: Pointed | Swipe) -> str:
    """The cell of the point. Off the picture, the recorded pixels in squares of OFF_SCREEN_CELL_PX, so that two
    clicks somewhere outside are not the same click."""
    raw = main.raw_point if isinstance(main, Pointed) and main.x is None else msgspec.UNSET
    if raw:
        return f"off {raw[0] // OFF_SCREEN_CELL_PX:.0f},{raw[1] // OFF_SCREEN_CELL_PX:.0f}"
    return _cell(main.x, main.y)


def _cell(x: float | None, y: float | None) -> str:
    """The cell of the POINT_GRID x POINT_GRID grid, as column,row; the far edges belong to the last cells."""
    if x is None or y is None:
        return "off"
    return f"{min(int(x * POINT_GRID), POINT_GRID - 1)},{min(int(y * POINT_GRID), POINT_GRID - 1)}"


def _same(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def shingles(labels: Sequence[str], n: int = SHINGLE_N) -> Shingles:
    """Each n consecutive tokens. Fewer tokens than n are one shingle of all; none gives none (never a copy)."""
    if not labels:
        return frozenset()
    if len(labels) < n:
        return frozenset((tuple(labels),))
    return frozenset(tuple(labels[i : i + n]) for i in range(len(labels) - n + 1))
