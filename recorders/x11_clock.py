"""The X server's clock (milliseconds in 32 bits, wraps after 49.7 days) on the monotonic clock (nanoseconds)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curate.model.constants import NS_PER_MS

_WRAP = 1 << 32
SAME_CLOCK_MS = 50
"""A local server counts the system's own monotonic milliseconds; what a busy machine adds to the reading of one
event stays below this."""


def _signed(difference: int) -> int:
    """The shortest way round a 32-bit circle."""
    return (difference + _WRAP // 2) % _WRAP - _WRAP // 2


@dataclass(frozen=True, slots=True)
class ServerClock:
    """`offset_ms`: server milliseconds minus monotonic milliseconds, the short way round."""

    offset_ms: int = 0

    @classmethod
    def measured(cls, samples: Sequence[tuple[int, int, int]]) -> ServerClock:
        """From (monotonic ns before, server ms, monotonic ns after) of round trips: the quickest one counts. A server
        on the same clock has no offset, so the millisecond it rounds away is not counted twice."""
        before, server, after = min(samples, key=lambda s: s[2] - s[0])
        offset = _signed(server - (before + after) // 2 // NS_PER_MS)
        return cls(0 if abs(offset) <= SAME_CLOCK_MS else offset)

    def monotonic_ns(self, server_ms: int, now_ns: int) -> int:
        """When a server time was, given about when it was read (right to 24 days)."""
        now_ms = now_ns // NS_PER_MS
        return (now_ms + _signed(server_ms - self.offset_ms - now_ms)) * NS_PER_MS
