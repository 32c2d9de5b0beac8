"""Hovering as an action: the pointer rested on something, which by itself opened what the next action uses.

A hover is never guessed. It takes all of this: the pointer came to rest well after the previous action and away from
it; nothing changed around there before it set out; since it came near something opened right beside it, smaller than a
page, that was not there when it set out either (a menu of a web page opens as soon as the pointer is on its title,
before it rests, and so do those of its neighbours on the way); the next action (or the next hover) is in what opened;
and it was still open then.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from curate.model.actions import POINTED, MoveTo
from curate.model.constants import (
    HOVER_APPROACH_S,
    HOVER_AWAY_PX,
    HOVER_NEAR_PX,
    HOVER_QUIET_S,
    HOVER_REST_PX,
    HOVER_REST_S,
    KEYFRAME_MARGIN_S,
    OPENED_MAX_SHARE,
)
from curate.model.events import RawEvent
from curate.reduce.events.order import in_time_order
from curate.reduce.types import ReducedStep, ScreenChanges, Stretch

Box = tuple[float, float, float, float]
Point = tuple[float, float]
RULE = "hover"
_ENDS_REST = frozenset({"move", "button", "scroll", "key", "pause", "redaction", "screen"})


@dataclass(frozen=True)
class Rest:
    """The pointer stayed within HOVER_REST_PX of a point for at least HOVER_REST_S. `index`: the move that brought it
    there; `end`: the event that ended it (a move away, or any other input). `left`: when the pointer set out for it (at
    most HOVER_APPROACH_S before); `near`: when it came within HOVER_NEAR_PX."""

    index: int
    point: Point
    left: float
    near: float
    start: float
    end: float


def pointer_rests(events: Iterable[RawEvent]) -> Iterator[Rest]:
    """The pointer's rests between acts, in order of time; one streaming pass. Memory: the moves of
    HOVER_APPROACH_S."""
    arrival: RawEvent | None = None
    walk: deque[tuple[float, Point]] = deque()  # the moves since the last rest or act
    for event in in_time_order(events, lambda _: None):
        if event.kind not in _ENDS_REST:
            continue
        place = (event.x or 0.0, event.y or 0.0)
        if arrival is not None:
            point = (arrival.x or 0.0, arrival.y or 0.0)
            if event.kind == "move" and math.dist(point, place) <= HOVER_REST_PX:
                continue
            if event.time - arrival.time >= HOVER_REST_S:
                near = _came_near(walk, point, arrival.time)
                yield Rest(arrival.index, point, walk[0][0], near, arrival.time, event.time)
                walk.clear()
        arrival = event if event.kind == "move" else None
        if arrival is None:
            walk.clear()
            continue
        walk.append((event.time, place))
        while event.time - walk[0][0] > HOVER_APPROACH_S:
            walk.popleft()


def _came_near(walk: deque[tuple[float, Point]], point: Point, arrival: float) -> float:
    """When a walk came within HOVER_NEAR_PX of its end for good."""
    near = arrival
    for time, place in reversed(walk):
        if math.dist(place, point) > HOVER_NEAR_PX:
            break
        near = min(near, time)
    return near


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
        still_open = changes.changed_regions(_since(rest.left, rest, before), max(rest.end, until - KEYFRAME_MARGIN_S))
        if not any(_holds(box, target) for box in still_open):
            continue
        hovers.append(
            ReducedStep(
                actions=[MoveTo(*rest.point)],
                events=[rest.index],
                start=_since(rest.near, rest, before),  # what opens may do so before the pointer has arrived
                end=rest.start,
                rule=RULE,
            )
        )
        target, until = rest.point, rest.start
    return hovers[::-1]


def _opened(rest: Rest, before: ReducedStep | None, changes: ScreenChanges, screen: tuple[int, int]) -> list[Box]:
    """What opened beside the pointer during a rest and cannot be the previous action's response."""
    if before is not None:
        place = first_point(before)
        if before.end + HOVER_QUIET_S > rest.start or (
            place is not None and math.dist(place, rest.point) <= HOVER_AWAY_PX
        ):
            return []
    since = _since(rest.left, rest, before)
    limit = OPENED_MAX_SHARE * screen[0] * screen[1]
    boxes = [box for box in changes.changed_regions(since, rest.end) if _area(box) <= limit]
    if not boxes:
        return []
    since_near = changes.changed_regions(_since(rest.near, rest, before), rest.end)
    restless = changes.changed_regions(since - HOVER_QUIET_S, since)
    new = [box for box in boxes if _meets_any(box, since_near) and not _meets_any(box, restless)]
    return _beside(rest.point, new)


def _since(time: float, rest: Rest, before: ReducedStep | None) -> float:
    """The time, but not while what changes may be the previous action's response."""
    return min(rest.start, time if before is None else max(time, before.end + HOVER_QUIET_S))


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _meets_any(box: Box, others: list[Box]) -> bool:
    return any(_meet(box, other) for other in others)


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
