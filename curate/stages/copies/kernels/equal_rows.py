"""Equal rows by a hash table, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.bits import mix
from curate.stages.copies.kernels.compiled import compiled

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

BLOCK = 32


@compiled
def _equal(members: I32, one: int, other: int, length: int) -> bool:
    k = 0
    while k < length and members[one + k] == members[other + k]:
        k += 1
    return k == length


@compiled
def group_rows(members: I32, offsets: I64, seed: np.uint64):
    """The group of each row, the first row of each group, and what was read (or the reads were left out): a place of
    the table holds half a hash and a group, and a block of places is read before it is looked at, so that the reads
    wait for memory together."""
    rows = len(offsets) - 1
    places = 1024
    while places < 2 * rows:
        places *= 2
    empty = np.uint64(0xFFFFFFFFFFFFFFFF)
    low, one, half = np.uint64(0xFFFFFFFF), np.uint64(1), np.uint64(32)
    mask = np.uint64(places - 1)
    table = np.full(places, empty, np.uint64)
    group = np.empty(rows, np.int32)
    first = np.empty(rows, np.int64)
    wanted = np.empty(BLOCK, np.uint64)
    count, read = 0, np.uint64(0)
    for begin in range(0, rows, BLOCK):
        end = min(begin + BLOCK, rows)
        for row in range(begin, end):
            h = seed ^ np.uint64(offsets[row + 1] - offsets[row])
            for k in range(offsets[row], offsets[row + 1]):
                h = mix(h ^ np.uint64(members[k]))
            wanted[row - begin] = h
            read ^= table[h & mask]
        for row in range(begin, end):
            h, length = wanted[row - begin], offsets[row + 1] - offsets[row]
            at = h & mask
            while True:
                place = table[at]
                if place == empty:
                    table[at] = (h & ~low) | np.uint64(count)
                    group[row] = count
                    first[count] = row
                    count += 1
                    break
                if (place ^ h) >> half == 0:
                    like = first[np.int64(place & low)]
                    if offsets[like + 1] - offsets[like] == length and _equal(
                        members, offsets[like], offsets[row], length
                    ):
                        group[row] = np.int64(place & low)
                        break
                at = (at + one) & mask
    return group, first[:count].copy(), read
