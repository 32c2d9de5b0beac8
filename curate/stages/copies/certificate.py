"""The certificate of a decision: among the runs that it kept, nothing is left that it would put out. Checked by a
second implementation, the join in partitions that clusters use; nothing of `keep_first` is used but the shapes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.model.constants import CERTIFICATE_RUNS
from curate.stages.copies.keys import of_rows, taken
from curate.stages.copies.partitions.partition_join import Partition
from curate.stages.copies.partitions.partitioned import (
    PAIRS,
    Meetings,
    Rules,
    contents,
    first_kept,
    kinds,
    rows_of,
    rules_of,
)
from curate.stages.copies.types import Problem


class LeftOver(NamedTuple):
    """Positions of kept runs that the decision would put out, and of their witnesses; and how many pairs of kept runs
    were looked at."""

    runs: NDArray[np.int64]
    witnesses: NDArray[np.int64]
    looked_at: int


def left_over(problem: Problem, kept: NDArray[np.bool_]) -> LeftOver:
    """Decides on the kept runs alone, which is to put none out. Memory: some 300 bytes a run, one
    partition of CERTIFICATE_RUNS runs or so, and the pairs."""
    judged = np.zeros(problem.sets.count, bool)
    judged[problem.order] = True  # what the order leaves out was put out before
    rows = _that_meet(problem, np.flatnonzero(kept & judged))
    if not len(rows):
        return LeftOver(rows, rows, 0)
    alone = of_rows(problem, rows)
    rules, count = rules_of(alone), len(rows)
    table = rows_of(alone, 0, count)
    told = contents(table, rules)
    found, looked_at = _similar(table, rules, kinds(told) == np.arange(count))
    decided = first_kept(found, told, alone.order, alone.cap)
    out = np.flatnonzero(decided.dropped)
    return LeftOver(rows[out], rows[decided.witness[out]], looked_at)


def _similar(table: pa.Table, rules: Rules, stand_in: NDArray[np.bool_]) -> tuple[pa.Table, int]:
    """PAIRS of those rows that stand for their kind, a partition at a time, and how many were looked at."""
    partitions = -(-len(stand_in) // CERTIFICATE_RUNS)
    meetings = Meetings(table, rules, stand_in, partitions)
    found, looked_at = [PAIRS.empty_table()], 0
    for number in range(partitions):
        here = np.flatnonzero(meetings.partition == number)
        if len(here):
            partition = Partition(meetings.rows(here), rules)
            for a, b in partition.candidates():
                looked_at += len(a)
                found.append(partition.pairs(a, b))
    return pa.concat_tables(found), looked_at


def _that_meet(problem: Problem, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Those rows that share a key with another of them, where one must be shared; the others are similar to none."""
    for keys in (problem.evidence, problem.scopes):
        if keys is not None:
            sizes = np.diff(keys.offsets)[rows]
            members = taken(keys, rows).members
            shared = np.bincount(members)[members] > 1 if len(members) else np.zeros(0, bool)
            rows = rows[np.bincount(np.repeat(np.arange(len(rows)), sizes)[shared], minlength=len(rows)) > 0]
    return rows
