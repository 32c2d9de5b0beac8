"""What reacts to the pointer at a step's target: the element's box where it is known, else a square around the
point. A picture with the pointer in there, or with a highlight there, gives the answer away."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from curate.model.actions import POINTED
from curate.model.constants import ELEMENT_AFTER_S, ELEMENT_BEFORE_S, ELEMENT_MAX_SHARE, TARGET_HALF_PX
from curate.model.events import ElementAt
from curate.reduce.types import ReducedStep
from curate.reduce.video.pointer_track import Box
from curate.reduce.video.shown_region import View

_CONTAINERS = ("window", "pane", "document", "group", "frame", "panel", "list", "table", "tree", "desktop", "tab")
"""Roles, without "Control", that hold what is clicked and do not react themselves."""


@dataclass(frozen=True)
class Target:
    """The point of an action and the box that reacts to the pointer there, in screen pixels."""

    x: float
    y: float
    box: Box


def target_of(step: ReducedStep, time: float, elements: list[ElementAt], view: View) -> Target | None:
    """The target of a step that begins at `time`; None for steps without a point (keys, waits) and for points that
    the picture does not show. A drag's target is where it begins, a scroll's where the wheel turns."""
    for action in step.actions:
        if isinstance(action, POINTED):
            if action.x is None or action.y is None:
                return None
            believed = "screen_changed" not in step.flags
            return target_at(action.x, action.y, time, elements if believed else [], view)
    return None


def target_at(x: float, y: float, time: float, elements: list[ElementAt], view: View) -> Target | None:
    """The target at a point, with the smallest box that a recorder saw there around `time`. `elements` are in order
    of time. Boxes of containers, boxes that miss the point, and boxes too large to react as one are not believed."""
    if not view.shows(x, y):
        return None
    square = (x - TARGET_HALF_PX, y - TARGET_HALF_PX, x + TARGET_HALF_PX, y + TARGET_HALF_PX)
    best: Box | None = None
    first = bisect_left(elements, time - ELEMENT_BEFORE_S, key=lambda element: element.time)
    for element in elements[first:]:
        if element.time > time + ELEMENT_AFTER_S:
            break
        box = element.box
        if box is None or not _reacts(element, box, x, y, view):
            continue
        if best is None or _area(box) < _area(best):
            best = box
    return Target(x, y, best or square)


def _reacts(element: ElementAt, box: Box, x: float, y: float, view: View) -> bool:
    role = (element.role or "").lower().removesuffix("control").strip()
    holds = box[0] <= x <= box[2] and box[1] <= y <= box[3]
    return holds and role not in _CONTAINERS and _area(box) <= ELEMENT_MAX_SHARE * view.width * view.height


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
