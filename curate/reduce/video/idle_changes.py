"""Regions that change while nobody acts: a clock, a spinner, a countdown, a blinking caret. They say nothing about
what an action did, and two pictures that differ only there show the same state."""

from __future__ import annotations

import numpy as np

from curate.model.constants import (
    FILM_AFTER_S,
    IDLE_AFTER_S,
    IDLE_APART_S,
    IDLE_CHANGES,
    IDLE_NEW_SCREEN_SHARE,
    IDLE_PAUSE_S,
    IDLE_SPAN_S,
)
from curate.reduce.video.decoding import Plane
from curate.reduce.video.films import Films
from curate.reduce.video.frame_window import Change, Grid, TileMap, widened


class IdleChanges:
    """Learns tile by tile while frames pass by. A tile is such a region once it changed a few times, apart from each
    other and over a while, when the last act was a second ago and the pointer elsewhere: a program's answer to an
    action comes once. A new screen (a large change) makes its tiles strangers again.

    With `films`, what moves all the time (a film, an animation) is told sooner, by many changes in quick order that go
    on; and at once where it did so before another screen lay on it. Not for videos that show the pointer."""

    def __init__(self, grid: Grid, films: bool = False) -> None:
        tiles = grid.rows * grid.columns
        self._shape = (grid.rows, grid.columns)
        self._count = np.zeros(tiles, np.int32)
        self._first = np.full(tiles, -1e300)
        self._last = np.full(tiles, -1e300)
        self._films = films
        self._film = Films(grid)

    def observe(self, change: Change, since_act: float, pointer: TileMap, luma: Plane | None = None) -> None:
        """Take in a frame. `since_act`: seconds since somebody last acted; `pointer`: tiles about the pointer; `luma`:
        the frame's."""
        changed, time = change.clearly, change.time
        if not len(changed):
            return
        if len(changed) > IDLE_NEW_SCREEN_SHARE * len(self._count):
            self._count[changed] = 0
            self._film.new_screen(change, luma if self._films else None)
            return
        far = changed[~pointer.reshape(-1)[changed]]
        if self._films:
            self._film.observe(far, time, since_act >= FILM_AFTER_S, luma)
        if since_act < IDLE_AFTER_S:
            return
        if self._films:  # exact times: a notice that came and went, and came again, is no clock
            self._count[far[time - self._last[far] > IDLE_PAUSE_S]] = 0
        apart = far[time - self._last[far] >= IDLE_APART_S]
        self._first[apart] = np.where(self._count[apart] == 0, time, self._first[apart])
        self._count[apart] += 1
        self._last[apart] = time

    def regions(self, changes: int = IDLE_CHANGES) -> TileMap:
        """The tiles known so far by so many changes, and their neighbours (a clock's digits reach over their edges)."""
        known = (self._count >= changes) & (self._last - self._first >= IDLE_SPAN_S) | self._film.known
        return widened(known.reshape(self._shape), 1)
