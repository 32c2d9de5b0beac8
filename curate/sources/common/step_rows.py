"""Rows that are one step each, put together as runs: which of them count, what is missing between and after them, and
what the last one says of the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from curate.model.actions import Terminate
from curate.model.rejected import Rejected
from curate.model.trajectory import Outcome, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.conventions import Size
from curate.sources.common.grouping import Group, Keyed
from curate.sources.common.reading import rejected
from curate.sources.common.row_files import rows_of
from curate.sources.common.step_numbers import GAP, gaps
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine

T = TypeVar("T", bound=msgspec.Struct)


def scratch(context: ReadContext) -> Path:
    """Where rows wait for each other: beside the media, on the disk that is to hold the pictures anyway."""
    context.media.root.mkdir(parents=True, exist_ok=True)
    return context.media.root


def typed_rows(path: Path, context: ReadContext, kind: type[T], trouble: list[Rejected]) -> Iterator[tuple[int, T]]:
    """The rows of a file as `kind`, each with its line or number from 1; what is none goes to `trouble`."""
    for item in rows_of(path, context):
        if isinstance(item, BadLine):
            trouble.append(rejected(context.shown, item.reason, item.detail, None, item.number))
            continue
        try:
            row = msgspec.convert(item.value, kind)
        except TROUBLE as error:
            trouble.append(refused(error, context.shown, None, item.number))
            continue
        yield item.number, row


def run_of(group: Group, identity: str, record: Callable[[list[Keyed], str], Trajectory]) -> Iterator[Read | Rejected]:
    """The run of a group, made by `record` of the first row of each step; why there is none; and the other rows."""
    kept, others = first_of_each(group, identity)
    try:
        yield Read(trajectory=record(kept, identity))
    except TROUBLE as error:
        yield refused(error, kept[0].file, identity, kept[0].line)
    yield from others


def first_of_each(group: Group, identity: str) -> tuple[list[Keyed], list[Rejected]]:
    """The first row of each step, and what becomes of the others."""
    kept: list[Keyed] = []
    others: list[Rejected] = []
    for row in group.rows:
        if kept and kept[-1].order == row.order:
            same = "the same" if kept[-1].data == row.data else "another"
            why = f"Step {row.order} was met before, at {kept[-1].file}:{kept[-1].line}, with {same} content."
            others.append(rejected(row.file, "read.duplicate_step", why, identity, row.line))
        else:
            kept.append(row)
    return kept, others


def mark_gaps(steps: Sequence[Step], first: int | None = 0) -> None:
    """Flags each step before which others are missing. `first`: the number of a whole run's first step."""
    for step, missing in zip(steps, gaps([step.index for step in steps], first=first), strict=True):
        step.flags = sorted({*step.flags, *([GAP] if missing else [])})


def missing_end(steps: Sequence[Step], length: int | None) -> list[str]:
    """A line of lineage where a run says that it is longer than what there is of it."""
    if not steps or length is None or steps[-1].index >= length - 1:
        return []
    return [f"The last step here is {steps[-1].index}, of a run of {length} steps."]


def told_by_the_end(steps: Sequence[Step], by: str) -> Outcome:
    """The outcome that the last action states; unknown where the run does not end with such an action."""
    last = steps[-1].actions[-1] if steps and steps[-1].actions else None
    if not isinstance(last, Terminate) or last.status is None:
        return Outcome()
    done = last.status == "success"
    return Outcome(completed=done, by=by, reason=None if done else last.status)


def drained(trouble: list[Rejected]) -> Iterator[Rejected]:
    """What has gone wrong so far, once."""
    yield from trouble
    trouble.clear()


def size_of(width: object, height: object) -> Size | None:
    """A stated size in pixels; None for what is none."""
    sides = [side for side in (width, height) if isinstance(side, int) and not isinstance(side, bool)]
    return (sides[0], sides[1]) if len(sides) == 2 and all(1 <= side < 1 << 31 for side in sides) else None


def packages(activities: Iterable[str | None]) -> list[str]:
    """The apps of a run, by package: without home screens, keyboards and the system's own, which are in every run."""
    found = dict.fromkeys(activity.split("/", 1)[0] for activity in activities if activity)
    return [name for name in found if not any(part in name.lower() for part in _EVERYWHERE)]


_EVERYWHERE = ("launcher", "systemui", "inputmethod", "packageinstaller", "permissioncontroller")
