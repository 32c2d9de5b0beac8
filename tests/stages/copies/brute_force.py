"""What `keep_first` decides, run against run as it is defined: nothing of the engines is used but the shapes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from curate.stages.copies.types import Decided, Problem, Sets


def as_sets(sets: Sets | None, count: int) -> list[frozenset[int]] | None:
    """Each row as a Python set."""
    if sets is None:
        return None
    members = sets.members.tolist()
    return [frozenset(members[sets.offsets[i] : sets.offsets[i + 1]]) for i in range(count)]


def similar(one: frozenset[int], other: frozenset[int], threshold: Fraction, short: int) -> int:
    """How many members two sets share if they are similar, else 0."""
    shared = len(one & other)
    if min(len(one), len(other)) < short and one != other:
        return 0
    return shared if shared and Fraction(shared, len(one | other)) >= threshold else 0


def keep_first_brute(problem: Problem) -> Decided:
    """Every run against every one kept before it: the time grows with the square of the runs."""
    n = problem.sets.count
    sets, scopes = as_sets(problem.sets, n) or [], as_sets(problem.scopes, n)
    evidence, needs = as_sets(problem.evidence, n), as_sets(problem.needs, n)
    witness, shared, dropped = np.full(n, -1, np.int64), np.zeros(n, np.int32), np.zeros(n, np.bool_)
    kept: list[int] = []
    for run in problem.order.tolist():
        count = 0
        for other in kept:
            if not _meet(scopes, run, other) or not _meet(evidence, run, other):
                continue
            if needs is not None and not needs[run] <= needs[other]:
                continue
            found = similar(sets[run], sets[other], problem.threshold, problem.short)
            if found:
                count += 1
                if count == 1:
                    witness[run], shared[run] = other, found
        dropped[run] = 0 < problem.cap[run] <= count
        if not dropped[run]:
            kept.append(run)
    return Decided(witness, shared, dropped)


def _meet(keys: Sequence[frozenset[int]] | None, one: int, other: int) -> bool:
    return keys is None or not keys[one].isdisjoint(keys[other])
