"""Ten thousand runs of a corpus made to be like real ones: every engine decides the same, counting included; and what
holds of a decision whatever the data."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings

from curate.stages.copies.search.keep_first import keep_first
from curate.stages.copies.search.minhash import keep_first_minhash
from curate.stages.copies.shingle_sets import shingle_sets
from curate.stages.copies.types import Problem
from tests.stages.copies.problems import problems, without_numba

HALF = Fraction(1, 2)


def alone(sets, order=None):
    """Similarity alone decides, and one witness is enough."""
    order = np.arange(sets.count) if order is None else order
    return Problem(sets, order, HALF, None, None, None, 0, np.ones(sets.count, np.int32))


@pytest.fixture(scope="module", params=["plain", "hard"])
def sets(request, shared):
    spec = importlib.util.spec_from_file_location("bench_corpus", shared / "bench" / "corpus.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up
    spec.loader.exec_module(module)
    lists = module.to_table(module.generate(10_000, hard=request.param == "hard"))["actions"].combine_chunks()
    flat, bounds = lists.flatten(), lists.offsets.to_numpy()
    stays = ~pc.is_in(flat, pa.array(module.IGNORED)).to_numpy(zero_copy_only=False)
    ends = np.concatenate([[0], np.cumsum(stays)])[bounds].astype(np.int32)
    return shingle_sets(pa.ListArray.from_arrays(pa.array(ends), flat.filter(pa.array(stays))), 2)


def first_by_counting(sets):
    """The first kept run that is similar, by counting for each run what it shares with every kept one."""
    members, size = sets.members.tolist(), np.diff(sets.offsets)
    standing: dict[int, list[int]] = {}
    witness = np.full(sets.count, -1)
    for run in range(sets.count):
        row = members[sets.offsets[run] : sets.offsets[run + 1]]
        lists = [standing[member] for member in row if member in standing]
        others, shared = np.unique(np.concatenate(lists), return_counts=True) if lists else (np.zeros(0, int),) * 2
        alike = others[3 * shared >= size[run] + size[others]]
        if len(alike):
            witness[run] = alike[0]
            continue
        for member in row:
            standing.setdefault(member, []).append(run)
    return witness


def test_every_engine_decides_as_counting_does(sets):
    witness = first_by_counting(sets)
    assert 1_000 < (witness >= 0).sum() < 5_000
    found = keep_first(alone(sets))
    assert found.witness[found.dropped].tolist() == witness[witness >= 0].tolist()
    assert (found.dropped == (witness >= 0)).all()
    with pytest.MonkeyPatch.context() as patch:
        without_numba(patch)
        assert all(map(np.array_equal, keep_first(alone(sets)), found))


def test_bands_miss_no_more_than_was_asked(sets):
    exact, found = keep_first(alone(sets)).dropped, keep_first_minhash(alone(sets), 0.99).dropped
    assert (exact & ~found).sum() <= 0.02 * exact.sum()
    assert (found & ~exact).sum() <= 0.02 * exact.sum()  # what a missed one took with it


def test_what_stays_has_no_copies_left(sets):
    kept = np.flatnonzero(~keep_first(alone(sets)).dropped)
    assert not keep_first(alone(sets, kept)).dropped.any()


@settings(max_examples=100)
@given(problems())
def test_the_runs_that_stay_put_none_of_themselves_out(problem):
    """Decided again among the kept alone, nothing is out; and every witness is a run that stays."""
    first = keep_first(problem)
    kept = problem.order[~first.dropped[problem.order]]
    assert not keep_first(problem._replace(order=kept)).dropped[kept].any()
    assert all(not first.dropped[run] for run in first.witness[problem.order] if run >= 0)
