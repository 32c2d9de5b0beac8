"""The certificate finds what a decision left over, and nothing where it left nothing."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages.copies.certificate import left_over
from curate.stages.copies.keys import of_rows
from tests.stages.copies.brute_force import keep_first_brute
from tests.stages.copies.problems import problems


@settings(max_examples=150, deadline=None)
@given(problems())
def test_a_decision_as_it_is_defined_leaves_nothing_over(problem):
    found = left_over(problem, ~keep_first_brute(problem).dropped)
    assert len(found.runs) == 0


@settings(max_examples=150, deadline=None)
@given(problems(), st.randoms())
def test_anything_else_that_was_kept_is_found(problem, random):
    """Of any runs at all that are said to be kept, some are left over iff the decision on them alone puts some out."""
    kept = np.array([random.random() < 0.7 for _ in range(problem.sets.count)], bool)
    rows = np.flatnonzero(kept)
    wanted = keep_first_brute(of_rows(problem, rows))
    found = left_over(problem, kept)
    assert found.runs.tolist() == rows[wanted.dropped].tolist()
    assert found.witnesses.tolist() == rows[wanted.witness[wanted.dropped]].tolist()
