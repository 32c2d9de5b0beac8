"""The patch under the pointer, rebuilt from an earlier frame whose surroundings are the same. Such a picture says so
(`erased`) and is no training target by default: patches are themselves a hint."""

from __future__ import annotations

import numpy as np

from curate.model.constants import PATCH_RING_TILES
from curate.reduce.keyframes.matching import Comparison
from curate.reduce.keyframes.targets import Target
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import widened
from curate.reduce.video.screen_reel import ScreenReel

_LAG_S, _LEAD_S = 0.1, 0.05


def erased_frame(
    reel: ScreenReel, compare: Comparison, target: Target, time: float
) -> tuple[tuple[Plane, ...], bool] | None:
    """The reference of a comparison with the target (and the pointer, where the video shows it) as an earlier frame
    shows them, and whether that differs at all from the reference. None where no earlier frame's surroundings are
    the same. `time`: when the reference was on the screen."""
    patch = reel.tiles_of(target.box) | reel.pointer_tiles(time)
    ring = widened(patch, PATCH_RING_TILES) & ~patch
    changes = reel.window.changes
    times = np.array([change.time for change in changes[: compare.reference]])
    away = ~reel.track.was_inside(target.box, times, _LAG_S, _LEAD_S) if len(times) else np.zeros(0, bool)
    for position in range(compare.reference - 1, -1, -1):
        if not away[position] or (reel.pointer_tiles(changes[position].time) & (patch | ring)).any():
            continue
        differing = compare.back_to(position)
        if (differing & ring).any():
            continue
        if not (differing & patch).any():
            return compare.planes, False
        tiles = np.flatnonzero(patch).astype(np.int32)
        planes = tuple(plane.copy() for plane in compare.planes)
        reel.grid.paste(planes, tiles, reel.grid.cut(compare.then, tiles))
        return planes, True
    return None
