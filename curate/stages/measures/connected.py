"""Connected groups of many runs: those that share a key, directly or over others. Arrays by position, a row a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def connected(count: int, keys: Sequence[Numbers]) -> Numbers:
    """By run, the smallest position of a run in its group. `keys`: columns of keys as numbers from 0, -1 for none; runs
    with the same number in the same column are joined. Each round at least halves the way to a group's smallest."""
    smallest = np.arange(count)
    sharing = [(np.flatnonzero(column >= 0), column[column >= 0]) for column in keys]
    while True:
        before = smallest.copy()
        for runs, key in sharing:
            least = np.full(int(key.max(initial=-1)) + 1, count)
            np.minimum.at(least, key, smallest[runs])
            np.minimum.at(smallest, before[runs], least[key])  # whoever stood for the run follows
            smallest[runs] = np.minimum(smallest[runs], least[key])
            smallest = smallest[smallest]
        if np.array_equal(before, smallest):
            return smallest
