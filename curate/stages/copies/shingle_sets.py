"""What each run did, as a set of ranks of shingles: tokens get ids, n consecutive ids get one id, and ids become ranks,
rarest first. Exact: equal ids are equal strings, whatever the chunks or dictionaries they came in."""

from __future__ import annotations

from secrets import randbits
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.errors import CurateError
from curate.stages.copies.kernels.compiled import pays_compiled
from curate.stages.copies.types import Sets

pc: Any = pyarrow.compute  # its stubs know no lists
Labels = Any
"""An Arrow array or chunked array of lists."""
MOST = 2**31 - 65  # ids are 32 bits; the compiled table looks at 64 places before it counts
TOO_MANY = "the runs hold 2^31 distinct shingles or more: compare them in parts, by app or by date"


class Tokens(NamedTuple):
    """Ids of the tokens of each run: those of run `i` are `ids[bounds[i]:bounds[i + 1]]`. `distinct`: the first id
    that is none."""

    ids: NDArray[np.int32]
    bounds: NDArray[np.int64]
    distinct: int


class Shingled(NamedTuple):
    """Sets of ranks, and for each rank the place in the stream of all tokens where that shingle first stands."""

    sets: Sets
    first: NDArray[np.int64]


def shingle_sets(labels: Labels, n: int) -> Sets:
    """The shingles of each run: `labels` holds a list of tokens for each (list of string, or of dictionary of string;
    a null list is an empty one). A shingle is n consecutive tokens; fewer tokens than n are one shingle of all of
    them, which no shingle of n equals; none give the empty set. The shingle in the fewest runs has rank 0; of equally
    rare ones the one that stands first in the data comes first, so chunks do not matter.

    Raises CurateError for null tokens, and for 2^31 distinct shingles or tokens and more."""
    return shingled(token_ids(labels), n).sets


def token_ids(labels: Labels) -> Tokens:
    """Equal tokens get equal ids."""
    chunks: list[Any] = labels.chunks if isinstance(labels, pa.ChunkedArray) else [labels]
    lengths = [pc.fill_null(pc.list_value_length(chunk), 0).to_numpy(zero_copy_only=False) for chunk in chunks]
    bounds = np.zeros(sum(map(len, lengths)) + 1, np.int64)
    np.cumsum(np.concatenate([np.zeros(0, np.int64), *lengths]), out=bounds[1:])
    flat = [chunk.flatten() for chunk in chunks]
    if any(values.null_count for values in flat):
        raise CurateError("a run has a token that is null: leave unknown steps out before runs are compared")
    strings = [values.dictionary if pa.types.is_dictionary(values.type) else values for values in flat]
    found, count = (_encoded_compiled if pays_compiled(len(bounds) - 1) else _encoded)(strings)
    ids = np.empty(bounds[-1], np.int32)
    at = 0
    for values, own in zip(flat, found, strict=True):
        known = own[values.indices.to_numpy()] if pa.types.is_dictionary(values.type) else own
        ids[at : at + len(values)] = known
        at += len(values)
    return Tokens(ids, bounds, count)


def _encoded(strings: list[Any]) -> tuple[list[NDArray[np.int32]], int]:
    """Ids of all strings, array by array, and how many there are."""
    ends = np.cumsum([len(values) for values in strings])
    if not len(ends) or not ends[-1]:
        return [np.zeros(0, np.int32) for _ in strings], 0
    column: Any = pa.chunked_array([values.cast(pa.large_string()) for values in strings], pa.large_string())
    column = column.dictionary_encode().unify_dictionaries()  # leaves empty chunks out
    ids = np.concatenate([chunk.indices.to_numpy() for chunk in column.chunks])
    return np.split(ids, ends[:-1]), len(column.chunk(0).dictionary)


def _encoded_compiled(strings: list[Any]) -> tuple[list[NDArray[np.int32]], int]:
    """The same by a hash table that is kept in the processor's cache."""
    from curate.stages.copies.kernels import shingles as kernels

    table, hashes = np.full(1 << 12, 2**64 - 1, np.uint64), np.empty(1 << 11, np.uint64)
    arena, ends, count, found = np.empty(1 << 16, np.uint8), np.zeros((1 << 11) + 1, np.int64), 0, []
    seed = np.uint64(randbits(64))
    for values in strings:
        wide = (
            values
            if pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
            else values.cast(pa.large_string())
        )
        _, offsets, data = wide.buffers()
        width = np.int64 if pa.types.is_large_string(wide.type) else np.int32
        bounds = (
            np.frombuffer(offsets, width)[wide.offset : wide.offset + len(wide) + 1] if offsets else np.zeros(1, width)
        )
        text = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8)
        out = np.empty(len(wide), np.int32)
        table, hashes, arena, ends, count, _ = kernels.encode(
            text, bounds, seed, table, hashes, arena, ends, count, out
        )
        found.append(out)
    return found, count


def shingled(tokens: Tokens, n: int) -> Shingled:
    """The sets of shingles of n tokens (see `shingle_sets`)."""
    if n < 1:
        raise CurateError(f"a shingle of {n} tokens is none: n is 1 or more")
    left, (ids, bounds, _) = _runs_of(tokens, n)
    found = (_ranked_compiled if pays_compiled(len(bounds) - 1) else _ranked)(left, ids, bounds, n - 1)
    if bounds is tokens.bounds:
        return found
    run = np.searchsorted(bounds, found.first, side="right") - 1  # of rows that were filled up
    return Shingled(found.sets, found.first - bounds[run] + tokens.bounds[run])


def _runs_of(tokens: Tokens, n: int) -> tuple[NDArray[np.int32], Tokens]:
    """An id for every n - 1 consecutive tokens, by the place of the first of them; and the tokens, with rows filled up
    to n of them by a token that stands nowhere else."""
    ids, bounds, count = tokens
    if n <= 2:
        return ids, tokens
    filled = np.where(np.diff(bounds) > 0, np.maximum(np.diff(bounds), n), 0)
    wide = np.zeros(len(bounds), np.int64)
    np.cumsum(filled, out=wide[1:])
    padded = np.full(wide[-1], count, np.int32)
    padded[np.arange(bounds[-1]) + np.repeat(wide[:-1] - bounds[:-1], np.diff(bounds))] = ids
    left = padded
    for gap in range(1, n - 1):
        key = (left[: len(padded) - gap].astype(np.int64) << 32) | padded[gap:]
        left = pa.array(key).dictionary_encode().indices.to_numpy()
    return left, Tokens(padded, wide, count + 1)


def _ranked_compiled(left: NDArray[np.int32], ids: NDArray[np.int32], bounds: NDArray[np.int64], gap: int) -> Shingled:
    from curate.stages.copies.kernels import shingles as kernels

    members, ends = np.empty(len(ids), np.int32), np.zeros(len(bounds), np.int64)
    seed = np.uint64(randbits(64))
    frequency, stood, count, _ = kernels.rank_pairs(left, ids, bounds, gap, seed, MOST, members, ends)
    if count < 0:
        raise CurateError(TOO_MANY)
    members = members[: ends[-1]].copy()
    by_rank = kernels.rarest_first(members, ends, frequency, count)
    return Shingled(Sets(members, ends), stood[by_rank])


def _ranked(left: NDArray[np.int32], ids: NDArray[np.int32], bounds: NDArray[np.int64], gap: int) -> Shingled:
    """The same with sorts of numpy, in place where they can: some 40 bytes a token."""
    lengths = np.diff(bounds)
    held = np.where(lengths > 0, np.maximum(lengths - gap, 1), 0)
    whose = np.repeat(np.arange(len(lengths), dtype=np.int32), held)
    at = np.arange(len(whose)) + np.repeat(bounds[:-1] - (np.cumsum(held) - held), held)
    shingle, first = _numbered(_pairs(left, ids, at, gap, bounds[1:][whose]))
    first = at[first]
    del at
    if len(first) > MOST:
        raise CurateError(TOO_MANY)
    placed = _sorted(whose, shingle)
    del whose, shingle
    if len(placed):
        placed = placed[np.concatenate([[True], placed[1:] != placed[:-1]])]
    owners, members = (placed >> 32).astype(np.int32), placed.astype(np.int32)  # the lower half, below 2^31
    del placed
    by_rank = np.lexsort((first, np.bincount(members, minlength=len(first))))
    rank = np.empty(len(first), np.int32)
    rank[by_rank] = np.arange(len(first), dtype=np.int32)
    ends = np.zeros(len(bounds), np.int64)
    np.cumsum(np.bincount(owners, minlength=len(lengths)), out=ends[1:])
    return Shingled(Sets(_sorted(owners, rank[members]).astype(np.int32), ends), first[by_rank])


def _pairs(
    left: NDArray[np.int32], ids: NDArray[np.int32], at: NDArray[np.int64], gap: int, ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The shingle at each place as one number: what stands left, and the last token (none: behind the run's end)."""
    last = at + gap
    right = ids[np.minimum(last, len(ids) - 1)].astype(np.int64)
    right[last >= ends] = 0xFFFFFFFF
    pairs: NDArray[np.int64] = left[at].astype(np.int64)
    pairs <<= 32
    pairs |= right
    return pairs


def _numbered(keys: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Equal keys get equal numbers; and by number, where that key stands first. (A hash table would take twice the
    memory, for no time that counts.)"""
    order = np.argsort(keys)
    keys = keys[order]
    begins = np.concatenate([[True], keys[1:] != keys[:-1]]) if len(keys) else np.zeros(0, bool)
    del keys
    found = np.empty(len(order), np.int32)
    found[order] = np.cumsum(begins, dtype=np.int64) - 1
    starts = np.flatnonzero(begins)
    return found, np.minimum.reduceat(order, starts) if len(starts) else order


def _sorted(high: NDArray[np.int32], low: NDArray[np.int32]) -> NDArray[np.int64]:
    """Both as one number, in order."""
    both: NDArray[np.int64] = high.astype(np.int64)
    both <<= 32
    both |= low
    both.sort()
    return both
