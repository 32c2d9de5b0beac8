"""Differences between two frames of one recording that are none of state: what the pointer lights up, what hides by
itself, what fades. Each is told by how it looks and by when it changed, never by its place."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from curate.model.constants import (
    HOVER_DELAY_S,
    IDLE_AFTER_S,
    PIXEL_DIFFERS_CLEARLY,
    RESTING_MAX_SHARE,
    SCROLL_BAR_PX,
    TILE_EDGE_PIXELS,
    TILE_PX,
)
from curate.reduce.frame_window import TileMap, Tiles
from curate.reduce.pointer import Box
from curate.reduce.screen_reel import ScreenReel
from curate.reduce.video import Plane
from curate.reduce.view import widget_px

_EARLY_S = 0.1  # a change may seem to come this much before the pointer: frames are looked at so often
_AROUND_PX = 8.0  # a widget's highlight begins this far within its box


@dataclass
class Excuses:
    """The excuses for the differences between the frame at `position`, on the screen at `time` (`then`, its luma),
    and the later one at `reference` (`now`). `excused`: tiles about the pointer, the target and clocks, which tell
    nothing about when a region changed. `resting_since`: as in `Comparison.unexcused`."""

    reel: ScreenReel
    now: Plane
    then: Plane
    position: int
    reference: int
    time: float
    excused: TileMap
    resting_since: float | None

    def hold(self, tiles: Tiles) -> bool:
        """Whether a connected region of differing tiles is excused."""
        telling = tiles[~self.excused.reshape(-1)[tiles]]
        return (
            self._crossed(tiles, telling)
            or self._scroll_bar(telling)
            or self._fading(telling)
            or self._while_resting(telling)
        )

    def _crossed(self, tiles: Tiles, telling: Tiles) -> bool:
        """A widget that lit up as the pointer came onto it before the reference, or went out as it left after the
        earlier frame: of a widget's size, and changed just as the pointer crossed its edge."""
        if not self._of_a_widget(tiles):
            return False
        if self.lit(tiles, telling):
            return True
        until = self.reel.window.changes[self.reference].time
        went = self.reel.track.left(self._box(tiles), self.time)
        return went is not None and self.time < went <= until and self._changed_at(telling, went, newest=False)

    def lit(self, tiles: Tiles, telling: Tiles) -> bool:
        """Whether a region of a widget's size changed just as the pointer came onto it, where it still is in the
        reference. `telling`: those of its tiles that the pointer's own picture does not touch."""
        if not self._of_a_widget(tiles):
            return False
        came = self.reel.track.entered(self._box(tiles), self.reel.window.changes[self.reference].time)
        return came is not None and came > self.time and self._changed_at(telling, came, newest=True)

    def _of_a_widget(self, tiles: Tiles) -> bool:
        view = self.reel.view
        on_screen = len(tiles) * TILE_PX * TILE_PX * view.scale_x * view.scale_y
        return on_screen <= widget_px(view)

    def _box(self, tiles: Tiles) -> Box:
        """The box on the screen around a region, a little wider."""
        columns, rows = tiles % self.reel.grid.columns, tiles // self.reel.grid.columns
        view = self.reel.view
        left, top = view.to_screen(float(columns.min() * TILE_PX), float(rows.min() * TILE_PX))
        right, bottom = view.to_screen(float((columns.max() + 1) * TILE_PX), float((rows.max() + 1) * TILE_PX))
        return left - _AROUND_PX, top - _AROUND_PX, right + _AROUND_PX, bottom + _AROUND_PX

    def _changed_at(self, tiles: Tiles, moment: float, newest: bool) -> bool:
        """Whether each tile's last change before the reference (or first after the earlier frame) came when the
        pointer crossed, or just after."""
        changes = self.reel.window.changes
        left = tiles
        for number in self._numbers(newest):
            now = self._of(number, left)
            if now.any():
                if changes[number].time < moment - _EARLY_S or changes[number - 1].time > moment + HOVER_DELAY_S:
                    return False
                left = left[~now]
                if not len(left):
                    return True
        return len(left) < len(tiles)

    def _numbers(self, newest: bool) -> range:
        """Positions of the frames after the earlier one up to the reference, newest or oldest first."""
        order = range(self.position + 1, self.reference + 1)
        return order[::-1] if newest else order

    def _of(self, number: int, tiles: Tiles) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which of the tiles a frame changed clearly, other than by the pointer's own picture."""
        change = self.reel.window.changes[number]
        here = np.isin(tiles, change.clearly)
        if here.any() and self.reel.pointer_visible:
            before = self.reel.window.changes[number - 1].time
            pointer = self.reel.pointer_tiles(change.time) | self.reel.pointer_tiles(before)
            here &= ~pointer.reshape(-1)[tiles]
        return np.asarray(here)

    def _scroll_bar(self, tiles: Tiles) -> bool:
        """A narrow long strip: a scroll bar that hides itself or grows as the pointer comes near. What it scrolls is
        the same, else that would differ."""
        columns, rows = tiles % self.reel.grid.columns, tiles // self.reel.grid.columns
        if min(np.ptp(columns), np.ptp(rows)) > 2:
            return False
        away = np.abs(self._cut(self.now, tiles) - self._cut(self.then, tiles))
        height, width = self._extent(tiles, away > PIXEL_DIFFERS_CLEARLY)
        thick, long = min(height, width) * self.reel.view.scale_x, max(height, width) * self.reel.view.scale_x
        return bool(0 < thick <= SCROLL_BAR_PX and long >= 4 * SCROLL_BAR_PX)

    def _cut(self, luma: Plane, tiles: Tiles) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
        grid = self.reel.grid.planes[0]
        return np.asarray(grid.windows(luma)[grid.place(tiles)], dtype=np.int16)

    def _extent(self, tiles: Tiles, marks: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[int, int]:
        """Height and width of what is marked in tiles, in pixels of the frame."""
        layout, grid = self.reel.grid.layout, self.reel.grid.planes[0]
        frame = np.zeros((layout.height, layout.width), np.uint8)
        grid.windows(frame)[grid.place(tiles)] |= marks
        _, _, width, height = cv2.boundingRect(frame)
        return height, width

    def _fading(self, tiles: Tiles) -> bool:
        """A faint difference that came so slowly that no look found a change: a background that fades."""
        away = np.abs(self._cut(self.now, tiles) - self._cut(self.then, tiles)).reshape(len(tiles), -1)
        if ((away > PIXEL_DIFFERS_CLEARLY).sum(axis=1) >= TILE_EDGE_PIXELS).any():
            return False
        return not any(self._of(number, tiles).any() for number in self._numbers(newest=True))

    def _while_resting(self, tiles: Tiles) -> bool:
        """A small region that changed only while nobody had acted for a second, in place: one text for another, as a
        countdown does that was on the screen too briefly to be known as one."""
        if self.resting_since is None or len(tiles) > RESTING_MAX_SHARE * self.reel.grid.rows * self.reel.grid.columns:
            return False
        changes = self.reel.window.changes
        for number in self._numbers(newest=True):
            if self._of(number, tiles).any() and changes[number - 1].time < self.resting_since + IDLE_AFTER_S:
                return False
        now, then = _ink(self._cut(self.now, tiles)), _ink(self._cut(self.then, tiles))
        return 0.5 * max(now, then) <= min(now, then)


def _ink(tiles: np.ndarray[tuple[int, ...], np.dtype[np.int16]]) -> float:
    """How much is drawn in tiles: steps between neighbouring pixels."""
    return float(np.abs(np.diff(tiles, axis=2)).sum() + np.abs(np.diff(tiles, axis=1)).sum())
