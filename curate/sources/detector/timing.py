"""Whether a step's picture was taken before its action or after it.

A step's action changes the picture between the one before it and the one after it, at the point where it acts, or, of
a scroll, as a whole along its axis. In the order of a record's pictures that is the change from the step's own picture
to the next one, if pictures come before; from the last one to the step's own, if they come after. Only steps vote for
which exactly one of the two shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from curate.sources.common.facts import Order, Space
from curate.sources.detector.frames import place_in
from curate.sources.detector.picture_evidence import changed_at, moved
from curate.sources.detector.sample import Run, Sample, Seen, Shot
from curate.sources.detector.verdict import Verdict, Vote, example, judge

Shift = Literal["late", "early"]
"""What a record's pictures are if they are not right: each the one after its step (late), or the one before the step
before (early)."""


def judge_timing(sample: Sample, space: str | None, order: str | None) -> Verdict:
    """When the pictures were taken. `space`, `order`: of the points, where they are known."""
    declared = sample.declared.timing if sample.declared.pictures else None
    votes: list[Vote] = []
    for run in sample.runs:
        if sum(shot is not None for shot in run.shots) >= 2:
            votes += _votes(run, space, order, "early" if declared == "after" else "late", declared or "before")
    return judge("timing", "Pictures", declared, votes)


def _votes(run: Run, space: Any, order: Any, shift: Shift, declared: str) -> Iterator[Vote]:
    other = "before" if declared == "after" else "after"
    for number, step in enumerate(run.steps):
        if not step.acts:
            continue
        right, wrong = _pair(run, number), _pair(run, number + (1 if shift == "early" else -1))
        if right is None or wrong is None:
            continue
        told = _told(step, right, wrong, space, order)
        if told is not None:
            answer = declared if told[0] else other
            yield Vote(answer, told[1], example(run, step.step, f"{told[2]} {_between(number, told[0], shift)}"))


def _between(number: int, right: bool, shift: Shift) -> str:
    first = number if right else number + (1 if shift == "early" else -1)
    return f"between the pictures of steps {first} and {first + 1} of the record alone"


def _pair(run: Run, number: int) -> tuple[Shot, Shot] | None:
    if not 0 <= number < len(run.shots) - 1:
        return None
    one, other = run.shots[number], run.shots[number + 1]
    return None if one is None or other is None else (one, other)


def _told(
    step: Seen, right: tuple[Shot, Shot], wrong: tuple[Shot, Shot], space: Space | None, order: Order | None
) -> tuple[bool, str, str] | None:
    """(whether the pictures are as the record has them, on what grounds, what is seen); None where a step says
    nothing."""
    if len(step.scrolls) == 1:
        axis = "x" if step.scrolls[0].axis == "x" or step.scrolls[0].raw in ("left", "right") else "y"
        here, there = (bool(moved(one.grey, other.grey, axis)) for one, other in (right, wrong))
        return (here, "scroll", "content moves") if here != there else None
    place = _first_place(step, space, order)
    if place is None:
        return None
    here, there = (changed_at(one.grey, other.grey, *place) for one, other in (right, wrong))
    return (here, "click", "the place acted on changes") if here != there else None


def _first_place(step: Seen, space: Space | None, order: Order | None) -> tuple[float, float] | None:
    if not step.points or space in (None, "none") or order is None:
        return None
    place = place_in(step.points[0], "picture_pixel" if space == "page_pixel" else space, order)
    return place if place is not None and 0 <= place[0] <= 1 and 0 <= place[1] <= 1 else None
