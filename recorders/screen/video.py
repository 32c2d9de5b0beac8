"""The video of a recording: H.264 with full colour resolution in Matroska, every frame with its own time, readable up
to the last quarter of a second after a kill.

How it is encoded: curate/store/lossless.py. A cluster for every frame, so that a kill loses none that was encoded.
"""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import NS_PER_MS
from curate.store.lossless import ENCODER, KEY_FRAME_EVERY
from curate.store.recording import FRAMES, VIDEO, FrameRow
from recorders.errors import RecorderError
from recorders.screen.picture import BT601, FULL_RANGE, ScreenPicture

MILLISECOND = Fraction(1, 1000)
KEY_FRAME_AT_MOST_EVERY = 600  # frames
KEY_FRAME_BYTES_A_FRAME = 5_000
"""What key frames may cost, shared out over the frames up to the next one: a desktop of text has one of 300 kB every
sixty frames, one with a photograph as its background one of 3 MB every six hundred. Without this a blinking caret
before a photograph would fill 8 MB a minute."""
SLICED_FROM_PX, MOST_SLICES = 4_000_000, 4
"""Larger pictures (4K) are cut into slices for a thread each: one alone would not keep 20 a second."""
_CONTAINER = {"cluster_time_limit": "0", "flush_packets": "1"}


class VideoWriter:
    """Writes `screen.mkv` and `frames.jsonl` of one recording. Not thread-safe: one thread writes. `size`: bytes of
    pictures so far. Raises OSError where it cannot write, RecorderError where there is no encoder."""

    def __init__(self, folder: Path, width: int, height: int) -> None:
        import av

        self.width, self.height, self.frames, self.size = width, height, 0, 0
        self.path = folder / VIDEO
        self._container: Any = av.open(str(self.path), "w", format="matroska", options=_CONTAINER)
        try:
            self._stream = self._container.add_stream("libx264", rate=25, options=dict(ENCODER))
        except av.error.FFmpegError as error:
            raise RecorderError("This PyAV has no H.264 encoder (libx264): install PyAV from its wheel.") from error
        self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, "yuv444p"
        cores = os.cpu_count() or 1
        self._stream.thread_count = 1 if width * height < SLICED_FROM_PX else min(MOST_SLICES, cores)
        context = self._stream.codec_context
        context.max_b_frames, context.gop_size = 0, KEY_FRAME_AT_MOST_EVERY
        context.colorspace, context.color_range = BT601, FULL_RANGE
        self._stream.time_base = context.time_base = MILLISECOND
        self._index = (folder / FRAMES).open("xb")
        self._encoder = msgspec.json.Encoder()
        self._first_ns = self._last_pts = -1
        self._since_key, self._key_every = 0, KEY_FRAME_EVERY

    def write_picture(self, picture: ScreenPicture, t: int) -> None:
        """Append a picture as it is now; it may be changed as soon as this returns."""
        from av.video.frame import PictureType

        if self._first_ns < 0:
            self._first_ns = t
        frame = picture.frame
        frame.pts = max((t - self._first_ns) // NS_PER_MS, self._last_pts + 1)
        frame.time_base = MILLISECOND
        self._last_pts = frame.pts
        self._since_key += 1
        frame.pict_type = PictureType.I if self._since_key >= self._key_every else PictureType.NONE
        self._mux(frame)
        self._index.write(self._encoder.encode(FrameRow(n=self.frames, t=t, pts=self._last_pts)) + b"\n")
        self._index.flush()
        self.frames += 1

    def close(self) -> None:
        """Finish both files."""
        self._mux(None)
        self._container.close()
        self._index.close()

    def _mux(self, frame: Any) -> None:
        for packet in self._stream.encode(frame):
            self.size += packet.size
            if packet.is_keyframe:
                self._since_key, self._key_every = 0, key_frame_distance(packet.size)
            self._container.mux(packet)
        if frame is not None:
            self._container.mux(self._nothing_after(frame.pts))

    def _nothing_after(self, pts: int) -> Any:
        """An empty packet a millisecond later. The muxer keeps a cluster in memory until the next packet comes: without
        this, a kill would lose the last change of the screen however long ago that was. Decoders pass it over."""
        import av

        empty = av.Packet(0)
        empty.stream, empty.time_base = self._stream, MILLISECOND
        empty.pts = empty.dts = pts + 1
        return empty


def key_frame_distance(size: int) -> int:
    """Frames from a key frame of so many bytes to the next one."""
    return max(KEY_FRAME_EVERY, min(KEY_FRAME_AT_MOST_EVERY, size // KEY_FRAME_BYTES_A_FRAME))
