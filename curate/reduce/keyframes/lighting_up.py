"""Since when the target is lit by the pointer. Where the recorder timed every frame, each change is seen as it comes:
one about the target's point, of a widget's size, while the pointer moves there, is the target lighting up. A frame
after it gives the target away, even one with the pointer at the widget's far end, beyond what is known of it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from curate.model.constants import (
    HOVER_DELAY_S,
    LIT_BURST_S,
    LIT_LAG_S,
    LIT_LOOK_S,
    OPENED_INK,
    OPENED_MIN_PX,
    TILE_PX,
)
from curate.reduce.keyframes.ink import same_places_inked
from curate.reduce.keyframes.targets import Target
from curate.reduce.video.frame_window import Change, Rewind, Tiles, components
from curate.reduce.video.pointer_track import Box
from curate.reduce.video.screen_reel import ScreenReel
from curate.reduce.video.shown_region import widget_px

_AROUND_PX = 3.0


@dataclass
class LitUp:
    """`since`: when the target began to light up; `box`: all that did, on the screen."""

    since: float
    box: Box


def lighting_up(reel: ScreenReel, reference: int, start: float | None, act: float, target: Target) -> LitUp | None:
    """When the target began to light up for the stay in which the pointer is at `act`; None where nothing is seen to,
    and in recordings whose frames' times are not exact. `start`: when somebody last acted. What changes shortly after
    an earlier act is its answer."""
    if not reel.exact:
        return None
    idle = reel.idle.regions().reshape(-1)
    found: LitUp | None = None
    changes, rewind = reel.window.changes, reel.window.rewind(reference)
    for number in range(reference, 0, -1):
        time = changes[number].time
        if time < (act - LIT_LOOK_S if found is None else found.since - LIT_BURST_S):
            break
        tiles = changes[number].tiles  # the least change counts: rows light up by a few grey levels
        tiles = tiles[~idle[tiles]]
        if not len(tiles) or (start is not None and time < start and _answers(reel, time)):
            continue
        stays = start is None or time >= start
        for region in _regions(reel, tiles):
            box = _lit_box(reel, region, target)
            if box is None or not reel.track.moved_in(box, _moving_since(reel, changes[number - 1].time, time), time):
                continue
            if not stays and not reel.track.stayed(box, time + LIT_LAG_S, act):
                continue
            rewind.back_to(number)
            if not _opened(reel, changes[number], rewind, region):
                found = LitUp(time, box if found is None else _around_both(box, found.box))
    return found


def _moving_since(reel: ScreenReel, before: float, time: float) -> float:
    """Since when moves may have lit up what changed between two frames: none from before a mouse button went down or
    up, for what lit up then is what was pressed, and what opens after that does so by itself."""
    held = reel.track.held
    index = bisect_left(held, time, key=lambda span: span[0]) - 1
    pressed = (held[index][1] if held[index][1] < time else held[index][0]) if index >= 0 else -np.inf
    return max(before - HOVER_DELAY_S, pressed)


def _around_both(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _answers(reel: ScreenReel, time: float) -> bool:
    last = reel.track.last_act_before(time)
    return last is not None and time - last < HOVER_DELAY_S


def _opened(reel: ScreenReel, change: Change, rewind: Rewind, region: Tiles) -> bool:
    """Whether a change shows other things than were there: a menu, a dialogue, another page."""
    if len(region) * TILE_PX * TILE_PX <= OPENED_MIN_PX:
        return False
    grid = reel.grid.planes[0]
    now = grid.windows(rewind.planes[0])[grid.place(region)]
    then = change.before[0][np.searchsorted(change.tiles, region)]
    return not same_places_inked(now.astype(np.int16), then.astype(np.int16), OPENED_INK)


def _regions(reel: ScreenReel, tiles: Tiles) -> list[Tiles]:
    marked = reel.grid.empty()
    marked.reshape(-1)[tiles] = True
    return components(marked)


def _lit_box(reel: ScreenReel, tiles: Tiles, target: Target) -> Box | None:
    """The box of a changed region that is about the target's point and no larger than two widgets (one goes out as
    another lights up)."""
    view = reel.view
    if len(tiles) * TILE_PX * TILE_PX * view.scale_x * view.scale_y > 2 * widget_px(view):
        return None
    left, top, right, bottom = box = _box(reel, tiles)
    holds = left - _AROUND_PX <= target.x < right + _AROUND_PX and top - _AROUND_PX <= target.y < bottom + _AROUND_PX
    return box if holds else None


def _box(reel: ScreenReel, tiles: Tiles) -> Box:
    boxes = [reel.grid.box(int(tile)) for tile in tiles]
    left, top = reel.view.to_screen(min(b[0] for b in boxes), min(b[1] for b in boxes))
    right, bottom = reel.view.to_screen(max(b[2] for b in boxes), max(b[3] for b in boxes))
    return left, top, right, bottom
