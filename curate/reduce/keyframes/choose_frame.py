"""Which frame a step's picture is: the latest that shows the state the person acted on, with neither the pointer nor a
highlight on the target.

P is the last act before the step, Q the step's first event that is no move, T what reacts to the pointer at the
target. All times are on the events' clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from curate.model.constants import (
    BLIND_LOOK_S,
    CARET_TILES,
    HOVER_DELAY_S,
    KEYFRAME_MARGIN_S,
    LATE_REDRAW_HABIT,
    LATE_REDRAW_SHARE,
    LIT_LAG_S,
    POINTER_FAR_SHARE,
    TILE_PX,
    TIP_MAX_PX,
    TIP_REACH_PX,
)
from curate.reduce.keyframes.erase import erased_frame
from curate.reduce.keyframes.leak_measures import on_target
from curate.reduce.keyframes.lighting_up import LitUp, lighting_up
from curate.reduce.keyframes.matching import Comparison
from curate.reduce.keyframes.targets import Target
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import TileMap
from curate.reduce.video.pointer_track import BLACK, Floats
from curate.reduce.video.screen_reel import ScreenReel

_STEADY_S = 1 / 30  # moments at which a frame that stays is considered
_LAG_S = 0.1  # a highlight and a drawn pointer fade this late after the pointer went
_JUST_S = 0.001
_LEAD_S = 0.05  # a drawn pointer may be newer than its frame's time
_PLACE_X_PX, _PLACE_Y_PX = 96.0, 24.0  # pointers within this are in one place; 24 px is a low row
_TOUCH_PX = 16.0  # a highlight is of the target if its box, this much wider, holds the point
_TRIES, _TRIES_BESIDE = 8, 3
_FOCUS_PX = 6.0  # how far a focus ring or shadow reaches beyond an element's box


Positions = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass
class Choice:
    """The chosen frame: whole `planes`, the moment it stands for, the rule that chose it, what is to be said, and the
    step's `target`, wider than its element where more was seen to react."""

    planes: tuple[Plane, ...]
    time: float
    rule: str
    flags: list[str] = field(default_factory=list)
    erased: bool = False
    target: Target | None = None


@dataclass(frozen=True)
class Moments:
    """Moments at which a frame was on the screen: `positions` in the window, with the pointer's `distance` from the
    target and whether it was `outside` what reacts there."""

    times: np.ndarray[tuple[int], np.dtype[np.float64]]
    positions: np.ndarray[tuple[int], np.dtype[np.int64]]
    distance: np.ndarray[tuple[int], np.dtype[np.float64]]
    outside: np.ndarray[tuple[int], np.dtype[np.bool_]]


def choose_frame(reel: ScreenReel, start: float | None, act: float, target: Target | None) -> Choice | None:
    """The picture for a step that begins at `act`, after somebody last acted at `start` (None: never). None where the
    video shows nothing for it."""
    hasty = start is not None and act - start < KEYFRAME_MARGIN_S
    early = start is not None and act - start < reel.margin
    until = _answer_until(reel, act) if hasty else act
    if not reel.knows(until):
        return None
    reel.advance(until)  # positions are good until it goes on
    reference = reel.at(act if early else act - reel.margin)
    late = reference is None
    if reference is None:  # the video began just before
        reference = reel.at(act)
    if reference is None:
        return None
    if reel.track.hidden_at(reel.window.changes[reference].time, BLACK):
        return None  # nothing was taken since
    moment = max(min(act - reel.margin, act), reel.window.changes[reference].time)
    if early or late:
        choice = Choice(Comparison(reel, reference).planes, min(act, max(moment, start or moment)), "last_before")
    elif target is None:
        choice = Choice(Comparison(reel, reference).planes, moment, "last")
    else:
        choice = _choose(reel, reference, start, act, target, moment)
    if hasty and not late and _acted_blind(reel, reference, act):
        choice.flags.append("acted_blind")
    return choice


def _choose(reel: ScreenReel, reference: int, start: float | None, act: float, target: Target, moment: float) -> Choice:
    """The picture for a step with a target; `moment`: until when the reference was on the screen."""
    choice = _choose_away(reel, Comparison(reel, reference, answered=True), start, act, target, moment)
    seen = _seen_to_react(reel, reference, start, act, target, moment)
    if seen is not None and on_target(reel.track.place(choice.time), seen):
        target = seen  # the picture shows the pointer on what lights up with the target
        choice = _choose_away(reel, Comparison(reel, reference, answered=True), start, act, target, moment)
    choice.target = target
    settled = reel.at(max(act - KEYFRAME_MARGIN_S, start or -np.inf))
    lit = lighting_up(reel, reference, start, act, target)
    if (settled is not None and late_change(reel, settled, act, target, lit)) or _too_late(
        reel, reference, act, target
    ):
        choice.flags.append("late_change")
    return choice


def _choose_away(
    reel: ScreenReel, compare: Comparison, start: float | None, act: float, target: Target, last: float
) -> Choice:
    moments = moments_of(reel, start, act - reel.margin, target)
    if len(moments.times) and not moments.outside.any():
        return Choice(compare.planes, last, "inherited", ["pointer_inherited"])
    excused = reel.tiles_of(target.box, _FOCUS_PX) | reel.idle.regions() | reel.pointer_tiles(last)
    told = _told_on_target(reel, compare.reference, start, target)
    lit = lighting_up(reel, compare.reference, start, act, target)
    _unlit(reel, moments, lit)
    found = None
    if reel.exact:  # rather a picture in which nothing still fades on the target
        faded = moments_of(reel, start, act - reel.margin, target, HOVER_DELAY_S)
        _unlit(reel, faded, lit)
        found = _search(reel, Comparison(reel, compare.reference, answered=True), faded, target, excused, told, None)
    if found is None:
        found = _search(reel, compare, moments, target, excused, told, None)
    if found is None and start is not None:
        # a countdown in its first second is not known as one: rather it than a pointer on the target
        found = _search(reel, Comparison(reel, compare.reference, answered=True), moments, target, excused, told, start)
    return found or _without_a_frame(reel, compare, target, last, lit)


def _told_on_target(reel: ScreenReel, reference: int, start: float | None, target: Target) -> Positions:
    """For each tile the position of the newest frame that changed it, of those on the target, while the pointer was
    nowhere near: that is no highlight but state, and earlier frames do not show it. 0 elsewhere."""
    told = np.zeros(reel.grid.rows * reel.grid.columns, np.int64)
    if not reel.exact:
        return told.reshape(reel.grid.rows, reel.grid.columns)
    here = reel.tiles_of(target.box, _FOCUS_PX).reshape(-1)
    left, top, right, bottom = target.box
    about = (left - _TOUCH_PX, top - _TOUCH_PX, right + _TOUCH_PX, bottom + _TOUCH_PX)
    changes = reel.window.changes
    first = reel.window.position(start) if start is not None else 0
    for number in range(max(first, 0) + 1, reference + 1):
        tiles = changes[number].clearly[here[changes[number].clearly]]
        time, before = np.array([changes[number].time]), changes[number - 1].time
        if len(tiles) and not reel.track.was_inside(about, time, float(time[0]) - before + HOVER_DELAY_S, 0.0)[0]:
            told[tiles] = number
    return told.reshape(reel.grid.rows, reel.grid.columns)


def _unlit(reel: ScreenReel, moments: Moments, lit: LitUp | None) -> None:
    """Moments from which the target was lit count as the pointer being on it, wherever it is on what lit up; shortly
    before, those at which it was there already."""
    if lit is not None:
        on = reel.track.was_inside(lit.box, moments.times, 0.0, 0.0)
        moments.outside[(moments.times >= lit.since) | ((moments.times >= lit.since - LIT_LAG_S) & on)] = False


def _search(
    reel: ScreenReel,
    compare: Comparison,
    moments: Moments,
    target: Target,
    excused: TileMap,
    told: Positions,
    resting: float | None,
) -> Choice | None:
    """The latest moment that serves with the pointer far from the target, else the one with it farthest. `excused`:
    tiles whose differences say nothing, but for those of frames before `told`."""
    far = POINTER_FAR_SHARE * reel.view.width
    best: tuple[float, float, tuple[Plane, ...]] | None = None
    served: dict[int, bool] = {}
    for time, position, distance, outside in zip(
        moments.times[::-1], moments.positions[::-1], moments.distance[::-1], moments.outside[::-1], strict=True
    ):
        if not outside or (best is not None and distance < far and distance <= best[0]):
            continue
        if int(position) not in served:
            served[int(position)] = compare.matches(int(position), float(time), excused & (told <= position), resting)
        if not served[int(position)]:
            continue
        if distance >= far:
            return Choice(compare.then, float(time), "latest_away")
        best = (float(distance), float(time), tuple(plane.copy() for plane in compare.then))
    return None if best is None else Choice(best[2], best[1], "farthest")


def _seen_to_react(
    reel: ScreenReel, reference: int, start: float | None, act: float, target: Target, last: float
) -> Target | None:
    """The target with all that is seen to light up as the pointer comes onto it: a row of a list, where its element's
    box is unknown or recorded in another scale. None where nothing is."""
    moments = moments_of(reel, start, act - reel.margin, target)
    x, y = reel.track.at(moments.times)
    excused = reel.idle.regions() | reel.pointer_tiles(last)
    compare = Comparison(reel, reference)
    near = reel.tiles_of(target.box, _TOUCH_PX)
    for position in _spread(moments, x, y, target):
        then = reel.window.changes[position].time
        lit = compare.lit(position, then, excused)
        for box in lit or compare.faintly_lit(position, then, excused, near):
            about = (box[0] - _TOUCH_PX, box[1] - _TOUCH_PX, box[2] + _TOUCH_PX, box[3] + _TOUCH_PX)
            if on_target((target.x, target.y), Target(target.x, target.y, about)):  # maybe only its edge lights up
                old = target.box
                wide = (min(box[0], old[0]), min(box[1], old[1]), max(box[2], old[2]), max(box[3], old[3]))
                return Target(target.x, target.y, wide)
    return None


def _spread(moments: Moments, x: Floats, y: Floats, target: Target) -> list[int]:
    """Some positions, newest first, with the pointer in different places away from the target: the latest of each.
    First those above and below it, for a row is left upwards or downwards, if at all."""
    latest: dict[tuple[int, int], int] = {}
    for place_x, place_y, position, outside in zip(x, y, moments.positions, moments.outside, strict=True):
        if outside and not np.isnan(place_x):
            latest[int(place_x // _PLACE_X_PX), int((place_y - target.y) // _PLACE_Y_PX)] = int(position)
    above_or_below = {position for (_, row), position in latest.items() if row not in (-1, 0)}
    beside = sorted(set(latest.values()) - above_or_below, reverse=True)
    return sorted([*sorted(above_or_below, reverse=True)[:_TRIES], *beside[:_TRIES_BESIDE]], reverse=True)


def _without_a_frame(reel: ScreenReel, compare: Comparison, target: Target, last: float, lit: LitUp | None) -> Choice:
    """No frame of the state has the pointer away: rebuild what lies under it from earlier frames, or say so."""
    again = Comparison(reel, compare.reference)
    erased = erased_frame(reel, again, target, last, None if lit is None else lit.since)
    if erased is None:
        return Choice(compare.planes, last, "last_near", ["pointer_on_target"] if reel.exact else [])
    planes, changed = erased
    return Choice(planes, last, "erased" if changed else "unmarked", erased=changed)


def moments_of(reel: ScreenReel, start: float | None, end: float, target: Target, lag: float = _LAG_S) -> Moments:
    """The moments of [start, end], in order. A frame without the pointer stands for all the time it was shown. `lag`:
    for so long after it went the pointer counts as still there."""
    changes = reel.window.changes
    first = max(reel.window.position(start), 0) if start is not None else 0
    times: list[float] = []
    positions: list[int] = []
    for position in range(first, len(changes)):
        shown = max(changes[position].time, start if start is not None else -np.inf)
        gone = min(changes[position].until, end)
        if reel.track.hidden_at(changes[position].time):
            continue
        if shown > end or (gone <= shown and position == first and changes[position].time < shown):
            continue
        steady = 1 if reel.pointer_visible else max(1, int(np.ceil((gone - shown) / _STEADY_S)))
        times += [shown + (gone - shown) * i / steady for i in range(steady)]
        positions += [position] * steady
    at = np.array(times, dtype=np.float64)
    x, y = reel.track.at(at)
    distance = np.hypot(x - target.x, y - target.y)
    lead = _LEAD_S if reel.pointer_visible else 0.0
    outside = ~reel.track.was_inside(target.box, at, lag, lead) if len(at) else np.zeros(0, bool)
    return Moments(at, np.array(positions, dtype=np.int64), np.nan_to_num(distance, nan=np.inf), outside)


def late_change(reel: ScreenReel, reference: int, act: float, target: Target, lit: LitUp | None = None) -> bool:
    """Whether the target itself, or a large part of the screen, changed in the last moment before the act, other than
    by the pointer's coming. `lit`: what is known to have lit up with the target."""
    last = reel.at(act)
    if last is None or last == reference:
        return False
    known = reel.idle.regions(LATE_REDRAW_HABIT).reshape(-1)
    for change in reel.window.changes[reference + 1 : last + 1]:
        if (~known[change.clearly]).sum() > LATE_REDRAW_SHARE * len(known):
            return True
    before = reel.window.changes[reference].time
    if not _changed_on_target(reel, reference, last, before, target):
        return False
    for box in (target.box, lit.box if lit is not None else target.box) if reel.exact else ():
        came = reel.track.entered(box, act)
        lights = came is not None and came > before - HOVER_DELAY_S  # it may still do so
        since = before if came is None else min(before, came - _JUST_S)
        if lights and not _changed_on_target(reel, reference, last, since, target):
            return False
    return True


def _changed_on_target(reel: ScreenReel, older: int, newer: int, time: float, target: Target) -> bool:
    compare = Comparison(reel, newer)
    excused = reel.idle.regions() | reel.pointer_tiles(compare.time)
    at_target = reel.tiles_of(target.box).reshape(-1)
    return any(at_target[tiles].any() for tiles in compare.unexcused(older, time, excused))


def _too_late(reel: ScreenReel, reference: int, act: float, target: Target) -> bool:
    """Whether anything changed between the reference and the act, within the little that clocks are unsure by."""
    last = reel.at(act)
    if not reel.exact or last is None or last <= reference:
        return False
    excused = reel.idle.regions() | reel.tiles_of(target.box, _FOCUS_PX)
    return bool(Comparison(reel, last).unexcused(reference, reel.window.changes[reference].time, excused))


def _acted_blind(reel: ScreenReel, reference: int, act: float) -> bool:
    """Whether the answer to the act before is not yet in the reference, but came afterwards. A key's release asks for
    no answer."""
    start = reel.track.last_asked_before(act)
    if start is None:
        return False
    time = reel.window.changes[reference].time
    last = reel.at(_answer_until(reel, act))
    before = reel.window.position(start)
    answered = before >= 0 and before < reference and bool(_state_changes(reel, reference, before))
    return not answered and last is not None and last > reference and bool(_state_changes(reel, last, reference, time))


def _answer_until(reel: ScreenReel, act: float) -> float:
    """Until when an answer to the act before `act` is looked for: a second, but not beyond the act after it."""
    index = int(np.searchsorted(reel.track.presses, act, side="right"))
    following = float(reel.track.presses[index]) if index < len(reel.track.presses) else np.inf
    return min(act + BLIND_LOOK_S, following)


def _state_changes(reel: ScreenReel, newer: int, older: int, time: float | None = None) -> bool:
    """Whether two frames show different states of the screen."""
    compare = Comparison(reel, newer)
    then = reel.window.changes[older].time if time is None else time
    excused = reel.idle.regions() | reel.pointer_tiles(compare.time)
    return bool(compare.unexcused(older, then, excused))


def before_last_change(reel: ScreenReel, start: float, end: float) -> Choice | None:
    """For a wait: the last frame of [start, end] that does not yet show what was waited for. A caret that blinks is
    not waited for where anything larger changed."""
    if reel.at(end) is None or (position := reel.at(start)) is None:
        return None
    idle = reel.idle.regions().reshape(-1)
    changes = reel.window.changes
    sizes = {number: _tells(reel, number, idle) for number in range(position + 1, reel.window.position(end) + 1)}
    least = min(max(sizes.values(), default=0), CARET_TILES + 1)
    telling = [number for number, size in sizes.items() if size and size >= least]
    if telling:
        burst = telling[-1]
        for newer, older in pairwise(reversed(telling)):
            if changes[newer].time - changes[older].time > 0.5:
                break
            burst = older
        position = max(position, burst - 1)
    compare = Comparison(reel, position)
    return Choice(compare.planes, max(start, compare.time), "before_change")


def _tells(reel: ScreenReel, number: int, idle: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    """How many tiles a frame changed that say something: none of a clock, of the pointer, of a tooltip."""
    change = reel.window.changes[number]
    tiles = change.clearly[~idle[change.clearly]] if len(change.clearly) else change.clearly
    near = reel.pointer_tiles(change.time) | reel.pointer_tiles(reel.window.changes[number - 1].time)
    if reel.exact and (place := reel.track.place(change.time)) is not None and len(tiles) * TILE_PX**2 <= TIP_MAX_PX:
        near |= reel.tiles_of((place[0], place[1], place[0], place[1]), TIP_REACH_PX)
        if len(tiles) and near.reshape(-1)[tiles].any():
            return 0
    return int((~near.reshape(-1)[tiles]).sum()) if len(tiles) else 0
