"""The one line that says how a recording is going, and how it is put in words."""

from __future__ import annotations

import msgspec


class Progress(msgspec.Struct, kw_only=True, frozen=True):
    """How a recording is going: `seconds` since it began (pauses included), `events` and `frames` kept, `rate` in
    frames a second over the last moments, `size` in bytes on the disk."""

    seconds: float
    events: int
    frames: int
    rate: float
    size: int
    paused: bool = False
    private: bool = False


def status_line(status: Progress) -> str:
    """`REC 01:23 · 1,204 events · 12 frames/s · 3.4 MB`."""
    state = "PAUSED       " if status.paused else "NOT RECORDING" if status.private else "recording    "
    return (
        f"{state} {clock(status.seconds)}  {status.events:,} events  {status.rate:4.1f} frames/s  {size(status.size)}"
    )


def clock(seconds: float) -> str:
    """`1:23`, `1:02:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def size(count: int) -> str:
    """Bytes in a person's units."""
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB" if count < 1_000_000_000 else f"{count / 1_000_000_000:.2f} GB"
