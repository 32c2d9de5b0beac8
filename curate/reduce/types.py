"""What the reducer hands on: steps in recorded pixels, and the stretches of raw events no step holds."""

from __future__ import annotations

import msgspec

from curate.model.actions import Action


class ReducedStep(msgspec.Struct, kw_only=True):
    """One step. Points of `actions` are recorded pixels here (fractions only after `reduce.assemble`).
    `events`: raw indices that make the step, ascending. `start`, `end`: seconds on the events' clock.
    `rule`: the rule that made it. `flags`: of `model.flags`."""

    actions: list[Action]
    events: list[int]
    start: float
    end: float
    rule: str
    flags: list[str] = []


class Stretch(msgspec.Struct, kw_only=True, frozen=True):
    """Raw events `first` to `last` (inclusive) that are in no step, and why (a code of `model.reasons`); or, in
    reduced.parquet, that are in `step`."""

    first: int
    last: int
    step: int | None = None
    reason: str | None = None


class ReduceOptions(msgspec.Struct, kw_only=True, frozen=True):
    """`reduce.*` options of a recipe."""

    review: str = "honour"  # or "ignore"
    start_chord: tuple[str, ...] | None = None
    stop_chord: tuple[str, ...] | None = None
    status: str | None = None  # the recording's outcome, for the final terminate
