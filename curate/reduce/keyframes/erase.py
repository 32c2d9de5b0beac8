"""The patch under the pointer, rebuilt from an earlier frame whose surroundings are the same. Such a picture says so
(`erased`) and is no training target by default: patches are themselves a hint."""

from __future__ import annotations

import numpy as np

from curate.model.constants import HOVER_DELAY_S, LIT_LAG_S, PATCH_RING_TILES
from curate.reduce.keyframes.matching import Comparison
from curate.reduce.keyframes.targets import Target
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import widened
from curate.reduce.video.screen_reel import ScreenReel

_LAG_S, _LEAD_S = 0.1, 0.05


def erased_frame(
    reel: ScreenReel, compare: Comparison, target: Target, time: float, lit: float | None = None
) -> tuple[tuple[Plane, ...], bool] | None:
    """The reference of a comparison with the target (and the pointer, where the video shows it) as an earlier frame
    shows them, and whether that differs at all from the reference. None where no earlier frame's surroundings are
    the same. `time`: when the reference was on the screen. `lit`: since when the target is seen to be lit."""
    patch = reel.tiles_of(target.box) | reel.pointer_tiles(time)
    ring = widened(patch, PATCH_RING_TILES) & ~patch
    changes = reel.window.changes
    times = np.array([change.time for change in changes[: compare.reference]])
    lag = HOVER_DELAY_S if reel.exact else _LAG_S  # what fades must not be taken for the target's own look
    away = ~reel.track.was_inside(target.box, times, lag, _LEAD_S) if len(times) else np.zeros(0, bool)
    if lit is not None:
        away &= times < lit - LIT_LAG_S
    for position in range(compare.reference - 1, -1, -1):
        if not away[position] or reel.track.hidden_at(changes[position].time):
            continue
        if (reel.pointer_tiles(changes[position].time) & (patch | ring)).any():
            continue
        differing = compare.back_to(position)
        if (differing & ring).any():
            continue
        tiles = np.flatnonzero(patch).astype(np.int32)
        if not (differing & patch).any() and not (reel.exact and compare.faintly_filled(tiles).any()):
            return compare.planes, False
        planes = tuple(plane.copy() for plane in compare.planes)
        reel.grid.paste(planes, tiles, reel.grid.cut(compare.then, tiles))
        return planes, True
    return None
