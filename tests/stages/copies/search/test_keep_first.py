"""Which runs stay: every engine against comparing every run with every one kept before it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from curate.stages.copies.search import keep_first as engine
from curate.stages.copies.search import keep_first_numpy
from curate.stages.copies.search.keep_first import keep_first
from tests.stages.copies.brute_force import keep_first_brute
from tests.stages.copies.problems import problems, without_numba


def assert_same(one, other):
    assert one.dropped.tolist() == other.dropped.tolist()
    assert one.witness.tolist() == other.witness.tolist()
    assert one.shared.tolist() == other.shared.tolist()


@settings(max_examples=300)
@given(problems())
def test_the_compiled_engine_decides_as_brute_force_does(problem):
    pytest.importorskip("numba")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "BLOCK", 4)
        assert_same(keep_first(problem), keep_first_brute(problem))


@settings(max_examples=300)
@given(problems())
def test_without_a_compiler_the_answer_is_the_same(problem):
    with pytest.MonkeyPatch.context() as patch:
        without_numba(patch)
        patch.setattr(keep_first_numpy, "BLOCK", 4)
        assert_same(keep_first(problem), keep_first_brute(problem))
