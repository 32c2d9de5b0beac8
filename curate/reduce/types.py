"""What the reducer hands on: steps in recorded pixels, and the stretches of raw events no step holds."""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from curate.model.actions import Action, TerminateStatus
from curate.model.trajectory import Keyframe, Platform


class ReducedStep(msgspec.Struct, kw_only=True):
    """One step. Points of `actions` are recorded pixels here (fractions only after `reduce.assemble`).
    `events`: raw indices that make the step, ascending. `start`, `end`: seconds on the events' clock.
    `rule`: the rule that made it. `flags`: of `model.flags`. `continues`: a modifier is still held from the step
    before."""

    actions: list[Action]
    events: list[int]
    start: float
    end: float
    rule: str
    flags: list[str] = []
    continues: bool = False


class Stretch(msgspec.Struct, kw_only=True, frozen=True):
    """Raw events `first` to `last` (inclusive) that are in no step, and why (a code of `model.reasons`); or, in
    reduced.parquet, that are in `step`."""

    first: int
    last: int
    step: int | None = None
    reason: str | None = None


class ReduceOptions(msgspec.Struct, kw_only=True, frozen=True):
    """`reduce.*` options of a recipe."""

    review: Literal["honour", "ignore"] = "honour"
    start_chord: tuple[str, ...] | None = None
    stop_chord: tuple[str, ...] | None = None
    control_chords: tuple[tuple[str, ...], ...] | None = None  # the recorder's other shortcuts
    status: TerminateStatus | None = None  # the recording's outcome, for the final terminate
    platform: Platform | None = None  # of the recording: what `cmd` and a key's number mean


class ScreenChanges(Protocol):
    """What the screen did, for rules that depend on it (waits, hovers). Times are seconds on the events' clock.
    Regions that change while nobody acts (a clock, a spinner) and the pointer itself are no change. Questions are
    asked in order of time: what lies before the end of the last step may be forgotten."""

    def changed(self, start: float, end: float) -> bool:
        """Whether the screen at `end` differs from the screen at `start`; False where no picture tells."""
        ...

    def changed_regions(self, start: float, end: float) -> list[tuple[float, float, float, float]]:
        """The regions in which they differ: left, top, right, bottom in screen pixels; empty where none is known."""
        ...


class KeyframeOptions(msgspec.Struct, kw_only=True, frozen=True):
    """`keyframes.*` options of a recipe. `pointer`, for videos recorded without a pointer: draw none, draw it where
    the previous action ended (what a live agent sees), or where it was recorded at the picture's time."""

    pointer: Literal["none", "previous", "recorded"] = "previous"


class Picture(msgspec.Struct, kw_only=True):
    """The picture of one step. `image` is a media reference and `size` its width and height in pixels, both null
    where no frame serves; `keyframe` says how it was chosen; `flags` are of `model.flags`; `reason` is a code of
    `model.reasons` where there is no picture because the video cannot be read; `tree` is a media reference of the
    accessibility tree of what the picture shows."""

    image: str | None = None
    size: tuple[int, int] | None = None
    keyframe: Keyframe | None = None
    flags: list[str] = []
    reason: str | None = None
    tree: str | None = None
