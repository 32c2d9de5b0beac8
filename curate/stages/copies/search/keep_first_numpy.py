"""Which runs stay, without a compiler (see `keep_first`): a block of runs at a time is joined with what was kept before
it and with itself; then the runs of the block are decided one after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.search.block_join import Alike, BlockJoin, common, rows
from curate.stages.copies.search.kinds import Kinds
from curate.stages.copies.search.prefix_index import Index
from curate.stages.copies.types import Decided, Problem, Sets

BLOCK = 4096  # runs; more compare more runs with ones that will be out, fewer pay numpy's calls more often

Partners = dict[int, list[tuple[int, int]]]


def decide(problem: Problem, found: Kinds, index: Index, compared: NDArray[np.bool_]) -> Decided:
    """Witness, shared and dropped of every run; `compared`: by kind, whether it can be similar to any."""
    state = _State(problem, found, BlockJoin(problem.sets.members, found, index, problem.short))
    able = problem.order[compared[found.of[problem.order]]]
    for begin in range(0, len(able), BLOCK):
        state.decide(able[begin : begin + BLOCK], begin)
    return Decided(state.witness, state.shared, state.dropped)


class _State:
    """What is decided so far. By kind: its first witness (`first`, -1 for none yet) and how much they share, and its
    kept runs: how many, and the turn of the first. By turn: the run."""

    def __init__(self, problem: Problem, found: Kinds, join: BlockJoin) -> None:
        self._problem, self._found, self._join = problem, found, join
        runs, kinds = problem.sets.count, len(found.size)
        self.witness = np.full(runs, -1, np.int64)
        self.shared = np.zeros(runs, np.int32)
        self.dropped = np.zeros(runs, np.bool_)
        self._first = np.full(kinds, -1, np.int64)
        self._first_shared = np.zeros(kinds, np.int32)
        self._kept = np.zeros(kinds, np.int32)
        self._kept_first = np.zeros(kinds, np.int64)
        self._run = np.empty(runs, np.int64)

    def decide(self, runs: NDArray[np.int64], turn: int) -> None:
        """Decide the next runs of the order, the first of which has this turn."""
        self._run[turn : turn + len(runs)] = runs
        kind, cap = self._found.of[runs].astype(np.int64), self._problem.cap[runs]
        unknown = self._first[kind] < 0
        may_stay = np.unique(kind[unknown | (cap != 1)])
        new = may_stay[self._kept[may_stay] == 0]
        self._join.add(new)
        partners = self._partners(np.unique(kind[unknown | (cap > 1)]))
        self._join.without(new)
        for own in range(len(runs)):
            self._decide_one(int(runs[own]), int(kind[own]), int(cap[own]), turn + own, partners)
        self._join.add(new[self._kept[new] > 0])

    def _partners(self, asked: NDArray[np.int64]) -> Partners:
        """By asked kind the kinds that are similar with evidence, and what they share."""
        partners: Partners = {}
        for alike in self._join.similar(asked):
            for one, other, shared in zip(*(column.tolist() for column in self._allowed(alike)), strict=True):
                if one != other:
                    partners.setdefault(one, []).append((other, shared))
        return partners

    def _allowed(self, alike: Alike) -> Alike:
        """Those that share a scope where the index goes by evidence, and whose needs are met."""
        problem, run = self._problem, self._found.run
        if problem.scopes is not None and problem.evidence is not None:
            alike = _where(alike, _shared(problem.scopes, run[alike.one], run[alike.other]) > 0)
        if problem.needs is not None:
            wanted = np.diff(problem.needs.offsets)[run[alike.one]]
            alike = _where(alike, _shared(problem.needs, run[alike.one], run[alike.other]) == wanted)
        return alike

    def _decide_one(self, run: int, c: int, limit: int, turn: int, partners: Partners) -> None:
        count = int(self._kept[c])
        if self._first[c] < 0 or limit > 1:
            near = [(self._kept_first[d], shared, d) for d, shared in partners.get(c, ()) if self._kept[d]]
            count += sum(int(self._kept[d]) for _, _, d in near)
            if near and self._first[c] < 0:
                self._first[c], self._first_shared[c], _ = min(near)
        if self._first[c] >= 0:
            self.witness[run] = self._run[self._first[c]]
            self.shared[run] = self._first_shared[c]
            self.dropped[run] = limit == 1 or 1 < limit <= count
        if self.dropped[run]:
            return
        self._kept[c] += 1
        if self._first[c] < 0:
            self._first[c], self._first_shared[c] = turn, self._found.size[c]
        if self._kept[c] == 1:
            self._kept_first[c] = turn


def _where(alike: Alike, which: NDArray[np.bool_]) -> Alike:
    return Alike(*(column[which] for column in alike))


def _shared(keys: Sets, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many keys each two runs share."""
    return common(rows(keys, one), rows(keys, other))
