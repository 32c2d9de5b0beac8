"""Does a picture give its target away? Two numbers for each step and their floor, to be counted by source and action
type: whether the pointer (by its events) is on the target, and whether the largest local change against the previous
picture lies on the target, as a highlight would. The floor: whether clicking where the previous action ended hits."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import PIXEL_DIFFERS, POINTER_NEAR
from curate.reduce.frame_window import TileMap
from curate.reduce.targets import Target
from curate.reduce.video import Plane
from curate.reduce.view import View

_NEIGHBOURHOOD_PX = 48  # about a widget: three tiles, the square around a point


def on_target(place: tuple[float, float] | None, target: Target | None) -> bool | None:
    """Whether a place on the screen is in what reacts to the pointer at the target; None without either."""
    if place is None or target is None:
        return None
    left, top, right, bottom = target.box
    return left <= place[0] < right and top <= place[1] < bottom


def near_target(place: tuple[float, float] | None, target: Target | None, view: View) -> bool:
    """Whether a pointer at a place looks as if it were on the target."""
    if place is None or target is None:
        return False
    distance = np.hypot((place[0] - target.x) / view.width, (place[1] - target.y) / view.height)
    return bool(distance < POINTER_NEAR)


def largest_change_on_target(
    previous: Plane | None, picture: Plane, target: Target | None, view: View, ignored: TileMap, tile: int
) -> bool | None:
    """Whether the largest local change between two pictures (luma planes of the same size) lies on the target.
    `ignored`: tiles of `tile` pixels a side that do not count (the pointer in either picture, clocks). None without
    a target or previous picture; False where nothing changed."""
    if previous is None or target is None or previous.shape != picture.shape:
        return None
    _, differing = cv2.threshold(cv2.absdiff(previous, picture), PIXEL_DIFFERS, 1, cv2.THRESH_BINARY)
    counted = ~np.repeat(np.repeat(ignored, tile, axis=0), tile, axis=1)[: picture.shape[0], : picture.shape[1]]
    differing = np.where(counted, differing, 0).astype(np.float32)
    if not differing.any():
        return False
    around = cv2.boxFilter(differing, -1, (_NEIGHBOURHOOD_PX, _NEIGHBOURHOOD_PX), normalize=False)
    return _peak_on(np.asarray(around, dtype=np.float32), differing, target, view)


def _peak_on(around: NDArray[np.float32], differing: NDArray[np.float32], target: Target, view: View) -> bool:
    """Whether the middle of the densest neighbourhoods is on the target (a large change has many that are full)."""
    rows, columns = np.nonzero((around >= around.max() * 0.999) & (differing > 0))
    if not len(rows):
        rows, columns = np.nonzero(around >= around.max())
    x, y = view.to_screen(float(np.median(columns)) + 0.5, float(np.median(rows)) + 0.5)
    return bool(on_target((x, y), target))
