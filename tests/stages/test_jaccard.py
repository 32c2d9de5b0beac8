"""All pairs at a threshold: the fast ways against comparing every pair."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.measures.jaccard import Pair, as_fraction, at_least, pairs_exact, pairs_minhash
from curate.stages.measures.shingles import shingles

THRESHOLDS = st.sampled_from([0.1, 1 / 3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0]) | st.floats(0.01, 1.0)
SETS = st.lists(st.frozensets(st.integers(0, 12).map(lambda i: (f"t{i}",)), max_size=8), max_size=25)
SCOPES = st.lists(st.frozensets(st.sampled_from(["a", "b", "c"]), min_size=1), min_size=25, max_size=25)


def pairs_brute(sets, scopes, threshold):
    """Every pair compared: what the others have to equal."""
    found = []
    for b in range(len(sets)):
        for a in range(b):
            shared = len(sets[a] & sets[b])
            if scopes[a] & scopes[b] and at_least(shared, len(sets[a]), len(sets[b]), threshold):
                found.append(Pair(a, b, shared))
    return sorted(found)


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


def test_a_corpus_with_habits():
    """Some hundred runs that walk the same beaten paths: common members, many pairs, sizes from 1 to 20."""
    rng = np.random.default_rng(3)
    paths = [[f"b{n}" for n in rng.zipf(1.6, 25) % 40] for _ in range(12)]
    sets, scopes = [], []
    for _ in range(400):
        path = list(paths[rng.integers(len(paths))][: rng.integers(5, 22)])
        path[rng.integers(len(path))] = f"b{rng.integers(60)}"
        sets.append(shingles(path))
        scopes.append(frozenset({f"app{rng.integers(3)}"}))
    for threshold in (Fraction(3, 10), Fraction(1, 2), Fraction(3, 5)):
        found = pairs_brute(sets, scopes, threshold)
        assert len(found) > 50
        assert pairs_exact(sets, scopes, threshold) == found
    assert pairs_minhash(sets, scopes, Fraction(1, 2)) == pairs_brute(sets, scopes, Fraction(1, 2))


@settings(max_examples=25, deadline=None)
@given(SETS, SCOPES)
def test_minhash_never_invents_a_pair_and_finds_those_at_one_half(sets, scopes):
    scopes = scopes[: len(sets)]
    assert pairs_minhash(sets, scopes, Fraction(1, 2)) == pairs_brute(sets, scopes, Fraction(1, 2))
