"""MinHash signatures, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.compiled import compiled

U32 = NDArray[np.uint32]


@compiled
def smallest(members: NDArray[np.int32], offsets: NDArray[np.int64], hashed: U32, factors: U32, summands: U32) -> U32:
    """By set and permutation the smallest of its members' numbers, modulo 2^32."""
    found = np.full((len(offsets) - 1, len(factors)), np.uint32(0xFFFFFFFF), np.uint32)
    for row in range(len(offsets) - 1):
        for at in range(offsets[row], offsets[row + 1]):
            h = hashed[members[at]]
            for k in range(len(factors)):
                value = np.uint32(h * factors[k] + summands[k])
                if value < found[row, k]:
                    found[row, k] = value
    return found
