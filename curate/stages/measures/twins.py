"""What a split by run costs: test runs that have another run of their task in train."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence


def expected_twins(tasks: Sequence[object], test: int) -> float:
    """How many of `test` runs drawn at random have another run of their task in train. 48 runs of 24 tasks, twice
    each, and 10 drawn: 8.1. `tasks`: by run its task."""
    return twins_of_sizes(Counter(Counter(tasks).values()), test)


def twins_of_sizes(tasks: Mapping[int, int], test: int) -> float:
    """The same; `tasks`: by number of runs, how many tasks have so many."""
    runs = sum(size * count for size, count in tasks.items())
    total = 0.0
    for size, count in sorted(tasks.items()):
        # A run is drawn with probability test / runs; it has no twin in train if all its twins are drawn as well.
        alone = 1.0
        for drawn in range(size - 1):
            alone *= max(test - 1 - drawn, 0) / max(runs - 1 - drawn, 1)
            if not alone:
                break
        total += count * size * test / runs * (1 - alone)
    return total
