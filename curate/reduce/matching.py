"""Whether an earlier frame shows the state the person acted on: tile by tile, never as a mean over the picture (an
opened menu is 0.4 % of it).

Differences are excused about the pointer, on the target, in regions that change while nobody acts, and in what says
nothing about the state: widgets that light up as the pointer crosses them, scroll bars that hide themselves, slow
faint fades (`excuses`).
"""

from __future__ import annotations

import cv2
import numpy as np

from curate.reduce.excuses import Excuses
from curate.reduce.frame_window import TileMap, Tiles, differs
from curate.reduce.screen_reel import ScreenReel
from curate.reduce.video import Plane


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

    def unexcused(
        self, position: int, time: float, excused: TileMap, resting_since: float | None = None
    ) -> list[Tiles]:
        """The connected regions in which the frame at a position, as it was on the screen at `time`, shows another
        state than the reference. `excused`: tiles whose differences say nothing (the target, the reference's pointer,
        a clock). `resting_since`: when somebody last acted, to excuse also small changes a second later and more."""
        differing = self.back_to(position)
        if not (differing & ~excused).any():
            return []
        excused = excused | self.reel.pointer_tiles(time)
        regions = components(differing | excused)  # a highlight is cut in pieces by the pointer and the target in it
        flat, kept = differing.reshape(-1), ~excused.reshape(-1)
        regions = [tiles[flat[tiles]] for tiles in regions if (flat[tiles] & kept[tiles]).any()]
        if not regions:
            return []
        excuses = Excuses(
            self.reel, self.planes[0], self._rewind.planes[0], position, self.reference, time, excused, resting_since
        )
        return [tiles for tiles in regions if not excuses.hold(tiles)]


def components(tiles: TileMap) -> list[Tiles]:
    """The connected regions (also at corners) of a map, each as tile numbers."""
    if not tiles.any():
        return []
    count, labels = cv2.connectedComponents(tiles.astype(np.uint8), connectivity=8)
    flat = labels.reshape(-1)
    return [np.flatnonzero(flat == label).astype(np.int32) for label in range(1, count)]
