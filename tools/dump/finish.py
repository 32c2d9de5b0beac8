"""Makes a recording small enough to ship: the same frames at the same times, lossless as they were, but with a key
frame only every few hundred and the slow encoder. Everything else is copied as it is."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

from curate.store.recording import FRAMES, VIDEO, read_frames

KEY_FRAME_EVERY = 250
SLOW = {"preset": "veryslow", "qp": "0"}


def ship(recording: Path, target: Path) -> int:
    """Copy a recording to where it ships from; its size in bytes."""
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(recording, target, ignore=shutil.ignore_patterns(VIDEO))
    encode_again(recording / VIDEO, target / VIDEO)
    written, read = times(target / VIDEO), [row.pts for row in read_frames(target / FRAMES)]
    if written != read:
        raise RuntimeError(f"{target}: the video has other frame times than its index.")
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


def encode_again(source: Path, target: Path) -> None:
    """Every frame with its own time stamp (milliseconds), 4:4:4, no B-frames."""
    import av

    given: Any = av.open(str(source))
    made: Any = av.open(str(target), "w", format="matroska")
    old = given.streams.video[0]
    new = made.add_stream("libx264", rate=25, options=SLOW)
    new.width, new.height, new.pix_fmt = old.width, old.height, "yuv444p"
    context = new.codec_context
    context.max_b_frames, context.gop_size = 0, KEY_FRAME_EVERY
    context.colorspace, context.color_range = old.codec_context.colorspace, old.codec_context.color_range
    new.time_base = context.time_base = Fraction(1, 1000)
    for frame in given.decode(old):
        frame.pts, frame.time_base, frame.pict_type = round(frame.pts * old.time_base * 1000), Fraction(1, 1000), 0
        made.mux(new.encode(frame))
    made.mux(new.encode(None))
    made.close()
    given.close()


def times(video: Path) -> list[int]:
    """Milliseconds of every frame of a video."""
    import av

    with av.open(str(video)) as opened:
        stream: Any = opened.streams.video[0]
        return [round(frame.pts * stream.time_base * 1000) for frame in opened.decode(stream)]
