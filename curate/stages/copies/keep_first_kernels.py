"""Which runs stay, one after the other, compiled (see `keep_first`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.bit_kernels import common, holds, meet
from curate.stages.copies.compiled import compiled
from curate.stages.copies.scan_kernels import CHUNK, near, near_any

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
    """Witness, shared and dropped of every run. One function, longer than usual because each of its tables is written
    in one place and read in another, and a call would carry all of them.

    A posting is two numbers: the signature; and the turn of the kept run, its size and the place of the member in it.
    """
    kinds = len(size)
    witness = np.full(len(order), -1, np.int64)
    shared = np.zeros(len(order), np.int32)
    dropped = np.zeros(len(order), np.bool_)
    turns = of[order]
    first = np.full(kinds, -1, np.int32)  # the turn of the first witness of a kind
    first_shared = np.zeros(kinds, np.int32)
    kept = np.zeros(kinds, np.int32)
    known = np.zeros(kinds, np.int32)  # of how many witnesses a kind is sure
    seen = np.full(kinds, -1, np.int32)
    filled = np.zeros(len(sizes), np.int32)
    posted = np.empty(len(lists), np.uint64)
    about = np.empty(len(lists), np.int64)
    out = np.empty(CHUNK + 1, np.int64)
    cut, never = np.int64(0xFFFF), np.int64(0x7FFFFFFF)
    for turn in range(len(order)):
        row, c = order[turn], turns[turn]
        if not compared[c]:
            continue
        a, limit = np.int64(size[c]), np.int64(cap[row])
        counting = limit > 1
        count = max(known[c], kept[c])
        if first[c] < 0 or (counting and count < limit):
            best, best_shared = np.int64(first[c]), np.int64(0)
            open_first = best < 0
            if open_first:
                best = never
            count = kept[c]
            seen[c] = turn
            least, mine, begin = partner[a], signature[c], start[c]
            for k in range(ends[c], ends[c + 1]):
                if not open_first and count >= limit:
                    break
                left = a - places[k]
                for b in range(firsts[lists[k]], firsts[lists[k] + 1]):
                    if sizes[b] != 0:
                        if sizes[b] < least:
                            continue
                        if shared_need[a + sizes[b]] > left:
                            break
                    at, end = starts[b], starts[b] + filled[b]
                    while at < end and (counting or about[at] >> 32 < best):
                        stop = min(at + CHUNK, end)
                        if sizes[b] != 0:
                            apart = a + sizes[b] - 2 * shared_need[a + sizes[b]]
                            hits = near(posted, at, stop, mine, apart, out)
                        else:
                            hits = near_any(posted, about, at, stop, mine, a, shared_need, out)
                        at = stop
                        for hit in range(hits):
                            word = about[out[hit]]
                            when = word >> 32
                            if not counting and when >= best:
                                break
                            d = turns[when]
                            other = (word >> 16) & cut
                            if other == cut:
                                other = np.int64(size[d])
                            need = np.int64(shared_need[a + other])
                            if other - (word & cut) < need or left < need or seen[d] == turn:
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
            if open_first and best < never:
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
            if kept[c] == 1:
                for k in range(ends[c], ends[c + 1]):
                    p = starts[bucket[k]] + filled[bucket[k]]
                    filled[bucket[k]] += 1
                    posted[p] = signature[c]
                    about[p] = (np.int64(turn) << 32) | (min(a, cut) << 16) | min(np.int64(places[k]), cut)
    return witness, shared, dropped
