"""The raw events of a step, with what came just before and after: how the pointer came, what the screen was told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from curate.model.events import RawEvent
from curate.model.trajectory import Step, Trajectory
from curate.view.review.data import NotThereError
from curate.view.review.limits import EVENT_ROWS, EVENTS_AFTER_S, EVENTS_BEFORE_S
from curate.view.review.raw_recordings import GoneError, OpenedRecording, Recordings

_LATE_S = 60.0  # control rows may stand somewhat later than their time: so far is looked on


def the_events(recordings: Recordings, record: Trajectory, index: int) -> dict[str, Any]:
    """`events/<position>/<step>` of the page (docs/view.md). Raises NotThereError."""
    step = step_of(record, index)
    try:
        opened = recordings.of(record)
        span = _span(step, opened)
        rows = [_row(event, opened.zero, step) for event in _about(step, opened, span)]
    except GoneError as gone:
        return {"rows": [], "from": None, "of": len(step.events or ()), "source": None, "sentence": str(gone)}
    except OSError as error:
        sentence = f"The recording's events cannot be read: {error.strerror}."
        return {"rows": [], "from": None, "of": len(step.events or ()), "source": None, "sentence": sentence}
    return {
        "rows": rows,
        "from": rows[0]["index"] if rows else None,
        "of": len(step.events or ()),
        "source": opened.raw.source,
        "sentence": None if rows else "The recording has no events at this step.",
    }


def step_of(record: Trajectory, index: int) -> Step:
    """The step of that index. Raises NotThereError."""
    step = next((step for step in record.steps if step.index == index), None)
    if step is None:
        raise NotThereError(f"There is no step {index} in this trajectory: it has {len(record.steps)}.")
    return step


def _span(step: Step, opened: OpenedRecording) -> tuple[float, float]:
    if step.time is None:
        return (float("inf"), float("-inf"))
    start = opened.zero + step.time.start - EVENTS_BEFORE_S
    return start, opened.zero + step.time.end + EVENTS_AFTER_S


def _about(step: Step, opened: OpenedRecording, span: tuple[float, float]) -> Iterator[RawEvent]:
    """The step's own events and those about it in time, in the order of the file; of the latter EVENT_ROWS."""
    own = set(step.events or ())
    last = max(own, default=-1)
    others = 0
    for event in opened.raw.events():
        if event.index in own:
            yield event
        elif span[0] <= event.time <= span[1] and others < EVENT_ROWS:
            others += 1
            yield event
        elif event.index > last and event.time > max(span[1], opened.zero) + _LATE_S:
            return


def _row(event: RawEvent, zero: float, step: Step) -> dict[str, Any]:
    """An event as an object of what is known of it; its time counts as the record's do."""
    told = {name: value for name, value in msgspec.structs.asdict(event).items() if value is not None}
    told = {name: value for name, value in told.items() if value is not False or name == "pressed"}
    if event.kind != "scroll":
        told.pop("dx", None)
        told.pop("dy", None)
    return {**told, "time": round(event.time - zero, 6), "in_step": event.index in (step.events or ())}
