"""The clock by the pointer: where it is seen to move in the picture against where its events put it.

Of three frames in a row, the pixels that differ both from the frame before and from the one after are the moving
pointer, if they are few and close together. The offset is the one under which these sightings lie, all by the same
few pixels, beside the events' places. Only short stretches right after key frames are decoded, where the events move
fast; that costs at most a tenth of decoding the video, more only where a video is short and a little is not enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from curate.model.constants import (
    CLOCK_DECODED_SHARE,
    CLOCK_FAST_PX_S,
    CLOCK_MIN_CONFIDENCE,
    CLOCK_MIN_FRAMES,
    CLOCK_MIN_SIGHTINGS,
    CLOCK_RESIDUAL_CAP_PX,
    CLOCK_RESIDUAL_PX,
    POINTER_MAX_PX,
)
from curate.model.events import RawRecording
from curate.reduce.video.decoding import Frame, Packet, Plane, Video
from curate.reduce.video.pointer_track import Floats, PointerTrack
from curate.reduce.video.shown_region import View

_COARSE_S, _FINE_S = 0.020, 0.001
_APART_S = 0.2  # a rival offset this far away would be another answer, not the same one less exactly
_STRETCH_S = 2.0
_CLEARLY = 24  # grey levels: a pointer against anything, and not what a codec leaves unsettled


@dataclass(frozen=True)
class Measured:
    """An offset with its confidence from 0 to 1."""

    offset: float
    confidence: float


class _Stretch(NamedTuple):
    """A part of the video from a key frame on: how many frames it has, and its times in the video."""

    frames: int
    start: float
    end: float


@dataclass(frozen=True)
class Sightings:
    """Where the moving pointer was seen: video time, and the centre of what moved in screen pixels."""

    times: Floats
    x: Floats
    y: Floats


def offset_from_pointer(
    recording: RawRecording, track: PointerTrack, video: Video, packets: list[Packet], low: float, high: float
) -> Measured | None:
    """The offset in [low, high] under which the pointer is seen where its events put it; None where too little of it
    is seen."""
    found: list[tuple[float, float, float]] = []
    measured: Measured | None = None
    for stretches in _rounds(_stretches(track, packets, (low + high) / 2, high - low), len(packets)):
        for start, end in stretches:
            found += _sightings(recording, video, start, end)
        if len(found) < CLOCK_MIN_SIGHTINGS:
            continue
        times, x, y = (np.array(column) for column in zip(*sorted(found), strict=True))
        measured = fit_offset(track, Sightings(times, x, y), low, high)
        if measured is not None and measured.confidence >= CLOCK_MIN_CONFIDENCE:
            break
    return measured


def fit_offset(track: PointerTrack, seen: Sightings, low: float, high: float) -> Measured | None:
    """The offset that explains the sightings. Its confidence is the share of them within a few pixels of the events'
    places, times how much worse every other offset is."""
    coarse = np.arange(low, high + _COARSE_S, _COARSE_S)
    costs = np.array([_cost(track, seen, offset)[0] for offset in coarse])
    best = float(coarse[int(costs.argmin())])
    rivals = costs[np.abs(coarse - best) > _APART_S]
    fine = np.arange(best - 1.5 * _COARSE_S, best + 1.5 * _COARSE_S, _FINE_S)
    exact = np.array([_cost(track, seen, offset)[0] for offset in fine])
    near = fine[exact <= exact.min() * 1.02 + 1e-9]  # several are as good: take the middle
    offset = float(near.mean())
    cost, agreeing, spread = _cost(track, seen, offset)
    if spread < CLOCK_RESIDUAL_CAP_PX:
        return None  # the pointer hardly went anywhere: any offset would do
    margin = 1.0 - cost / max(float(rivals.min()), 1e-9) if len(rivals) else 0.0
    return Measured(offset, float(np.clip(agreeing * margin, 0.0, 1.0)))


def _cost(track: PointerTrack, seen: Sightings, offset: float) -> tuple[float, float, float]:
    """Mean capped distance between sightings and events, share that agrees, and how far the events' places spread."""
    x, y = track.at(seen.times + offset)
    dx, dy = seen.x - x, seen.y - y
    away = np.hypot(dx - np.median(dx), dy - np.median(dy))
    capped = float(np.minimum(away, CLOCK_RESIDUAL_CAP_PX).mean())
    return capped, float((away < CLOCK_RESIDUAL_PX).mean()), float(np.hypot(np.ptp(x), np.ptp(y)))


def _rounds(stretches: list[_Stretch], frames: int) -> Iterator[list[tuple[float, float]]]:
    """What to decode first, and what besides where that is not enough, each in order of time. `frames`: the video's."""
    left, spent = list(stretches), 0
    for least in CLOCK_MIN_FRAMES:
        budget = max(least, int(CLOCK_DECODED_SHARE * frames)) - spent
        chosen: list[_Stretch] = []
        for stretch in left:
            if stretch.frames <= budget:
                budget -= stretch.frames
                chosen.append(stretch)
        if not chosen:
            continue
        left = [stretch for stretch in left if stretch not in chosen]
        spent += sum(stretch.frames for stretch in chosen)
        yield sorted((stretch.start, stretch.end) for stretch in chosen)


def _stretches(track: PointerTrack, packets: list[Packet], offset: float, unsure: float) -> list[_Stretch]:
    """Stretches of video that may be decoded, most motion for each decoded frame first."""
    if len(packets) < 3 or len(track.times) < CLOCK_MIN_SIGHTINGS:
        return []
    times = np.array([packet.time for packet in packets])
    keys = np.array([packet.time for packet in packets if packet.key])
    step = np.hypot(*(track.at(times + offset)[i] - track.at(times + offset - 1 / 30)[i] for i in (0, 1)))
    fast = step * 30 > CLOCK_FAST_PX_S
    choices: list[tuple[float, _Stretch]] = []
    for key, following in pairwise([*keys, times[-1] + 1.0]):
        end = min(key + _STRETCH_S + min(unsure / 4, 1.0), following)
        inside = (times >= key) & (times < end)
        moving = inside & fast
        if moving.any():
            last = min(float(times[moving].max()) + 0.2, end)
            frames = int(((times >= key) & (times <= last)).sum())
            choices.append((float(moving.sum()) / frames, _Stretch(frames, float(key), last)))
    return [stretch for _, stretch in sorted(choices, reverse=True)]


def _sightings(recording: RawRecording, video: Video, start: float, end: float) -> list[tuple[float, float, float]]:
    """The moving pointer in one stretch: video time and place on the screen."""
    found: list[tuple[float, float, float]] = []
    before: Frame | None = None
    view: View | None = None
    for frame in video.frames(start, end):
        if before is None or view is None:
            view, before = View.of(recording, frame.layout), frame
            earlier, later, both = (np.zeros_like(frame.planes[0]) for _ in range(3))
            continue
        cv2.absdiff(before.planes[0], frame.planes[0], later)
        cv2.min(earlier, later, both)  # differs from the frame before and from the one after
        cv2.threshold(both, _CLEARLY, 255, cv2.THRESH_BINARY, both)
        place = _pointer_sized(both, view)
        if place is not None:
            found.append((before.time, *place))
        before, earlier, later = frame, later, earlier
    return found


def _pointer_sized(moved: Plane, view: View) -> tuple[float, float] | None:
    """The centre, on the screen, of the marked pixels, if they lie as close together as a pointer's."""
    left, top, width, height = cv2.boundingRect(moved)
    if not 3 <= width <= POINTER_MAX_PX / view.scale_x or not 3 <= height <= POINTER_MAX_PX / view.scale_y:
        return None
    return view.to_screen(left + width / 2, top + height / 2)
