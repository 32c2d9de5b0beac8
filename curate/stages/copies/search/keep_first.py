"""Which runs stay: in a given order, a run is out if enough of the runs before it that stay are similar to it, with
evidence. Exact.

Two similar sets share one of their rarest members, so a run is compared with those kept runs that stand in the lists of
its own rarest ones (`prefix_index`). A list is cut by the sizes of its sets: only stretches whose sizes fit the
threshold, given how much of the set is left after the member at hand, are gone through; a signature of 64 bits rules
out nearly all that remains, and the rest are merged until the answer is sure. Runs that no rule tells apart (`kinds`)
are looked up once: the first witness of one is the first witness of all that come later."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.compiled import pays_compiled
from curate.stages.copies.search import keep_first_numpy
from curate.stages.copies.search.kinds import NO_KEYS, Kinds, kinds, partition
from curate.stages.copies.search.prefix_index import Index, build_index
from curate.stages.copies.types import Decided, Problem, Sets

BLOCK = (
    16384  # runs that are joined at a time: enough for a popular list to serve many, few enough to stay in the cache
)


def keep_first(problem: Problem) -> Decided:
    """Decides the problem (see `types.Problem`), the same with and without the extra [fast]. Runs that the order leaves
    out are neither kept nor out: nothing is compared with them."""
    found = kinds(problem)
    return decide(problem, found, build_index(problem.sets.members, found, partition(problem), problem.short))


def decide(problem: Problem, found: Kinds, index: Index) -> Decided:
    """The same for an index of these kinds, which says who is compared with whom."""
    count = problem.sets.count
    if len(problem.cap) != count or problem.order.min(initial=0) < 0 or problem.order.max(initial=-1) >= count:
        raise ValueError("the order names runs by their position, and the cap has a number for each")
    engine = _compiled if pays_compiled(count) else keep_first_numpy.decide
    return engine(problem, found, index, _compared(problem, found))


def _compared(problem: Problem, found: Kinds) -> NDArray[np.bool_]:
    """By kind, whether it can be similar to anything: it did something, and has a key where one must be shared."""
    able = found.size > 0
    for keys in (problem.scopes, problem.evidence):
        if keys is not None:
            able &= np.diff(keys.offsets)[found.run] > 0
    return able


def _compiled(problem: Problem, found: Kinds, index: Index, compared: NDArray[np.bool_]) -> Decided:
    from curate.stages.copies.kernels import keep_first as keep_first_kernels

    scopes = problem.scopes if problem.evidence is not None else None
    decided = keep_first_kernels.decide(
        BLOCK, problem.order, found.of, problem.cap, compared,
        problem.sets.members, found.start, found.size, found.same, found.run, *found.needed, problem.short,
        *index, *_checked(scopes), *_checked(problem.needs),
    )  # fmt: skip
    return Decided(*decided)


def _checked(keys: Sets | None) -> tuple[bool, NDArray[np.int32], NDArray[np.int64]]:
    return (False, *NO_KEYS) if keys is None else (True, *keys)
