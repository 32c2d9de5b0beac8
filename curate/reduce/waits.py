"""Waiting: the person did nothing at all until the screen had changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from curate.model.actions import Wait
from curate.model.constants import WAIT_IDLE_S
from curate.model.events import RawEvent
from curate.reduce.events.order import in_time_order
from curate.reduce.types import ReducedStep

_INPUT = frozenset({"move", "button", "scroll", "key"})


def idle_spans(events: Iterable[RawEvent]) -> Iterator[tuple[float, float]]:
    """Times (start, end) of more than WAIT_IDLE_S without any input, in order. A pause is no idle time: a span ends
    where it begins and starts where it ends."""
    since: float | None = None
    paused = False
    for event in in_time_order(events, lambda _: None):
        if event.kind in _INPUT or event.kind in ("pause", "resume"):
            if paused and event.kind != "resume":
                continue
            if since is not None and event.time - since > WAIT_IDLE_S:
                yield since, event.time
            paused = event.kind == "pause"
            since = None if paused else event.time


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
