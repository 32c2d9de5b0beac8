"""Rectangles of whole pixels: left, top, right, bottom; right and bottom lie outside."""

from __future__ import annotations

from collections.abc import Iterable

Box = tuple[int, int, int, int]


def inside(boxes: Iterable[Box], x: float, y: float) -> bool:
    """Whether a point lies in one of the boxes."""
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes)


def without(box: Box, cover: Box) -> list[Box]:
    """What of a box is left when `cover` lies over it: at most four boxes that do not overlap."""
    left, top, right, bottom = box
    cut_left, cut_right = max(left, cover[0]), min(right, cover[2])
    cut_top, cut_bottom = max(top, cover[1]), min(bottom, cover[3])
    if cut_left >= cut_right or cut_top >= cut_bottom:
        return [box]
    parts = [
        (left, top, right, cut_top),
        (left, cut_bottom, right, bottom),
        (left, cut_top, cut_left, cut_bottom),
        (cut_right, cut_top, right, cut_bottom),
    ]
    return [part for part in parts if part[0] < part[2] and part[1] < part[3]]
