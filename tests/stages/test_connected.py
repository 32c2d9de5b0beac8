"""Connected groups are those of a walk from run to run."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curate.stages.measures.connected import connected

COLUMNS = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.integers(-1, 5), min_size=n, max_size=n), min_size=1, max_size=3)
)


@given(COLUMNS)
def test_groups_are_what_a_walk_reaches(columns):
    count = len(columns[0])
    found = connected(count, [np.array(column, np.int64) for column in columns])
    for run in range(count):
        reached, ahead = {run}, [run]
        while ahead:
            here = ahead.pop()
            for column in columns:
                more = {r for r in range(count) if column[here] >= 0 and column[r] == column[here]} - reached
                reached |= more
                ahead += more
        assert found[run] == min(reached)


def test_a_long_chain_is_one_group():
    """Runs 2i and 2i+1 share a task, 2i+1 and 2i+2 are copies; named backwards, the worst for spreading names."""
    count = 200_001
    steps = np.arange(count)
    chain = np.random.default_rng(1).permutation(count)
    one, other = np.empty(count, np.int64), np.empty(count, np.int64)
    one[chain], other[chain] = steps // 2, (steps + 1) // 2
    assert not connected(count, [one, other]).any()
    assert not connected(count, [(steps[::-1]) // 2, (steps[::-1] + 1) // 2]).any()
