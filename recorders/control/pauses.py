"""A pause: between `pause` and `resume` nothing is kept of what happened; what is so when it ends is told then."""

from __future__ import annotations

import msgspec

from curate.store.recording import MoveRow, PauseRow, PointerRow, ResumeRow, ScreenRow, WindowRow
from recorders.rows import UNNUMBERED, Row

_STATE = (WindowRow, PointerRow, ScreenRow, MoveRow)
"""Kinds that say what is so until the next: the latest of each kind counts after the pause."""


class Pauses:
    """Judges rows by their times, so that one that comes late is kept or not all the same. `spans`: beginning
    and end of each pause (None while it lasts). Not thread-safe."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int | None]] = []
        self._latest: dict[type, Row] = {}

    @property
    def paused(self) -> bool:
        """Whether a pause lasts."""
        return bool(self.spans) and self.spans[-1][1] is None

    def begin(self, t: int) -> list[Row]:
        """Pause after `t` (monotonic ns); the row that says so, none where a pause lasts already."""
        if self.paused:
            return []
        self.spans.append((t, None))
        self._latest = {}
        return [PauseRow(seq=UNNUMBERED, t=t)]

    def end(self, t: int) -> list[Row]:
        """Go on at `t` (monotonic ns); the rows that say so and what is so now."""
        if not self.paused:
            return []
        self.spans[-1] = (self.spans[-1][0], t)
        return [ResumeRow(seq=UNNUMBERED, t=t), *(msgspec.structs.replace(row, t=t) for row in self._latest.values())]

    def keeps(self, row: Row) -> bool:
        """Whether a row is kept: it happened in no pause."""
        for begun, ended in reversed(self.spans):
            if begun < row.t and (ended is None or row.t < ended):
                if ended is None and isinstance(row, _STATE):
                    self._latest[type(row)] = row
                return False
        return True
