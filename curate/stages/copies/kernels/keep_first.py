"""Which runs stay, compiled (see `keep_first`): a block of runs at a time is joined with what was kept before it and
with itself; then the runs of the block are decided one after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.compiled import compiled
from curate.stages.copies.kernels.pairs import block_pairs, post, second_signatures

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
Flags = NDArray[np.bool_]

NEVER = 0x7FFFFFFF


@compiled
def decide(
    block: int, order: I64, of: I32, cap: I32, compared: Flags,
    members: I32, start: I64, size: I32, same: I32, run: I64, shared_need: I32, partner: I32, short: int,
    ends: I64, lists: I32, places: I32, bucket: I32, firsts: I64, sizes: I32, starts: I64, signature: U64,
    check_scopes: bool, scopes: I32, scope_ends: I64, check_needs: bool, needs: I32, need_ends: I64,
):  # fmt: skip
    """Witness, shared and dropped of every run, `block` of them at a time.

    It is longer than usual because each table is filled here and read there, and a call would carry all of them."""
    number = len(size)
    witness = np.full(len(of), -1, np.int64)
    shared = np.zeros(len(of), np.int32)
    dropped = np.zeros(len(of), np.bool_)
    turns = of[order]
    first = np.full(number, -1, np.int32)  # the turn of the first witness of a kind
    first_shared = np.zeros(number, np.int32)
    kept = np.zeros(number, np.int32)
    kept_first = np.zeros(number, np.int32)  # the turn at which the kind's first run was kept
    seen = np.full(number, -1, np.int32)
    slot = np.full(number, -1, np.int32)  # the kind's place in the block
    filled = np.zeros(len(sizes), np.int32)
    posted = np.empty(len(lists), np.uint64)
    about = np.empty(2 * len(lists), np.int64)
    second = second_signatures(members, start, size)
    kinds, turn = np.empty(block, np.int64), np.empty(block, np.int64)
    enough, tentative = np.empty(block, np.bool_), np.empty(block, np.bool_)
    for begin in range(0, len(order), block):
        end = min(begin + block, len(order))
        held = 0
        for t in range(begin, end):
            c, limit = turns[t], cap[order[t]]
            if not compared[c] or (first[c] >= 0 and limit == 1):
                continue
            if slot[c] < 0:
                slot[c] = held
                kinds[held], turn[held], enough[held], tentative[held] = c, t, True, kept[c] == 0
                held += 1
            if limit > 1:
                enough[slot[c]] = False
        for q in range(held):
            if tentative[q]:
                post(kinds[q], turn[q], ends, places, bucket, starts, size, signature, second, posted, about, filled)
        asked = 0
        best = np.full(held, NEVER, np.int64)
        best_shared = np.zeros(held, np.int32)
        wanted, whose = np.empty(held, np.int64), np.empty(held, np.int64)
        for q in range(held):
            if first[kinds[q]] < 0 or not enough[q]:
                wanted[asked], whose[asked] = kinds[q], q
                asked += 1
        pairs = block_pairs(
            wanted[:asked], turn[whose[:asked]], enough[whose[:asked]], best, best_shared, begin, turns,
            members, start, size, same, run, shared_need, partner, short,
            ends, lists, places, bucket, firsts, sizes, starts, signature, second, posted, about, filled,
            check_scopes, scopes, scope_ends, check_needs, needs, need_ends,
        )  # fmt: skip
        for q in range(held):
            if tentative[q]:
                for k in range(ends[kinds[q]], ends[kinds[q] + 1]):
                    filled[bucket[k]] -= 1
        for i in range(asked):
            if best[i] < NEVER and first[wanted[i]] < 0:
                first[wanted[i]], first_shared[wanted[i]] = best[i], best_shared[i]
        head = np.full(held, -1, np.int64)
        after = np.empty(len(pairs), np.int64)
        for p in range(len(pairs)):
            q = whose[pairs[p, 0]]
            after[p], head[q] = head[q], p
        for t in range(begin, end):
            row, c = order[t], turns[t]
            limit, count, q = np.int64(cap[row]), np.int64(kept[c]), slot[c]
            if not compared[c]:
                continue
            if q >= 0 and (first[c] < 0 or limit > 1):
                nearest, nearest_shared, p = np.int64(NEVER), np.int64(0), head[q]
                while p >= 0:
                    d = pairs[p, 1]
                    if kept[d] > 0 and seen[d] != t:
                        seen[d] = t
                        count += kept[d]
                        if kept_first[d] < nearest:
                            nearest, nearest_shared = np.int64(kept_first[d]), pairs[p, 2]
                    p = after[p]
                if first[c] < 0 and nearest < NEVER:
                    first[c], first_shared[c] = nearest, nearest_shared
            if first[c] >= 0:
                witness[row], shared[row] = order[first[c]], first_shared[c]
                dropped[row] = limit == 1 or 1 < limit <= count
            if not dropped[row]:
                kept[c] += 1
                if first[c] < 0:
                    first[c], first_shared[c] = t, size[c]
                if kept[c] == 1:
                    kept_first[c] = t
                    post(c, t, ends, places, bucket, starts, size, signature, second, posted, about, filled)
        for q in range(held):
            slot[kinds[q]] = -1
    return witness, shared, dropped
