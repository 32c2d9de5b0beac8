"""Sets of shingles against Python's own sets of tuples, whatever the chunks, the types of the column and the engine."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.errors import CurateError
from curate.stages.copies.shingle_sets import shingle_sets, shingled, token_ids
from tests.stages.copies.problems import without_numba

TOKENS = st.sampled_from(["a", "b", "click Save", "click Save as", "", "é", "\x00", "press enter " * 3, "write 日本"])
RUNS = st.lists(st.none() | st.lists(TOKENS, max_size=9), max_size=14)
ENGINES = pytest.mark.parametrize("compiled", [True, False])


def expected(runs, n):
    """Each run's shingles, and the rank of every shingle: rarest first, of equals the one that stands first."""
    rows = []
    for tokens in runs:
        tokens = tokens or []
        width = min(n, len(tokens))
        rows.append([tuple(tokens[i : i + width]) for i in range(len(tokens) - width + 1)] if tokens else [])
    rows_of = Counter(shingle for row in rows for shingle in dict.fromkeys(row))
    ranked = sorted(dict.fromkeys(shingle for row in rows for shingle in row), key=lambda s: rows_of[s])
    rank = {shingle: i for i, shingle in enumerate(ranked)}
    return [sorted({rank[shingle] for shingle in row}) for row in rows], ranked


def as_lists(sets):
    return [sets.members[sets.offsets[i] : sets.offsets[i + 1]].tolist() for i in range(sets.count)]


def columns(runs, cut):
    """The same runs as one array, in chunks, as a slice of more, with wide offsets, and by dictionary."""
    plain = pa.array(runs, pa.list_(pa.string()))
    yield plain
    yield pa.chunked_array([plain.slice(0, cut), plain.slice(cut)], plain.type)
    yield pa.array([["x", "y"], *runs, ["a"]], pa.list_(pa.string())).slice(1, len(runs))
    yield plain.cast(pa.large_list(pa.large_string()))
    coded = pa.list_(pa.dictionary(pa.int32(), pa.string()))
    parts = [pa.array(part, coded) for part in (runs[:cut], runs[cut:])]
    yield pa.chunked_array(parts, coded)  # a dictionary of its own in each chunk


@ENGINES
@settings(max_examples=60)
@given(runs=RUNS, n=st.integers(1, 5), cut=st.integers(0, 14))
def test_sets_are_those_of_python(compiled, runs, n, cut):
    rows, ranked = expected(runs, n)
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            without_numba(patch)
        for column in columns(runs, min(cut, len(runs))):
            sets = shingle_sets(column, n)
            assert as_lists(sets) == rows
            assert sets.members.dtype == np.int32 and sets.offsets.dtype == np.int64
        stood = shingled(token_ids(pa.array(runs, pa.list_(pa.string()))), n).first
    stream = [token for tokens in runs for token in tokens or []]
    assert [tuple(stream[at : at + len(s)]) for at, s in zip(stood, ranked, strict=True)] == ranked


@ENGINES
def test_many_distinct_tokens_outgrow_every_table(compiled):
    """More tokens and shingles than the tables begin with, long and short ones."""
    draw = np.random.default_rng(1)
    words = [f"click {'x' * int(length)} {i}" for i, length in enumerate(draw.integers(0, 90, 9_000))]
    runs = [[words[i] for i in draw.integers(0, len(words), 7)] for _ in range(6_000)]
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            without_numba(patch)
        assert as_lists(shingle_sets(pa.array(runs), 2)) == expected(runs, 2)[0]


@ENGINES
def test_what_cannot_be_compared_is_said(compiled):
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            without_numba(patch)
        with pytest.raises(CurateError, match="null"):
            shingle_sets(pa.array([["a", None]]), 2)
        with pytest.raises(CurateError, match="1 or more"):
            shingle_sets(pa.array([["a"]]), 0)
        patch.setattr("curate.stages.copies.shingle_sets.MOST", 3)
        with pytest.raises(CurateError, match="2\\^31"):
            shingle_sets(pa.array([["a", "b", "c", "d", "e", "f"]] * 2), 2)
