"""A block of kinds against the index, list by list, compiled. A popular list is then in the processor's cache for all
kinds of the block that stand in it: gone through kind by kind, each list would be fetched from memory each time, and
that is what millions of runs of the same few programs would wait for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.bits import common, holds, meet, mix, ones
from curate.stages.copies.kernels.compiled import compiled
from curate.stages.copies.kernels.scan import CHUNK, CUT, near, near_any

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Flags = NDArray[np.bool_]

DIGIT = 11  # bits a pass of the sort


@compiled
def second_signatures(members: I32, start: I64, size: I32) -> U64:
    """64 other bits of each set, for those that the first 64 let through."""
    found = np.zeros(len(size), np.uint64)
    for c in range(len(size)):
        bits = np.uint64(0)
        for k in range(start[c], start[c] + size[c]):
            bits ^= np.uint64(1) << (mix(np.uint64(members[k]) ^ np.uint64(0x5DEECE66D)) >> np.uint64(58))
        found[c] = bits
    return found


@compiled
def by_list(lists: I32, ends: I64, kinds: I64, many: int):
    """The entries of these kinds in the order of their lists (fewer than `many`), by a radix sort: (which entry, which
    of the kinds it is of)."""
    total = 0
    for c in kinds:
        total += ends[c + 1] - ends[c]
    entry, spare = np.empty(total, np.int64), np.empty(total, np.int64)
    owner, other = np.empty(total, np.int32), np.empty(total, np.int32)
    at = 0
    for q in range(len(kinds)):
        for k in range(ends[kinds[q]], ends[kinds[q] + 1]):
            entry[at], owner[at] = k, q
            at += 1
    shift, mask = 0, (1 << DIGIT) - 1
    while (many >> shift) > 0:
        starts = np.zeros(mask + 2, np.int64)
        for k in range(total):
            starts[((lists[entry[k]] >> shift) & mask) + 1] += 1
        for digit in range(mask + 1):
            starts[digit + 1] += starts[digit]
        for k in range(total):
            digit = (lists[entry[k]] >> shift) & mask
            spare[starts[digit]], other[starts[digit]] = entry[k], owner[k]
            starts[digit] += 1
        entry, spare, owner, other = spare, entry, other, owner
        shift += DIGIT
    return entry, owner


@compiled
def post(
    c: int, turn: int, ends: I64, places: I32, bucket: I32, starts: I64, size: I32, signature: U64, second: U64,
    posted: U64, about: I64, filled: I32,
):  # fmt: skip
    """Put a kind into the index. A posting is its signature and, in another array, (the turn; its size and the place of
    the member, 16 bits each) and its second signature."""
    for k in range(ends[c], ends[c + 1]):
        p = starts[bucket[k]] + filled[bucket[k]]
        filled[bucket[k]] += 1
        posted[p] = signature[c]
        about[2 * p] = (np.int64(turn) << 32) | (min(size[c], CUT) << 16) | min(places[k], CUT)
        about[2 * p + 1] = np.int64(second[c])


@compiled
def post_all(
    kinds: I64, ends: I64, places: I32, bucket: I32, starts: I64, size: I32, signature: U64, second: U64,
    posted: U64, about: I64, filled: I32,
):  # fmt: skip
    """Put kinds into the index; the turn of each is its own number."""
    for c in kinds:
        post(c, c, ends, places, bucket, starts, size, signature, second, posted, about, filled)


@compiled
def block_pairs(
    kinds: I64, turn: I64, one_is_enough: Flags, best: I64, best_shared: I32, settled: int, turns: I32,
    members: I32, start: I64, size: I32, same: I32, run: I64, shared_need: I32, partner: I32, short: int,
    ends: I64, lists: I32, places: I32, bucket: I32, firsts: I64, sizes: I32, starts: I64, signature: U64, second: U64,
    posted: U64, about: I64, filled: I32,
    check_scopes: bool, scopes: I32, scope_ends: I64, check_needs: bool, needs: I32, need_ends: I64,
):  # fmt: skip
    """All (which of the kinds, similar kind, members shared), with what a problem asks of them. A pair may come twice.

    Where `one_is_enough`, a kind of the index from before turn `settled` is not returned but the first of all goes to
    `best` (its turn) and `best_shared`; and none that comes later than the kind's own turn is looked at. `turns`: the
    kind of each turn.

    It is longer than usual because each table is used in one place only, and a call would carry all of them."""
    entry, owner = by_list(lists, ends, kinds, len(firsts))
    pairs, count = np.empty((1024, 3), np.int64), 0
    out = np.empty(CHUNK + 1, np.int64)
    for e in range(len(entry)):
        k, q = entry[e], owner[e]
        c, listed, enough = kinds[q], lists[k], one_is_enough[q]
        a = np.int64(size[c])
        left, least, mine, also = a - places[k], partner[a], signature[c], second[c]
        latest = min(best[q], turn[q]) if enough else np.int64(0x7FFFFFFF)
        for b in range(firsts[listed], firsts[listed + 1]):
            apart = np.int64(0)
            if sizes[b] != 0:
                if sizes[b] < least:
                    continue
                need = np.int64(shared_need[a + sizes[b]])
                if need > left:
                    break
                apart = a + sizes[b] - 2 * need
            at, end = starts[b], starts[b] + filled[b]
            while at < end and about[2 * at] >> 32 < latest:
                stop = min(at + CHUNK, end)
                if sizes[b] != 0:
                    hits = near(posted, at, stop, mine, apart, out)
                else:
                    hits = near_any(posted, about, at, stop, mine, a, shared_need, out)
                at = stop
                for hit in range(hits):
                    word = about[2 * out[hit]]
                    when, other = word >> 32, (word >> 16) & CUT
                    if when >= latest:
                        break
                    if other == CUT:
                        other = np.int64(size[turns[when]])
                    need = np.int64(shared_need[a + other])
                    if other - (word & CUT) < need or left < need:
                        continue
                    if (a + other - ones(np.uint64(about[2 * out[hit] + 1]) ^ also)) >> 1 < need:
                        continue
                    d = turns[when]
                    if c == d or ((a < short or other < short) and same[c] != same[d]):
                        continue
                    found = common(members, start[c], start[c] + a, start[d], start[d] + other, need)
                    if found < 0:
                        continue
                    x, y = run[c], run[d]
                    if check_scopes and not meet(
                        scopes, scope_ends[x], scope_ends[x + 1], scope_ends[y], scope_ends[y + 1]
                    ):
                        continue
                    if check_needs and not holds(needs, need_ends[x], need_ends[x + 1], need_ends[y], need_ends[y + 1]):
                        continue
                    if enough and when < settled:
                        best[q], best_shared[q], latest = when, found, when
                        continue
                    if count == len(pairs):
                        more = np.empty((2 * count, 3), np.int64)
                        more[:count] = pairs
                        pairs = more
                    pairs[count, 0], pairs[count, 1], pairs[count, 2] = q, d, found
                    count += 1
    return pairs[:count]
