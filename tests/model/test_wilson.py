"""The Wilson interval, against its definition: the shares that a sample of this size does not reject."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from curate.model.wilson import Z95, wilson


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_its_ends_are_the_shares_just_not_rejected(counts: tuple[int, int]) -> None:
    yes, known = counts
    low, high = wilson(yes, known)
    assert 0 <= low <= yes / known <= high <= 1
    assert (low == 0) == (yes == 0) and (high == 1) == (yes == known)
    for end in (low, high):
        if 0 < end < 1:
            assert math.isclose(abs(yes / known - end) / math.sqrt(end * (1 - end) / known), Z95, rel_tol=1e-6)


def test_nothing_known_excludes_nothing() -> None:
    assert wilson(0, 0) == (0, 1)
