"""The last frames of a video, exactly and in little memory: the newest one whole, and for each frame the tiles that
it changed as they were before. Going back is undoing. A screen changes little from frame to frame: 109 s of a real
desktop (3,678 frames, 5 GB as decoded) are 158 MB this way, and only the frames since the last action are kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from curate.model.constants import (
    FAINT_EVEN_LEVELS,
    FAINT_LEVELS,
    PIXEL_DIFFERS,
    PIXEL_DIFFERS_CLEARLY,
    TILE_EDGE_PIXELS,
    TILE_FILLED_PIXELS,
    TILE_PX,
    TINT_STEP_SHARE,
)
from curate.reduce.video.decoding import PLANAR, Frame, Layout, Plane, VideoError

Tiles = NDArray[np.int32]
TileMap = NDArray[np.bool_]
"""rows x columns of tiles."""


@dataclass(frozen=True)
class Change:
    """A frame and how it differs from the one before: `tiles` (numbers, row by row) that differ at all, their former
    content in each plane, and `clearly`: those of them that differ to the eye. The frame was on the screen from
    `time` to `until` (of frames between two that are looked at, nothing is known)."""

    time: float
    until: float
    tiles: Tiles
    before: tuple[Plane, ...]
    clearly: Tiles

    @property
    def bytes(self) -> int:
        """What keeping it costs."""
        return sum(plane.nbytes for plane in self.before) + 2 * self.tiles.nbytes


class Grid:
    """The tiles of a frame. Tiles of the last row and column are moved inwards to fit, and overlap their
    neighbours; writing a tile back writes what was there at the same moment, so the overlap does no harm."""

    def __init__(self, layout: Layout) -> None:
        if layout.width < TILE_PX or layout.height < TILE_PX:
            raise VideoError(f"The video is {layout.width} x {layout.height} pixels: too small to be a screen.")
        self.layout = layout
        self.rows = -(-layout.height // TILE_PX)
        self.columns = -(-layout.width // TILE_PX)
        across, down = PLANAR[layout.format]
        self.planes = [_PlaneGrid(layout.width, layout.height, TILE_PX, TILE_PX, self.rows, self.columns)]
        chroma = (-(-layout.width // across), -(-layout.height // down))
        for _ in range(2):
            self.planes.append(
                _PlaneGrid(*chroma, TILE_PX // across, TILE_PX // down, self.rows, self.columns)
            )  # fmt: skip

    def changed(self, old: tuple[Plane, ...], new: tuple[Plane, ...]) -> Tiles:
        """Numbers of the tiles in which any sample of any plane differs."""
        found = self.planes[0].changed(old[0], new[0])
        for plane, before, after in zip(self.planes[1:], old[1:], new[1:], strict=True):
            found |= plane.changed(before, after)
        return np.flatnonzero(found).astype(np.int32)

    def cut(self, planes: tuple[Plane, ...], tiles: Tiles) -> tuple[Plane, ...]:
        """The tiles' content: for each plane, tiles x height x width."""
        return tuple(grid.windows(plane)[grid.place(tiles)] for grid, plane in zip(self.planes, planes, strict=True))

    def paste(self, planes: tuple[Plane, ...], tiles: Tiles, content: tuple[Plane, ...]) -> None:
        """Write tiles into (writable) planes."""
        for grid, plane, pixels in zip(self.planes, planes, content, strict=True):
            grid.windows(plane)[grid.place(tiles)] = pixels

    def box(self, tile: int) -> tuple[int, int, int, int]:
        """left, top, right, bottom of a tile in pixels of the frame (uncut at its edges)."""
        top, left = (tile // self.columns) * TILE_PX, (tile % self.columns) * TILE_PX
        return left, top, min(left + TILE_PX, self.layout.width), min(top + TILE_PX, self.layout.height)

    def covering(self, box: tuple[float, float, float, float], margin: float = 0.0) -> tuple[slice, slice]:
        """Rows and columns of the tiles that a box (pixels of the frame), widened by `margin`, touches."""
        left, top, right, bottom = box
        return (
            _tiles_between(top - margin, bottom + margin, self.rows),
            _tiles_between(left - margin, right + margin, self.columns),
        )

    def empty(self) -> TileMap:
        """A map with no tile marked."""
        return np.zeros((self.rows, self.columns), bool)


def _tiles_between(low: float, high: float, count: int) -> slice:
    first, last = int(low // TILE_PX), int(high // TILE_PX)
    return slice(min(max(first, 0), count), min(max(last + 1, 0), count))


class _PlaneGrid:
    """The tiles of one plane: `height` x `width` samples each."""

    def __init__(self, plane_width: int, plane_height: int, width: int, height: int, rows: int, columns: int) -> None:
        self.size = (plane_height, plane_width)
        self.height, self.width, self.rows, self.columns = height, width, rows, columns
        numbers = np.arange(rows * columns, dtype=np.int32)
        self._top = np.minimum(numbers // columns * height, plane_height - height)
        self._left = np.minimum(numbers % columns * width, plane_width - width)
        self._lanes = width // 8  # eight samples are compared at once
        self._words = plane_width // 8
        self._different = np.zeros((rows * height, -(-columns * self._lanes // 8) * 8), bool)

    def place(self, tiles: Tiles) -> tuple[Tiles, Tiles]:
        return self._top[tiles], self._left[tiles]

    def windows(self, plane: Plane) -> Plane:
        """A view of the plane in which [top, left] is the tile that begins there."""
        shape = (self.size[0] - self.height + 1, self.size[1] - self.width + 1, self.height, self.width)
        view: Plane = as_strided(plane, shape, plane.strides + plane.strides)
        return view

    def changed(self, old: Plane, new: Plane) -> NDArray[np.bool_]:
        """For each tile, whether any sample differs."""
        (height, width), words, different = self.size, self._words, self._different
        whole = different[:height, :words]
        np.not_equal(old[:, : words * 8].view(np.uint64), new[:, : words * 8].view(np.uint64), out=whole)
        if width % 8:
            last = different[:height, words : words + 1]
            np.not_equal(old[:, width - 8 :].view(np.uint64), new[:, width - 8 :].view(np.uint64), out=last)
        packed = different.view(np.uint64).reshape(self.rows, self.height, -1)
        lanes = np.bitwise_or.reduce(packed, axis=1).view(np.uint8 if self._lanes == 1 else np.uint16)
        return np.asarray(lanes[:, : self.columns] != 0).reshape(-1)


def differs(old: Plane, new: Plane) -> NDArray[np.bool_]:
    """For each of a stack of luma tiles (n x 16 x 16), whether it differs to the eye: much of it a little (a highlight)
    or little of it clearly (a caret), but not as a codec leaves text unsettled for a second."""
    if not len(old):
        return np.zeros(0, bool)
    flat = (len(old), old.shape[1] * old.shape[2])
    away = np.asarray(cv2.absdiff(old.reshape(flat), new.reshape(flat)), dtype=np.uint8)
    filled = _count(away, PIXEL_DIFFERS) >= TILE_FILLED_PIXELS
    edged = _count(away, PIXEL_DIFFERS_CLEARLY) >= TILE_EDGE_PIXELS
    return np.asarray(filled | edged)


def filled_faintly(old: Plane, new: Plane) -> NDArray[np.bool_]:
    """For each of a stack of luma tiles, whether its ground took another level, if only by a little: most of it changed
    by the same, which nothing that a codec leaves does. Says nothing about the state, but lists light up so."""
    if not len(old):
        return np.zeros(0, bool)
    away = (new.astype(np.int16) - old.astype(np.int16)).reshape(len(old), -1)
    ground = np.median(away, axis=1, keepdims=True)
    even = (np.abs(away - ground) <= FAINT_EVEN_LEVELS).sum(axis=1) * 2 >= away.shape[1]
    return np.asarray(even & (np.abs(ground[:, 0]) > FAINT_LEVELS))


def same_drawing(old: Plane, new: Plane) -> NDArray[np.bool_]:
    """For each of a stack of luma tiles, whether the same things are drawn in it, maybe on another ground: the steps
    between neighbouring pixels are the same, whatever the levels."""
    changed = np.zeros(len(old), np.int64)
    for axis in (1, 2):
        step_old, step_new = (np.diff(tiles.astype(np.int16), axis=axis) for tiles in (old, new))
        away, steep = np.abs(step_new - step_old), np.maximum(np.abs(step_old), np.abs(step_new))
        changed += ((away > PIXEL_DIFFERS_CLEARLY) & (away > TINT_STEP_SHARE * steep)).sum(axis=(1, 2))
    return np.asarray(changed < TILE_EDGE_PIXELS)


def _count(differences: Plane, level: int) -> NDArray[np.int32]:
    """For each row, how many values are above a level."""
    _, above = cv2.threshold(differences, level, 1, cv2.THRESH_BINARY)
    return np.asarray(cv2.reduce(above, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S), dtype=np.int32).reshape(-1)


def components(tiles: TileMap) -> list[Tiles]:
    """The connected regions (also at corners) of a map, each as tile numbers."""
    if not tiles.any():
        return []
    count, labels = cv2.connectedComponents(tiles.astype(np.uint8), connectivity=8)
    flat = labels.reshape(-1)
    return [np.flatnonzero(flat == label).astype(np.int32) for label in range(1, count)]


def widened(tiles: TileMap, by: int) -> TileMap:
    """A map with the tiles up to `by` away, also across corners."""
    wide = np.pad(tiles, by)
    rows, columns = tiles.shape
    shifts = range(2 * by + 1)
    return np.asarray(np.logical_or.reduce([wide[r : r + rows, c : c + columns] for r in shifts for c in shifts]))


class FrameWindow:
    """The frames since `forget`, newest last. Adding one frame costs two reads of its pixels."""

    def __init__(self, layout: Layout, limit: int) -> None:
        """`limit`: bytes of changes to keep; beyond it every second of the older frames is let go."""
        self.grid = Grid(layout)
        self.changes: list[Change] = []
        self._newest: Frame | None = None
        self._bytes, self._limit = 0, limit

    def add(self, frame: Frame, time: float, until: float) -> Change:
        """Take the next frame, shown from `time` to `until`; what it changed."""
        if self._newest is None:
            nothing = np.empty(0, np.int32)
            change = Change(time, until, nothing, (), nothing)
        else:
            tiles = self.grid.changed(self._newest.planes, frame.planes)
            before = self.grid.cut(self._newest.planes, tiles) if len(tiles) else ()
            after = self.grid.planes[0].windows(frame.planes[0])[self.grid.planes[0].place(tiles)]
            clearly = tiles[differs(before[0], after)] if len(tiles) else tiles
            change = Change(time, until, tiles, before, clearly)
        self._newest = frame
        self.changes.append(change)
        self._bytes += change.bytes
        if self._bytes > self._limit:
            self._thin()
        return change

    def forget(self, before: float) -> None:
        """Let go of frames older than `before`, but keep the one that was on the screen then."""
        keep = max(self.position(before), 0)
        self._bytes -= sum(change.bytes for change in self.changes[:keep])
        del self.changes[:keep]

    def position(self, time: float) -> int:
        """Position in `changes` of the newest frame that came to the screen by then; -1 before the first."""
        return bisect_right(self.changes, time, key=lambda change: change.time) - 1

    def rewind(self, position: int) -> Rewind:
        """The frame at a position of `changes`, whole, ready to go back from there."""
        if self._newest is None:
            raise IndexError("no frame yet")
        planes = tuple(plane.copy() for plane in self._newest.planes)
        rewind = Rewind(self, planes, len(self.changes) - 1)
        rewind.back_to(position)
        return rewind

    def _thin(self) -> None:
        """Join each second of the older half of the frames to its successor, oldest pair first."""
        half = len(self.changes) // 2
        thinned: list[Change] = self.changes[:1]
        for first, second in _pairs(self.changes[1:half]):
            thinned.append(second if first is None else _joined(first, second))
        self.changes = thinned + self.changes[max(half, 1) :]
        self._bytes = sum(change.bytes for change in self.changes)


def _pairs(changes: list[Change]) -> Iterator[tuple[Change | None, Change]]:
    for start in range(0, len(changes), 2):
        pair = changes[start : start + 2]
        yield (pair[0], pair[1]) if len(pair) == 2 else (None, pair[0])


def _joined(first: Change, second: Change) -> Change:
    """The change that both make together: the older content where both changed a tile."""
    fresh = ~np.isin(second.tiles, first.tiles)
    tiles = np.concatenate([first.tiles, second.tiles[fresh]])
    before = tuple(
        np.concatenate([old, new[fresh]]) for old, new in zip(first.before, second.before, strict=True)
    ) if first.before and second.before else (first.before or second.before)  # fmt: skip
    return Change(second.time, second.until, tiles, before, np.union1d(first.clearly, second.clearly))


class Rewind:
    """A frame of a window, whole, that goes back in time. Valid until the window takes another frame."""

    def __init__(self, window: FrameWindow, planes: tuple[Plane, ...], position: int) -> None:
        self._window = window
        self.planes = planes
        self.position = position

    def back(self) -> Tiles:
        """Go one frame back; the tiles that differ there."""
        change = self._window.changes[self.position]
        if len(change.tiles):
            self._window.grid.paste(self.planes, change.tiles, change.before)
        self.position -= 1
        return change.tiles

    def back_to(self, position: int) -> None:
        """Go back to a position."""
        while self.position > position:
            self.back()
