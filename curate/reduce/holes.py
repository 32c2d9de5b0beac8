"""Holes in a recording: what was done during a pause, in a private span, into a password field or to what the person
kept out is in no row. The step after it says so, and a run that ends in one does not say how it ended.

A hole need not hold anything: recorders do not tell how much they kept out, since that tells how long a password is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf

import msgspec

from curate.model.actions import Action, Terminate
from curate.reduce.types import ReducedStep
from curate.reduce.video.pointer_track import Hidden, PointerTrack

FLAG = "hidden_before"


def holes_of(track: PointerTrack) -> list[Hidden]:
    """The spans in which something may have been done that no row tells. While the recorder's own window was in front,
    nothing was done for the task."""
    return [span for span in track.hidden if span.kind != "own" and span.end > span.start]


def mark_holes(steps: Iterable[ReducedStep], track: PointerTrack) -> Iterator[ReducedStep]:
    """The steps (in order of time, lazily), those after a hole flagged. A terminate whose hole reaches to the end of
    the recording loses its status: what was done last, and what came of it, is not known."""
    holes = holes_of(track)
    before: ReducedStep | None = None
    for step in steps:
        if between(holes, before, step):
            step.flags = sorted({*step.flags, FLAG})
            if reaching_end(holes, track, step.start):
                step.actions = [_without_status(action) for action in step.actions]
        yield step
        before = step


def between(holes: Sequence[Hidden], before: ReducedStep | None, step: ReducedStep) -> list[Hidden]:
    """The holes, or parts of holes, between the beginnings of two neighbouring steps: clicks are recorded while keys
    are not, so that a hole may have steps in it."""
    since = before.start if before is not None else -inf
    return [hole for hole in holes if hole.start < step.start and hole.end > since]


def reaching_end(holes: Sequence[Hidden], track: PointerTrack, end: float) -> list[Hidden]:
    """The holes that began before the run's `end` and after which no input was recorded."""
    last = track.last_input
    return [hole for hole in holes if hole.start < end and (last is None or hole.end > last)]


def told(before: ReducedStep | None, step: ReducedStep, index: int, track: PointerTrack) -> str | None:
    """A line for the record's lineage about what kind of hole lies before a step."""
    kinds = dict.fromkeys(hole.kind for hole in between(holes_of(track), before, step))
    return f"not recorded before step {index}: {', '.join(kinds)}" if kinds else None


def _without_status(action: Action) -> Action:
    return msgspec.structs.replace(action, status=None) if isinstance(action, Terminate) else action
