"""Stretches of numbers, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def ranges(first: NDArray[np.int64], count: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For stretches of `count[i]` numbers from `first[i]` on, one after the other: whose each number is, and it."""
    whose = np.repeat(np.arange(len(count), dtype=np.int64), count)
    begin = np.cumsum(count) - count
    return whose, np.arange(len(whose), dtype=np.int64) + (first - begin)[whose]
