"""Sets of shingles where no node holds the labels of all runs: members are hashes, which every shard makes for itself,
ordered by how many runs of the whole corpus hold them (counted by hash, in a table of fixed size: any one order of all
shards will do, the rarer first the faster).

A member is told by 104 bits of its hash: at 10^9 different shingles two are taken for one with a chance of 10^-14."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.model.constants import FREQUENCY_BUCKETS
from curate.stages.copies.partitions.lists import Ints, counting, lists_of

_HALF = pa.list_(pa.uint64())
HASHED: pa.Schema = pa.schema([("run", pa.int64()), ("high", _HALF), ("low", _HALF)])
"""A run's shingles: the two halves of the hash of each, each shingle once."""
_OWN = 40  # bits of its hash in a member, below its frequency


def hashed_rows(runs: pa.Table, n: int) -> pa.Table:
    """HASHED from `run` and `labels` (list of string) of a shard. Shingles are n consecutive labels; fewer labels
    than n are one shingle of all of them."""
    labels: Any = runs["labels"]
    starts, _ = lists_of(labels)
    words = _flat(labels).dictionary_encode()
    ids = words.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    length = np.diff(starts)
    many = np.where(length >= n, length - n + 1, (length > 0).astype(np.int64))
    row = np.repeat(np.arange(len(length)), many)
    parts = _parts(ids, starts[row] + counting(many), length[row], n)
    which, example = _numbered(parts, len(words.dictionary))
    hashes = _hashes(words.dictionary.to_pylist(), parts[example].tolist())
    each_once = np.unique(row * max(len(example), 1) + which)
    row, which = np.divmod(each_once, max(len(example), 1))
    offsets = np.zeros(len(length) + 1, np.int32)
    np.cumsum(np.bincount(row, minlength=len(length)), out=offsets[1:])
    halves = [pa.ListArray.from_arrays(_int32(offsets), pa.array(hashes[which, half].copy())) for half in (0, 1)]
    return pa.table([runs["run"], *halves], schema=HASHED)


def _parts(ids: Ints, first: Ints, length: Ints, n: int) -> Ints:
    """The labels of each shingle, -1 where its run has fewer."""
    found = np.full((len(first), n), -1, np.int64)
    for k in range(n):
        there = k < length
        found[there, k] = ids[first[there] + k]
    return found


def _numbered(parts: Ints, labels: int) -> tuple[Ints, Ints]:
    """Equal shingles get equal numbers, from 0; and where one of each number stands."""
    number, example = np.zeros(len(parts), np.int64), np.zeros(0, np.int64)
    for part in parts.T:
        _, example, number = np.unique(number * (labels + 1) + part + 1, return_index=True, return_inverse=True)
    return number.astype(np.int64), example


def _hashes(labels: list[str], shingles: list[list[int]]) -> NDArray[np.uint64]:
    """128 bits of each shingle, as two halves."""
    own = [_digest(label.encode("utf-8", "surrogatepass")) for label in labels]
    digests = b"".join(_digest(b"".join(own[part] for part in parts if part >= 0)) for parts in shingles)
    return np.frombuffer(digests, np.uint64).reshape(-1, 2)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def _flat(column: Any) -> Any:
    """The texts of a column of lists, one after the other."""
    return pa.concat_arrays([pa.array([], column.type), *column.chunks]).flatten()


def _int32(values: NDArray[np.int32]) -> Any:
    return pa.array(values)


def frequencies(hashed: pa.Table, buckets: int = FREQUENCY_BUCKETS) -> NDArray[np.uint32]:
    """In how many runs of a shard the shingles of each bucket stand."""
    return np.bincount(_bucket(lists_of(hashed["high"])[1], buckets), minlength=buckets).astype(np.uint32)


def together(tables: Iterable[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """Frequencies over all shards, of which there is one at least. A count stops at 2^24 - 1, far beyond what makes a
    difference."""
    total = sum((table.astype(np.uint64) for table in tables), start=np.zeros(1, np.uint64))
    return np.minimum(total, (1 << (64 - _OWN)) - 1).astype(np.uint32)


def in_order(hashed: pa.Table, frequency: NDArray[np.uint32], keys: Sequence[tuple[str, Any]]) -> pa.Table:
    """ROWS of `partitioned`, members rarest first. `keys`: the columns scopes, evidence and needs."""
    starts, high = lists_of(hashed["high"])
    low = lists_of(hashed["low"])[1]
    member = (frequency[_bucket(high, len(frequency))].astype(np.uint64) << np.uint64(_OWN)) | (
        high >> np.uint64(64 - _OWN)
    )
    row = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((low, member, row))
    offsets: Ints = starts
    lists = [pa.ListArray.from_arrays(_int32(offsets.astype(np.int32)), pa.array(one[order])) for one in (member, low)]
    columns: dict[str, Any] = {"run": hashed["run"], "members": lists[0], "check": lists[1], **dict(keys)}
    return pa.table(columns)


def _bucket(high: NDArray[Any], buckets: int) -> Ints:
    return (high % np.uint64(buckets)).astype(np.int64)
