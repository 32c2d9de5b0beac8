"""Is there a mouse pointer whose hot spot is at, or within a few pixels of, a place of a picture? Every shape in every
size is held against every position there by weighted correlation; what is alike must then have the tones of a pointer,
and its edge all around."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from curate.model.constants import (
    POINTER_ALIKE,
    POINTER_ALIKE_SMALL,
    POINTER_CHROMA,
    POINTER_CONTRAST,
    POINTER_INSIDE,
    POINTER_OCTAVES,
    POINTER_RADIUS_PX,
    POINTER_SECTOR,
    POINTER_SMALL_PX,
    POINTER_TONES,
    POINTER_WINDOW,
)
from curate.stages.measures.pointer_finder.templates import Bank, Drawn, banks
from curate.store.late import cv2

Picture = NDArray[np.uint8]
_CANDIDATES = 4  # of a bank: looked at more closely
_CORE = 6  # pixels at least by which the inner tone's colour is told
_MIDDLE = 128.0


class Pointer(NamedTuple):
    """A pointer that was found: its shape, whether it is `light` inside, its height and the place of its hot spot in
    pixels of the picture, and how alike it is (0 to 1)."""

    shape: str
    light: bool
    height: float
    x: float
    y: float
    alike: float


class _Like(NamedTuple):
    """What is alike, before it is looked at closely: `contrast`: inner tone (`inner`, grey) less the
    edge's. `row` and `column` are of the window's corner in the patch."""

    alike: float
    contrast: float
    inner: float
    drawn: Drawn
    row: int
    column: int

    @property
    def light(self) -> bool:
        """Whether it is light inside."""
        return self.contrast > 0


def find_pointer(picture: Picture, x: float, y: float) -> Pointer | None:
    """The pointer at (x, y) in pixels of an RGB picture (H x W x 3), or None."""
    best: Pointer | None = None
    for octave in range(POINTER_OCTAVES):
        found = _in_octave(picture, x, y, octave)
        if found is not None and (best is None or found.alike > best.alike):
            best = found
    return best


def _in_octave(picture: Picture, x: float, y: float, octave: int) -> Pointer | None:
    """Of pointers 2 ** octave times as large as the templates, in the picture that much smaller."""
    step = 1 << octave
    radius = max(2, POINTER_RADIUS_PX >> octave)
    margin = radius + POINTER_WINDOW
    patch, left, top = _patch(picture, x, y, margin, step)
    grey = np.asarray(cv2.cvtColor(patch, cv2.COLOR_RGB2GRAY), np.float32)
    if float(grey.max() - grey.min()) < POINTER_CONTRAST:
        return None
    best: Pointer | None = None
    side = 2 * radius + 1
    for bank in banks():
        for one in _alike(grey, bank, margin - radius, side):
            if one.alike < POINTER_ALIKE_SMALL and one.drawn.height * step < POINTER_SMALL_PX:
                continue
            if (best is None or one.alike > best.alike) and _is_pointer(patch, grey, one):
                at_x, at_y = left + (one.column + bank.hot[0]) * step, top + (one.row + bank.hot[1]) * step
                best = Pointer(one.drawn.name, one.light, one.drawn.height * step, at_x, at_y, one.alike)
    return best


def _patch(picture: Picture, x: float, y: float, margin: int, step: int) -> tuple[Picture, int, int]:
    """What is within `margin` steps of the place, made `step` times smaller, and where its corner is; beyond the
    picture's edges the outermost pixels go on."""
    left, top = round(x) - margin * step, round(y) - margin * step
    size = (2 * margin + 1) * step
    height, width = picture.shape[:2]
    rows = slice(max(top, 0), max(min(top + size, height), 1))
    columns = slice(max(left, 0), max(min(left + size, width), 1))
    inside: Any = picture[rows, columns]
    before, after = rows.start - top, top + size - rows.stop
    if before or after or columns.start != left or columns.stop != left + size:
        inside = cv2.copyMakeBorder(
            inside, before, after, columns.start - left, left + size - columns.stop, cv2.BORDER_REPLICATE
        )
    if step > 1:
        inside = cv2.resize(inside, (2 * margin + 1, 2 * margin + 1), interpolation=cv2.INTER_AREA)
    return np.asarray(inside, np.uint8), left, top


def _alike(grey: NDArray[np.float32], bank: Bank, start: int, side: int) -> list[_Like]:
    """The most alike with the tones of a pointer, best first. `start`: row and column of the first hot spot, `side`:
    how many there are each way."""
    row, column = start - bank.hot[1], start - bank.hot[0]
    top, left, rows, columns = bank.box
    part = grey[row + top : row + top + side + rows - 1, column + left : column + left + side + columns - 1]
    part = part - np.float32(_MIDDLE)
    # a row of positions at a time: products so small are not spread over threads, which would cost ten times as much
    shape, strides = (side, side, rows, columns), part.strides * 2
    windows = as_strided(part, shape, strides, writeable=False).reshape(side, side, rows * columns)
    signed = (windows @ bank.signs).reshape(side * side, -1)
    at, number = np.nonzero(
        np.abs(signed) >= POINTER_CONTRAST * bank.spreads
    )  # of positions and templates one in fifty
    if not len(at):
        return []
    there, weights = windows.reshape(side * side, -1)[at], bank.weights[number]
    weighted = there * weights
    mean = weighted.sum(axis=1)
    spread = np.sqrt(np.maximum((weighted * there).sum(axis=1) - mean * mean, np.float32(1e-3)))
    contrast = signed[at, number] / bank.spreads[number]  # inner tone less the edge's, by least squares
    inner = mean + contrast * (1 - bank.means[number]) + np.float32(_MIDDLE)
    dark, light = POINTER_TONES
    likeness = np.abs(signed[at, number]) / spread
    fits = np.where(contrast > 0, inner >= light, inner <= dark) & (likeness >= POINTER_ALIKE)
    best = np.flatnonzero(fits)
    best = best[np.lexsort((number[best], at[best], -likeness[best]))][:_CANDIDATES]
    return [
        _Like(
            min(float(likeness[one]), 1.0), float(contrast[one]), float(inner[one]), bank.drawn[number[one]],
            int(at[one]) // side + row, int(at[one]) % side + column,
        )
        for one in best.tolist()
    ]  # fmt: skip


def _is_pointer(patch: Picture, grey: NDArray[np.float32], like: _Like) -> bool:
    """Whether the inner tone has no colour, and every part of the edge is another."""
    there = slice(like.row, like.row + POINTER_WINDOW), slice(like.column, like.column + POINTER_WINDOW)
    inside = like.drawn.inner
    core = inside >= min(0.9, float(np.partition(inside.ravel(), -_CORE)[-_CORE]))
    colours = patch[there][core].astype(np.float32)
    if float((colours.max(axis=1) - colours.min(axis=1)).mean()) > POINTER_CHROMA:
        return False
    window = grey[there].ravel()
    contrast = like.contrast if like.light else -like.contrast
    edge = (like.drawn.edge_parts @ window - like.inner) * (-1 if like.light else 1)
    inner = (like.drawn.inner_parts @ window - like.inner) * (-1 if like.light else 1)
    return bool(
        edge.min() >= POINTER_SECTOR * max(float(edge.mean()), 1.0) and inner.max() <= POINTER_INSIDE * contrast
    )
