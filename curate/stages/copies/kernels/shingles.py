"""Tokens to ids and pairs of ids to shingles, compiled. Both are hash tables with open addressing: a block of places is
read before it is looked at, so that the reads wait for memory together. Ids are given in order of first appearance, so
the seed of the hash (hostile tokens cannot know it) is in no result."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.stages.copies.kernels.bits import mix
from curate.stages.copies.kernels.compiled import compiled

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]

BLOCK = 64
_MUL = np.uint64(0x9E3779B97F4A7C15)
_S32 = np.uint64(32)
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_LOW = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_WORD = np.uint64(8)


@compiled
def _word(data: U8, at: np.uint64) -> np.uint64:
    """Eight bytes as one number. The index is unsigned, so that the eight reads become one."""
    return (
        np.uint64(data[at])
        | (np.uint64(data[at + np.uint64(1)]) << np.uint64(8))
        | (np.uint64(data[at + np.uint64(2)]) << np.uint64(16))
        | (np.uint64(data[at + np.uint64(3)]) << np.uint64(24))
        | (np.uint64(data[at + np.uint64(4)]) << np.uint64(32))
        | (np.uint64(data[at + np.uint64(5)]) << np.uint64(40))
        | (np.uint64(data[at + np.uint64(6)]) << np.uint64(48))
        | (np.uint64(data[at + np.uint64(7)]) << np.uint64(56))
    )


@compiled
def _hash_bytes(data: U8, start: np.uint64, length: np.uint64, seed: np.uint64) -> np.uint64:
    h = seed ^ (length * _MUL)
    if length < _WORD:
        word = np.uint64(0)
        for k in range(length):
            word = (word << np.uint64(8)) | np.uint64(data[start + np.uint64(k)])
        return mix(h ^ word)
    at, last = start, start + length - _WORD
    while at < last:
        h = (h ^ _word(data, at)) * _MUL
        h ^= h >> _S32
        at += _WORD
    return mix(h ^ _word(data, last))


@compiled
def _same_bytes(one: U8, at: np.uint64, other: U8, start: np.uint64, length: np.uint64) -> bool:
    if length < _WORD:
        different = False
        for k in range(length):
            different |= one[at + np.uint64(k)] != other[start + np.uint64(k)]
        return not different
    k, last = np.uint64(0), length - _WORD
    while k < last:
        if _word(one, at + k) != _word(other, start + k):
            return False
        k += _WORD
    return _word(one, at + last) == _word(other, start + last)


@compiled
def _grown(table: U64, hashes: U64, count: int) -> U64:
    """A table of four times the size with the same ids: each place holds the upper half of a hash and an id."""
    size = len(table) * 4
    found = np.full(size, _EMPTY, np.uint64)
    mask = np.uint64(size - 1)
    for i in range(count):
        at = hashes[i] & mask
        while found[at] != _EMPTY:
            at = (at + _ONE) & mask
        found[at] = (hashes[i] & ~_LOW) | np.uint64(i)
    return found


@compiled
def encode(data: U8, bounds: I64, seed: np.uint64, table: U64, hashes: U64, arena: U8, ends: I64, count: int, out: I32):
    """The ids of the strings `data[bounds[i]:bounds[i + 1]]` into `out`. `table`, `hashes` (by id), `arena` (the
    distinct strings, one after the other), `ends` (where each ends in it; the first entry is 0) and `count` go on from
    chunk to chunk; they are returned as they are afterwards."""
    wanted = np.empty(BLOCK, np.uint64)
    read = np.uint64(0)
    total = len(bounds) - 1
    for first in range(0, total, BLOCK):
        last = min(first + BLOCK, total)
        if (count + BLOCK) * 2 > len(table):
            table = _grown(table, hashes, count)
        if count + BLOCK > len(hashes):
            more = np.empty(len(hashes) * 2, np.uint64)
            more[:count] = hashes[:count]
            hashes = more
            longer = np.empty(len(hashes) + 1, np.int64)
            longer[: count + 1] = ends[: count + 1]
            ends = longer
        mask = np.uint64(len(table) - 1)
        for k in range(first, last):
            h = _hash_bytes(data, np.uint64(bounds[k]), np.uint64(bounds[k + 1] - bounds[k]), seed)
            wanted[k - first] = h
            read ^= table[h & mask]
        for k in range(first, last):
            h = wanted[k - first]
            start, length = bounds[k], bounds[k + 1] - bounds[k]
            at = h & mask
            while True:
                place = table[at]
                if place == _EMPTY:
                    if ends[count] + length > len(arena):
                        bigger = np.empty(max(len(arena) * 2, ends[count] + length), np.uint8)
                        bigger[: ends[count]] = arena[: ends[count]]
                        arena = bigger
                    for j in range(length):
                        arena[ends[count] + j] = data[start + j]
                    ends[count + 1] = ends[count] + length
                    hashes[count] = h
                    table[at] = (h & ~_LOW) | np.uint64(count)
                    out[k] = count
                    count += 1
                    break
                if ((place ^ h) >> _S32) == 0:
                    i = np.int64(place & _LOW)
                    if ends[i + 1] - ends[i] == length and _same_bytes(
                        arena, np.uint64(ends[i]), data, np.uint64(start), np.uint64(length)
                    ):
                        out[k] = i
                        break
                at = (at + _ONE) & mask
    return table, hashes, arena, ends, count, read


@compiled
def _grown_pairs(table: U64, seed: np.uint64) -> U64:
    """A table of twice the size with the same entries: each is a key, and beside it (id, last row that had it)."""
    size = len(table) * 2
    found = np.full(size, _EMPTY, np.uint64)
    mask = np.uint64(size // 2 - 1)
    for old in range(0, len(table), 2):
        if table[old + 1] != _EMPTY:
            at = mix(table[old] ^ seed) & mask
            while found[2 * at + _ONE] != _EMPTY:
                at = (at + _ONE) & mask
            found[2 * at] = table[old]
            found[2 * at + _ONE] = table[old + 1]
    return found


@compiled
def rank_pairs(left: I32, right: I32, bounds: I64, gap: int, seed: np.uint64, limit: int, out: I32, ends: I64):
    """An id for each distinct pair (left[i], right[i + gap]) within a row; a row shorter than `gap` + 1 has the one
    pair (left[first], none). The ids of each row, each once, go into `out`, where they end into `ends[row + 1]`.
    Returns in how many rows each id is and the `i` where it first stood (both arrays may be longer), and how many ids
    there are: -1 if over `limit`.

    It is longer than usual because the tables are replaced as they grow, and a call would have to hand all back."""
    table = np.full(1 << 13, _EMPTY, np.uint64)
    frequency = np.zeros(1 << 11, np.int32)
    stood = np.zeros(1 << 11, np.int64)
    places = np.empty(BLOCK, np.int64)
    keys = np.empty(BLOCK, np.uint64)
    whose = np.empty(BLOCK, np.int64)
    wanted = np.empty(BLOCK, np.uint64)
    count, filled, read = 0, 0, np.uint64(0)
    rows, row, at_token = len(bounds) - 1, 0, bounds[0]
    while row < rows:
        held = 0
        while held < BLOCK and row < rows:
            stop = bounds[row + 1]
            if at_token + gap < stop:
                keys[held] = (np.uint64(left[at_token]) << _S32) | np.uint64(right[at_token + gap])
                whose[held] = row
                places[held] = at_token
                held += 1
                at_token += 1
            elif at_token == bounds[row] and at_token < stop:
                keys[held] = (np.uint64(left[at_token]) << _S32) | _LOW
                whose[held] = row
                places[held] = at_token
                held += 1
                at_token = stop
            else:
                row += 1
                at_token = stop
        if (count + BLOCK) * 4 > len(table):
            table = _grown_pairs(table, seed)
        if count + BLOCK > len(frequency):
            more = np.zeros(len(frequency) * 2, np.int32)
            more[:count] = frequency[:count]
            frequency = more
            longer = np.zeros(len(frequency), np.int64)
            longer[:count] = stood[:count]
            stood = longer
        mask = np.uint64(len(table) // 2 - 1)
        for k in range(held):
            wanted[k] = mix(keys[k] ^ seed) & mask
            read ^= table[2 * wanted[k] + _ONE]
        for k in range(held):
            at, key, mine = wanted[k], keys[k], np.uint64(whose[k])
            while True:
                place = table[2 * at + _ONE]
                if place == _EMPTY:
                    table[2 * at] = key
                    table[2 * at + _ONE] = (np.uint64(count) << _S32) | mine
                    frequency[count] = 1
                    stood[count] = places[k]
                    out[filled] = count
                    filled += 1
                    count += 1
                    break
                if table[2 * at] == key:
                    if (place & _LOW) != mine:
                        i = np.int64(place >> _S32)
                        table[2 * at + _ONE] = (place & ~_LOW) | mine
                        frequency[i] += 1
                        out[filled] = i
                        filled += 1
                    break
                at = (at + _ONE) & mask
            ends[whose[k] + 1] = filled
        if count > limit:
            return frequency, stood, -1, read
    for row in range(rows):
        ends[row + 1] = max(ends[row + 1], ends[row])
    return frequency, stood, count, read


@compiled
def rarest_first(ids: I32, bounds: I64, frequency: I32, count: int) -> I32:
    """Ids in place to ranks by (frequency, id), each row ascending. Returns the id of each rank."""
    most = 0
    for i in range(count):
        most = max(most, frequency[i])
    starts = np.zeros(most + 2, np.int64)
    for i in range(count):
        starts[frequency[i] + 1] += 1
    for f in range(most + 1):
        starts[f + 1] += starts[f]
    rank = np.empty(count, np.int32)
    by_rank = np.empty(count, np.int32)
    for i in range(count):
        at = starts[frequency[i]]
        starts[frequency[i]] += 1
        rank[i] = at
        by_rank[at] = i
    for row in range(len(bounds) - 1):
        start, stop = bounds[row], bounds[row + 1]
        for k in range(start, stop):
            ids[k] = rank[ids[k]]
        if stop - start > 64:
            ids[start:stop].sort()
            continue
        for k in range(start + 1, stop):
            value, at = ids[k], k
            while at > start and ids[at - 1] > value:
                ids[at] = ids[at - 1]
                at -= 1
            ids[at] = value
    return by_rank
