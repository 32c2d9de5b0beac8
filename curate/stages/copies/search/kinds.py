"""Runs that no rule of a problem tells apart are one kind: they have the same sets, scopes, evidence and needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.search.equal_rows import Groups, equal_sets, equal_together
from curate.stages.copies.thresholds import Needed, needed
from curate.stages.copies.types import Problem, Sets

NO_KEYS = Sets(np.zeros(0, np.int32), np.zeros(1, np.int64))


class Kinds(NamedTuple):
    """`of`: by run its kind. By kind: `run` (its first one), `same` (a number for its set), `start` (where its set
    begins in the members), `size`, and `keys` (what it must share with another to be compared; see `partition`)."""

    of: NDArray[np.int32]
    run: NDArray[np.int64]
    same: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    needed: Needed


def partition(problem: Problem) -> Sets | None:
    """The keys of which two runs must share one, whatever else: evidence, which fewer runs share, before scopes."""
    return problem.evidence if problem.evidence is not None else problem.scopes


def kinds(problem: Problem) -> Kinds:
    """All kinds of the problem. Sets of nothing are kinds too, and similar to none."""
    sets = problem.sets
    same = equal_sets(sets)
    more = [equal_sets(keys).group for keys in (problem.scopes, problem.evidence, problem.needs) if keys is not None]
    found = equal_together([same.group, *more]) if more else Groups(same.group, same.first)
    size = np.diff(sets.offsets)[found.first].astype(np.int32)
    need = needed(problem.threshold, int(size.max(initial=0)))
    return Kinds(found.group, found.first, same.group[found.first], sets.offsets[found.first], size, need)
