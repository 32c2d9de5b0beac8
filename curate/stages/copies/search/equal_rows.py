"""Which rows are equal: a group of thousands of equal runs is looked at once."""

from __future__ import annotations

from secrets import randbits
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.compiled import pays_compiled
from curate.stages.copies.types import Sets


class Groups(NamedTuple):
    """By row its group; by group its first row. Groups are numbered in order of their first rows."""

    group: NDArray[np.int32]
    first: NDArray[np.int64]


def equal_sets(sets: Sets) -> Groups:
    """Groups of equal sets (of empty ones too)."""
    if pays_compiled(sets.count):
        from curate.stages.copies.kernels.equal_rows import group_rows

        group, first, _ = group_rows(sets.members, sets.offsets, np.uint64(randbits(64)))
        return Groups(group, first)
    while True:  # until no two different sets have the same hash: once, unless somebody is very lucky
        hashes = _hashes(sets, np.uint64(randbits(64)))
        found = _numbered(hashes)
        if _same(sets, found):
            return found


def equal_together(columns: list[NDArray[np.int32]]) -> Groups:
    """Groups of rows that are equal in every column."""
    whole = columns[0].astype(np.int64)
    for column in columns[1:]:
        whole = _numbered((whole << 32) | column).group.astype(np.int64)
    return _numbered(whole)


def _numbered(values: NDArray[np.int64]) -> Groups:
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    by_first = np.argsort(first)
    number = np.empty(len(first), np.int32)
    number[by_first] = np.arange(len(first), dtype=np.int32)
    return Groups(number[inverse], first[by_first].astype(np.int64))


def _hashes(sets: Sets, seed: np.uint64) -> NDArray[np.int64]:
    """A number for each set: the sum of a mix of its members, so that no row is gone through alone."""
    x = sets.members.astype(np.uint64) ^ seed
    for shift, factor in ((32, 0x9E3779B97F4A7C15), (29, 0xBF58476D1CE4E5B9)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    sums = np.zeros(len(x) + 1, np.uint64)
    np.cumsum(x ^ (x >> np.uint64(32)), out=sums[1:])
    return (sums[sets.offsets[1:]] - sums[sets.offsets[:-1]]).view(np.int64)


def _same(sets: Sets, found: Groups) -> bool:
    """Whether every set equals the first of its group."""
    size = np.diff(sets.offsets)
    like = found.first[found.group]
    if not np.array_equal(size, size[like]):
        return False
    shift = np.repeat(sets.offsets[like] - sets.offsets[:-1], size)
    return bool(np.array_equal(sets.members, sets.members[np.arange(len(shift)) + shift]))
