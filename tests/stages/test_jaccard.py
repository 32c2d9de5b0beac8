"""All pairs at a threshold: the fast ways against comparing every pair."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.jaccard import as_fraction, at_least, pairs_brute, pairs_exact, pairs_minhash

THRESHOLDS = st.sampled_from([0.1, 1 / 3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0]) | st.floats(0.01, 1.0)
SETS = st.lists(st.frozensets(st.integers(0, 12).map(lambda i: (f"t{i}",)), max_size=8), max_size=25)
SCOPES = st.lists(st.frozensets(st.sampled_from(["a", "b", "c"]), min_size=1), min_size=25, max_size=25)


def test_the_threshold_is_inclusive_and_exact():
    half = Fraction(1, 2)
    assert at_least(4, 6, 6, half)  # 4 of 8: exactly one half
    assert not at_least(3, 5, 5, half)  # 3 of 7
    assert not at_least(0, 0, 0, half)  # two empty sets are not known to be similar
    for shared in range(1, 40):
        for size in range(shared, 60):
            assert at_least(shared, size, size, half) == (3 * shared >= 2 * size)
    assert as_fraction(0.1) == Fraction(1, 10)
    assert at_least(1, 5, 6, as_fraction(0.1))  # 1 of 10 is one tenth, which binary 0.1 is not


@settings(max_examples=300, deadline=None)
@given(SETS, SCOPES, THRESHOLDS)
def test_the_prefix_filter_finds_what_brute_force_finds(sets, scopes, threshold):
    scopes = scopes[: len(sets)]
    limit = as_fraction(threshold)
    assert pairs_exact(sets, scopes, limit) == pairs_brute(sets, scopes, limit)


@settings(max_examples=25, deadline=None)
@given(SETS, SCOPES)
def test_minhash_never_invents_a_pair_and_finds_those_at_one_half(sets, scopes):
    scopes = scopes[: len(sets)]
    assert pairs_minhash(sets, scopes, Fraction(1, 2)) == pairs_brute(sets, scopes, Fraction(1, 2))
