"""What small grey copies of pictures tell: whether something is drawn at a place, whether a place changed, which way
content moved."""

from __future__ import annotations

import numpy as np

from curate.model.constants import (
    DETECTOR_CHANGED_SHARE,
    DETECTOR_FLAT,
    DETECTOR_MOVED_GAIN,
    DETECTOR_MOVED_LEAST,
    DETECTOR_MOVED_LIKE,
    DETECTOR_PATCH,
    DETECTOR_PIXEL_DIFFERS,
)
from curate.sources.detector.sample import Grey
from curate.store.late import cv2

_BANDS = (
    (0.28, 0.42),
    (0.42, 0.58),
    (0.58, 0.72),
)  # of the way; the edges often stay
_ACROSS = ((0.2, 0.8), (0.35, 0.65))  # a pane in the middle scrolls while what stands beside it does not


def patch(grey: Grey, x: float, y: float) -> Grey:
    """What lies around a point (fractions of the picture)."""
    height, width = grey.shape
    reach = max(3, round(DETECTOR_PATCH * max(height, width)))
    column, row = min(int(x * width), width - 1), min(int(y * height), height - 1)
    return grey[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]


def something_at(grey: Grey, x: float, y: float) -> bool:
    """Whether anything is drawn around a point: nobody clicks on an empty ground on purpose."""
    return float(patch(grey, x, y).std()) > DETECTOR_FLAT


def changed_at(one: Grey, other: Grey, x: float, y: float) -> bool:
    """Whether the pictures differ around a point; pictures of different sizes do."""
    if one.shape != other.shape:
        return True
    here, there = patch(one, x, y).astype(np.int16), patch(other, x, y).astype(np.int16)
    return float((np.abs(here - there) > DETECTOR_PIXEL_DIFFERS).mean()) > DETECTOR_CHANGED_SHARE


def moved(before: Grey, after: Grey, axis: str) -> int | None:
    """By how many pixels (of the small copies) most content moved along an axis: above 0 down ("y") or right ("x").
    None where nothing moved or nothing is found again."""
    if before.shape != after.shape:
        return None
    one, other = (before, after) if axis == "y" else (before.T, after.T)
    shifts = [shift for band in _BANDS for across in _ACROSS if (shift := _shift(one, other, band, across)) is not None]
    ups, downs = sum(shift < 0 for shift in shifts), sum(shift > 0 for shift in shifts)
    if max(ups, downs) < 2 or min(ups, downs) > 0:
        return None
    return int(np.median([shift for shift in shifts if shift != 0]))


def _shift(one: Grey, other: Grey, band: tuple[float, float], across: tuple[float, float]) -> int | None:
    """How far down a band of one picture lies in the other; None where it is too plain or not there."""
    height, width = one.shape
    top, bottom = round(band[0] * height), round(band[1] * height)
    left, right = round(across[0] * width), round(across[1] * width)
    wanted = np.ascontiguousarray(one[top:bottom, left:right])
    if wanted.shape[0] < 8 or wanted.shape[1] < 8 or float(wanted.std()) < DETECTOR_FLAT:
        return None
    found = cv2.matchTemplate(np.ascontiguousarray(other[:, left:right]), wanted, cv2.TM_CCOEFF_NORMED)[:, 0]
    best = int(found.argmax())
    if found[best] < DETECTOR_MOVED_LIKE:
        return None
    if abs(best - top) < DETECTOR_MOVED_LEAST:
        return 0
    return best - top if found[best] - found[top] >= DETECTOR_MOVED_GAIN else None
