"""Whether an earlier frame shows the state the person acted on: tile by tile, never as a mean over the picture (an
opened menu is 0.4 % of it).

Differences are excused about the pointer, on the target, in regions that change while nobody acts, and in what says
nothing about the state: widgets that light up as the pointer crosses them, scroll bars that hide themselves, slow
faint fades (`excuses`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import HOVER_MAX_SHARE
from curate.reduce.keyframes.ignored_changes import Excuses
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import TileMap, Tiles, components, differs, filled_faintly, same_drawing
from curate.reduce.video.pointer_track import Box
from curate.reduce.video.screen_reel import ScreenReel

_UNKNOWN = -1


class Comparison:
    """Frames before a reference frame, compared with it while going back. Valid until the reel takes another frame.
    `answered`: a frame that may be older than the answer to the last press is another state, too."""

    def __init__(self, reel: ScreenReel, reference: int, answered: bool = False) -> None:
        self.reel, self.reference, self._answered = reel, reference, answered
        self.time = reel.window.changes[reference].time
        self._rewind = reel.window.rewind(reference)
        self.planes: tuple[Plane, ...] = tuple(plane.copy() for plane in self._rewind.planes)
        self.differing: TileMap = reel.grid.empty()
        self._drawn = np.full(self.differing.size, _UNKNOWN, np.int8)  # is the same drawn there? as far as looked at

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
            self._drawn[tiles] = _UNKNOWN
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
        regions, excuses = self._regions(position, time, excused, resting_since)
        return [tiles for tiles in regions if not excuses.hold(tiles)]

    def matches(self, position: int, time: float, excused: TileMap, resting_since: float | None = None) -> bool:
        """Whether there is no such region."""
        regions, excuses = self._regions(position, time, excused, resting_since)
        return all(excuses.hold(tiles) for tiles in sorted(regions, key=len, reverse=True))

    def lit(self, position: int, time: float, excused: TileMap) -> list[Box]:
        """The boxes of what lit up as the pointer came onto it, between the frame at a position and the reference.
        `excused`: tiles about the reference's pointer and clocks."""
        regions, excuses = self._regions(position, time, excused, None)
        return [widget.box for tiles in regions for widget in excuses.lit(tiles)]

    def faintly_lit(self, position: int, time: float, excused: TileMap, about: TileMap) -> list[Box]:
        """As `lit`, of fills so faint that they count as no difference. Looked for only where the ground in `about`
        (tiles about the target) has another level in the reference."""
        self.back_to(position)
        excused = excused | self.reel.pointer_tiles(time)
        if not self.faintly_filled(np.flatnonzero(about & ~excused).astype(np.int32)).any():
            return []
        filled = self.reel.grid.empty()
        filled.reshape(-1)[:] = self.faintly_filled(np.arange(filled.size, dtype=np.int32))
        excuses = Excuses(
            self.reel, self.planes[0], self.then[0], position, self.reference, time, excused, None, faint=True
        )
        regions = components(filled | excused)  # cut in pieces as others are
        flat = filled.reshape(-1)
        return [widget.box for tiles in regions if flat[tiles].any() for widget in excuses.lit(tiles[flat[tiles]])]

    def faintly_filled(self, tiles: Tiles) -> NDArray[np.bool_]:
        """For each tile, whether its ground has another level in the reference than in the frame compared now, if only
        by a little."""
        return filled_faintly(self._luma(self.then, tiles), self._luma(self.planes, tiles))

    def _regions(
        self, position: int, time: float, excused: TileMap, resting_since: float | None
    ) -> tuple[list[Tiles], Excuses]:
        differing = self.back_to(position)
        excused = excused | self.reel.pointer_tiles(time)
        excuses = Excuses(
            self.reel, self.planes[0], self._rewind.planes[0], position, self.reference, time, excused, resting_since,
            answered=self._answered,
        )  # fmt: skip
        differing = self._without_tint(differing, excused)
        if not (differing & ~excused).any():
            return [], excuses
        regions = components(differing | excused)  # a highlight is cut in pieces by the pointer and the target in it
        flat, kept = differing.reshape(-1), ~excused.reshape(-1)
        return [tiles[flat[tiles]] for tiles in regions if (flat[tiles] & kept[tiles]).any()], excuses

    def _without_tint(self, differing: TileMap, excused: TileMap) -> TileMap:
        """Without a large ground that took another tint (a translucent window, a gradient): the same things are drawn
        there. A small one may be a row that was selected, and counts."""
        tiles = np.flatnonzero(differing & ~excused).astype(np.int32)
        most = HOVER_MAX_SHARE * differing.size
        if len(tiles) <= most or not self._mostly_tint(tiles[:: max(1, len(tiles) // 100)]):
            return differing
        same = tiles[self._same_drawing(tiles)]
        if len(same) <= most:
            return differing
        left = differing.copy()
        left.reshape(-1)[same] = False
        return left

    def _mostly_tint(self, tiles: Tiles) -> bool:
        """Whether the same is drawn in most tiles of a sample: else looking at all is in vain."""
        return bool(self._same_drawing(tiles).mean() > 0.5)

    def _same_drawing(self, tiles: Tiles) -> NDArray[np.bool_]:
        """For each tile, whether the same is drawn in both frames; looked at once for each content."""
        fresh = tiles[self._drawn[tiles] == _UNKNOWN]
        if len(fresh):
            self._drawn[fresh] = same_drawing(self._luma(self.planes, fresh), self._luma(self.then, fresh))
        return np.asarray(self._drawn[tiles] == 1)
