"""Which frames of a video need a look. A screen recorded at 30 frames a second is looked at ten times a second, and
besides at every frame that a keyframe may be: the last ones before an act, and the last before the pointer comes near
or onto what is acted on. All of this is known from the events and the frames' times before anything is decoded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import KEYFRAME_MARGIN_S, LOOK_EVERY_S, POINTER_FAR_SHARE
from curate.model.events import ElementAt
from curate.reduce.pointer import Floats, PointerTrack
from curate.reduce.targets import target_at
from curate.reduce.view import View

Wanted = NDArray[np.bool_]

_RESTED_S = 0.5


def wanted_frames(times: Floats, track: PointerTrack, elements: list[ElementAt], view: View) -> Wanted:
    """For each frame, by its time on the events' clock (ascending), whether to look at it."""
    wanted = _now_and_then(times)
    for start, end in track.held:  # a drag shows nothing that a picture is made of
        wanted[(times > start + 1.0) & (times < end - LOOK_EVERY_S)] = False
    previous = -np.inf
    for act in np.unique(track.presses):
        for moment in (act - KEYFRAME_MARGIN_S, act):
            at = int(np.searchsorted(times, moment, side="right")) - 1
            if at >= 0:
                wanted[at] = True
        place = track.place(float(act))
        if act - previous > _RESTED_S:
            first, last = np.searchsorted(times, [act - KEYFRAME_MARGIN_S, act])
            wanted[first:last] = True  # does anything change at the last moment?
        if place is not None and act - previous > KEYFRAME_MARGIN_S:
            _before_the_pointer_comes(wanted, times, previous, float(act), place, track, elements, view)
        previous = float(act)
    return wanted


def _now_and_then(times: Floats) -> Wanted:
    """The first frame of every tenth of a second that has one."""
    if not len(times):
        return np.zeros(0, bool)
    slots = np.floor((times - times[0]) / LOOK_EVERY_S + 1e-6)
    return np.asarray(np.diff(slots, prepend=-1) > 0)


def _before_the_pointer_comes(
    wanted: Wanted,
    times: Floats,
    start: float,
    act: float,
    place: tuple[float, float],
    track: PointerTrack,
    elements: list[ElementAt],
    view: View,
) -> None:
    """Mark the last frames of every stretch of [start, act] in which the pointer is away from the target."""
    target = target_at(*place, act, elements, view)
    if target is None:
        return
    first, last = np.searchsorted(times, [start, act - KEYFRAME_MARGIN_S])
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
