"""Near-copies in parts that know nothing of each other, so that many machines can work on them: pure functions, Arrow
table to Arrow table. Together they give exactly what `keep_first` gives on one machine:

    rows_of            the runs of a shard (from labels, where no node has all of them: hashed_shingles)
    contents, kinds    runs that are alike in everything are one kind; its first stands for it
    prefix_rows        map: a row for each of a run's rarest members, by the partition that member belongs to
    similar_rows       join (partition_join): inside one partition, all pairs that are similar with evidence, each once
    first_kept         gather, on one node: which runs stay, from the few pairs"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.stages.copies.partitions.lists import Flags, Ints, counting, list_array, lists_of, mixed
from curate.stages.copies.types import Decided, Problem, Sets

_IDS: Any = pa.list_(pa.uint64())
_KEYS: Any = pa.list_(pa.int64())
_ROW: list[tuple[str, Any]] = [
    ("run", pa.int64()), ("members", _IDS), ("check", _IDS), ("scopes", _KEYS), ("evidence", _KEYS), ("needs", _KEYS)
]  # fmt: skip
ROWS = pa.schema(_ROW)
"""A run by its position. `members`: of its set, ascending in the one order of all shards. `check`: null, or the rest
of each member's hash (two members are the same if both are). Keys of `scopes`, `evidence`, `needs` as in `Problem`;
empty where the problem has none."""
PREFIXES: pa.Schema = pa.unify_schemas(
    [pa.schema([("partition", pa.int32()), ("key", pa.int64()), ("place", pa.int32())]), ROWS]
)
"""A run once for each key and each of its rarest members, of which `place` is the position."""
_PAIR: list[tuple[str, Any]] = [
    ("a", pa.int64()), ("b", pa.int64()), ("shared", pa.int32()), ("of_b", pa.bool_()), ("of_a", pa.bool_())
]  # fmt: skip
PAIRS = pa.schema(_PAIR)
"""Runs `a` < `b` that are similar with evidence; `of_b`: b may be the witness of a, `of_a`: a that of b (`needs`)."""


_AT_A_TIME = 1 << 16  # runs whose meetings are worked out at once


class Rules(msgspec.Struct, kw_only=True, frozen=True):
    """What of a problem the parts need: the threshold as p/q, and which conditions there are."""

    p: int
    q: int
    scopes: bool
    evidence: bool
    needs: bool
    short: int

    def enough(self, shared: Ints, both: Ints) -> Flags:
        """Whether shared members are enough for sets with `both` members together: Jaccard >= p/q, in integers."""
        return (self.p + self.q) * shared >= self.p * both

    def prefix(self, sizes: Ints) -> Ints:
        """How many of the rarest members two similar sets must share one of."""
        return sizes - -(-self.p * sizes // self.q) + 1

    @property
    def met_by(self) -> str | None:
        """The keys of which two runs must share one to meet at all; evidence tells more of them apart."""
        return "evidence" if self.evidence else "scopes" if self.scopes else None


def rules_of(problem: Problem) -> Rules:
    threshold = problem.threshold
    return Rules(
        p=threshold.numerator, q=threshold.denominator, scopes=problem.scopes is not None,
        evidence=problem.evidence is not None, needs=problem.needs is not None, short=problem.short,
    )  # fmt: skip


def rows_of(problem: Problem, start: int, stop: int) -> pa.Table:
    """ROWS of the runs `start` to `stop`. Ranks are members' ids: nothing is left to check."""
    count = stop - start
    none = list_array(Sets(np.zeros(0, np.int32), np.zeros(count + 1, np.int64)), 0, count, np.int64)
    columns: dict[str, Any] = {
        "run": pa.array(np.arange(start, stop, dtype=np.int64)),
        "members": list_array(problem.sets, start, stop, np.uint64),
        "check": pa.nulls(count, _IDS),
        **{
            name: none if keys is None else list_array(keys, start, stop, np.int64)
            for name, keys in (("scopes", problem.scopes), ("evidence", problem.evidence), ("needs", problem.needs))
        },
    }
    return pa.table(columns, schema=ROWS)


def contents(rows: pa.Table, rules: Rules) -> pa.Table:
    """By run: a 128-bit hash of all that its row says (`high`, `low`), the `size` of its set, and whether a run that
    says the same is similar to it with evidence (`alike`)."""
    lists = {name: lists_of(rows[name]) for name in ("members", "check", "scopes", "evidence", "needs")}
    pieces = [(starts, np.ascontiguousarray(values).view(np.uint8).data) for starts, values in lists.values()]
    digests = bytearray()
    for row in range(rows.num_rows):
        digest = hashlib.blake2b(digest_size=16)
        for starts, data in pieces:
            piece = data[8 * int(starts[row]) : 8 * int(starts[row + 1])]
            digest.update(len(piece).to_bytes(8, "little"))
            digest.update(piece)
        digests += digest.digest()
    halves = np.frombuffer(bytes(digests), np.uint64).reshape(-1, 2)
    size = np.diff(lists["members"][0])
    alike = size > 0
    for name in ("scopes", "evidence"):
        if getattr(rules, name):
            alike &= np.diff(lists[name][0]) > 0
    made = {"high": halves[:, 0].copy(), "low": halves[:, 1].copy(), "size": size, "alike": alike}
    return _with(rows.select(["run"]), made)


def kinds(table: pa.Table) -> Ints:
    """By run, the first run that is alike in everything (itself, where it is the first), from all contents."""
    run, high, low = (table[name].to_numpy() for name in ("run", "high", "low"))
    by_hash = np.lexsort((run, low, high))
    high, low, run = high[by_hash], low[by_hash], run[by_hash]
    new = np.ones(len(run), bool)
    new[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    first: Ints = np.empty(len(run), np.int64)
    first[run] = run[new][np.cumsum(new) - 1]
    return first


def prefix_rows(rows: pa.Table, rules: Rules, stand_in: Flags, partitions: int) -> pa.Table:
    """PREFIXES of those rows that stand for their kind, by partition."""
    meetings = Meetings(rows, rules, stand_in, partitions)
    return meetings.rows(np.argsort(meetings.partition, kind="stable"))


class Meetings:
    """Where the runs that stand for their kind may meet others: each once for each key and each of its rarest members.

    `partition`: by meeting, the one that this member belongs to under this key. The rest is made of a meeting's number
    when it is asked for: there are ten times as many as runs (some 40 bytes a run in all)."""

    def __init__(self, rows: pa.Table, rules: Rules, stand_in: Flags, partitions: int) -> None:
        self._table = rows
        starts, members = lists_of(rows["members"])
        sizes = np.diff(starts)
        self._row = np.flatnonzero(stand_in).astype(np.int32)
        self._key = np.zeros(len(self._row), np.int64)
        if rules.met_by is not None:
            key_starts, keys = lists_of(rows[rules.met_by])
            self._row = np.repeat(self._row, np.diff(key_starts)[self._row])
            self._key = keys[np.repeat(stand_in, np.diff(key_starts))]
        long = np.where(sizes > 0, rules.prefix(sizes), 0)[self._row]
        self._ends: Ints = np.cumsum(long)
        self.partition = np.zeros(int(self._ends[-1]) if len(long) else 0, np.min_scalar_type(partitions))
        for first in range(0, len(long), _AT_A_TIME):
            some = slice(first, first + _AT_A_TIME)
            own = np.repeat(np.arange(first, first + len(long[some])), long[some])
            member = members[starts[self._row[own]] + counting(long[some])].astype(np.uint64)
            mix = mixed(member ^ mixed(self._key[own].astype(np.uint64))) % np.uint64(partitions)
            before = int(self._ends[first] - long[first])
            self.partition[before : before + len(own)] = mix

    def rows(self, numbers: Ints) -> pa.Table:
        """PREFIXES of the meetings of these numbers."""
        own = np.searchsorted(self._ends, numbers, "right")
        begins = np.concatenate([[0], self._ends])[own]
        told = {
            "partition": self.partition[numbers].astype(np.int32),
            "key": self._key[own],
            "place": (numbers - begins).astype(np.int32),
        }
        return _with(self._table.take(self._row[own]), told).select(PREFIXES.names)


def _with(table: pa.Table, columns: dict[str, Any]) -> pa.Table:
    """The table with columns of numpy's beside its own."""
    for name, column in columns.items():
        table = table.append_column(name, pa.array(column))
    return table


def first_kept(pairs: pa.Table, table: pa.Table, order: Ints, cap: NDArray[np.int32]) -> Decided:
    """The decision, from the pairs between first ones of kinds and all contents (see `Problem` for order and cap).

    Runs of a kind are witnesses for the same runs, so what is kept is counted by kind. Memory: some 60 bytes a run."""
    count = len(order)
    by_run = np.argsort(table["run"].to_numpy())
    size, alike = (table[name].to_numpy()[by_run] for name in ("size", "alike"))
    kind = kinds(table)
    starts, near, shared = _neighbours(pairs, count)
    told = Decided(np.full(count, -1, np.int64), np.zeros(count, np.int32), np.zeros(count, bool))
    met = (np.diff(starts) > 0) | (np.bincount(near, minlength=count) > 0) | (np.bincount(kind, minlength=count) > 1)
    looked_at = order[met[kind[order]]]  # all others are similar to none
    kept_first: dict[int, tuple[int, int]] = {}  # kind: turn and run of the first that stays
    kept: dict[int, int] = {}
    for turn, run in enumerate(looked_at.tolist()):
        own = int(kind[run])
        best, number = (-1, -1, 0), 0
        witnesses = [(int(near[at]), int(shared[at])) for at in range(starts[own], starts[own + 1])]
        if alike[run]:
            witnesses.append((own, int(size[run])))
        for other, both in witnesses:
            if other in kept:
                number += kept[other]
                if best[0] < 0 or kept_first[other][0] < best[0]:
                    best = (*kept_first[other], both)
        if number:
            told.witness[run], told.shared[run] = best[1], best[2]
        if 0 < cap[run] <= number:
            told.dropped[run] = True
        else:
            kept[own] = kept.get(own, 0) + 1
            kept_first.setdefault(own, (turn, run))
    return told


def _neighbours(pairs: pa.Table, count: int) -> tuple[Ints, Ints, Ints]:
    """By kind: which kinds its witnesses may come from, and how many members it shares with each, as lists."""
    a, b, shared, of_b, of_a = (pairs[name].to_numpy() for name in PAIRS.names)
    of = np.concatenate([a[of_b], b[of_a]])
    witness, both = np.concatenate([b[of_b], a[of_a]]), np.concatenate([shared[of_b], shared[of_a]])
    order = np.lexsort((witness, of))
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(of, minlength=count), out=starts[1:])
    return starts, witness[order], both[order].astype(np.int64)
