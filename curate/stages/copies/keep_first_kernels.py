"""Which runs stay, one after the other, compiled (see `keep_first`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.bit_kernels import common, holds, meet, ones
from curate.stages.copies.compiled import compiled

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]


@compiled
def decide(  # type: ignore[no-untyped-def]
    order: I64, of: I32, cap: I32,
    members: I32, start: I64, size: I32, same: I32, run: I64, shared_need: I32, partner: I32, short: int,
    ends: I64, lists: I32, places: I32, bucket: I32, firsts: I64, sizes: I32, starts: I64, signature: U64,
    compared: NDArray[np.bool_], check_scopes: bool, scopes: I32, scope_ends: I64,
    check_needs: bool, needs: I32, need_ends: I64,
):  # fmt: skip
    """Witness, shared and dropped of every run. One function, longer than usual because the scan it is all about
    (posting after posting: two bits of arithmetic each) must see every table without a call.

    A posting is two numbers: the signature; and the turn of the kept run, its size and the place of the member in it.
    """
    kinds = len(size)
    witness = np.full(len(order), -1, np.int64)
    shared = np.zeros(len(order), np.int32)
    dropped = np.zeros(len(order), np.bool_)
    first = np.full(kinds, -1, np.int32)  # the turn of the first witness of a kind
    first_shared = np.zeros(kinds, np.int32)
    kept_first = np.full(kinds, -1, np.int32)  # the turn at which the kind's first run was kept
    kept = np.zeros(kinds, np.int32)
    known = np.zeros(kinds, np.int32)  # of how many witnesses a kind is sure
    seen = np.full(kinds, -1, np.int32)
    filled = np.zeros(len(sizes), np.int32)
    postings = np.empty(2 * len(lists), np.uint64)
    cut = np.int64(0xFFFF)
    for turn in range(len(order)):
        row = order[turn]
        c = of[row]
        if not compared[c]:
            continue
        a, limit = np.int64(size[c]), np.int64(cap[row])
        counting = limit > 1
        count = max(known[c], kept[c])
        if first[c] < 0 or (counting and count < limit):
            best, best_shared = np.int64(first[c]), np.int64(0)
            open_first = best < 0
            if open_first:
                best = np.int64(0x7FFFFFFF)
            count = kept[c]
            seen[c] = turn
            least, mine, begin = partner[a], signature[c], start[c]
            for k in range(ends[c], ends[c + 1]):
                if not open_first and count >= limit:
                    break
                i = np.int64(places[k])
                for b in range(firsts[lists[k]], firsts[lists[k] + 1]):
                    if sizes[b] != 0:
                        if sizes[b] < least:
                            continue
                        if shared_need[a + sizes[b]] > a - i:
                            break
                    for p in range(2 * starts[b], 2 * (starts[b] + filled[b]), 2):
                        word = np.int64(postings[p + 1])
                        when = word >> 32
                        if not counting and when >= best:
                            break
                        other = (word >> 16) & cut
                        if other == cut:
                            other = np.int64(size[of[order[when]]])
                        need = np.int64(shared_need[a + other])
                        if (a + other - ones(postings[p] ^ mine)) >> 1 < need:
                            continue
                        if other - (word & cut) < need or a - i < need:
                            continue
                        d = of[order[when]]
                        if seen[d] == turn:
                            continue
                        seen[d] = turn
                        if (a < short or other < short) and same[c] != same[d]:
                            continue
                        found = common(members, begin, begin + a, start[d], start[d] + other, need)
                        if found < 0:
                            continue
                        one, two = run[c], run[d]
                        if check_scopes and not meet(
                            scopes, scope_ends[one], scope_ends[one + 1], scope_ends[two], scope_ends[two + 1]
                        ):
                            continue
                        if check_needs and not holds(
                            needs, need_ends[one], need_ends[one + 1], need_ends[two], need_ends[two + 1]
                        ):
                            continue
                        count += kept[d]
                        if when < best:
                            best, best_shared = when, found
            if open_first and best < 0x7FFFFFFF:
                first[c], first_shared[c] = best, best_shared
            if counting:
                known[c] = count
        if first[c] >= 0:
            witness[row], shared[row] = order[first[c]], first_shared[c]
            dropped[row] = limit > 0 and (limit == 1 or count >= limit)
        if not dropped[row]:
            kept[c] += 1
            if first[c] < 0:
                first[c], first_shared[c] = turn, a
            if kept_first[c] < 0:
                kept_first[c] = turn
                for k in range(ends[c], ends[c + 1]):
                    p = 2 * (starts[bucket[k]] + filled[bucket[k]])
                    filled[bucket[k]] += 1
                    postings[p] = signature[c]
                    word = (np.int64(turn) << 32) | (min(a, cut) << 16) | min(np.int64(places[k]), cut)
                    postings[p + 1] = np.uint64(word)
    return witness, shared, dropped
