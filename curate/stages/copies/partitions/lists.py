"""Lists of whole numbers, many to an array: from Arrow's list columns, and compared many at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.stages.copies.types import Sets

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
_ROW = np.int64(1 << 32)


class Csr(NamedTuple):
    """List `i` is `values[starts[i]:starts[i + 1]]`, ascending, each number once, below 2^31; `flat`: row and number
    in one number, ascending over all."""

    starts: Ints
    values: Ints
    flat: Ints

    def sizes(self, rows: Ints) -> Ints:
        return self.starts[rows + 1] - self.starts[rows]

    def common(self, a: Ints, b: Ints, least: Ints) -> tuple[Ints, Flags]:
        """For rows a and b: how many numbers they share, and whether none of these is below the given one."""
        size = self.sizes(a)
        pair = np.repeat(np.arange(len(a)), size)
        value = self.values[self.starts[a][pair] + counting(size)]
        wanted = b[pair] * _ROW + value
        if not len(wanted):
            return np.zeros(len(a), np.int64), np.ones(len(a), bool)
        shared = self.flat[np.minimum(np.searchsorted(self.flat, wanted), len(self.flat) - 1)] == wanted
        count = np.bincount(pair[shared], minlength=len(a))
        below = np.bincount(pair[shared & (value < least[pair])], minlength=len(a))
        return count.astype(np.int64), below == 0


def csr(starts: Ints, values: Ints, order: Ints) -> Csr:
    """Lists in another order of the rows."""
    size = np.diff(starts)[order]
    moved = np.zeros(len(order) + 1, np.int64)
    np.cumsum(size, out=moved[1:])
    row = np.repeat(np.arange(len(order)), size)
    taken = values[starts[order][row] + counting(size)]
    return Csr(moved, taken, row * _ROW + taken)


def counting(sizes: Ints) -> Ints:
    """0, 1, ... up to each size, one after the other."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    counted: Ints = np.arange(total) - np.repeat(ends - sizes, sizes)
    return counted


def dense(values: NDArray[Any], more: NDArray[Any] | None = None) -> Ints:
    """Numbers from 0 in place of the values, in their order; of two columns where there are two."""
    if more is None or not len(more):
        return np.unique(values, return_inverse=True)[1].astype(np.int64)
    order = np.lexsort((more, values))
    new = np.ones(len(values), bool)
    new[1:] = (values[order][1:] != values[order][:-1]) | (more[order][1:] != more[order][:-1])
    ids: Ints = np.empty(len(values), np.int64)
    ids[order] = np.cumsum(new) - 1
    return ids


def bitmaps(lists: Csr) -> NDArray[np.uint64]:
    """64 bits a list, one set for each of its numbers; no list is empty."""
    bit = np.uint64(1) << (mixed(lists.values.astype(np.uint64)) >> np.uint64(58))
    found: NDArray[np.uint64] = np.bitwise_or.reduceat(bit, lists.starts[:-1])
    return found


def ones(bits: NDArray[np.uint64]) -> Ints:
    """How many bits are set (nothing, which rejects nothing, where numpy is too old to count them)."""
    count = getattr(np, "bitwise_count", None)
    return np.zeros(len(bits), np.int64) if count is None else count(bits).astype(np.int64)


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each value spread over 64 bits, one to one (the finaliser of SplitMix64)."""
    x: NDArray[np.uint64] = values ^ (values >> np.uint64(30))
    x = x * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


def lists_of(column: Any) -> tuple[Ints, NDArray[Any]]:
    """Starts and values of a list column; null is an empty list."""
    if column.num_chunks == 0:
        column = pa.chunked_array([pa.array([], column.type)])
    array = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
    starts = np.zeros(len(array) + 1, np.int64)
    np.cumsum(array.value_lengths().fill_null(0).to_numpy(zero_copy_only=False), out=starts[1:])
    return starts, array.flatten().to_numpy(zero_copy_only=False)


def list_array(sets: Sets, start: int, stop: int, kind: type[np.uint64] | type[np.int64]) -> Any:
    """The sets `start` to `stop` as a list column."""
    offsets = sets.offsets[start : stop + 1]
    values = sets.members[offsets[0] : offsets[-1]].astype(kind)
    return pa.ListArray.from_arrays(pa.array((offsets - offsets[0]).astype(np.int32)), pa.array(values))
