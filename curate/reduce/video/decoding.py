"""A recording's video, decoded once and in order; a broken one as far as it goes.

PyAV's planes are used as they come out of the decoder: no conversion, no copy. Formats other than planar 8-bit YUV
are converted, which costs what it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from curate.model.errors import InputError

Plane = NDArray[np.uint8]

PLANAR = {"yuv420p": (2, 2), "yuvj420p": (2, 2), "yuv422p": (2, 1), "yuvj422p": (2, 1), "yuv444p": (1, 1),
          "yuvj444p": (1, 1)}  # fmt: skip
"""Formats taken as they are, with how many luma pixels one chroma sample covers across and down."""


class VideoError(InputError):
    """Nothing of the video can be decoded (reason `read.video`)."""


@dataclass(frozen=True)
class Packet:
    """What the container says about one frame without decoding it."""

    time: float  # seconds in the video
    size: int  # bytes
    key: bool  # decoding can start here


@dataclass(frozen=True)
class Layout:
    """How a video's frames are laid out: size in pixels, format, and how to turn them into RGB."""

    width: int
    height: int
    format: str
    colorspace: int
    color_range: int


@dataclass(frozen=True)
class Frame:
    """One decoded frame. `index` counts frames in order of showing, from the first one that decodes; `time` is in
    seconds in the video; `planes` are views into the decoder's memory, valid as long as this object."""

    index: int
    time: float
    planes: tuple[Plane, ...]
    layout: Layout
    owner: Any


class Video:
    """A video file opened for reading. `broken` counts packets that could not be decoded; `stated` is the length in
    seconds that the container states (None before `packets`, and where it states none)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.broken = 0
        self.stated: float | None = None

    def packets(self) -> list[Packet]:
        """Time, size and kind of every frame, in order of showing, read without decoding (20 ms a minute).
        Raises VideoError."""
        found: list[Packet] = []
        with self._open() as container:
            stream = self._stream(container)
            self.stated = container.duration / av.time_base if container.duration else None
            try:
                for packet in container.demux(stream):
                    if packet.pts is not None and packet.size:
                        time = float(packet.pts * packet.time_base)
                        found.append(Packet(time, packet.size, bool(packet.is_keyframe)))
            except av.error.FFmpegError:
                self.broken += 1  # a cut file: what was read so far stands
        return sorted(found, key=lambda packet: packet.time)

    def frames(
        self, start: float | None = None, end: float | None = None, needed: Callable[[float], bool] | None = None
    ) -> Iterator[Frame]:
        """The frames from the last key frame at or before `start` (None: the first) on, until past `end`.

        `needed` says of a frame's time whether it must come: others are left out where nothing else depends on them,
        which halves the work on a video with such frames. Packets that do not decode are skipped and counted. Raises
        VideoError if the file does not open."""
        with self._open() as container:
            stream = self._stream(container)
            if start is not None and start > 0:
                container.seek(int(start / stream.time_base), stream=stream)
            fallback, layout = 0.0, None
            for index, decoded in enumerate(self._decode(container, stream, needed)):
                time = decoded.time if decoded.time is not None else fallback
                if end is not None and time > end:
                    return
                fallback = time + 1.0 / float(stream.average_rate or 30)
                frame = _frame(decoded, index, float(time), layout)
                layout = frame.layout
                yield frame

    def _decode(self, container: Any, stream: Any, needed: Callable[[float], bool] | None) -> Iterator[Any]:
        packets, tick = container.demux(stream), float(stream.time_base)
        sparing = False
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except av.error.FFmpegError:
                self.broken += 1
                return
            if needed is not None and packet.pts is not None and sparing == needed(packet.pts * tick):
                sparing = not sparing
                stream.codec_context.skip_frame = "NONREF" if sparing else "DEFAULT"
            try:
                yield from packet.decode()
            except av.error.EOFError:
                return
            except av.error.FFmpegError:
                self.broken += 1

    def _open(self) -> Any:
        try:
            return av.open(str(self.path))
        except (av.error.FFmpegError, OSError, ValueError) as error:
            raise VideoError(
                f"{self.path.name}: the video cannot be opened ({type(error).__name__}); "
                "it is probably cut off or no video. Record again, or reduce without pictures."
            ) from error

    def _stream(self, container: Any) -> Any:
        if not container.streams.video:
            raise VideoError(f"{self.path.name}: the file holds no video stream.")
        return container.streams.video[0]


def _frame(decoded: Any, index: int, time: float, wanted: Layout | None) -> Frame:
    """A decoded frame; in the layout of the frames before it, should the video change in the middle."""
    if wanted is not None and (decoded.width, decoded.height) != (wanted.width, wanted.height):
        decoded = decoded.reformat(width=wanted.width, height=wanted.height, format=wanted.format)
    name = wanted.format if wanted is not None else decoded.format.name
    if name not in PLANAR:
        name = "yuv444p"
    if decoded.format.name != name:
        decoded = decoded.reformat(format=name)
    layout = wanted or Layout(
        decoded.width, decoded.height, decoded.format.name, int(decoded.colorspace), int(decoded.color_range)
    )
    planes = tuple(_plane(plane) for plane in decoded.planes)
    return Frame(index, time, planes, layout, decoded)


def _plane(plane: Any) -> Plane:
    rows: Plane = np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)
    return rows[: plane.height, : plane.width]


def to_rgb(planes: tuple[Plane, ...], layout: Layout) -> Plane:
    """RGB (height x width x 3, uint8) of planes in a layout, as the decoder's own frame would convert."""
    frame = av.VideoFrame(layout.width, layout.height, layout.format)
    for plane, content in zip(frame.planes, planes, strict=True):
        rows = np.zeros((plane.height, plane.line_size), np.uint8)
        rows[:, : plane.width] = content
        plane.update(rows.tobytes())
    frame.colorspace = layout.colorspace
    frame.color_range = layout.color_range
    return np.asarray(frame.to_ndarray(format="rgb24"), dtype=np.uint8)
