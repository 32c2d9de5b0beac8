"""Actions of the Android in the Wild family: a number for the kind, a point where the finger came down and one where it
left, a text. AITZ, CAGUI, DigiRL and the ports of AitW write the same in their own fields.

What is decided here:
- A dual point is a tap where the two points are no more than TAP_DISTANCE apart, at the point where the finger came
  down; else a swipe of the finger, so that a swipe of tiny travel reads as a tap (AitW's own rule).
- `[-1, -1]` is no point.
- Typed text that is empty is not known: the step stays without an action, flagged `text_unverified`.
- Kinds 0 and 1 are CAGUI's long press and waiting; AitW does not use them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.coordinates import Placed
from curate.sources.common.coded import Around, Framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.reading import UnreadableError

LONG_POINT, NO_ACTION, TYPE, DUAL_POINT, BACK, HOME, ENTER, COMPLETE, IMPOSSIBLE = 0, 1, 3, 4, 5, 6, 7, 10, 11
TAP_DISTANCE = 0.04  # fractions of the screen: _TAP_DISTANCE_THRESHOLD of AitW's action_matching.py

Pair = Sequence[Any]


class Gesture(msgspec.Struct, kw_only=True):
    """What a source says of one action: `touch` and `lift` in its own order, `seconds` how long it took."""

    kind: int
    touch: list[Any] | None = None
    lift: list[Any] | None = None
    text: str = ""
    seconds: float | None = None


def near(touch: Pair, lift: Pair) -> bool:
    """Whether two points, fractions of the screen, are those of a tap."""
    return math.hypot(touch[0] - lift[0], touch[1] - lift[1]) <= TAP_DISTANCE


def gesture_actions(
    gesture: Gesture, conventions: Conventions, *, record: str, step: int, around: Around,
    is_tap: Callable[[Pair, Pair], bool] = near,
) -> Framed:  # fmt: skip
    """One action in the record's frame. Raises UnreadableError, which names the step."""
    flags: set[str] = set()

    def place(raw: Pair | None) -> Placed:
        if raw is None or not is_point(raw):
            raise UnreadableError("validate.coordinate_out_of_range", f"Step {step}: a touch without a point.")
        placed = conventions.point(
            raw, record=record, step=step, picture=around.picture, screen=around.screen, box=around.box,
            box_space=around.box_space,
        )  # fmt: skip
        flags.update([placed.flag] if placed.flag else [])
        return placed

    def pointed(kind: type[Any]) -> Action:
        at = place(gesture.touch)
        return kind(x=at.x, y=at.y, raw_point=msgspec.UNSET if at.raw_point is None else at.raw_point)  # type: ignore[no-any-return]

    if gesture.kind == DUAL_POINT:
        touch, lift = gesture.touch, gesture.lift
        if touch is None or lift is None or not (is_point(touch) and is_point(lift)):
            raise UnreadableError("validate.coordinate_out_of_range", f"Step {step}: a touch without its two points.")
        if is_tap(touch, lift):
            return Framed([pointed(act.Click)], sorted(flags))
        start, end = place(touch), place(lift)
        return Framed([act.Swipe(start.x, start.y, end.x, end.y)], sorted(flags))
    if gesture.kind == LONG_POINT:
        return Framed([pointed(act.LongPress)], sorted(flags))
    if gesture.kind == TYPE:
        return Framed([act.Write(gesture.text)], []) if gesture.text else Framed([], ["text_unverified"])
    if gesture.kind == NO_ACTION:
        return Framed([act.Wait(gesture.seconds)], [])
    action = _PLAIN.get(gesture.kind)
    if action is None:
        raise UnreadableError("import.unsupported_action", f"Step {step}: the action type {gesture.kind} is not known.")
    return Framed([action], [])


_PLAIN: dict[int, Action] = {
    BACK: act.Back(),
    HOME: act.Home(),
    ENTER: act.Enter(),
    COMPLETE: act.Terminate("success"),
    IMPOSSIBLE: act.Terminate("impossible"),
}


def is_point(raw: Any) -> bool:
    """Whether two numbers are a point, and not `[-1, -1]`."""
    if not isinstance(raw, list | tuple) or len(raw) != 2:
        return False
    return all(isinstance(one, int | float) and not isinstance(one, bool) for one in raw) and tuple(raw) != (-1, -1)
