"""Signatures of runs: what is needed to find near-copies of them without their records, and the same wherever they are
made. Words are held as 64-bit hashes (two of ten million distinct shingles collide with a chance of 3 in a million, and
then two runs seem to share one shingle more than they do), keys as in `projection`."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.copies.keys import Column, sets_of
from curate.stages.copies.projection import KEY
from curate.stages.copies.types import Sets
from curate.stages.tables import schema

pc: Any = pyarrow.compute  # its stubs know neither lists nor dictionaries
HASHES: pa.DataType = pa.list_(pa.uint64())
KEYS = ("task", "template", "content", "first_image", "last_image")
SIGNATURES = schema(
    id=pa.string(),
    shingles=HASHES,  # of n consecutive tokens each; ascending, each once
    scope=HASHES,
    mistakes=HASHES,
    **dict.fromkeys(KEYS, KEY),
)
VERSION = 2
"""Rises when tokens, keys or hashes change their meaning: signatures of two versions cannot be compared."""

_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # SplitMix64's finaliser
_STEP = np.uint64(0x9E3779B97F4A7C15)


def signatures(runs: pa.Table, n: int) -> pa.Table:
    """SIGNATURES of runs (columns of `projection.PROJECTION`), in their order."""
    lists = {name: _hashed(runs[name]) for name in ("scope", "mistakes")}
    shingles = shingle_hashes(runs["labels"], n)
    columns = {"id": runs["id"], "shingles": shingles, **lists, **{name: runs[name] for name in KEYS}}
    return pa.table(columns, schema=SIGNATURES)


def shingle_hashes(labels: Column, n: int) -> Any:
    """By run the hashes of its shingles (type HASHES), as `shingle_sets` makes them: fewer tokens than n are one
    shingle of all of them, none give none."""
    lists = _hashed(labels)
    tokens = lists.values.to_numpy(zero_copy_only=False)
    bounds = lists.offsets.to_numpy().astype(np.int64)
    tokens, bounds = tokens[bounds[0] : bounds[-1]], bounds - bounds[0]
    sizes = np.diff(bounds)
    width = np.minimum(sizes, n)  # tokens in a shingle of this run
    owners = np.repeat(np.arange(len(sizes)), np.where(sizes, sizes - width + 1, 0))
    firsts = np.arange(len(owners)) - np.repeat(_starts(owners, len(sizes)), np.bincount(owners, minlength=len(sizes)))
    firsts += bounds[owners]
    found = mixed(width[owners].astype(np.uint64))
    for k in range(int(width.max(initial=0))):
        more = np.flatnonzero(width[owners] > k)
        found[more] = mixed(found[more] + _STEP ^ tokens[firsts[more] + k])
    order = np.lexsort((found, owners))
    owners, found = owners[order], found[order]
    again = np.zeros(len(found), bool)
    again[1:] = (owners[1:] == owners[:-1]) & (found[1:] == found[:-1])
    owners, found = owners[~again], found[~again]
    offsets = np.append(_starts(owners, len(sizes)), len(owners)).astype(np.int32)
    return _lists(offsets, found)


def _starts(owners: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Where each owner's entries begin."""
    return np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=count))[:-1]]).astype(np.int64)[:count]


def mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number scattered over all 64 bits; different numbers stay different."""
    values = (values ^ (values >> np.uint64(30))) * _MIX[0]
    values = (values ^ (values >> np.uint64(27))) * _MIX[1]
    return values ^ (values >> np.uint64(31))


def word_hash(word: str) -> int:
    """64 bits of a word's SHA-256."""
    return int.from_bytes(hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8], "little")


def _hashed(column: Column) -> Any:
    """A column of lists of words (type `projection.WORDS`) as lists of hashes; a null list is an empty one."""
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
    words = column.flatten()
    at = words.indices.to_numpy(zero_copy_only=False)
    used, at = np.unique(at, return_inverse=True)  # of a part of a corpus, the dictionary may be the whole one's
    known = np.array([word_hash(word) for word in words.dictionary.take(pa.array(used)).to_pylist()], np.uint64)
    counts = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
    offsets = np.zeros(len(column) + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return _lists(offsets, known[at])


def _lists(offsets: NDArray[np.int32], values: NDArray[np.uint64]) -> Any:
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values, pa.uint64()))


def ranked(shingles: Column) -> Sets:
    """Sets of ranks from lists of hashes: the hash in the fewest runs has the lowest rank (of equals, the smaller)."""
    array: Any = shingles.combine_chunks() if isinstance(shingles, pa.ChunkedArray) else shingles
    values = array.flatten()
    numbers = values.dictionary_encode()
    at = numbers.indices.to_numpy(zero_copy_only=False)
    words = numbers.dictionary.to_numpy(zero_copy_only=False)
    order = np.lexsort((words, np.bincount(at, minlength=len(words))))
    rank = np.empty(len(words), np.int64)
    rank[order] = np.arange(len(words))
    counts = pc.fill_null(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False)
    return sets_of(np.repeat(np.arange(len(array)), counts), rank[at], len(array))
