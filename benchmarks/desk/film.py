"""A recording's video as the judge sees it: what the strips say in each frame, and a copy of the recording without the
strips, which is all that the reducer gets."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import msgspec
import numpy as np
from cells import BITS, CELL, Rgb, Strip, read

from curate.reduce.video.decoding import Frame, Plane, Video, to_rgb
from curate.store.recording import EVENTS, FRAMES, VIDEO, read_frames, read_rows

Place = tuple[int, int]
_GREY = 128


@dataclass
class Film:
    """`times`: each frame's capture in monotonic nanoseconds; `strips`: what each strip says in each frame (None:
    covered); `wiped`: the recording without strips; `zero`: the time of its first event; `shown`: each frame's time in
    the video in seconds."""

    times: list[int]
    strips: list[tuple[Strip | None, ...]]
    wiped: Path
    zero: int
    shown: list[float]

    def at(self, t: int) -> int:
        """Number of the frame that was on the screen at a time; the first one before that."""
        return max(0, int(np.searchsorted(self.times, t, side="right")) - 1)

    def pictures(self, numbers: list[int]) -> dict[int, Rgb]:
        """Some frames of the wiped video, near each other, as RGB."""
        found: dict[int, Rgb] = {}
        first, last = self.shown[min(numbers)], self.shown[max(numbers)]
        for frame in Video(self.wiped / VIDEO).frames(max(0.0, first - 0.002), last + 0.0005):
            number = int(np.searchsorted(self.shown, frame.time - 0.0005))
            if number in numbers:
                found[number] = to_rgb(frame.planes, frame.layout)
        return found


def open_film(recording: Path, wiped: Path, places: list[Place]) -> Film:
    """Read the strips of every frame and make the copy without them, unless that was done before."""
    told = wiped / "strips.json"
    if not told.exists():
        shutil.rmtree(wiped, ignore_errors=True)
        shutil.copytree(recording, wiped, ignore=shutil.ignore_patterns(VIDEO))
        told.write_bytes(msgspec.json.encode(_wipe(recording / VIDEO, wiped / VIDEO, places)))
    strips = msgspec.json.decode(told.read_bytes(), type=list[tuple[Strip | None, ...]])
    zero = next(row.t for _, row in read_rows(recording / EVENTS, []))
    frames = read_frames(recording / FRAMES)
    return Film([row.t for row in frames], strips, wiped, zero, [row.pts / 1000 for row in frames])


def _wipe(source: Path, target: Path, places: list[Place]) -> list[tuple[Strip | None, ...]]:
    strips: list[tuple[Strip | None, ...]] = []
    made: Any = av.open(str(target), "w", format="matroska")
    stream: Any = None
    for frame in Video(source).frames():
        if stream is None:
            stream = _stream(made, frame)
        strips.append(tuple(read(_crop(frame.planes, place), (0, 0)) for place in places))
        planes = [plane.copy() for plane in frame.planes]
        for left, top in places:
            for plane in planes:
                plane[top : top + CELL, left : left + BITS * CELL] = _GREY
        again = av.VideoFrame.from_ndarray(np.stack(planes), format="yuv444p", channel_last=False)
        again.pts, again.time_base = round(frame.time * 1000), Fraction(1, 1000)
        made.mux(stream.encode(again))
    made.mux(stream.encode(None))
    made.close()
    return strips


def _stream(made: Any, frame: Frame) -> Any:
    stream = made.add_stream("libx264", rate=25, options={"preset": "ultrafast", "qp": "0", "tune": "zerolatency"})
    stream.width, stream.height, stream.pix_fmt = frame.layout.width, frame.layout.height, "yuv444p"
    context = stream.codec_context
    context.max_b_frames, context.gop_size = 0, 20
    context.colorspace, context.color_range = frame.layout.colorspace, frame.layout.color_range
    stream.time_base = context.time_base = Fraction(1, 1000)
    return stream


def _crop(planes: tuple[Plane, ...], place: Place) -> Rgb:
    """A strip as RGB (BT.601, limited range, which is what the recorder writes)."""
    left, top = place
    y, u, v = (plane[top : top + CELL, left : left + BITS * CELL].astype(np.float32) for plane in planes)
    y, u, v = 1.164 * (y - 16), u - 128, v - 128
    rgb = np.stack([y + 1.596 * v, y - 0.392 * u - 0.813 * v, y + 2.017 * u], axis=2)
    return np.asarray(np.clip(rgb, 0, 255), dtype=np.uint8)
