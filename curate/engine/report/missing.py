"""What is missing from the examples of a run, read back from rejected.jsonl and steps_left_out.jsonl: by position in
the folder which records gave none, which steps are no target, and how many of each reason there are.

Memory: 17 bytes a record, and 8 for each step left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.report.reasons import Reasons
from curate.model.rejected import Rejected
from curate.stages.tables import places
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know no nulls
Row = TypeVar("Row")

NEVER_READ = "read."
"""Reasons that begin so belong to lines that never became a record (a duplicate's id is another record's id)."""
_STEPS = 1 << 31  # more than any run has
_BLOCK = 65536  # rows that are objects at a time


class Lookup:
    """Positions of ids, by their hashes in order: an eighth of what a dictionary takes. Hashes only propose."""

    def __init__(self, ids: Any) -> None:
        self._ids = ids
        hashes = pl.Series(ids).hash().to_numpy()
        self._order = np.argsort(hashes, kind="stable").astype(np.int32)
        self._sorted = hashes[self._order]

    def of(self, ids: Any) -> NDArray[np.int64]:
        """Where each of these stands; -1 for one that is not there."""
        asked = pa.array(ids, pa.string()) if isinstance(ids, list) else pa.chunked_array(ids).combine_chunks()
        if not len(asked) or not len(self._ids):
            return np.full(len(asked), -1, np.int64)
        hashes = pl.Series(asked).hash().to_numpy()
        at = np.minimum(np.searchsorted(self._sorted, hashes), len(self._sorted) - 1)
        found = self._order[at].astype(np.int64)
        same = np.asarray(pc.equal(self._ids.take(places(found)), asked))
        if (self._sorted[at][~same] == hashes[~same]).any():  # two ids of one hash
            return pc.fill_null(pc.index_in(asked, value_set=self._ids), -1).to_numpy().astype(np.int64)  # type: ignore[no-any-return]
        return np.where(same, found, -1)


class Missing(NamedTuple):
    """By position whether a record gave an example (`trained`); the steps that are no target, as `position * 2^31 +
    index` in order; both counted by reason."""

    lookup: Lookup
    trained: NDArray[np.bool_]
    left_out: NDArray[np.int64]
    runs: Reasons
    steps: Reasons


def targets(
    run: NDArray[np.int64], index: NDArray[np.int64], trained: NDArray[np.bool_], left_out: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each step (of a run, with an index) is one to learn from."""
    keys = run * _STEPS + index
    found: NDArray[np.bool_] = trained[run]
    if len(left_out):
        found = found & (left_out[np.minimum(np.searchsorted(left_out, keys), len(left_out) - 1)] != keys)
    return found


def read_missing(run: RunFolder, ids: Any) -> Missing:
    """`ids`: of all records of the folder, in order. Raises InputError."""
    lookup, trained = Lookup(ids), np.ones(len(ids), bool)
    runs, steps = Reasons(), Reasons()
    for rejected in _blocks(run.read_rejected() if run.rejected.is_file() else ()):
        runs.add_rows(rejected, lambda row: row.id or _place(row))
        known = [row.id for row in rejected if row.id is not None and not row.reason.startswith(NEVER_READ)]
        at = lookup.of(known)
        trained[at[at >= 0]] = False
    keys = [np.zeros(0, np.int64)]
    for left in _blocks(run.read_steps_left_out() if run.steps_left_out.is_file() else ()):
        steps.add_rows(left, lambda row: f"{row.id} step {row.step}")
        at = lookup.of([step.id for step in left])
        keys.append((at * _STEPS + np.array([step.step for step in left], np.int64))[at >= 0])
    return Missing(lookup, trained, np.sort(np.concatenate(keys)), runs, steps)


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rest = iter(rows)
    while block := list(islice(rest, _BLOCK)):
        yield block


def _place(row: Rejected) -> str:
    return f"{row.file or '?'}:{row.line}" if row.line else row.file or "?"
