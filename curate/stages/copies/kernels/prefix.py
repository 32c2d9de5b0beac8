"""The index of rarest members, laid out once and filled as runs are kept (see `prefix_index`), compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.bits import mix
from curate.stages.copies.kernels.compiled import compiled

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]


@compiled
def signatures(members: I32, start: I64, size: I32) -> U64:
    """64 bits of each set: each member turns one of them over. Two sets differ in at least as many members as their
    signatures do in bits."""
    found = np.zeros(len(size), np.uint64)
    for c in range(len(size)):
        bits = np.uint64(0)
        for k in range(start[c], start[c] + size[c]):
            bits ^= np.uint64(1) << (mix(np.uint64(members[k])) >> np.uint64(58))
        found[c] = bits
    return found


@compiled
def member_entries(members: I32, start: I64, size: I32, same: I32, partner: I32, short: int, distinct: int):
    """By kind, the lists it stands in and at which of its members: its rarest members, as many as similar sets cannot
    all miss; a short set stands in a list of its own equals. Returns (ends by kind, lists, places)."""
    ends = np.zeros(len(size) + 1, np.int64)
    for c in range(len(size)):
        a = size[c]
        count = 0 if a == 0 else (1 if a < short else a - partner[a] + 1)
        ends[c + 1] = ends[c] + count
    lists = np.empty(ends[-1], np.int32)
    places = np.empty(ends[-1], np.int32)
    for c in range(len(size)):
        at = ends[c]
        if 0 < size[c] < short:
            lists[at] = distinct + same[c]
            places[at] = 0
            continue
        for i in range(ends[c + 1] - at):
            lists[at + i] = members[start[c] + i]
            places[at + i] = i
    return ends, lists, places


@compiled
def keyed_entries(
    members: I32, start: I64, size: I32, same: I32, partner: I32, short: int, distinct: int,
    keys: I32, first: I64, last: I64, few: int,
):  # fmt: skip
    """The same where two must also share a key: a list for each key and member, or for the key alone where `few` kinds
    or fewer have it; a key that one kind has leads nowhere. `keys[first[c]:last[c]]` are those of a kind.

    It is longer than usual because it goes through all twice, to count and to fill, with the same cases."""
    highest = 0
    for c in range(len(size)):
        for k in range(first[c], last[c]):
            highest = max(highest, keys[k] + 1)
    having = np.zeros(highest, np.int32)
    for c in range(len(size)):
        if size[c] > 0:
            for k in range(first[c], last[c]):
                having[keys[k]] += 1
    ends = np.zeros(len(size) + 1, np.int64)
    many = 0
    for c in range(len(size)):
        a, count = size[c], 0
        whole = 0 if a == 0 else (1 if a < short else a - partner[a] + 1)
        for k in range(first[c], last[c]):
            if a > 0 and having[keys[k]] > few:
                count += whole
                many += whole
            elif a > 0 and having[keys[k]] > 1:
                count += 1
        ends[c + 1] = ends[c] + count
    room = 1024
    while room < 2 * many:
        room *= 2
    empty, one = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(1)
    mask = np.uint64(room - 1)
    table = np.full(room, empty, np.uint64)
    number = np.zeros(room, np.int32)
    alone = np.full(highest, -1, np.int32)
    lists = np.empty(ends[-1], np.int32)
    places = np.empty(ends[-1], np.int32)
    count = 0
    for c in range(len(size)):
        at, a = ends[c], size[c]
        if a == 0:
            continue
        whole = 1 if a < short else a - partner[a] + 1
        for k in range(first[c], last[c]):
            key = keys[k]
            if having[key] <= 1:
                continue
            if having[key] <= few:
                if alone[key] < 0:
                    alone[key] = count
                    count += 1
                lists[at] = alone[key]
                places[at] = 0
                at += 1
                continue
            for i in range(whole):
                member = np.uint64(distinct + same[c]) if a < short else np.uint64(members[start[c] + i])
                pair = (np.uint64(key) << np.uint64(32)) | member
                h = mix(pair) & mask
                while table[h] != empty and table[h] != pair:
                    h = (h + one) & mask
                if table[h] == empty:
                    table[h] = pair
                    number[h] = count
                    count += 1
                lists[at] = number[h]
                places[at] = i
                at += 1
    return ends, lists, places, count


@compiled
def shared_lists(ends: I64, lists: I32, places: I32, count: int):
    """Entries of lists in which two kinds or more stand, with those lists numbered anew; in place, but for the ends.
    Returns (ends, how many kinds stand in each list)."""
    standing = np.zeros(count, np.int32)
    for k in range(len(lists)):
        standing[lists[k]] += 1
    number = np.full(count, -1, np.int32)
    kept = 0
    for at in range(count):
        if standing[at] > 1:
            number[at] = kept
            standing[kept] = standing[at]
            kept += 1
    shrunk = np.zeros(len(ends), np.int64)
    filled = 0
    for c in range(len(ends) - 1):
        for k in range(ends[c], ends[c + 1]):
            if number[lists[k]] >= 0:
                lists[filled] = number[lists[k]]
                places[filled] = places[k]
                filled += 1
        shrunk[c + 1] = filled
    return shrunk, standing[:kept].copy()


@compiled
def by_size(size: I32) -> I64:
    """Kinds, the smallest sets first."""
    largest = 0
    for c in range(len(size)):
        largest = max(largest, size[c])
    starts = np.zeros(largest + 2, np.int64)
    for c in range(len(size)):
        starts[size[c] + 1] += 1
    for a in range(largest + 1):
        starts[a + 1] += starts[a]
    found = np.empty(len(size), np.int64)
    for c in range(len(size)):
        found[starts[size[c]]] = c
        starts[size[c]] += 1
    return found


@compiled
def buckets(ends: I64, lists: I32, size: I32, standing: I32, few: int):
    """Each list cut into stretches of sets of one size, the smallest first; lists of `few` or fewer stay whole, in a
    stretch of size 0. Returns (stretch of each entry, first stretch of each list, size, start of each stretch)."""
    order = by_size(size)
    latest = np.zeros(len(standing), np.int32)
    firsts = np.zeros(len(standing) + 1, np.int64)
    for c in order:
        for k in range(ends[c], ends[c + 1]):
            at = lists[k]
            a = size[c] if standing[at] > few else -1
            if latest[at] != a:
                latest[at] = a
                firsts[at + 1] += 1
    for at in range(len(standing)):
        firsts[at + 1] += firsts[at]
        latest[at] = 0
    current = firsts[:-1] - 1
    bucket = np.empty(len(lists), np.int32)
    sizes = np.zeros(firsts[-1], np.int32)
    starts = np.zeros(firsts[-1] + 1, np.int64)
    for c in order:
        for k in range(ends[c], ends[c + 1]):
            at = lists[k]
            a = size[c] if standing[at] > few else -1
            if latest[at] != a:
                latest[at] = a
                current[at] += 1
                sizes[current[at]] = max(a, 0)
            bucket[k] = current[at]
            starts[current[at] + 1] += 1
    for b in range(len(sizes)):
        starts[b + 1] += starts[b]
    return bucket, firsts, sizes, starts[:-1].copy()
