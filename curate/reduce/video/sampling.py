"""Which frames of a video need a look. A screen recorded at 30 frames a second is looked at some ten times a second,
and besides at every frame that a keyframe may be: the last ones before an act, and the last before the pointer comes
near or onto what is acted on. All of this is known from the events and the frames' times before anything is decoded."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import KEYFRAME_MARGIN_S, LOOK_EVERY_S, POINTER_FAR_SHARE
from curate.model.events import ElementAt
from curate.reduce.keyframes.targets import target_at
from curate.reduce.video.pointer_track import Floats, PointerTrack
from curate.reduce.video.shown_region import View

Wanted = NDArray[np.bool_]

_RESTED_S = 0.5
_DRAGGED_S = 1.0
_BEFORE_S, _AFTER_S = 3.0, 1.0


def needed_frames(
    times: Floats, track: PointerTrack, elements: list[ElementAt], view: View, margin: float = KEYFRAME_MARGIN_S
) -> Wanted:
    """For each frame, by its time on the events' clock (ascending), whether it must be looked at. `margin`: how long
    before an act the last frame is that may be its picture."""
    wanted = np.asarray(np.diff(times, append=np.inf) >= LOOK_EVERY_S - 1e-3)  # what stays is always looked at
    wanted[np.clip(np.searchsorted(times, track.acts, side="right") - 1, 0, None)] = True  # where waits begin
    previous = -np.inf
    for act in np.unique(track.presses):
        for moment in {act - KEYFRAME_MARGIN_S, act - margin, act}:
            at = int(np.searchsorted(times, moment, side="right")) - 1
            if at >= 0:
                wanted[at] = True
        place = track.place(float(act))
        if act - previous > _RESTED_S:
            first, last = np.searchsorted(times, [act - KEYFRAME_MARGIN_S, act])
            wanted[first:last] = True  # does anything change at the last moment?
        if place is not None and act - previous > margin:
            _before_the_pointer_comes(wanted, times, (previous, float(act) - margin), place, track, elements, view)
        previous = float(act)
    return wanted


def act_is_near(time: float, track: PointerTrack) -> bool:
    """Whether somebody acts within the next seconds, or did in the last one: what is then on the screen may become a
    picture, or is an answer."""
    index = int(np.searchsorted(track.acts, time - _AFTER_S))
    return index < len(track.acts) and float(track.acts[index]) < time + _BEFORE_S


def in_a_drag(time: float, track: PointerTrack) -> bool:
    """Whether a button has been held for a while: a drag shows nothing that a picture is made of."""
    index = bisect_right(track.held, time, key=lambda held: held[0]) - 1
    return index >= 0 and track.held[index][0] + _DRAGGED_S < time < track.held[index][1] - LOOK_EVERY_S


def _before_the_pointer_comes(
    wanted: Wanted,
    times: Floats,
    span_of: tuple[float, float],
    place: tuple[float, float],
    track: PointerTrack,
    elements: list[ElementAt],
    view: View,
) -> None:
    """Mark the last frames of every stretch of a span (start, end) in which the pointer is away from the target."""
    target = target_at(*place, span_of[1], elements, view)
    if target is None:
        return
    first, last = np.searchsorted(times, span_of)
    if last - first < 2:
        return
    span = times[first:last]
    x, y = track.at(span)
    distance = np.hypot(x - target.x, y - target.y)
    outside = ~track.was_inside(target.box, span, LOOK_EVERY_S / 2, LOOK_EVERY_S / 2)
    for away in (outside, outside & (distance >= POINTER_FAR_SHARE * view.width)):
        wanted[first : last - 1] |= away[:-1] & ~away[1:]
    if outside.any():
        wanted[first + int(np.argmax(np.where(outside, distance, -1.0)))] = True
