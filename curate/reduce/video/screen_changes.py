"""What the screen did between two moments, for waits and hovers: the recording's screen as `types.ScreenChanges`."""

from __future__ import annotations

import numpy as np

from curate.reduce.keyframes.matching import Comparison
from curate.reduce.video.frame_window import TileMap, components
from curate.reduce.video.pointer_track import Box
from curate.reduce.video.screen_reel import ScreenReel


class ReelChanges:
    """Answers from the frames that the reel keeps: those since some seconds before the last step. A moment that no
    frame shows (before the video, after its end) differs from nothing."""

    def __init__(self, reel: ScreenReel) -> None:
        self._reel = reel

    def changed(self, start: float, end: float) -> bool:
        """Whether the screen at `end` shows another state than the screen at `start`: more than what the pointer lights
        up, a scroll bar that hides itself, or a background that fades."""
        moments = self._moments(start, end)
        if moments is None:
            return False
        older, newer, ignored = moments
        return not Comparison(self._reel, newer).matches(older, start, ignored)

    def changed_regions(self, start: float, end: float) -> list[Box]:
        """The regions in which they differ, as boxes in screen pixels: neighbouring tiles are one region."""
        return [self._box(tiles) for tiles in components(self._differing(start, end))]

    def _differing(self, start: float, end: float) -> TileMap:
        """Tiles that differ to the eye, without what changes while nobody acts and without the pointer's own picture
        at both moments."""
        moments = self._moments(start, end)
        if moments is None:
            return self._reel.grid.empty()
        older, newer, ignored = moments
        return Comparison(self._reel, newer).back_to(older) & ~ignored

    def _moments(self, start: float, end: float) -> tuple[int, int, TileMap] | None:
        """Positions of the two frames, and the tiles that do not count; None where they are not two."""
        reel = self._reel
        newer = reel.at(end)
        older = reel.at(start)
        if newer is None or older is None or older >= newer:
            return None
        return older, newer, reel.idle.regions() | reel.pointer_tiles(start) | reel.pointer_tiles(end)

    def _box(self, tiles: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Box:
        boxes = [self._reel.grid.box(int(tile)) for tile in tiles]
        left, top = self._reel.view.to_screen(min(b[0] for b in boxes), min(b[1] for b in boxes))
        right, bottom = self._reel.view.to_screen(max(b[2] for b in boxes), max(b[3] for b in boxes))
        return left, top, right, bottom
