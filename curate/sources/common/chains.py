"""Rows that each tell what was done before them, put together as runs: a row goes on with the run whose actions it
tells. Several runs of one task come apart, a row that is missing leaves a gap, and a copy of a row stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")


class Told(msgspec.Struct, Generic[T]):
    """A row: the actions done before it, in short (`None`: it does not say which), its own action in the same words,
    and the row itself. `place`: how many actions came before it."""

    place: int
    before: Sequence[str] | None
    own: str
    row: T


def chains(rows: Iterable[Told[T]]) -> list[list[Told[T]]]:
    """The runs, in order of their first rows. `rows` come by place, those of one place as they stood."""
    runs: list[list[Told[T]]] = []
    for row in rows:
        fitting = [run for run in runs if _goes_on(run, row)]
        if fitting:
            max(fitting, key=len).append(row)  # the first of the longest
        else:
            runs.append([row])
    return runs


def _goes_on(run: Sequence[Told[T]], row: Told[T]) -> bool:
    if run[-1].place >= row.place:
        return False
    return row.before is None or all(row.before[done.place] == done.own for done in run)
