"""Waiting: the person did nothing at all until the screen had changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from curate.model.actions import Wait
from curate.model.constants import WAIT_IDLE_S
from curate.model.events import RawEvent
from curate.reduce.events.order import in_time_order
from curate.reduce.types import ReducedStep

_INPUT = frozenset({"move", "button", "scroll", "key"})
_HOLES = frozenset({"pause", "resume", "redaction"})


def idle_spans(events: Iterable[RawEvent]) -> Iterator[tuple[float, float]]:
    """Times (start, end) of more than WAIT_IDLE_S without any input, in order. In a pause, and while input of any kind
    was kept out of the recording, nobody knows what was done: a span ends where that begins and starts where it
    ends."""
    since: float | None = None
    unknown: set[str] = set()  # why it is not known now
    for event in in_time_order(events, lambda _: None):
        if event.kind not in _INPUT and event.kind not in _HOLES:
            continue
        begun = event.time if event.since is None else min(event.since, event.time)
        if since is not None and begun - since > WAIT_IDLE_S:
            yield since, begun
        if event.kind == "pause":
            unknown.add("pause")
        elif event.kind == "resume":
            unknown.discard("pause")
        elif event.kind == "redaction":  # one row where it begins, one where it ends
            (unknown.add if begun >= event.time else unknown.discard)(event.detail or "")
        since = None if unknown else event.time


def insert_waits(
    steps: Iterable[ReducedStep],
    idle: Iterable[tuple[float, float]],
    changed: Callable[[float, float], bool],
) -> Iterator[ReducedStep]:
    """The steps, with a wait wherever the screen changed in an idle span between two of them; lazily.

    `changed(start, end)` is asked in order of time, once for each span. An idle span within a step (a button held
    still) is part of that step. The wait ends with the event that ended the idling.
    """
    spans = iter(idle)
    span = next(spans, None)
    busy_until = float("-inf")
    for step in steps:
        while span is not None and span[1] <= step.start:
            start, end = span
            if start >= busy_until and changed(start, end):
                wait = Wait(seconds=round(end - start, 1))
                yield ReducedStep(actions=[wait], events=[], start=start, end=end, rule="wait")
            span = next(spans, None)
        yield step
        busy_until = max(busy_until, step.end)
