"""Steps that only the screen tells: hovers and waits, put between the steps that the events tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from curate.model.events import RawRecording
from curate.reduce.hover_steps import RULE as HOVER
from curate.reduce.hover_steps import insert_hovers, pointer_rests
from curate.reduce.types import ReducedStep
from curate.reduce.video.screen_changes import ReelChanges
from curate.reduce.video.screen_reel import ScreenReel
from curate.reduce.waits import idle_spans, insert_waits

WAIT = "wait"


def with_screen_steps(
    recording: RawRecording, steps: Iterable[ReducedStep], screen: ScreenReel | None
) -> Iterator[ReducedStep]:
    """The steps with hovers and waits between them, lazily, as the screen is looked at. Without a screen there are
    none: neither is ever guessed."""
    if screen is None:
        return iter(steps)
    changes = ReelChanges(screen)
    size = (round(screen.view.width), round(screen.view.height))
    hovers = insert_hovers(steps, pointer_rests(recording.events()), changes, size)
    return insert_waits(hovers, idle_spans(recording.events()), changes.changed)


def only_kept(steps: Iterable[ReducedStep], kept: set[int]) -> Iterator[ReducedStep]:
    """The steps whose identity is in `kept` (an annotator's review), with the hovers that belong to them and the waits
    between two of them."""
    between: list[ReducedStep] = []
    before = True
    for step in steps:
        if step.rule in (HOVER, WAIT):
            between.append(step)
            continue
        here = id(step) in kept
        if here:
            yield from (inserted for inserted in between if inserted.rule == HOVER or before)
            yield step
        before, between = here, []
