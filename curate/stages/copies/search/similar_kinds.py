"""All similar runs, whether one of them is out or not: what clusters and lists of partners are made from. Runs with
the same shingles in the same places are one kind, and pairs of kinds come in parts, so that memory does not hang on how
many pairs there are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.search.block_join import Alike
from curate.stages.copies.search.compiled_join import make_join
from curate.stages.copies.search.kinds import Kinds, kinds
from curate.stages.copies.search.prefix_index import build_index
from curate.stages.copies.types import Problem, Sets
from curate.stages.ranges import ranges

I64 = NDArray[np.int64]
_BLOCK = 4096  # kinds that are compared with all others at a time


class SimilarKinds:
    """The kinds of some runs, and which of them are similar. `scopes`: runs are compared only if they share one of
    these keys (None: all are)."""

    def __init__(self, sets: Sets, scopes: Sets | None, threshold: Fraction) -> None:
        count = sets.count
        cap = np.ones(count, np.int32)
        problem = Problem(sets, np.arange(count), threshold, scopes, None, None, 0, cap)
        self.kinds: Kinds = kinds(problem)
        able = self.kinds.size > 0
        if scopes is not None:
            able &= np.diff(scopes.offsets)[self.kinds.run] > 0
        self._able = np.flatnonzero(able)
        index = build_index(sets.members, self.kinds, scopes, 0)
        self._join = make_join(sets.members, self.kinds, index, 0)
        self._join.add(self._able)

    def parts(self) -> Iterator[Alike]:
        """Pairs of different kinds, each both ways round; a part holds all partners of the kinds `one` in it."""
        for begin in range(0, len(self._able), _BLOCK):
            for found in self._join.similar(self._able[begin : begin + _BLOCK]):
                apart = found.one != found.other
                yield Alike(found.one[apart], found.other[apart], found.shared[apart])


class Clusters:
    """Connected groups of numbers from 0, named by their smallest."""

    def __init__(self, count: int) -> None:
        self.name = np.arange(count)

    def join(self, one: I64, other: I64) -> None:
        """The groups of these pairs are one from here on."""
        while len(one):
            a, b = self.name[one], self.name[other]
            apart = a != b
            one, other, a, b = one[apart], other[apart], a[apart], b[apart]
            np.minimum.at(self.name, np.maximum(a, b), np.minimum(a, b))
            while not np.array_equal(self.name, above := self.name[self.name]):
                self.name = above


class Listed(NamedTuple):
    """Partners of runs: of `run` the run `other`, which shares so many members with it."""

    run: I64
    other: I64
    shared: I64


class Partners:
    """Collects for each kind its most similar partners (at most `limit`), and counts all; then lists them by run.
    `name`: by run its rank among all, which decides between equals."""

    def __init__(self, found: Kinds, name: I64, limit: int) -> None:
        self._of, self._sizes, self._name, self._limit = found.of.astype(np.int64), found.size, name, limit
        self._runs = np.lexsort((name, self._of))
        self._members = np.bincount(self._of, minlength=len(found.size))
        self._starts = np.cumsum(self._members) - self._members
        self._total = self._members - 1
        self._kept: list[Alike] = []

    def add(self, part: Alike) -> None:
        """A part that holds all partners of the kinds `one` in it."""
        np.add.at(self._total, part.one, self._members[part.other])
        first = self._name[self._runs[self._starts[part.other]]]
        order = np.lexsort((first, -self._likeness(part), part.one))
        order = order[_rank(part.one[order]) < self._limit]
        self._kept.append(Alike(*(column[order] for column in part)))

    def _likeness(self, part: Alike) -> NDArray[np.float64]:
        both = self._sizes[part.one].astype(np.int64) + self._sizes[part.other]
        alike: NDArray[np.float64] = part.shared / (both - part.shared)
        return alike

    def listed(self) -> tuple[Listed, I64]:
        """By run its partners, the most similar first, and how many are not listed."""
        kind, other, shared = self._of_kinds()
        begin = np.searchsorted(kind, np.arange(len(self._sizes)))
        run, at = ranges(begin[self._of], np.diff(np.append(begin, len(kind)))[self._of])
        apart = other[at] != run
        run, at = run[apart], at[apart]
        few = _rank(run) < self._limit
        found = Listed(run[few], other[at[few]], shared[at[few]])
        silent = (self._sizes == 0)[self._of]
        more = np.where(silent, 0, self._total[self._of] - np.bincount(found.run, minlength=len(self._of)))
        return found, more

    def _of_kinds(self) -> tuple[I64, I64, I64]:
        """By kind the runs that are most similar to its runs, one more than is listed: a run is none of its own."""
        nothing = np.zeros(0, np.int64)
        pairs = Alike(*map(np.concatenate, zip(Alike(nothing, nothing, nothing), *self._kept, strict=True)))
        own = np.flatnonzero(self._sizes > 0)
        whose = Alike(
            np.concatenate([own, pairs.one]),
            np.concatenate([own, pairs.other]),
            np.concatenate([self._sizes[own].astype(np.int64), pairs.shared]),
        )
        strange = np.repeat([0, 1], [len(own), len(pairs.one)])
        pair, at = ranges(self._starts[whose.other], np.minimum(self._members[whose.other], self._limit + 1))
        runs = self._runs[at]
        first = self._name[self._runs[self._starts[whose.other]]][pair]
        order = np.lexsort((self._name[runs], first, -self._likeness(whose)[pair], strange[pair], whose.one[pair]))
        order = order[_rank(whose.one[pair][order]) <= self._limit]
        return whose.one[pair][order], runs[order], whose.shared[pair][order]


def _rank(keys: I64) -> I64:
    """By row, how many rows before it have its key; equal keys stand together."""
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, np.int64)
    return np.arange(len(keys)) - np.repeat(begins, np.diff(np.append(begins, len(keys))))
