"""Pixels and fractions. A record's points are fractions of the region that its picture shows, origin top left,
inclusive [0, 1], rounded once to 4 decimals. Nothing is clamped but the one rule of `place`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

import msgspec

from curate.model.constants import COORDINATE_DECIMALS, EDGE_PX
from curate.model.trajectory import Box


class Placed(msgspec.Struct, frozen=True):
    """A recorded point in a picture. `x`, `y` are null together when it is off the picture; then `raw_point` holds
    its pixels and `flag` is `off_screen`. `flag` is `edge` when it was up to EDGE_PX beyond an edge and set to it."""

    x: float | None
    y: float | None
    raw_point: tuple[float, float] | None = None
    flag: Literal["edge", "off_screen"] | None = None


class Piles(msgspec.Struct, frozen=True):
    """How many values look like fractions and how many like pixels, and what that says about their source: `mixed`
    means two coordinate spaces in one column, which no rule can tell apart value by value."""

    fraction_like: int
    pixel_like: int
    diagnosis: Literal["empty", "fraction", "pixel", "mixed"]


def is_fraction(value: object) -> bool:
    """Whether a value may stand as a coordinate: a finite number from 0 to 1, no bool and no string."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def to_pixels(x: float, y: float, width: int, height: int) -> tuple[int, int]:
    """The pixel that a fraction means in a picture of that size: round(x * width), round(y * height)."""
    return round(x * width), round(y * height)


def round_fraction(value: float) -> float:
    """A fraction as a record states it."""
    return round(value, COORDINATE_DECIMALS) + 0.0  # + 0.0: no minus zero


def place(px: float, py: float, width: float, height: float) -> Placed:
    """A recorded pixel point as fractions of a picture `width` x `height`.

    Up to EDGE_PX beyond an edge a pointer still reports the edge: it is set to it and flagged. Further out the point
    is off the picture, and stays so. Raises ValueError for numbers that are no place or size.
    """
    if not (math.isfinite(px) and math.isfinite(py) and width > 0 and height > 0):
        raise ValueError(f"({px}, {py}) in a picture of {width} x {height} is no place")
    beyond = max(-px, px - width, -py, py - height)
    if beyond > EDGE_PX:
        return Placed(None, None, (float(px), float(py)), "off_screen")
    x, y = min(max(px, 0), width) / width, min(max(py, 0), height) / height
    return Placed(round_fraction(x), round_fraction(y), None, "edge" if beyond > 0 else None)


def place_box(left: float, top: float, right: float, bottom: float, width: float, height: float) -> Box | None:
    """A box in pixels as fractions; None when it leaves the picture or is turned inside out."""
    if not (0 <= left <= right <= width and 0 <= top <= bottom <= height) or width <= 0 or height <= 0:
        return None
    return (
        round_fraction(left / width),
        round_fraction(top / height),
        round_fraction(right / width),
        round_fraction(bottom / height),
    )


def holds(box: Box, x: float, y: float) -> bool:
    """Whether a box (left, top, right, bottom) holds a point, edges included."""
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def two_piles(values: Iterable[float]) -> Piles:
    """Which coordinate spaces a column of values holds.

    0 and 1 are in both spaces: they count as fractions, and alone beside pixels they make no second pile.
    """
    fractions, corners, pixels = 0, 0, 0
    for value in values:
        if not is_fraction(value):
            pixels += 1
        elif value in (0, 1):
            corners += 1
        else:
            fractions += 1
    both = fractions + corners
    if not both and not pixels:
        return Piles(0, 0, "empty")
    if not pixels:
        return Piles(both, 0, "fraction")
    return Piles(both, pixels, "mixed" if fractions else "pixel")
