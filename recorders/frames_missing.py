"""Whether every picture that was taken is in the recording: counted in its files, not believed."""

from __future__ import annotations

from pathlib import Path

from curate.model.errors import InputError
from curate.store.recording import FRAMES, VIDEO, read_frames


def frames_missing(folder: Path, taken: int) -> str | None:
    """None where as many frames are in the video and in its index as pictures were taken, else the sentence that says
    how many."""
    try:
        listed = len(read_frames(folder / FRAMES))
    except (OSError, InputError) as error:
        return f"The times of frames cannot be read back: {error}."
    shown = _packets(folder / VIDEO)
    if taken == listed == shown:
        return None
    there = "the video cannot be read back" if shown is None else f"{shown} are in the video"
    return f"{taken} pictures were taken, {listed} have their times, and {there}."


def _packets(video: Path) -> int | None:
    """Frames in the video, counted without decoding."""
    import av

    try:
        with av.open(str(video)) as container:
            return sum(1 for packet in container.demux(video=0) if packet.size)
    except (OSError, IndexError):  # av's errors are OSErrors; no stream at all
        return None
