"""Is a target lit up? A still alone does not say: the place is compared with the same place in another still of the run
in which the pointer is elsewhere. What has another tint and the same drawn on it, amid surroundings that are the same,
is lit (or was)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import (
    LIT_AROUND_PX,
    LIT_EVEN,
    LIT_LEVELS,
    LIT_LEVELS_OFF,
    LIT_PATCH_PX,
    LIT_SAME_AROUND,
    LIT_WIDGET_PX,
)
from curate.stages.measures.pointer_finder.finder import Pointer

Picture = NDArray[np.uint8]


def lit(picture: Picture, other: Picture, x: float, y: float, pointer: Pointer | None = None) -> bool | None:
    """Whether the place (x, y), in pixels, has another tint in one RGB picture than in another of the same size.
    `pointer`: what is drawn over the place in the first, and does not count. None where the two do not compare: other
    surroundings, or too little to see."""
    if picture.shape != other.shape:
        return None
    away = _cut(picture, x, y, LIT_AROUND_PX).astype(np.int16) - _cut(other, x, y, LIT_AROUND_PX)
    rows, columns = _coordinates(picture, x, y)
    outside = np.maximum(abs(rows[:, None] - y), abs(columns[None, :] - x)) > LIT_WIDGET_PX
    same = np.abs(away).max(axis=2) <= LIT_LEVELS_OFF
    if not outside.any() or float(same[outside].mean()) < LIT_SAME_AROUND:
        return None
    counted = np.maximum(abs(rows[:, None] - y), abs(columns[None, :] - x)) <= LIT_PATCH_PX
    whole = int(counted.sum())
    if pointer is not None:
        counted &= ~_under(pointer, rows, columns)
    if int(counted.sum()) < whole / 4:
        return None
    there = away[counted]
    tint = np.median(there, axis=0)
    even = np.abs(there - tint).max(axis=1) <= LIT_LEVELS_OFF
    return bool(np.abs(tint).max() >= LIT_LEVELS and float(even.mean()) >= LIT_EVEN)


def _cut(picture: Picture, x: float, y: float, reach: int) -> Picture:
    left, top = round(x), round(y)
    return picture[max(top - reach, 0) : top + reach + 1, max(left - reach, 0) : left + reach + 1]


def _coordinates(picture: Picture, x: float, y: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    left, top = round(x), round(y)
    rows = np.arange(max(top - LIT_AROUND_PX, 0), min(top + LIT_AROUND_PX + 1, picture.shape[0]))
    return rows, np.arange(max(left - LIT_AROUND_PX, 0), min(left + LIT_AROUND_PX + 1, picture.shape[1]))


def _under(pointer: Pointer, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """What the pointer, its smooth edge and its shadow may cover."""
    tall, centred = pointer.height, "beam" in pointer.shape
    left = pointer.x - (tall / 2 if "arrow" not in pointer.shape else 0) - 3
    top = pointer.y - (tall / 2 if centred else tall / 12) - 3
    across = (columns >= left) & (columns <= left + tall + 8)
    down = (rows >= top) & (rows <= top + tall * 1.2 + 8)
    return down[:, None] & across[None, :]
