"""What languages share: which actions belong together, what a phone is, numbers and texts as they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.constants import COORDINATE_DECIMALS, PHONE_SCROLL_EDGES
from curate.model.render import canonical
from curate.model.trajectory import Step, Trajectory

_AT_A_PLACE = (act.DragTo, act.Scroll, act.HScroll)
_KEYS = frozenset((act.Press, act.Hotkey))
_HELD = frozenset((act.KeyDown, act.KeyUp))
_HOLDING = frozenset((*act.POINTED, act.Scroll, act.HScroll))
_PHONE_ONLY = (act.Swipe, act.Home, act.OpenApp, act.LongPress, act.Enter)
_PHONES = ("android", "ios")


class Phrase(NamedTuple):
    """An action, with the moveTo before it that says where a drag begins or a scroll happens."""

    action: Action
    start: act.MoveTo | None = None


def phrases(actions: Sequence[Action]) -> list[Phrase]:
    """A step's actions in their one form."""
    if len(actions) == 1:
        action: Any = actions[0]
        kind = type(action)
        if kind in _KEYS:
            return _pressed(action)
        if kind in _HELD or (kind in _HOLDING and action.modifiers):
            return [Phrase(canonical(actions)[0])]
        return [Phrase(action)]  # its point may have more decimals, which no language writes
    found: list[Phrase] = []
    start: act.MoveTo | None = None
    for action in canonical(actions):
        if start is not None and not isinstance(action, _AT_A_PLACE):
            found.append(Phrase(start))
            start = None
        if isinstance(action, act.MoveTo):
            start = action
        else:
            found.append(Phrase(action, start))
            start = None
    return found if start is None else [*found, Phrase(start)]


@lru_cache(4096)
def _pressed(action: Action) -> list[Phrase]:
    """Keys, which are the same few everywhere."""
    return [Phrase(canonical([action])[0])]


def is_phone(trajectory: Trajectory) -> bool:
    """Whether the record is of a phone: its platform says so, or, where that is not known, an action does that only
    phones have."""
    if trajectory.platform is not None:
        return trajectory.platform in _PHONES
    return any(isinstance(action, _PHONE_ONLY) for step in trajectory.steps for action in step.actions)


class Path(NamedTuple):
    """Where a finger goes, in fractions of the picture."""

    x: float
    y: float
    to_x: float
    to_y: float


def finger_path(action: Action) -> Path | None:
    """The swipe that an action is on a phone: a swipe itself, or what a finger does for a scroll by pages. None for
    other actions, and for scrolls of more than a page or in units that a finger does not have.

    A scroll of one page is what AndroidWorld makes of a scroll: from the middle to the edge; of less, a way of that
    length over the middle."""
    if isinstance(action, act.Swipe):
        x, y, to_x, to_y = action.x, action.y, action.to_x, action.to_y
        return None if x is None or y is None or to_x is None or to_y is None else Path(x, y, to_x, to_y)
    if not isinstance(action, act.Scroll | act.HScroll) or action.unit != "page" or action.modifiers:
        return None
    pages = action.amount if isinstance(action, act.Scroll) else -action.amount  # the finger goes with the content
    if not 0 < abs(pages) <= 1:
        return None
    from_at, to_at = 0.5 - pages / 2, 0.5 + pages / 2
    if abs(pages) == 1:
        from_at, to_at = 0.5, PHONE_SCROLL_EDGES[pages > 0]
    return Path(0.5, from_at, 0.5, to_at) if isinstance(action, act.Scroll) else Path(from_at, 0.5, to_at, 0.5)


class _Fractions(dict[float, str]):
    """The text of each rounded fraction between 0 and 1, once it was asked for: there are 9,999 of them."""

    def __missing__(self, value: float) -> str:
        text = number(value)
        if 0 < value < 1 and round(value, COORDINATE_DECIMALS) == value:
            self[value] = text
        return text


FRACTIONS = _Fractions()
"""`number` of a coordinate."""


def number(value: float) -> str:
    """`3` for 3.0, `0.5`; at most four decimals."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


_ESCAPES = {"\\": "\\\\", "'": "\\'", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\'\"\x00-\x1f\x7f\u0085\u2028\u2029\ud800-\udfff]")


def quoted(text: str) -> str:
    """A text in single quotes, as Python reads it: quotes, backslashes and line ends escaped, all else as it is."""
    return f"'{_ESCAPED.sub(_escaped, text)}'"


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    return _ESCAPES.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def last_act(steps: Sequence[Step]) -> int:
    """The position of the last step that has actions; -1 where none has."""
    return next((at for at in range(len(steps) - 1, -1, -1) if steps[at].actions), -1)
