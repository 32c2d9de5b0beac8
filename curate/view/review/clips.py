"""The video of a step, from a second before it to a second after, as a small H.264 file that every browser plays
(4:2:0). Recordings keep a frame where something changed: here each stays until the next."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import av
import numpy as np

from curate.model.constants import COORDINATE_DECIMALS
from curate.model.trajectory import Step, Trajectory
from curate.reduce.video.decoding import Frame, Layout, VideoError
from curate.reduce.video.pointer_track import PointerTrack, pointer_track
from curate.reduce.video.screen_reel import TimedVideo, time_video
from curate.reduce.video.shown_region import View
from curate.store.atomic import atomic_path
from curate.view.review.limits import CLIP_AROUND_S, CLIP_S, CLIP_WIDTH, POINTER_HZ
from curate.view.review.raw_events import step_of
from curate.view.review.raw_recordings import GoneError, OpenedRecording, Recordings

_TICKS = 1000  # a second: recordings tell times of frames in milliseconds
_NO_VIDEO = "The video of this recording cannot be read."


class _Timed(NamedTuple):
    video: TimedVideo
    track: PointerTrack


class Clips:
    """Makes clips of one opened folder's recordings; the last recording's clock is remembered, for it is measured."""

    def __init__(self, recordings: Recordings) -> None:
        self._recordings = recordings
        self._last: tuple[str, _Timed] | None = None
        self._lock = threading.Lock()

    def of(self, record: Trajectory, index: int, target: Path, name: str) -> dict[str, Any]:
        """`clip/<position>/<step>` of the page (docs/view.md), its file written to `target` unless it is there. `name`:
        what the page calls the file. Raises NotThereError, StoreError."""
        step = step_of(record, index)
        try:
            opened = self._recordings.of(record)
            start, end = _span(step, opened)
            with self._lock:  # one at a time: two decoders would only wait for each other
                timed = self._timed(opened)
                if not target.exists():
                    _write(timed.video, start, end, target)
            pointer = _pointer(opened, timed, start, end)
        except GoneError as gone:
            return {"src": None, "sentence": str(gone)}
        except (VideoError, av.error.FFmpegError):
            return {"src": None, "sentence": _NO_VIDEO}
        told = {"start": round(start - opened.zero, 3), "end": round(end - opened.zero, 3)}
        return {
            "src": name,
            **told,
            "pointer": pointer,
            "pointer_in_video": opened.raw.pointer_in_video,
            "sentence": None,
        }

    def _timed(self, opened: OpenedRecording) -> _Timed:
        if opened.raw.video is None:
            raise GoneError("This recording has no video.")
        key = str(opened.raw.folder)
        if self._last is None or self._last[0] != key:
            track = pointer_track(opened.raw.events())
            self._last = key, _Timed(time_video(opened.raw, track, opened.raw.video), track)
        return self._last[1]


def _span(step: Step, opened: OpenedRecording) -> tuple[float, float]:
    """From when to when, on the events' clock."""
    if step.time is None:
        raise GoneError("This step has no time: where it is in the video is not known.")
    start = opened.zero + step.time.start - CLIP_AROUND_S
    return start, min(opened.zero + step.time.end + CLIP_AROUND_S, start + CLIP_S)


def _write(timed: TimedVideo, start: float, end: float, target: Path) -> None:
    frames = _shown(timed, start, end)
    first = next(frames, None)
    if first is None:
        raise GoneError("The video does not show this moment.")
    layout = first[1].layout
    width = min(layout.width, CLIP_WIDTH) & ~1  # 4:2:0 has even sides
    height = max(2, round(layout.height * width / layout.width) & ~1)
    with atomic_path(target, durable=False) as temporary, _opened(temporary) as out:
        stream = out.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.time_base = Fraction(1, _TICKS)
        stream.options = {"preset": "veryfast", "crf": "24", "tune": "stillimage"}
        last, frame = -1, first[1]
        for time, frame in _and(first, frames):
            tick = max(round((time - start) * _TICKS), 0)
            if tick > last:
                _put(out, stream, frame, tick, width, height)
                last = tick
        stop = round((end - start) * _TICKS)
        if stop > last:
            _put(out, stream, frame, stop, width, height)  # so that what is last seen stays until the end
        for packet in stream.encode():
            out.mux(packet)


def _opened(path: Path) -> Any:
    return av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})  # plays before it is all there


def _and(first: tuple[float, Frame], rest: Iterator[tuple[float, Frame]]) -> Iterator[tuple[float, Frame]]:
    yield first
    yield from rest


def _put(out: Any, stream: Any, frame: Frame, tick: int, width: int, height: int) -> None:
    shown = frame.owner.reformat(width=width, height=height, format="yuv420p", dst_color_range="MPEG")
    shown.pts, shown.time_base, shown.pict_type = tick, Fraction(1, _TICKS), 0
    for packet in stream.encode(shown):
        out.mux(packet)


def _shown(timed: TimedVideo, start: float, end: float) -> Iterator[tuple[float, Frame]]:
    """The frames on the screen from `start` to `end`, with their times on the events' clock: first the one that was
    there already."""
    times = timed.clock.event_times(timed.packets)[: len(timed.packets)]
    stamps = np.array([packet.time for packet in timed.packets])
    if not len(stamps) or end < times[0]:
        return
    number = max(int(np.searchsorted(times, start, "right")) - 1, 0)
    before: tuple[float, Frame] | None = None
    for frame in timed.video.frames(start=float(stamps[number])):
        at = min(int(np.searchsorted(stamps, frame.time - 1e-4)), len(stamps) - 1)
        time = float(times[at])
        if time <= start:
            before = time, frame
            continue
        if time > end:
            break
        if before is not None:
            yield before
            before = None
        yield time, frame
    if before is not None:
        yield before


def _pointer(opened: OpenedRecording, timed: _Timed, start: float, end: float) -> list[tuple[float, float, float]]:
    """Where the pointer was: seconds from the clip's start, and fractions of the picture; off it, it is left out."""
    screen, track = opened.raw.screen, timed.track
    if screen is None:
        return []
    view = View.of(opened.raw, Layout(screen.width, screen.height, "", 0, 0))
    low, high = np.searchsorted(track.times, [start, end])
    found: list[tuple[float, float, float]] = []
    for at in range(max(int(low) - 1, 0), int(high)):
        time = max(float(track.times[at]) - start, 0.0)
        place = view.fraction(float(track.x[at]), float(track.y[at]), COORDINATE_DECIMALS)
        if place is None:
            continue
        if found and time - found[-1][0] < 1 / POINTER_HZ and at + 1 < high:
            continue
        found.append((round(time, 3), *place))
    return found
