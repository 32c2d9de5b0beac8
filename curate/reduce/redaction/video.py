"""A recording's video without what must be black: the same frames at the same times, without loss."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from curate.model.errors import GateError
from curate.reduce.redaction.blackening import Blackening, Gathering, Planes
from curate.reduce.redaction.drawn import Grey, Mask
from curate.reduce.redaction.places import ShownBox, ShownSpan
from curate.reduce.video.decoding import Frame, Layout, Video
from curate.store.lossless import ENCODER, KEY_FRAME_EVERY
from curate.store.recording import FrameRow

_CONTAINER = {"cluster_time_limit": "100", "fflags": "+bitexact"}  # without the random number of each file
_FULL_RANGE = 2


def redact_video(
    source: Path, target: Path, frames: Sequence[FrameRow], spans: Sequence[ShownSpan], boxes: Sequence[ShownBox]
) -> tuple[Gathering, list[float]]:
    """Write `target`; how the secrets look, and the share of each frame that is black, where any is. A video that
    shows nothing of them is copied as it is. Raises VideoError where it does not open,
    GateError where a frame would be lost."""
    at = _times(frames)
    gathered = Gathering(spans, boxes)
    for frame in Video(source).frames():
        t = at(frame)
        if t > gathered.last_needed:
            break
        gathered.add(t, _planes(frame))
    gathered.finish()
    if not gathered.regions and not boxes and not gathered.looks.all:
        shutil.copyfile(source, target)
        return gathered, []
    black = _write(source, target, Blackening(gathered, boxes), at)
    return gathered, black


def grey_frames(path: Path) -> Iterator[tuple[int, float, Grey]]:
    """Every frame's number, its time in seconds, and its picture in grey."""
    for frame in Video(path).frames():
        yield frame.index, float(frame.time), frame.planes[0]


def _times(frames: Sequence[FrameRow]) -> Callable[[Frame], int]:
    """When a frame was captured: by its time stamp, as frames that do not decode are passed over."""
    known = {row.pts: row.t for row in frames}

    def at(frame: Frame) -> int:
        stamp = round(frame.time * 1000)
        if stamp in known:
            return known[stamp]
        return frames[min(frame.index, len(frames) - 1)].t

    return at


def _planes(frame: Frame) -> Planes:
    """Planes of the size of the first; colour that is stored with fewer pixels tells too little to be compared."""
    grey = frame.planes[0]
    return [plane for plane in frame.planes if plane.shape == grey.shape]


def _write(source: Path, target: Path, blackening: Blackening, at: Callable[[Frame], int]) -> list[float]:
    video = Video(source)
    written, black = 0, list[float]()
    encoder: Any = None
    with av.open(str(target), "w", format="matroska", options=_CONTAINER) as container:
        for frame in video.frames():
            encoder = encoder or _encoder(container, frame)
            mask = blackening.mask(at(frame), _planes(frame))
            if mask is not None:
                black.append(float(mask.mean()))
            for packet in encoder.encode(_picture(frame, mask)):
                container.mux(packet)
            written += 1
        for packet in encoder.encode(None) if encoder is not None else ():
            container.mux(packet)
    if len(Video(target).packets()) != written:
        raise GateError(f"{target.name}: not every frame of the video could be written again.")
    return black


def _encoder(container: Any, frame: Frame) -> Any:
    layout = frame.layout
    stream = container.add_stream("libx264", rate=25, options=dict(ENCODER))
    stream.width, stream.height, stream.pix_fmt = layout.width, layout.height, layout.format
    context = stream.codec_context
    context.max_b_frames, context.gop_size = 0, KEY_FRAME_EVERY
    context.colorspace, context.color_range = layout.colorspace, layout.color_range
    context.thread_count = 1  # the same bytes on every machine
    stream.time_base = context.time_base = Fraction(frame.owner.time_base or Fraction(1, 1000))
    return stream


def _picture(frame: Frame, mask: Mask | None) -> Any:
    layout = frame.layout
    picture = av.VideoFrame(layout.width, layout.height, layout.format)
    for plane, content, black in zip(picture.planes, frame.planes, _blacks(layout), strict=True):
        shown = content
        if mask is not None:
            shown = content.copy()
            shown[_fitted(mask, content.shape)] = black
        rows = np.zeros((plane.height, plane.line_size), np.uint8)
        rows[:, : plane.width] = shown
        plane.update(rows.tobytes())
    picture.pts, picture.time_base = frame.owner.pts, frame.owner.time_base
    picture.colorspace, picture.color_range = layout.colorspace, layout.color_range
    return picture


def _blacks(layout: Layout) -> tuple[int, int, int]:
    full = layout.color_range == _FULL_RANGE or layout.format.startswith("yuvj")
    return (0 if full else 16, 128, 128)


def _fitted(mask: Mask, shape: tuple[int, ...]) -> Mask:
    """The mask for a plane of fewer pixels: each that has any of it."""
    if mask.shape == shape:
        return mask
    grown = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    small = cv2.resize(grown, (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return small.astype(np.bool_)
