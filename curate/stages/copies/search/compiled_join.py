"""The join of many kinds with an index, compiled: what `block_join.BlockJoin` does, faster."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.compiled import pays_compiled
from curate.stages.copies.search.block_join import Alike, BlockJoin
from curate.stages.copies.search.kinds import NO_KEYS, Kinds
from curate.stages.copies.search.prefix_index import Index

I64 = NDArray[np.int64]

PART = 512  # kinds that are joined at a time


def make_join(members: NDArray[np.int32], found: Kinds, index: Index, short: int) -> BlockJoin | CompiledJoin:
    """An empty index that is filled and asked for many kinds at a time."""
    return (CompiledJoin if pays_compiled(len(found.of)) else BlockJoin)(members, found, index, short)


class CompiledJoin:
    """An index that is filled and asked for many kinds at a time."""

    def __init__(self, members: NDArray[np.int32], found: Kinds, index: Index, short: int) -> None:
        from curate.stages.copies.kernels import pairs as pair_kernels

        self._kernels, self._index, self._size = pair_kernels, index, found.size
        second = pair_kernels.second_signatures(members, found.start, found.size)
        self._sets = (members, found.start, found.size, found.same, found.run, *found.needed, short)
        self._lists = (index.ends, index.lists, index.places, index.bucket, index.firsts, index.sizes, index.starts)
        self._signatures = (index.signatures, second)
        self._posted = np.empty(len(index.lists), np.uint64)
        self._about = np.empty(2 * len(index.lists), np.int64)
        self._filled = np.zeros(len(index.sizes), np.int32)
        self._every = np.arange(len(found.size), dtype=np.int32)

    def add(self, kinds: I64) -> None:
        """Put these kinds (each once, not in it yet) into the index, in their ascending order."""
        index = self._index
        layout = (index.ends, index.places, index.bucket, index.starts, self._size)
        self._kernels.post_all(np.sort(kinds), *layout, *self._signatures, self._posted, self._about, self._filled)

    def similar(self, kinds: I64) -> Iterator[Alike]:
        """All kinds of the index that are similar to these, each pair once, in parts that hold all partners of the
        kinds in them. A kind is not its own partner."""
        nothing = (False, *NO_KEYS, False, *NO_KEYS)
        for begin in range(0, len(kinds), PART):
            asked = kinds[begin : begin + PART]
            every, none = np.zeros(len(asked), np.bool_), np.zeros(len(asked), np.int64)
            pairs = self._kernels.block_pairs(
                asked, none, every, none.copy(), none.astype(np.int32), 0, self._every,
                *self._sets, *self._lists, *self._signatures, self._posted, self._about, self._filled, *nothing,
            )  # fmt: skip
            _, once = np.unique(pairs[:, 0] << 32 | pairs[:, 1], return_index=True)
            yield Alike(asked[pairs[once, 0]], pairs[once, 1], pairs[once, 2])
