"""Random problems for the engines that decide near-copies: small sets over few members, so that much is similar."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from curate.stages.copies.thresholds import DENOMINATOR
from curate.stages.copies.types import Problem, Sets

THRESHOLDS = st.sampled_from(
    [Fraction(1, 2), Fraction(1, 3), Fraction(2, 5), Fraction(3, 4), Fraction(9, 10), Fraction(1, 10), Fraction(1)]
) | st.fractions(Fraction(1, 100), 1, max_denominator=DENOMINATOR)


def to_sets(rows) -> Sets:
    """Sets of whole numbers in compressed rows."""
    ends = np.zeros(len(rows) + 1, np.int64)
    ends[1:] = np.cumsum([len(row) for row in rows])
    return Sets(np.array([m for row in rows for m in sorted(row)], np.int32), ends)


def keys(draw, count, highest=3):
    few = st.frozensets(st.integers(0, highest), max_size=2)
    return to_sets(draw(st.lists(few, min_size=count, max_size=count)))


@st.composite
def problems(draw, most=30, plain=False):
    """A problem of up to `most` runs; `plain`: similarity alone decides, and one witness is enough."""
    count = draw(st.integers(0, most))
    size = draw(st.sampled_from([4, 8, 14]))
    sets = to_sets(draw(st.lists(st.frozensets(st.integers(0, size), max_size=8), min_size=count, max_size=count)))
    order = np.array(draw(st.permutations(range(count))), np.int64)
    if not plain and draw(st.booleans()):
        order = order[: count // 2]  # the rest was put out before
    threshold = draw(THRESHOLDS)
    if plain:
        return Problem(sets, order, threshold, None, None, None, 0, np.ones(count, np.int32))
    scopes, evidence, needs = (keys(draw, count) if draw(st.booleans()) else None for _ in range(3))
    cap = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    return Problem(sets, order, threshold, scopes, evidence, needs, draw(st.integers(0, 5)), np.array(cap, np.int32))


def without_numba(patch):
    """As on a machine that has no compiler: every module that asks is told no."""
    for name in ("keep_first", "prefix_index", "equal_rows", "minhash", "compiled_join"):
        patch.setattr(f"curate.stages.copies.search.{name}.pays_compiled", lambda runs: False)
    patch.setattr("curate.stages.copies.shingle_sets.pays_compiled", lambda runs: False)
