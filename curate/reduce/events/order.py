"""Events in order of time, and those that cannot be used: nothing a recorder writes may stop the reducer."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator

import msgspec

from curate.model.constants import REORDER_S
from curate.model.events import RawEvent

_REORDER_EVENTS = 4096  # bound of the buffer, whatever the clock does
CONTROL = frozenset({"pause", "resume", "screen", "window", "pointer", "clipboard", "redaction", "end"})


def is_readable(event: RawEvent) -> bool:
    """Whether an event has what its kind needs. A button or wheel event may lack its point: the pointer's last place
    stands in for it."""
    if not math.isfinite(event.time):
        return False
    if event.kind == "move":
        return event.x is not None and event.y is not None and math.isfinite(event.x) and math.isfinite(event.y)
    if any(value is not None and not math.isfinite(value) for value in (event.x, event.y)):
        return False
    if event.kind == "button":
        return bool(event.button) and event.pressed is not None
    if event.kind == "scroll":
        return math.isfinite(event.dx) and math.isfinite(event.dy)
    if event.kind == "key":
        return event.pressed is not None and bool(event.key or event.text or event.code is not None)
    return event.kind in CONTROL


def in_time_order(events: Iterable[RawEvent], unreadable: Callable[[RawEvent], None]) -> Iterator[RawEvent]:
    """Readable events by time, then by row. Rows up to REORDER_S late are put where they belong; later ones (the
    clock jumped) are passed on where they stand. Events that cannot be used go to `unreadable`.

    Memory: the events of REORDER_S, at most _REORDER_EVENTS.
    """
    waiting: list[tuple[float, int, RawEvent]] = []
    newest = -math.inf
    for event in events:
        if not is_readable(event):
            unreadable(event)
            continue
        if event.time < newest - REORDER_S:  # the clock jumped back: a new order begins
            while waiting:
                yield heapq.heappop(waiting)[2]
            newest = event.time
        newest = max(newest, event.time)
        heapq.heappush(waiting, (event.time, event.index, event))
        while waiting and (waiting[0][0] < newest - REORDER_S or len(waiting) > _REORDER_EVENTS):
            yield heapq.heappop(waiting)[2]
    while waiting:
        yield heapq.heappop(waiting)[2]


def without_copies(events: Iterable[RawEvent], copy: Callable[[RawEvent], None]) -> Iterator[RawEvent]:
    """The events without presses and releases that were written twice: no key or button goes down twice in one moment.
    (A wheel may turn twice.) Second ones go to `copy`."""
    before: RawEvent | None = None
    for event in events:
        if event.kind in ("key", "button"):
            if before is not None and msgspec.structs.replace(event, index=before.index) == before:
                copy(event)
                continue
            before = event
        yield event
