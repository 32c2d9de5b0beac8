"""The element that a source says a step acted on: believed where its box lies on the picture and holds the point, else
only its raw box is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from curate.model.actions import POINTED, Action
from curate.model.coordinates import holds, place_box
from curate.model.finite import finite_number
from curate.model.trajectory import Element, RawBox


class Target(NamedTuple):
    """`element`, where it is believed; `raw_box`, in the source's pixels, where it is not."""

    element: Element | None = None
    raw_box: RawBox | None = None


def target(
    box: Sequence[object] | None,
    size: tuple[float, float] | None,
    actions: Sequence[Action],
    *,
    role: str | None = None,
    name: str | None = None,
) -> Target:
    """`box`: left, top, right, bottom in pixels of a picture of `size` (of 1 x 1: fractions). A step without a point
    has an element by name alone."""
    role, name = role or None, name or None
    numbers = [finite_number(side) for side in box] if box is not None else []
    sides = [side for side in numbers if side is not None]
    point = point_of(actions)
    if len(sides) != 4:
        return Target(Element(role=role, name=name) if role or name else None)
    raw = (sides[0], sides[1], sides[2], sides[3])
    placed = place_box(*raw, *size) if size is not None else None
    if placed is not None and point is not None and holds(placed, *point):
        return Target(Element(role=role, name=name, box=placed))
    # At a point off the picture, or nobody knows where; an action may also name its element by number.
    aimed = any(isinstance(action, POINTED) and action.element_id is UNSET for action in actions)
    if point is None and not aimed and (role or name):
        return Target(Element(role=role, name=name), raw)
    return Target(None, raw)


def point_of(actions: Sequence[Action]) -> tuple[float, float] | None:
    """The first point that is on the picture."""
    for action in actions:
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            return action.x, action.y
    return None
