"""Where a still is searched for a pointer: at its target, where the action before ended, and, for the floor, at other
places of the same picture. The same record gives the same places, whatever was read before it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import NamedTuple

from curate.model.actions import POINTED
from curate.model.constants import STILL_AWAY_PX, STILL_OTHER_TARGETS
from curate.model.trajectory import Step, Trajectory

Place = tuple[float, float]
"""x, y in fractions of the picture."""


class Looked(NamedTuple):
    """The places of one step's picture, in fractions of it. `targets`: of other steps of the run; `anywhere`: a random
    place. None of these is near the step's own target, or where the pointer may rest from the action before."""

    target: Place
    last: Place | None
    targets: tuple[Place, ...]
    anywhere: Place | None


def target_of(step: Step) -> Place | None:
    """Where a step's first action with a point is; None without one, and for a finger's swipe."""
    for action in step.actions:
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            return action.x, action.y
    return None


def end_of(step: Step) -> Place | None:
    """Where a step leaves the pointer; None where it does not say."""
    for action in reversed(step.actions):
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            return action.x, action.y
    return None


def apart(one: Place, other: Place, size: tuple[int, int]) -> bool:
    """Whether two places of a picture (width, height) are so far apart that a pointer at one is not seen at the
    other."""
    away = math.hypot((one[0] - other[0]) * size[0], (one[1] - other[1]) * size[1])
    return away >= STILL_AWAY_PX


def places(record: Trajectory, number: int, size: tuple[int, int]) -> Looked | None:
    """Where to look in the picture of the step with this place in the run; None for a step without a target."""
    target = target_of(record.steps[number])
    if target is None:
        return None
    last = next((end for step in reversed(record.steps[:number]) if (end := end_of(step)) is not None), None)
    taken = [target] if last is None else [target, last]
    pick = random.Random(f"{record.id} {number}")
    others = [place for place in map(target_of, record.steps) if place is not None]
    pick.shuffle(others)
    targets: list[Place] = []
    for place in others:
        if len(targets) < STILL_OTHER_TARGETS and all(apart(place, each, size) for each in (*taken, *targets)):
            targets.append(place)
    random_one = next((place for place in _random(pick) if all(apart(place, each, size) for each in taken)), None)
    if last is not None and not apart(target, last, size):
        last = None  # it tells nothing that the target does not
    return Looked(target, last, tuple(targets), random_one)


def _random(pick: random.Random) -> Iterator[Place]:
    for _ in range(20):
        yield pick.random(), pick.random()
