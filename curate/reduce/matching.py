"""Whether an earlier frame shows the state the person acted on: tile by tile, never as a mean over the picture (an
opened menu is 0.4 % of it).

Differences are excused about the pointer, on the target, in regions that change while nobody acts, and on widgets
that the pointer crossed: those light up as it comes and fade as it goes.
"""

from __future__ import annotations

import cv2
import numpy as np

from curate.model.constants import HOVER_DELAY_S, HOVER_MAX_SHARE, TILE_PX
from curate.reduce.frame_window import TileMap, Tiles, differs
from curate.reduce.pointer import Box
from curate.reduce.screen_reel import ScreenReel
from curate.reduce.video import Plane

_EARLY_S = 0.1  # a change may seem to come this much before the pointer: frames are looked at so often
_AROUND_PX = 8.0  # a widget's highlight begins this far within its box


class Comparison:
    """Frames before a reference frame, compared with it while going back. Valid until the reel takes another frame."""

    def __init__(self, reel: ScreenReel, reference: int) -> None:
        self.reel, self.reference = reel, reference
        self.time = reel.window.changes[reference].time
        self._rewind = reel.window.rewind(reference)
        self.planes: tuple[Plane, ...] = tuple(plane.copy() for plane in self._rewind.planes)
        self.differing: TileMap = reel.grid.empty()

    @property
    def position(self) -> int:
        """Position of the frame compared now."""
        return self._rewind.position

    @property
    def then(self) -> tuple[Plane, ...]:
        """The frame compared now, whole."""
        return self._rewind.planes

    def back_to(self, position: int) -> TileMap:
        """Go back to a position (never forth); the tiles that differ to the eye from the reference there."""
        touched = self.reel.grid.empty().reshape(-1)
        while self._rewind.position > position:
            touched[self._rewind.back()] = True
        tiles = np.flatnonzero(touched).astype(np.int32)
        if len(tiles):
            now, then = self._luma(self.planes, tiles), self._luma(self._rewind.planes, tiles)
            self.differing.reshape(-1)[tiles] = differs(then, now)
        return self.differing

    def _luma(self, planes: tuple[Plane, ...], tiles: Tiles) -> Plane:
        grid = self.reel.grid.planes[0]
        return grid.windows(planes[0])[grid.place(tiles)]

    def matches(self, position: int, time: float, excused: TileMap) -> bool:
        """Whether the frame at a position, as it was on the screen at `time`, shows the reference's state.
        `excused`: tiles whose differences say nothing (the target, the reference's pointer, a clock)."""
        rest = self.back_to(position) & ~excused
        if not rest.any():
            return True
        rest &= ~self.reel.pointer_tiles(time)
        return all(self._crossed(tiles, time) for tiles in components(rest))

    def unexcused(self, position: int, time: float, excused: TileMap) -> list[Tiles]:
        """The connected regions in which the frame shows another state than the reference."""
        rest = self.back_to(position) & ~excused & ~self.reel.pointer_tiles(time)
        return [tiles for tiles in components(rest) if not self._crossed(tiles, time)]

    def _crossed(self, tiles: Tiles, time: float) -> bool:
        """Whether a region differs because the pointer came onto it before the reference, or went off it after
        `time`: it is of a widget's size, and changed when the pointer crossed its edge."""
        reel = self.reel
        if len(tiles) > max(HOVER_MAX_SHARE * reel.grid.rows * reel.grid.columns, 9):
            return False
        box = self._box(tiles)
        came = reel.track.entered(box, self.time)
        if came is not None and came > time and self._changed_at(tiles, came, newest=True):
            return True
        went = reel.track.left(box, time)
        return went is not None and time < went <= self.time and self._changed_at(tiles, went, newest=False)

    def _box(self, tiles: Tiles) -> Box:
        """The box on the screen around a region, a little wider."""
        columns, rows = tiles % self.reel.grid.columns, tiles // self.reel.grid.columns
        view = self.reel.view
        left, top = view.to_screen(float(columns.min() * TILE_PX), float(rows.min() * TILE_PX))
        right, bottom = view.to_screen(float((columns.max() + 1) * TILE_PX), float((rows.max() + 1) * TILE_PX))
        return left - _AROUND_PX, top - _AROUND_PX, right + _AROUND_PX, bottom + _AROUND_PX

    def _changed_at(self, tiles: Tiles, moment: float, newest: bool) -> bool:
        """Whether each of the tiles' last change before the reference (or first after the frame compared) came at
        the moment the pointer crossed, or just after."""
        changes = self.reel.window.changes
        order = range(self.position + 1, self.reference + 1)
        left = tiles
        for number in reversed(order) if newest else order:
            now = np.isin(left, changes[number].clearly)
            if now.any():
                if changes[number].time < moment - _EARLY_S or changes[number - 1].time > moment + HOVER_DELAY_S:
                    return False
                left = left[~now]
                if not len(left):
                    return True
        return len(left) < len(tiles)


def components(tiles: TileMap) -> list[Tiles]:
    """The connected regions (also at corners) of a map, each as tile numbers."""
    if not tiles.any():
        return []
    count, labels = cv2.connectedComponents(tiles.astype(np.uint8), connectivity=8)
    flat = labels.reshape(-1)
    return [np.flatnonzero(flat == label).astype(np.int32) for label in range(1, count)]
