"""Signatures: what they say of two runs is what the runs' own shingles say."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from curate.stages.copies.keys import code_sets, codes, list_sets, sets_of, taken
from curate.stages.copies.projection import words_column
from curate.stages.copies.shingle_sets import shingle_sets
from curate.stages.copies.signatures import HASHES, mixed, ranked, shingle_hashes

LABELS = st.lists(st.lists(st.sampled_from("abcd"), max_size=7), max_size=6)


def members(sets) -> list[set[int]]:
    return [set(sets.members[a:b].tolist()) for a, b in zip(sets.offsets, sets.offsets[1:], strict=False)]


@given(LABELS, st.integers(1, 4), st.integers(1, 3))
def test_hashes_share_what_shingles_share(rows, n, chunk):
    exact = members(shingle_sets(words_column(rows), n))
    chunks = [words_column(rows[i : i + chunk]) for i in range(0, len(rows), chunk)] or [words_column([])]
    hashed = members(ranked(shingle_hashes(pa.chunked_array(chunks), n)))
    assert [len(one) for one in hashed] == [len(one) for one in exact]
    for i in range(len(rows)):
        for j in range(len(rows)):
            assert len(hashed[i] & hashed[j]) == len(exact[i] & exact[j])


@given(LABELS, st.integers(1, 3))
def test_a_run_has_the_same_hashes_whatever_it_lies_among(rows, n):
    together = shingle_hashes(words_column(rows), n)
    assert together.type == HASHES
    assert [shingle_hashes(words_column([row]), n).to_pylist()[0] for row in rows] == together.to_pylist()


@given(LABELS)
def test_ranks_are_rarest_first(rows):
    sets = ranked(shingle_hashes(words_column(rows), 1))
    counts = np.bincount(sets.members)
    assert all(counts[:-1] <= counts[1:])
    assert all((np.diff(sets.members[a:b]) > 0).all() for a, b in zip(sets.offsets, sets.offsets[1:], strict=False))


def test_mixing_keeps_numbers_apart():
    assert len(np.unique(mixed(np.arange(100_000, dtype=np.uint64)))) == 100_000


VALUES = st.lists(st.none() | st.sampled_from("xyz"), min_size=1, max_size=8)


@given(VALUES)
def test_codes_are_equal_where_values_are(values):
    found = codes(pa.chunked_array([pa.array(values, pa.string())]))
    assert all(
        (found[i] == found[j]) == (values[i] == values[j]) for i in range(len(values)) for j in range(len(values))
    )
    assert [code < 0 for code in found] == [value is None for value in values]


@given(
    st.lists(st.tuples(st.none() | st.sampled_from("xy"), st.none() | st.sampled_from("xy")), min_size=1, max_size=6)
)
def test_runs_share_a_key_where_they_share_a_value_of_one_column(rows):
    columns = [codes(pa.array([row[k] for row in rows], pa.string())) for k in (0, 1)]
    sets = members(code_sets(columns))
    for i, one in enumerate(rows):
        for j, other in enumerate(rows):
            same = any(one[k] is not None and one[k] == other[k] for k in (0, 1))
            assert bool(sets[i] & sets[j]) == same


@given(st.lists(st.none() | st.lists(st.sampled_from("xyz"), max_size=4), max_size=6), st.booleans())
def test_lists_become_sets(rows, nothing):
    sets = list_sets(pa.array(rows, pa.list_(pa.string())), nothing=nothing)
    wanted = [set(row or ()) or ({"nothing"} if nothing else set()) for row in rows]
    found = members(sets)
    assert [len(one) for one in found] == [len(one) for one in wanted]
    assert all(
        len(found[i] & found[j]) == len(wanted[i] & wanted[j]) for i in range(len(rows)) for j in range(len(rows))
    )


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=20), st.lists(st.integers(0, 4), max_size=6))
def test_sets_of_pairs_and_parts_of_them(pairs, rows):
    owners, found = (np.array([pair[k] for pair in pairs], np.int64) for k in (0, 1))
    sets = sets_of(owners, found, 5)
    assert members(sets) == [{m for o, m in pairs if o == k} for k in range(5)]
    assert members(taken(sets, np.array(rows, np.int64))) == [members(sets)[row] for row in rows]
