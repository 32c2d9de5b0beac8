"""A pointer drawn into a picture that was recorded without one: the recorded shape, else a plain arrow."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.events import PointerShape
from curate.store.decoding import decode

Picture = NDArray[np.uint8]

_ARROW = ((0, 0), (0, 17), (4, 13), (7, 19), (9, 18), (7, 12), (12, 12))
"""Outline of the plain arrow, hot spot at its tip, in screen pixels."""


def shape_at(shapes: list[PointerShape], time: float) -> PointerShape | None:
    """The pointer's shape at a time (the first one before that); None where none was recorded."""
    index = bisect_right(shapes, time, key=lambda shape: shape.time) - 1
    return shapes[max(index, 0)] if shapes else None


def draw_pointer(picture: Picture, x: float, y: float, shape: PointerShape | None, scale: float = 1.0) -> Picture:
    """A copy of an RGB picture with the pointer's hot spot at (x, y), in pixels of the picture; what lies beyond its
    edges is cut off. `scale`: pixels of the picture to one of the screen. A shape whose file does not hold a picture
    is drawn as the plain arrow."""
    sprite = _sprite(shape.image) if shape is not None else None
    drawn = picture.copy()
    if shape is None or sprite is None:
        _draw_arrow(drawn, x, y, scale)
        return drawn
    if scale != 1.0:
        size = (max(1, round(sprite.shape[1] * scale)), max(1, round(sprite.shape[0] * scale)))
        sprite = np.asarray(cv2.resize(sprite, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    _paste(drawn, sprite, round(x - shape.hot_x * scale), round(y - shape.hot_y * scale))
    return drawn


def _sprite(path: Path) -> Picture | None:
    """A shape's pixels as RGBA; None where the file is missing or holds no picture with transparency."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    pixels = decode(data, cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8:
        return None
    return np.asarray(pixels[:, :, [2, 1, 0, 3]], dtype=np.uint8)


def _paste(picture: Picture, sprite: Picture, left: int, top: int) -> None:
    height, width = picture.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + sprite.shape[1], width), min(top + sprite.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    part = sprite[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32)
    opaque = part[:, :, 3:] / 255.0
    under = picture[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] = np.rint(part[:, :, :3] * opaque + under * (1.0 - opaque)).astype(np.uint8)


def _draw_arrow(picture: Picture, x: float, y: float, scale: float) -> None:
    """White with a black edge, as on most desktops, smoothed to sixteenths of a pixel."""
    points = np.array([[(x + px * scale) * 16, (y + py * scale) * 16] for px, py in _ARROW])
    outline = np.rint(points).astype(np.int32).reshape(1, -1, 2)
    cv2.fillPoly(picture, outline, (255, 255, 255), cv2.LINE_AA, 4)
    cv2.polylines(picture, outline, True, (0, 0, 0), 1, cv2.LINE_AA, 4)
