"""Jaccard similarity at a threshold p/q, in whole numbers: what two sets of known sizes must share. The tables are
made with Python's integers, so that any threshold is exact, and end at the largest set."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.model.errors import CurateError

DENOMINATOR = 10**9
"""The most a threshold's denominator may be: finer than any similarity of two sets of under 10,000 members."""


class Needed(NamedTuple):
    """`shared[a + b]`: how many members sets of a and b members share at least, where they are similar. `partner[a]`:
    the size of the smallest set that one of a members can be similar to; both in 32 bits."""

    shared: NDArray[np.int32]
    partner: NDArray[np.int32]


def as_fraction(threshold: float) -> Fraction:
    """The threshold as it is written: 0.1 is one tenth, not the nearest binary number, and sixteen threes are a third.
    Its denominator fits into 32 bits, so that products with the sizes of sets fit into 64."""
    return Fraction(str(threshold)).limit_denominator(DENOMINATOR)


def similarity(shared: int, a: int, b: int) -> float:
    return shared / (a + b - shared)


def needed(threshold: Fraction, largest: int) -> Needed:
    """What sets of up to `largest` members need for the threshold, above 0 and at most 1: shared / (a + b - shared) >=
    p / q, so at one half 3 * shared >= a + b, and never less than one."""
    if not 0 < threshold <= 1:
        raise CurateError(f"a similarity of {threshold} is no threshold: it is above 0 and at most 1")
    p, q = threshold.numerator, threshold.denominator
    shared = [max(1, -(-p * total // (p + q))) for total in range(2 * largest + 1)]
    partner = [max(1, -(-p * size // q)) for size in range(largest + 1)]
    return Needed(np.array(shared, np.int32), np.array(partner, np.int32))
