"""In which order runs are judged: the first of some copies is the one that stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

pc: Any = pyarrow.compute  # its stubs know no nulls


def order_of(runs: pa.Table, order: str) -> NDArray[np.int64]:
    """Positions of the runs, the first judged first. `input`: as they came. `best`: completed, then unknown, then
    failed; higher score, better keyframes, larger pictures (unknown last each time); then as they came. Mistakes do not
    count: a recovered one is worth having."""
    if order == "input":
        return np.arange(runs.num_rows)
    completed = runs["completed"].combine_chunks()
    failed = pc.if_else(completed, 0.0, 2.0)
    ended = pc.fill_null(failed, 1.0).to_numpy(zero_copy_only=False)
    graded = [-_known(runs[name]) for name in ("pixels", "keyframes", "score")]
    return np.lexsort((*graded, ended))  # the last key counts first; stable


def _known(column: Any) -> NDArray[np.float64]:
    """A column of numbers from 0, with -1 for unknown."""
    found: NDArray[np.float64] = pc.fill_null(column.cast(pa.float64()), -1.0).to_numpy().astype(np.float64)
    return found


def first_of_each(keys: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """By position, the run that comes first in the order among those with the same key (itself where the key is
    negative: unknown)."""
    first = np.arange(len(keys))
    known = order[keys[order] >= 0]
    _, at, back = np.unique(keys[known], return_index=True, return_inverse=True)
    first[known] = known[at][back]
    return first
