"""Small functions that several kernels call, compiled into each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.compiled import compiled

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

_MUL = np.uint64(0x9E3779B97F4A7C15)
_MUL2 = np.uint64(0xBF58476D1CE4E5B9)
_S32, _S29 = np.uint64(32), np.uint64(29)
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@compiled
def mix(x: np.uint64) -> np.uint64:
    """A bijection of 64 bits in which every bit depends on all."""
    x = (x ^ (x >> _S32)) * _MUL
    x = (x ^ (x >> _S29)) * _MUL2
    return x ^ (x >> _S32)


@compiled
def ones(x: np.uint64) -> int:
    """How many bits are set: the compiler knows this form and makes one instruction of it."""
    x = x - ((x >> np.uint64(1)) & _ODD)
    x = (x & _PAIRS) + ((x >> np.uint64(2)) & _PAIRS)
    x = (x + (x >> np.uint64(4))) & _NIBBLES
    return np.int64((x * _BYTES) >> np.uint64(56))


@compiled
def common(members: I32, one: int, one_end: int, other: int, other_end: int, least: int) -> int:
    """How many members two ascending stretches of `members` share; -1 as soon as it cannot be `least`."""
    found = 0
    spare = min(one_end - one, other_end - other)
    while one < one_end and other < other_end:
        if found + min(one_end - one, other_end - other) < least:
            return -1
        a, b = members[one], members[other]
        if a == b:
            found += 1
        one += a <= b
        other += b <= a
    return found if found >= least and spare > 0 else -1


@compiled
def meet(keys: I32, one: int, one_end: int, other: int, other_end: int) -> bool:
    """Whether two ascending stretches of `keys` share one."""
    while one < one_end and other < other_end:
        a, b = keys[one], keys[other]
        if a == b:
            return True
        one += a < b
        other += b < a
    return False


@compiled
def holds(keys: I32, one: int, one_end: int, other: int, other_end: int) -> bool:
    """Whether the second of two ascending stretches of `keys` has all of the first."""
    while one < one_end:
        while other < other_end and keys[other] < keys[one]:
            other += 1
        if other == other_end or keys[other] != keys[one]:
            return False
        one += 1
    return True
