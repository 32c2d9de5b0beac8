"""The join of `keep_first` without a compiler: many runs at a time against the index, in whole arrays of numpy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.search.kinds import Kinds
from curate.stages.copies.search.prefix_index import Index
from curate.stages.copies.types import Sets
from curate.stages.ranges import ranges

I64 = NDArray[np.int64]

POSTINGS = 1 << 20  # looked at in one go: about 80 MB of arrays
_LOW = np.int64(0xFFFFFFFF)


class Alike(NamedTuple):
    """Similar kinds: of the asked ones `one`, of the index `other`, and how many members they share."""

    one: I64
    other: I64
    shared: I64


class BlockJoin:
    """An index that is filled and asked for many kinds at a time."""

    def __init__(self, members: NDArray[np.int32], found: Kinds, index: Index, short: int) -> None:
        self._members, self._found, self._index, self._short = members, found, index, short
        self._filled = np.zeros(len(index.sizes), np.int64)
        self._posted = np.empty(len(index.lists), np.int32)
        self._at = np.empty(len(index.lists), np.int32)

    def add(self, kinds: I64) -> None:
        """Put these kinds (each once, not in it yet) into the index."""
        ends = self._index.ends
        which, entry = ranges(ends[kinds], ends[kinds + 1] - ends[kinds])
        bucket = self._index.bucket[entry].astype(np.int64)
        order = np.argsort(bucket, kind="stable")
        stretch, begin, count = np.unique(bucket[order], return_index=True, return_counts=True)
        rank = np.arange(len(order)) - np.repeat(begin, count)
        slot = self._index.starts[bucket[order]] + self._filled[bucket[order]] + rank
        self._posted[slot] = kinds[which[order]]
        self._at[slot] = self._index.places[entry[order]]
        self._filled[stretch] += count

    def without(self, kinds: I64) -> None:
        """Take the kinds that were put in last out again: all of the latest `add`."""
        ends = self._index.ends
        _, entry = ranges(ends[kinds], ends[kinds + 1] - ends[kinds])
        stretch, count = np.unique(self._index.bucket[entry], return_counts=True)
        self._filled[stretch] -= count

    def similar(self, kinds: I64) -> Iterator[Alike]:
        """All kinds of the index that are similar to these, each pair once (a kind to itself too), in parts that hold
        all partners of the kinds in them."""
        index = self._index
        which, entry = ranges(index.ends[kinds], index.ends[kinds + 1] - index.ends[kinds])
        lists = index.lists[entry].astype(np.int64)
        at, bucket = ranges(index.firsts[lists], index.firsts[lists + 1] - index.firsts[lists])
        one, place = kinds[which[at]], index.places[entry[at]].astype(np.int64)
        size, stretch = self._found.size[one].astype(np.int64), index.sizes[bucket].astype(np.int64)
        need, smallest = self._found.needed
        largest = len(smallest) - 1
        fits = (stretch >= smallest[size]) & (need[np.minimum(size + stretch, 2 * largest)] <= size - place)
        fits = ((stretch == 0) | fits) & (self._filled[bucket] > 0)
        one, place, bucket = one[fits], place[fits], bucket[fits]
        count = self._filled[bucket]
        for part in _parts(one, count):
            own, posting = ranges(index.starts[bucket[part]], count[part])
            yield self._verified(one[part][own], place[part][own], posting)

    def _verified(self, one: I64, place: I64, posting: I64) -> Alike:
        found, signatures = self._found, self._index.signatures
        other = self._posted[posting].astype(np.int64)
        a, b = found.size[one].astype(np.int64), found.size[other].astype(np.int64)
        need = found.needed.shared[a + b]
        apart = np.bitwise_count(signatures[one] ^ signatures[other])
        may = ((a + b - apart) >> 1 >= need) & (a - place >= need) & (b - self._at[posting] >= need)
        pair = np.unique((one[may] << 32) | other[may])
        one, other = pair >> 32, pair & _LOW
        if self._short:
            small = np.minimum(found.size[one], found.size[other]) < self._short
            may = ~small | (found.same[one] == found.same[other])
            one, other = one[may], other[may]
        shared = self._shared(one, other)
        may = shared >= found.needed.shared[found.size[one] + found.size[other]]
        return Alike(one[may], other[may], shared[may])

    def _shared(self, one: I64, other: I64) -> I64:
        """How many members the sets of each pair share: those that are there twice."""
        start, size = self._found.start, self._found.size.astype(np.int64)
        return common((self._members, start[one], size[one]), (self._members, start[other], size[other]))


def _parts(one: I64, count: I64) -> Iterator[slice]:
    """Stretches of about POSTINGS postings, none of which ends within a kind. `one` is in stretches of a kind each."""
    if not len(one):
        return
    total = np.cumsum(count)
    last = np.flatnonzero(np.concatenate([one[1:] != one[:-1], [True]]))
    begin, done = 0, 0
    while begin < len(one):
        fit = int(np.searchsorted(total[last], done + POSTINGS, side="right")) - 1
        after = int(np.searchsorted(last, begin))
        end = int(last[max(fit, after)]) + 1
        yield slice(begin, end)
        begin, done = end, int(total[end - 1])


Rows = tuple[NDArray[np.int32], I64, I64]
"""Members, and for each row where it begins among them and how many it has."""


def common(one: Rows, other: Rows) -> I64:
    """How many members each two rows share: those that are there twice, each row having them once."""
    held = []
    for members, start, size in (one, other):
        pair, at = ranges(start, size)
        held.append((pair << 32) | members[at])
    value = np.sort(np.concatenate(held), kind="stable")
    return np.bincount(value[1:][value[1:] == value[:-1]] >> 32, minlength=len(one[1]))


def rows(sets: Sets, which: I64) -> Rows:
    """These rows of the sets."""
    return sets.members, sets.offsets[which], sets.offsets[which + 1] - sets.offsets[which]
