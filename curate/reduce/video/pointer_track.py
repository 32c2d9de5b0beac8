"""Where the pointer was, and when somebody acted: one streaming pass over a recording's events.

The track holds 40 bytes an event with a position, which is the only thing about a recording's events that is kept
whole: ten minutes of a fast mouse (1,000 moves a second) are 24 MB.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from curate.model.events import RawEvent

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""left, top, right, bottom in screen pixels; right and bottom are outside."""

ACTS = frozenset({"button", "scroll", "key"})
"""Kinds of events by which a person acts; a move alone is no act."""

BLACK = frozenset({"pause", "private", "own"})
"""Kinds of hidden spans of which no picture serves, however long it stays: black, or the recorder's own window."""


@dataclass
class Hidden:
    """A pause, a redaction (by its reason), or the recorder's own window in front (`own`): from `start` to `end`,
    seconds on the events' clock."""

    kind: str
    start: float
    end: float = np.inf


@dataclass
class PointerTrack:
    """`times`, `x`, `y`: every event with a position, in order of time (seconds on the events' clock, screen
    pixels). `acts`: times of presses, releases, wheel and key events (and of the recorder's going away or going
    on after a pause: no step is shown a frame from before); `presses`: the same without releases; `held`:
    from when to when a mouse button was down. `first`, `last`: of any event. `hidden`: from when to when pictures are
    not to be shown."""

    times: Floats
    x: Floats
    y: Floats
    acts: Floats
    presses: Floats = field(default_factory=lambda: np.empty(0))
    held: list[tuple[float, float]] = field(default_factory=list)
    first: float = 0.0
    last: float = 0.0
    hidden: list[Hidden] = field(default_factory=list)

    @property
    def last_input(self) -> float | None:
        """Time of the latest input of any kind, None where there is none."""
        latest = [float(times[-1]) for times in (self.times, self.acts) if len(times)]
        return max(latest, default=None)

    def hidden_at(self, time: float, kinds: frozenset[str] | None = None) -> bool:
        """Whether what was on the screen at a time is nobody's business, or the recorder's own (`kinds`: None for
        all)."""
        return any(
            span.start <= time < span.end and (kinds is None or span.kind in kinds) for span in self.hidden
        )  # fmt: skip

    def at(self, times: Floats | list[float]) -> tuple[Floats, Floats]:
        """The pointer's place at each time: where its latest event put it (a screen shows no place in between);
        before the first event, where that found it. NaN where no event has a position."""
        wanted = np.asarray(times, dtype=np.float64)
        if not len(self.times):
            return np.full(wanted.shape, np.nan), np.full(wanted.shape, np.nan)
        index = np.clip(np.searchsorted(self.times, wanted, side="right") - 1, 0, None)
        return self.x[index], self.y[index]

    def place(self, time: float) -> tuple[float, float] | None:
        """The pointer's place at one time, None where no event has a position."""
        x, y = self.at([time])
        return None if np.isnan(x[0]) else (float(x[0]), float(y[0]))

    def was_inside(self, box: Box, times: Floats, before: float, after: float) -> NDArray[np.bool_]:
        """For each time t: was the pointer inside `box` at any moment of [t - before, t + after]?"""
        if not len(self.times):
            return np.zeros(len(times), bool)
        count = np.concatenate([[0], np.cumsum(self._inside(box, 0, len(self.times)))])
        # the place at the start of the interval is that of the latest event before it
        start = np.clip(np.searchsorted(self.times, times - before, side="right") - 1, 0, None)
        stop = np.maximum(np.searchsorted(self.times, times + after, side="right"), start + 1)
        stop = np.minimum(stop, len(self.times))
        return np.asarray(count[stop] - count[start] > 0)

    def entered(self, box: Box, time: float) -> float | None:
        """When the stay in `box` began in which the pointer is at `time`; None if it is not inside, or always was."""
        outside = np.flatnonzero(~self._inside(box, 0, stop := int(np.searchsorted(self.times, time, side="right"))))
        if not len(outside) or outside[-1] == stop - 1:
            return None
        return float(self.times[outside[-1] + 1])

    def left(self, box: Box, time: float) -> float | None:
        """When the pointer first was outside `box` at or after `time`; None if it never was."""
        if (place := self.place(time)) is None:
            return None
        if not (box[0] <= place[0] < box[2] and box[1] <= place[1] < box[3]):
            return time
        start = int(np.searchsorted(self.times, time, side="left"))
        outside = np.flatnonzero(~self._inside(box, start, len(self.times)))
        return float(self.times[start + outside[0]]) if len(outside) else None

    def moved_in(self, box: Box, start: float, end: float) -> bool:
        """Whether the pointer moved into, within or out of `box` in [start, end]."""
        first, last = np.searchsorted(self.times, [start, end], side="right")
        first = max(int(first) - 1, 0)
        if last - first < 2:
            return False
        inside = self._inside(box, first, int(last))
        moved = (np.diff(self.x[first:last]) != 0) | (np.diff(self.y[first:last]) != 0)
        return bool((moved & (inside[1:] | inside[:-1])).any())

    def stayed(self, box: Box, start: float, end: float) -> bool:
        """Whether the pointer was inside `box` all the time from `start` to `end`."""
        first, last = np.searchsorted(self.times, [start, end], side="right")
        return bool(self._inside(box, max(int(first) - 1, 0), int(last)).all())

    def rested(self, start: float, end: float, within: float) -> bool:
        """Whether the pointer stayed within so many pixels of one place in [start, end]."""
        first, last = np.searchsorted(self.times, [start, end], side="right")
        x, y = self.x[max(int(first) - 1, 0) : last], self.y[max(int(first) - 1, 0) : last]
        return len(x) > 0 and bool(np.hypot(x - x[-1], y - y[-1]).max() <= within)

    def _inside(self, box: Box, start: int, stop: int) -> NDArray[np.bool_]:
        x, y = self.x[start:stop], self.y[start:stop]
        return np.asarray((x >= box[0]) & (x < box[2]) & (y >= box[1]) & (y < box[3]))

    def last_act_before(self, time: float) -> float | None:
        """Time of the latest act before `time` (exclusive), None if nobody acted before."""
        index = int(np.searchsorted(self.acts, time, side="left")) - 1
        return float(self.acts[index]) if index >= 0 else None

    def last_asked_before(self, time: float) -> float | None:
        """Time of the latest act before `time` that a program answers to: a press, a wheel event, or the release of a
        mouse button, but not the release of a key. None if there was none."""
        index = int(np.searchsorted(self.presses, time, side="left")) - 1
        asked = [float(self.presses[index])] if index >= 0 else []
        begun = bisect_left(self.held, time, key=lambda held: held[0])
        asked += [end for _, end in self.held[max(0, begun - 3) : begun] if end < time]
        return max(asked, default=None)


class TrackBuilder:
    """Collects a track while events pass by (`add`), so that they are read once."""

    def __init__(self) -> None:
        self._times, self._x, self._y = array("d"), array("d"), array("d")
        self._acts, self._presses = array("d"), array("d")
        self._held: list[tuple[float, float]] = []
        self._down: dict[str | None, float] = {}
        self._hidden: list[Hidden] = []
        self._first: float | None = None
        self._last = 0.0
        self._own = False

    def add(self, event: RawEvent) -> None:
        """Take one event into the track."""
        if self._first is None:
            self._first = event.time
        self._last = max(self._last, event.time)
        if event.x is not None and event.y is not None:
            self._times.append(event.time)
            self._x.append(event.x)
            self._y.append(event.y)
        if event.kind in ACTS:
            self._acts.append(event.time)
            if event.pressed is not False:
                self._presses.append(event.time)
        if event.kind == "resume" or (event.kind == "window" and self._own and not event.own):
            self._acts.append(event.time)  # frames from before show what was there before, or the recorder
        self._own = event.own if event.kind == "window" else self._own
        if event.kind in ("pause", "resume", "redaction", "window"):
            self._hide(event)
        if event.kind == "button":
            if event.pressed:
                self._down[event.button] = event.time
            elif event.button in self._down:
                self._held.append((self._down.pop(event.button), event.time))

    def _hide(self, event: RawEvent) -> None:
        kind = {"redaction": event.detail or "redacted", "window": "own"}.get(event.kind, "pause")
        begins = event.own if kind == "own" else event.kind == "pause"
        since = event.time
        if event.kind == "redaction":  # one row where it begins, one where it ends
            since = event.since if event.since is not None else event.time
            begins = since >= event.time
        now = next((span for span in self._hidden if span.kind == kind and np.isinf(span.end)), None)
        if begins and now is None:
            self._hidden.append(Hidden(kind, since))
        elif not begins and now is not None:
            now.start, now.end = min(now.start, since) if event.kind == "redaction" else now.start, event.time
        elif event.kind == "redaction" and not begins:
            self._hidden.append(Hidden(kind, since, event.time))

    def track(self) -> PointerTrack:
        """The track of what was added. Rows that a recorder wrote out of order are put in order of time."""
        times = np.frombuffer(self._times, np.float64) if self._times else np.empty(0)
        x = np.frombuffer(self._x, np.float64) if self._x else np.empty(0)
        y = np.frombuffer(self._y, np.float64) if self._y else np.empty(0)
        order = np.argsort(times, kind="stable") if np.any(np.diff(times) < 0) else slice(None)
        return PointerTrack(
            times[order], x[order], y[order], np.sort(np.array(self._acts)), np.sort(np.array(self._presses)),
            sorted(self._held), self._first or 0.0, self._last, self._hidden,
        )  # fmt: skip


def pointer_track(events: Iterable[RawEvent]) -> PointerTrack:
    """The track of all events."""
    builder = TrackBuilder()
    for event in events:
        builder.add(event)
    return builder.track()
