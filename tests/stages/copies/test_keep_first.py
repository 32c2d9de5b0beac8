"""Which runs stay: every engine against comparing every run with every one kept before it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from curate.stages.copies.brute_force import keep_first_brute
from curate.stages.copies.keep_first import keep_first
from tests.stages.copies.problems import problems


def same(one, other):
    assert one.dropped.tolist() == other.dropped.tolist()
    assert one.witness.tolist() == other.witness.tolist()
    assert one.shared.tolist() == other.shared.tolist()


@settings(max_examples=400)
@given(problems())
def test_the_compiled_engine_decides_as_brute_force_does(problem):
    same(keep_first(problem), keep_first_brute(problem))
