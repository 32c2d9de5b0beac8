"""Which parts of the screen to look at: rectangles cut to the picture, and few instead of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recorders.boxes import Box

BAND_PX = 32
"""Rectangles are gathered in bands so high: a hundred letters drawn in one line cost one conversion, not a hundred."""


def clipped(boxes: Iterable[Box], bounds: Box) -> list[Box]:
    """The parts of the boxes within the bounds; empty ones are left out."""
    left, top, right, bottom = bounds
    cut = [(max(b[0], left), max(b[1], top), min(b[2], right), min(b[3], bottom)) for b in boxes]
    return [box for box in cut if box[0] < box[2] and box[1] < box[3]]


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all of at least one."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def gathered(boxes: Iterable[Box]) -> list[Box]:
    """Boxes that do not overlap and cover at least the given ones: in every band of the screen one, joined with the
    next band's where both are as wide."""
    bands: dict[int, Box] = {}
    for left, top, right, bottom in boxes:
        for band in range(top // BAND_PX, (bottom - 1) // BAND_PX + 1):
            part = (left, max(top, band * BAND_PX), right, min(bottom, (band + 1) * BAND_PX))
            bands[band] = around([bands[band], part]) if band in bands else part
    found: list[Box] = []
    for _, box in sorted(bands.items()):
        if found and found[-1][3] == box[1] and found[-1][0] == box[0] and found[-1][2] == box[2]:
            box = (box[0], found.pop()[1], box[2], box[3])
        found.append(box)
    return found
