"""An annotator's review: actions that were taken out of a recording by hand stay out."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Set

from curate.reduce.types import ReducedStep, Stretch

REASON = "reduce.removed_by_annotator"
_KEYS = frozenset({"typing", "press"})


def apply_review(
    items: Iterable[ReducedStep | Stretch], kept_starts: Set[int] | None
) -> Iterator[ReducedStep | Stretch]:
    """Keep the steps that the review kept; the raw events of the others become stretches.

    A step is kept if a kept row's `event_start_idx` lies between its first and last raw event. AgentNetTool makes one
    row of neighbouring keys (text, Enter, whatever the pauses), one of neighbouring scrolls, and one of all that
    happens while a modifier is held: steps that it has in one row are kept or dropped together. Steps without raw
    events (terminate) stay. None: there was no review.
    """
    if kept_starts is None:
        yield from items
        return
    kept = sorted(kept_starts)
    row: list[ReducedStep] = []
    for item in items:
        if isinstance(item, Stretch):
            yield item
            continue
        if row and not _same_row(row[-1], item):
            yield from _judged(row, kept)
            row = []
        row.append(item)
    yield from _judged(row, kept)


def _same_row(before: ReducedStep, after: ReducedStep) -> bool:
    keys = before.rule in _KEYS and after.rule in _KEYS
    return keys or before.rule == after.rule == "scroll" or after.continues


def _judged(row: list[ReducedStep], kept: list[int]) -> Iterator[ReducedStep | Stretch]:
    indices = [index for step in row for index in step.events]
    at = bisect.bisect_left(kept, min(indices)) if indices else 0
    if not indices or (at < len(kept) and kept[at] <= max(indices)):
        yield from row
        return
    for step in row:
        yield from removed(step.events, REASON)


def removed(events: Iterable[int], reason: str) -> Iterator[Stretch]:
    """Raw indices as stretches: one for each run without a gap."""
    run: list[int] = []
    for index in sorted(events):
        if run and index != run[-1] + 1:
            yield Stretch(first=run[0], last=run[-1], reason=reason)
            run = []
        run.append(index)
    if run:
        yield Stretch(first=run[0], last=run[-1], reason=reason)
