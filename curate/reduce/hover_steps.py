"""Hovering as an action: the pointer rested on something, which by itself opened what the next action uses.

A hover is never guessed. It takes all of this: the pointer came to rest well after the previous action and away from
it; nothing changed around there just before; during the rest something opened right beside the pointer, smaller than
a page; the next action (or the next hover) is in what opened; and it was still open then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curate.model.actions import POINTED, MoveTo
from curate.model.constants import (
    HOVER_AWAY_PX,
    HOVER_QUIET_S,
    HOVER_REST_PX,
    HOVER_REST_S,
    KEYFRAME_MARGIN_S,
    OPENED_MAX_SHARE,
)
from curate.model.events import RawEvent
from curate.reduce.order import in_time_order
from curate.reduce.types import ReducedStep, ScreenChanges, Stretch

Box = tuple[float, float, float, float]
Point = tuple[float, float]
RULE = "hover"
_ENDS_REST = frozenset({"move", "button", "scroll", "key", "pause", "screen"})


@dataclass(frozen=True)
class Rest:
    """The pointer stayed within HOVER_REST_PX of a point for at least HOVER_REST_S. `index`: the move that brought it
    there; `end`: the event that ended it (a move away, or any other input)."""

    index: int
    point: Point
    start: float
    end: float


def pointer_rests(events: Iterable[RawEvent]) -> Iterator[Rest]:
    """The pointer's rests between acts, in order of time; one streaming pass."""
    arrival: RawEvent | None = None
    for event in in_time_order(events, lambda _: None):
        if event.kind not in _ENDS_REST:
            continue
        if arrival is not None:
            point = (arrival.x or 0.0, arrival.y or 0.0)
            if event.kind == "move" and math.dist(point, (event.x or 0.0, event.y or 0.0)) <= HOVER_REST_PX:
                continue
            if event.time - arrival.time >= HOVER_REST_S:
                yield Rest(arrival.index, point, arrival.time, event.time)
        arrival = event if event.kind == "move" else None


def insert_hovers(
    steps: Iterable[ReducedStep], rests: Iterable[Rest], changes: ScreenChanges, screen: tuple[int, int]
) -> Iterator[ReducedStep]:
    """The steps, with a moveTo step (rule `hover`) before each action that a hover made possible; lazily. `screen`:
    width and height in pixels.

    What the screen did is asked forwards in time from one gap between steps to the next; within a gap the questions
    go back to its beginning. Waits come after: `insert_waits(insert_hovers(...))`.
    """
    waiting = iter(rests)
    rest = next(waiting, None)
    before: ReducedStep | None = None
    for step in steps:
        between: list[Rest] = []
        while rest is not None and rest.start < step.start:
            if (before is None or rest.start > before.end) and rest.end <= step.start:
                between.append(rest)
            rest = next(waiting, None)
        target = first_point(step)
        if target is not None and between:
            yield from _chain(between, before, target, step.start, changes, screen)
        yield step
        before = step


def first_point(step: ReducedStep) -> Point | None:
    """Where a step's first pointed action is, None for a step without one."""
    for action in step.actions:
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            return (action.x, action.y)
    return None


def _chain(
    rests: list[Rest],
    before: ReducedStep | None,
    target: Point,
    until: float,
    changes: ScreenChanges,
    screen: tuple[int, int],
) -> list[ReducedStep]:
    """Hovers that lead to a target: the last one opened it, the one before opened that one's place, and so on."""
    opened = [_opened(rest, before, changes, screen) for rest in rests]
    hovers: list[ReducedStep] = []
    for rest, boxes in reversed(list(zip(rests, opened, strict=True))):
        if math.dist(rest.point, target) <= HOVER_AWAY_PX or not any(_holds(box, target) for box in boxes):
            continue
        still_open = changes.changed_regions(rest.start, max(rest.end, until - KEYFRAME_MARGIN_S))
        if not any(_holds(box, target) for box in still_open):
            continue
        hovers.append(
            ReducedStep(actions=[MoveTo(*rest.point)], events=[rest.index], start=rest.start, end=rest.start, rule=RULE)
        )
        target, until = rest.point, rest.start
    return hovers[::-1]


def _opened(rest: Rest, before: ReducedStep | None, changes: ScreenChanges, screen: tuple[int, int]) -> list[Box]:
    """What opened beside the pointer during a rest and cannot be the previous action's response."""
    quiet_from = rest.start - HOVER_QUIET_S
    if before is not None:
        place = first_point(before)
        if before.end > quiet_from or (place is not None and math.dist(place, rest.point) <= HOVER_AWAY_PX):
            return []
    boxes = changes.changed_regions(rest.start, rest.end)
    if not boxes:
        return []
    restless = changes.changed_regions(quiet_from, rest.start)
    limit = OPENED_MAX_SHARE * screen[0] * screen[1]
    small = [box for box in boxes if (box[2] - box[0]) * (box[3] - box[1]) <= limit]
    calm = [box for box in small if not any(_meet(box, other) for other in restless)]
    return _beside(rest.point, calm)


def _beside(point: Point, boxes: list[Box]) -> list[Box]:
    """The boxes at a point, and those that adjoin one of them: a submenu adjoins its highlighted item."""
    beside = [box for box in boxes if _holds(_grown(box, HOVER_AWAY_PX), point)]
    for box in beside:  # grows while it is walked
        beside += [other for other in boxes if other not in beside and _meet(_grown(box, HOVER_AWAY_PX), other)]
    return beside


def _holds(box: Box, point: Point) -> bool:
    return box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3]


def _grown(box: Box, by: float) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def without_hovers(stretches: Iterable[Stretch], steps: Iterable[ReducedStep]) -> Iterator[Stretch]:
    """The stretches without the moves that hovers among the steps are made of."""
    taken = {index for step in steps if step.rule == RULE for index in step.events}
    for stretch in stretches:
        yield from _without(stretch, taken)


def _without(stretch: Stretch, taken: set[int]) -> Iterator[Stretch]:
    first = stretch.first
    for index in sorted(index for index in taken if stretch.first <= index <= stretch.last):
        if index > first:
            yield Stretch(first=first, last=index - 1, step=stretch.step, reason=stretch.reason)
        first = index + 1
    if first <= stretch.last:
        yield Stretch(first=first, last=stretch.last, step=stretch.step, reason=stretch.reason)
