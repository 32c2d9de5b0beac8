"""Columns of words and digests as keys: whole numbers, equal for equal values (what `types.Problem` asks for)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.copies.types import Problem, Sets

pc: Any = pyarrow.compute  # its stubs know neither lists nor dictionaries
Column = Any
"""An Arrow array or chunked array."""

NONE = -1
"""The code of a null."""


def codes(column: Column) -> NDArray[np.int64]:
    """By row a number that is equal for equal values; NONE for null."""
    encoded = _whole(column).dictionary_encode()
    found: NDArray[np.int64] = pc.fill_null(encoded.indices, NONE).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def list_sets(column: Column, nothing: bool = False) -> Sets:
    """The sets of a column of lists. `nothing`: rows without any value share a key of their own (else they are
    empty)."""
    array = _whole(column)
    counts = pc.fill_null(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False).astype(np.int64)
    values = array.flatten()
    values = values if isinstance(values, pa.DictionaryArray) else values.dictionary_encode()
    owners = np.repeat(np.arange(len(counts)), counts)
    members = values.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    if nothing:
        empty = np.flatnonzero(counts == 0)
        owners = np.concatenate([owners, empty])
        members = np.concatenate([members, np.full(len(empty), len(values.dictionary))])
    return sets_of(owners, members, len(counts))


def code_sets(columns: Sequence[NDArray[np.int64]]) -> Sets:
    """A set for each row, of what it has in these columns of codes; codes of different columns are different keys."""
    count = len(columns[0])
    owners, members = [], []
    first = 0
    for column in columns:
        known = np.flatnonzero(column != NONE)
        owners.append(known)
        members.append(column[known] + first)
        first += int(column.max(initial=NONE)) + 1
    return sets_of(np.concatenate(owners), np.concatenate(members), count)


def sets_of(owners: NDArray[np.int64], members: NDArray[np.int64], count: int) -> Sets:
    """Sets from (owner, member) pairs in any order, repeats and all."""
    order = np.lexsort((members, owners))
    owners, members = owners[order], members[order]
    again = np.zeros(len(order), bool)
    again[1:] = (owners[1:] == owners[:-1]) & (members[1:] == members[:-1])
    owners, members = owners[~again], members[~again]
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(owners, minlength=count), out=offsets[1:])
    return Sets(members.astype(np.int32), offsets)


def taken(sets: Sets, rows: NDArray[np.int64]) -> Sets:
    """The sets of these rows, in their order."""
    sizes = np.diff(sets.offsets)[rows]
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    at = np.arange(offsets[-1]) + np.repeat(sets.offsets[rows] - offsets[:-1], sizes)
    return Sets(sets.members[at], offsets)


def of_rows(problem: Problem, rows: NDArray[np.int64]) -> Problem:
    """The problem of these runs alone."""
    place = np.full(problem.sets.count, -1, np.int64)
    place[rows] = np.arange(len(rows))
    order = place[problem.order]

    def chosen(keys: Sets | None) -> Sets | None:
        return None if keys is None else taken(keys, rows)

    return problem._replace(
        sets=taken(problem.sets, rows),
        order=order[order >= 0],
        scopes=chosen(problem.scopes),
        evidence=chosen(problem.evidence),
        needs=chosen(problem.needs),
        cap=problem.cap[rows],
    )


def _whole(column: Column) -> Any:
    """One array, with one dictionary."""
    if isinstance(column, pa.ChunkedArray):
        return column.unify_dictionaries().combine_chunks()
    return column
