"""MinHash against datasketch, and decisions among what its bands find."""

from __future__ import annotations

from fractions import Fraction

import datasketch
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.copies.search.keep_first import keep_first
from curate.stages.copies.search.minhash import hashes, keep_first_minhash, lsh_bands, minhashes
from tests.stages.copies.brute_force import keep_first_brute
from tests.stages.copies.problems import problems, to_sets, without_numba

ROWS = st.lists(st.frozensets(st.integers(0, 30), max_size=12), min_size=1, max_size=12)


@pytest.mark.parametrize("compiled", [True, False])
@settings(max_examples=30)
@given(rows=ROWS, count=st.integers(1, 150))
def test_signatures_are_datasketch_s_own(compiled, rows, count):
    words = [f"press {i}".encode() for i in range(31)]
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            without_numba(patch)
        found = minhashes(to_sets(rows), hashes(words), count)
    for row, signature in zip(rows, found, strict=True):
        theirs = datasketch.MinHash(num_perm=count, scheme="affine32")
        theirs.update_batch([words[member] for member in row])
        assert signature.tolist() == theirs.hashvalues.tolist()


def test_bands_are_chosen_for_the_recall_that_is_asked():
    """Pairs of equal size at the threshold, drawn at random: the share that some band holds is what was asked for."""
    draw = np.random.default_rng(5)
    size, shared, pairs = 9, 6, 600  # 6 of 12: one half
    rows = []
    for _ in range(pairs):
        members = draw.choice(1 << 20, 2 * size - shared, replace=False)
        rows += [members[:size], members[size - shared :]]
    known = np.unique(np.concatenate(rows))
    sets = to_sets([np.searchsorted(known, row) for row in rows])
    signatures = minhashes(sets, hashes(int(value).to_bytes(4, "little") for value in known))
    for recall in (0.5, 0.9, 0.98):
        bands, width = lsh_bands(recall, Fraction(1, 2), np.full(pairs, size, np.int32))
        assert bands * width <= 128
        cut = signatures[:, : bands * width].reshape(pairs, 2, bands, width)
        found = (cut[:, 0] == cut[:, 1]).all(-1).any(-1).mean()
        assert recall - 0.07 < found < recall + 0.12
    assert lsh_bands(0.999999, Fraction(1, 2), np.full(9, 9, np.int32)) == (49, 2)  # (1 - 1/4)^49 < 10^-6


@pytest.mark.parametrize("compiled", [True, False])
@settings(max_examples=120)
@given(problem=problems())
def test_where_bands_hold_every_pair_the_decisions_are_exact(compiled, problem):
    """At recall one there are 128 bands of one row: a pair with a similarity of 1/10 is missed once in a million."""
    problem = problem._replace(threshold=max(problem.threshold, Fraction(1, 5)))
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            without_numba(patch)
        found = keep_first_minhash(problem, 1.0)
    expected = keep_first_brute(problem)
    assert found.dropped.tolist() == expected.dropped.tolist()
    assert found.witness.tolist() == expected.witness.tolist()


@settings(max_examples=80)
@given(problems(plain=True), st.floats(0.1, 0.99))
def test_what_it_drops_has_a_kept_witness_that_is_similar(problem, recall):
    found = keep_first_minhash(problem, recall)
    for run in np.flatnonzero(found.dropped):
        witness = found.witness[run]
        assert not found.dropped[witness]
        pair = problem._replace(order=np.array([witness, run]))
        assert keep_first(pair).dropped[run]
