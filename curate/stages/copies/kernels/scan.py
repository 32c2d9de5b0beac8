"""The scan of postings that all joins are about, compiled. It is a function of its own so that its few numbers stay in
registers: millions of runs of the same few programs mean hundreds of postings for each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.bits import ones
from curate.stages.copies.kernels.compiled import compiled

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]

CHUNK = 64
CUT = 0xFFFF
"""A size or place that does not fit into its 16 bits is this."""
_ONE = np.uint64(1)


@compiled
def near(signatures: U64, begin: int, end: int, mine: np.uint64, apart: int, out: I64) -> int:
    """Places from `begin` to `end` whose signatures are at most `apart` bits off `mine`, into `out`; how many. There is
    no branch to guess: every place is written down, and the next one over it if it was none."""
    found = np.uint64(0)
    at, last = np.uint64(begin), np.uint64(end)
    while at < last:
        out[found] = np.int64(at)
        found += np.uint64(ones(signatures[at] ^ mine) <= apart)
        at += _ONE
    return np.int64(found)


@compiled
def near_any(
    signatures: U64, about: I64, begin: int, end: int, mine: np.uint64, size: int, needs: I32, out: I64
) -> int:
    """The same where the sets are of any size, which stands in `about` (two numbers a posting)."""
    found = 0
    for at in range(begin, end):
        other = (about[2 * at] >> 16) & CUT
        out[found] = at
        if other == CUT:
            found += 1
        else:
            found += (size + other - ones(signatures[at] ^ mine)) >> 1 >= needs[size + other]
    return found
