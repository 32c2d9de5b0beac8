"""The index of rarest members: which lists each kind of run stands in, cut by size, laid out once for all runs so that
it is filled without growing.

The lists of a set are those of its rarest members, as many as a similar set cannot all miss (a prefix filter); where
two runs must share a key besides, a list is of a key and a member. What would stand in a list alone is left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.compiled import pays_compiled
from curate.stages.copies.search.kinds import Kinds
from curate.stages.copies.types import Sets
from curate.stages.ranges import ranges

FEW = 64  # postings that are looked at faster than they are sorted out


class Index(NamedTuple):
    """The entries of kind `c` are `ends[c]` to `ends[c + 1]`: the list it stands in, at which of its members
    (`places`), and in which stretch (`bucket`). A list's stretches are `firsts[l]` to `firsts[l + 1]`, the smallest
    sets first; `sizes`: of all sets in a stretch, 0 for any; `starts`: where it begins among the postings.
    `signatures`: 64 bits of each kind; two sets differ in at least as many members as their signatures do in bits."""

    ends: NDArray[np.int64]
    lists: NDArray[np.int32]
    places: NDArray[np.int32]
    bucket: NDArray[np.int32]
    firsts: NDArray[np.int64]
    sizes: NDArray[np.int32]
    starts: NDArray[np.int64]
    signatures: NDArray[np.uint64]


def build_index(members: NDArray[np.int32], found: Kinds, keys: Sets | None, short: int) -> Index:
    """The empty index of all kinds; `keys`: by run, what it must share one of (None: nothing). Kinds with fewer than
    `short` members stand in one list with their equals."""
    build = _compiled if pays_compiled(len(found.of)) else _built
    return build(members, found, keys, short)


def _compiled(members: NDArray[np.int32], found: Kinds, keys: Sets | None, short: int) -> Index:
    from curate.stages.copies.kernels import prefix as kernels

    distinct = int(members.max(initial=-1)) + 1
    shape = (members, found.start, found.size, found.same, found.needed.partner, short, distinct)
    if keys is None:
        ends, lists, places = kernels.member_entries(*shape)
        count = distinct + (len(found.same) if short else 0)
    else:
        bounds = (keys.offsets[found.run], keys.offsets[found.run + 1])
        ends, lists, places, count = kernels.keyed_entries(*shape, keys.members, *bounds, FEW)
    ends, standing = kernels.shared_lists(ends, lists, places, count)
    lists, places = lists[: ends[-1]].copy(), places[: ends[-1]].copy()
    bucket, firsts, sizes, starts = kernels.buckets(ends, lists, found.size, standing, FEW)
    bits = kernels.signatures(members, found.start, found.size)
    return Index(ends, lists, places, bucket, firsts, sizes, starts, bits)


def _built(members: NDArray[np.int32], found: Kinds, keys: Sets | None, short: int) -> Index:
    """The same with sorts of numpy."""
    size = found.size.astype(np.int64)
    long = np.where(size < short, 1, size - found.needed.partner[size] + 1)
    rarest = np.where(size == 0, 0, long)
    kind, place = ranges(np.zeros(len(size), np.int64), rarest)
    is_short = size[kind] < short
    member = members[np.where(is_short, 0, found.start[kind] + place)].astype(np.int64)
    member = np.where(is_short, np.int64(1 << 31) + found.same[kind], member)
    return lay_out(members, found, keys, kind, place, member)


def lay_out(
    members: NDArray[np.int32],
    found: Kinds,
    keys: Sets | None,
    kind: NDArray[np.int64],
    place: NDArray[np.int64],
    member: NDArray[np.int64],
) -> Index:
    """The index of these entries: a list for each `member` (or key and member), in which `kind` (ascending) stands at
    `place`."""
    size = found.size.astype(np.int64)
    if keys is not None:
        kind, place, member = _keyed(found, keys, kind, place, member)
    _, lists, standing = np.unique(member, return_inverse=True, return_counts=True)
    stays = standing[lists] > 1
    number = np.cumsum(standing > 1) - 1
    kind, place, lists = kind[stays], place[stays], number[lists[stays]]
    standing = standing[standing > 1]
    ends = np.zeros(len(size) + 1, np.int64)
    np.cumsum(np.bincount(kind, minlength=len(size)), out=ends[1:])
    stretch = (lists << 32) | np.where(standing[lists] > FEW, size[kind], 0)
    cut, bucket, held = np.unique(stretch, return_inverse=True, return_counts=True)
    firsts = np.searchsorted(cut, np.arange(len(standing) + 1, dtype=np.int64) << 32)
    parts = (bucket.astype(np.int32), firsts, (cut & 0xFFFFFFFF).astype(np.int32), np.cumsum(held) - held)
    return Index(ends, lists.astype(np.int32), place.astype(np.int32), *parts, signatures(members, found))


def _keyed(
    found: Kinds,
    keys: Sets,
    kind: NDArray[np.int64],
    place: NDArray[np.int64],
    member: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Entries for a key and a member each; for the key alone where few kinds have it."""
    rarest = np.bincount(kind, minlength=len(found.size))
    first = np.cumsum(rarest) - rarest
    having = keys.offsets[found.run + 1] - keys.offsets[found.run]
    owner, at = ranges(keys.offsets[found.run], np.where(rarest > 0, having, 0))
    key = keys.members[at].astype(np.int64)
    owners = np.bincount(key)[key] if len(key) else key
    owner, key, owners = owner[owners > 1], key[owners > 1], owners[owners > 1]
    which, entry = ranges(np.where(owners > FEW, first[owner], -1), np.where(owners > FEW, rarest[owner], 1))
    alone = entry < 0
    spelled = np.where(alone, (1 << 33) - 1, member[entry])
    _, lists = np.unique(spelled, return_inverse=True)
    return owner[which], np.where(alone, 0, place[entry]), (key[which] << 32) | lists


def signatures(members: NDArray[np.int32], found: Kinds) -> NDArray[np.uint64]:
    """By kind, a bit for each member, turned over by each that falls on it."""
    spread = members.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    bits = np.uint64(1) << ((spread ^ (spread >> np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(58))
    running: NDArray[np.uint64] = np.zeros(len(bits) + 1, np.uint64)
    np.bitwise_xor.accumulate(bits, out=running[1:])
    signed: NDArray[np.uint64] = running[found.start + found.size] ^ running[found.start]
    return signed
