"""Stretches of numbers, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def in_ranges(first: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """The `count[i]` numbers from `first[i]` on, one stretch after another."""
    upto = np.cumsum(count)
    if not len(upto):
        return np.zeros(0, np.int64)
    return np.repeat(first - (upto - count), count) + np.arange(upto[-1])


def ranges(first: NDArray[np.int64], count: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same: whose each number is, and it."""
    return np.repeat(np.arange(len(count), dtype=np.int64), count), in_ranges(first, count)
