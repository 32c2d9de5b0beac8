"""Does a picture give its target away? Two numbers for each step and their floor, to be counted by source and action
type: whether the pointer (by its events) is on the target, and whether the largest local change against the previous
picture lies on the target, as a highlight would. The floor: whether clicking where the previous action ended hits."""

from __future__ import annotations

import cv2
import numpy as np

from curate.model.constants import PIXEL_DIFFERS, POINTER_NEAR
from curate.reduce.keyframes.targets import Target
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import TileMap
from curate.reduce.video.shown_region import View, widget_px

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
    a target or previous picture; False where nothing changed, or where the largest is part of a change larger than
    a widget: another page or a menu lies on everything."""
    if previous is None or target is None or previous.shape != picture.shape:
        return None
    away = cv2.absdiff(previous, picture)
    _, away = cv2.threshold(away, PIXEL_DIFFERS, 255, cv2.THRESH_TOZERO)
    counted = ~np.repeat(np.repeat(ignored, tile, axis=0), tile, axis=1)[: picture.shape[0], : picture.shape[1]]
    changed = np.where(counted, away, 0).astype(np.float32)
    if not changed.any():
        return False
    around = cv2.boxFilter(changed, -1, (_NEIGHBOURHOOD_PX, _NEIGHBOURHOOD_PX), normalize=False)
    row, column = np.unravel_index(int(np.argmax(around)), picture.shape)
    if not on_target(view.to_screen(float(column) + 0.5, float(row) + 0.5), target):
        return False
    near = np.asarray(cv2.dilate((changed > 0).astype(np.uint8), np.ones((9, 9), np.uint8)), dtype=np.uint8)
    labels = np.asarray(cv2.connectedComponents(near)[1])
    size = int((labels == labels[_nearest(near, int(row), int(column))]).sum())
    return bool(size * view.scale_x * view.scale_y <= widget_px(view))


def _nearest(marked: Plane, row: int, column: int) -> tuple[int, int]:
    """The marked pixel nearest to a place."""
    rows, columns = np.nonzero(marked)
    index = int(np.argmin((rows - row) ** 2 + (columns - column) ** 2))
    return int(rows[index]), int(columns[index])
