"""Packs of test tasks, and what data gives away of them, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curate.engine.packs import Exposed, PackInfo

_WIDEST = 60  # characters of an instruction or evidence in a line


def pack_lines(packs: Sequence[PackInfo]) -> Iterator[str]:
    """A line a pack, under a head."""
    width = max([len(pack.name) for pack in packs], default=4)
    head = f"{'pack':<{width}}  {'version':<12}  {'tasks':>7}  {'wordings':>8}"
    yield f"{head}  {'ids only':>8}  {'apps':>5}  {'sites':>5}"
    for pack in packs:
        yield (
            f"{pack.name:<{width}}  {pack.version:<12}  {pack.tasks:>7,}  {pack.wordings:>8,}  {pack.ids:>8,}  "
            f"{pack.apps:>5,}  {pack.sites:>5,}"
        )


def count_lines(counts: dict[str, dict[str, int]]) -> Iterator[str]:
    """A line a pack with how many of its tasks are seen, similar and unseen."""
    width = max([len(name) for name in counts], default=4)
    yield f"{'pack':<{width}}  {'seen':>7}  {'similar':>7}  {'unseen':>7}"
    for name, of in counts.items():
        yield f"{name:<{width}}  {of['seen']:>7,}  {of['similar']:>7,}  {of['unseen']:>7,}"


def task_lines(tasks: Sequence[Exposed], most: int) -> Iterator[str]:
    """The tasks that are given away, the seen ones first, at most so many, each with its witness."""
    found = [task for state in ("seen", "similar") for task in tasks if task.state == state]
    for task in found[:most]:
        more = f" (and {task.records - 1:,} more)" if task.records > 1 else ""
        yield f"{task.state:<7}  {task.test}  {_short(task.instruction)}"
        yield f"         by {task.record}{more}: {_short(_evidence(task), 2 * _WIDEST)}"
    if len(found) > most:
        yield f"... and {len(found) - most:,} more; --json has all."


def _evidence(task: Exposed) -> str:
    """What is evidence, without the test task, which stands in the line above."""
    said = task.evidence or ""
    for again in (f", which is test task {task.test}", f" with test task {task.test}", f"test task {task.test}: "):
        said = said.replace(again, "")
    return "asks for the same" if said == task.instruction else said


def _short(text: str, most: int = _WIDEST) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
