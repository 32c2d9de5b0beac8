"""Step numbers with gaps, repeats and other beginnings."""

from __future__ import annotations

import pytest

from curate.sources.common.step_numbers import gaps, rising


@pytest.mark.parametrize(
    ("numbers", "first", "missing", "indices"),
    [
        ([0, 1, 2], 0, [False, False, False], [0, 1, 2]),
        ([2, 3, 4, 6, 7, 9, 10], None, [False, False, False, True, False, True, False], [2, 3, 4, 6, 7, 9, 10]),
        ([2, 3], 0, [True, False], [2, 3]),
        ([1, 1, 2], 1, [False, False, False], [0, 1, 2]),  # one answer was two actions
        ([3, 1], None, [False, False], [0, 1]),
        ([0, None, 2], None, [False, False, False], [0, 1, 2]),
        ([0, 1 << 40], None, [False, True], [0, 1]),
        ([-1, 0], None, [False, False], [0, 1]),
        ([], 0, [], []),
    ],
)
def test_gaps_and_indices(
    numbers: list[int | None], first: int | None, missing: list[bool], indices: list[int]
) -> None:
    assert gaps(numbers, first) == missing
    assert rising(numbers) == indices
