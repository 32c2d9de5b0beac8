"""Since when the target is lit by the pointer. Where the recorder timed every frame, each change is seen as it comes:
one about the target's point, of a widget's size, while the pointer moves there, is the target lighting up. A frame
after it gives the target away, even one with the pointer at the widget's far end, beyond what is known of it."""

from __future__ import annotations

from curate.model.constants import HOVER_DELAY_S, LIT_BURST_S, LIT_LOOK_S, TILE_PX
from curate.reduce.keyframes.targets import Target
from curate.reduce.video.frame_window import Tiles, components
from curate.reduce.video.pointer_track import Box
from curate.reduce.video.screen_reel import ScreenReel
from curate.reduce.video.shown_region import widget_px

_AROUND_PX = 3.0


def lit_since(reel: ScreenReel, reference: int, act: float, target: Target) -> float | None:
    """When the target began to light up for the stay in which the pointer is at `act`; None where nothing is seen to,
    and in recordings whose frames' times are not exact."""
    if not reel.exact:
        return None
    idle = reel.idle.regions().reshape(-1)
    began: float | None = None
    changes = reel.window.changes
    for number in range(reference, 0, -1):
        time = changes[number].time
        if time < (act if began is None else began) - (LIT_LOOK_S if began is None else LIT_BURST_S):
            break
        tiles = changes[number].clearly
        tiles = tiles[~idle[tiles]]
        if len(tiles) and any(
            _lights(reel, region, changes[number - 1].time, time, target) for region in _regions(reel, tiles)
        ):
            began = time
    return began


def _regions(reel: ScreenReel, tiles: Tiles) -> list[Tiles]:
    marked = reel.grid.empty()
    marked.reshape(-1)[tiles] = True
    return components(marked)


def _lights(reel: ScreenReel, tiles: Tiles, before: float, time: float, target: Target) -> bool:
    """Whether a changed region is about the target's point, no larger than two widgets (one goes out as another lights
    up), and the pointer moved there just before."""
    view = reel.view
    if len(tiles) * TILE_PX * TILE_PX * view.scale_x * view.scale_y > 2 * widget_px(view):
        return False
    left, top, right, bottom = box = _box(reel, tiles)
    holds = left - _AROUND_PX <= target.x < right + _AROUND_PX and top - _AROUND_PX <= target.y < bottom + _AROUND_PX
    return holds and reel.track.moved_in(box, before - HOVER_DELAY_S, time)


def _box(reel: ScreenReel, tiles: Tiles) -> Box:
    boxes = [reel.grid.box(int(tile)) for tile in tiles]
    left, top = reel.view.to_screen(min(b[0] for b in boxes), min(b[1] for b in boxes))
    right, bottom = reel.view.to_screen(max(b[2] for b in boxes), max(b[3] for b in boxes))
    return left, top, right, bottom
