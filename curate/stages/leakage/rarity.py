"""Which shared phrases are rare in the data itself. A phrase that many of the data's own tasks have (`open settings
app`) says how the data asks, not what the test asks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.model.constants import LEAK_RARE_SHARE, LEAK_RARE_TASKS
from curate.stages.arrays import flags, numbers, one_array, take

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls


def rare_phrases(measures: pa.Table) -> frozenset[str]:
    """The phrases in at most LEAK_RARE_SHARE of the data's distinct tasks, or in at most LEAK_RARE_TASKS of them.
    `measures`: the columns `phrases` and `tasks` of all runs. A task counts once, however many runs there are of it,
    so that a test task that was recorded a hundred times is no less of a leak. Memory: the distinct tasks."""
    phrases = one_array(measures["phrases"])
    runs = np.flatnonzero(flags(pc.is_valid(phrases)))
    if not len(runs):
        return frozenset()
    task = _first_forms(one_array(measures["tasks"])).dictionary_encode()
    having = take(phrases, runs)
    coded = pc.list_flatten(having).dictionary_encode()
    of = numbers(pc.fill_null(take(task.indices, runs[numbers(pc.list_parent_indices(having))]), -1))
    pairs = np.unique(numbers(coded.indices) * (len(task.dictionary) + 1) + of + 1)
    often = np.bincount(pairs // (len(task.dictionary) + 1), minlength=len(coded.dictionary))
    rare = often <= rare_limit(len(task.dictionary))
    return frozenset(take(coded.dictionary, np.flatnonzero(rare)).to_pylist())


def rare_limit(tasks: int) -> float:
    """In how many of so many distinct tasks a phrase may be and still be rare."""
    return max(float(LEAK_RARE_TASKS), LEAK_RARE_SHARE * tasks)


def _first_forms(lists: Any) -> Any:
    """The first string of each list; null for an empty one."""
    starts = numbers(lists.offsets)
    some = np.diff(starts) > 0
    return lists.values.take(pa.array(np.where(some, starts[:-1], 0), mask=~some))
