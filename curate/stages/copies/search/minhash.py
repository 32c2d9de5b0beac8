"""MinHash: datasketch's signatures, computed for all sets at once, and bands of them (LSH) as the finder of candidates.
Candidates are verified exactly, so nothing is invented; what no band holds is missed, and the bands are chosen for the
share that is asked for. On sets of about ten members the exact join is faster: this is for comparison with tools that
have nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import MINHASH_PERMUTATIONS
from curate.stages.copies.kernels.compiled import pays_compiled
from curate.stages.copies.search.keep_first import decide
from curate.stages.copies.search.kinds import Kinds, kinds, partition
from curate.stages.copies.search.prefix_index import Index, lay_out
from curate.stages.copies.thresholds import needed
from curate.stages.copies.types import Decided, Problem, Sets

U32 = NDArray[np.uint32]

NOTHING = np.uint32(0xFFFFFFFF)  # a signature of the empty set is all of this, as datasketch's
SEED = 1  # datasketch's own
_ROWS = 1 << 14  # sets that are hashed at a time, without a compiler


def hashes(values: Iterable[bytes]) -> U32:
    """datasketch's hash of each value: the first 32 bits of its SHA-1, little-endian."""
    found = [hashlib.sha1(value, usedforsecurity=False).digest()[:4] for value in values]
    return np.frombuffer(b"".join(found), "<u4").astype(np.uint32)


def permutations(count: int) -> tuple[U32, U32]:
    """Factors and summands of datasketch's scheme affine32."""
    draw = np.random.RandomState(SEED)
    factors = draw.randint(0, 1 << 31, count, dtype=np.uint32) * np.uint32(2) + np.uint32(1)
    return factors, draw.randint(0, 1 << 32, count, dtype=np.uint32)


def minhashes(sets: Sets, hashed: U32, count: int = MINHASH_PERMUTATIONS) -> U32:
    """The signature of each set, a row each: what `datasketch.MinHash(count, scheme="affine32").update_batch` gives.
    `hashed`: by member its hash (see `hashes`)."""
    x = hashed.copy()
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):  # MurmurHash3's finaliser
        x = (x ^ (x >> np.uint32(shift))) * np.uint32(factor)
    x ^= x >> np.uint32(16)
    factors, summands = permutations(count)
    if pays_compiled(sets.count):
        from curate.stages.copies.kernels.minhash import smallest

        return smallest(sets.members, sets.offsets, x, factors, summands)  # type: ignore[no-any-return]
    found = np.full((sets.count, count), NOTHING, np.uint32)
    for begin in range(0, sets.count, _ROWS):
        rows = np.arange(begin, min(begin + _ROWS, sets.count))
        rows = rows[sets.offsets[rows + 1] > sets.offsets[rows]]
        if len(rows):
            first, last = sets.offsets[rows[0]], sets.offsets[rows[-1] + 1]
            own = x[sets.members[first:last]]
            for k in range(count):
                found[rows, k] = np.minimum.reduceat(own * factors[k] + summands[k], sets.offsets[rows] - first)
    return found


def lsh_bands(recall: float, threshold: Fraction, sizes: NDArray[np.int32]) -> tuple[int, int]:
    """(bands, rows a band) that find at least `recall` of the similar pairs, with as many rows as that allows (few
    candidates) and then as few bands; at most MINHASH_PERMUTATIONS rows in all.

    Estimated for each size from the partner, of the sizes there are, to which it can be similar by the least: of sets
    this small a fifth of all similar pairs are similar by just the threshold. (An optimum over all similarities, as
    libraries choose it, is a coin's throw there.)"""
    sizes = sizes[sizes > 0]
    size, weight = np.unique(sizes if len(sizes) else np.ones(1, np.int32), return_counts=True)
    both = size[:, None].astype(np.int64) + size
    shared = needed(threshold, int(size.max())).shared[both]
    possible = shared <= np.minimum(size[:, None], size)
    alike = np.where(possible, shared / (both - shared), 1.0).min(axis=1)
    for rows in range(MINHASH_PERMUTATIONS, 0, -1):
        bands = np.arange(1, MINHASH_PERMUTATIONS // rows + 1)
        found = ((1 - (1 - alike[:, None] ** rows) ** bands) * weight[:, None]).sum(0) / weight.sum()
        enough = np.flatnonzero(found >= recall)
        if len(enough):
            return int(bands[enough[0]]), rows
    return MINHASH_PERMUTATIONS, 1


def keep_first_minhash(problem: Problem, recall: float) -> Decided:
    """Decides as `keep_first`, among the similar runs that share a band."""
    found = kinds(problem)
    bands, rows = lsh_bands(recall, problem.threshold, found.size)
    return decide(problem, found, band_index(problem, found, bands, rows))


def band_index(problem: Problem, found: Kinds, bands: int, rows: int) -> Index:
    """The index in which sets stand in a list for each band of their signature."""
    members = problem.sets.members
    distinct = int(members.max(initial=-1)) + 1
    hashed = hashes(rank.to_bytes(4, "little") for rank in range(distinct))
    own = Sets(*_of_kinds(problem.sets, found))
    signatures = minhashes(own, hashed, bands * rows)
    long = np.flatnonzero((found.size > 0) & (found.size >= problem.short))
    short = np.flatnonzero((found.size > 0) & (found.size < problem.short))
    kind, member = [short], [found.same[short].astype(np.int64)]
    count = int(found.same.max(initial=-1)) + 1
    for band in range(bands):
        values = np.ascontiguousarray(signatures[long, band * rows : (band + 1) * rows])
        _, bucket, standing = np.unique(
            values.view(np.dtype((np.void, 4 * rows)))[:, 0], return_inverse=True, return_counts=True
        )
        shared = standing[bucket] > 1
        kind.append(long[shared])
        member.append(count + bucket[shared])
        count += len(standing)
    whose, what = np.concatenate(kind), np.concatenate(member)
    order = np.argsort(whose, kind="stable")
    place = np.zeros(len(order), np.int64)
    return lay_out(members, found, partition(problem), whose[order], place, what[order])


def _of_kinds(sets: Sets, found: Kinds) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    from curate.stages.ranges import ranges

    _, at = ranges(found.start, found.size.astype(np.int64))
    ends = np.zeros(len(found.size) + 1, np.int64)
    np.cumsum(found.size, out=ends[1:])
    return sets.members[at], ends
