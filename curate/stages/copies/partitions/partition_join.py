"""The join inside one partition: all pairs of its runs that are similar with evidence, each told exactly once over all
partitions.

Two similar sets share one of their rarest members (prefix filter), so they meet in its partition. They meet wherever
they share one; only where it is the rarest they share, under the first key they share, are they told of. Candidates
are rejected by size, by what can still follow the place where they meet, and by a bitmap of their members; what is left
is compared member by member."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from curate.model.constants import PARTITION_CANDIDATES
from curate.stages.copies.partitions.lists import Flags, Ints, bitmaps, counting, csr, dense, lists_of, ones
from curate.stages.copies.partitions.partitioned import PAIRS, Rules


def similar_rows(prefixes: pa.Table, rules: Rules) -> pa.Table:
    """PAIRS of one partition, in no particular order. Memory: its rows, and PARTITION_CANDIDATES pairs at a time."""
    if not prefixes.num_rows:
        return PAIRS.empty_table()
    partition = Partition(prefixes, rules)
    found = [partition.pairs(a, b) for a, b in partition.candidates()]
    return pa.concat_tables([PAIRS.empty_table(), *found])


class Partition:
    """The rows of one partition (one at least) as arrays, sorted so that rows that meet are neighbours, the smaller
    sets first."""

    def __init__(self, table: pa.Table, rules: Rules) -> None:
        self.rules = rules
        starts, values = lists_of(table["members"])
        local = dense(values, lists_of(table["check"])[1])
        place, run = (table[name].to_numpy().astype(np.int64) for name in ("place", "run"))
        token = local[starts[:-1] + place]
        lists = {name: lists_of(table[name]) for name in ("scopes", "evidence", "needs")}
        ids = {name: dense(values) for name, (_, values) in lists.items()}
        key = np.zeros(len(run), np.int64)
        if rules.met_by is not None:
            known, number = np.unique(lists[rules.met_by][1], return_index=True)
            key = ids[rules.met_by][number[np.searchsorted(known, table["key"].to_numpy())]]
        order = np.lexsort((run, np.diff(starts), token, key))
        self.token, self.key, self.run, self.place = token[order], key[order], run[order], place[order]
        self.members = csr(starts, local, order)
        self.size = np.diff(self.members.starts)
        self.bits = bitmaps(self.members)
        self.keys = {name: csr(lists[name][0], ids[name], order) for name in lists}

    def candidates(self) -> Iterator[tuple[Ints, Ints]]:
        """Rows that meet and are not of sizes too different, some at a time; the first is not the larger one."""
        count = len(self.run)
        new = np.ones(count, bool)
        new[1:] = (self.token[1:] != self.token[:-1]) | (self.key[1:] != self.key[:-1])
        group, widest = np.cumsum(new), int(self.size.max()) + 1
        largest = np.minimum(self.size * self.rules.q // self.rules.p, widest - 1)
        last = np.searchsorted(group * widest + self.size, group * widest + largest, "right")
        partners = last - np.arange(count) - 1
        ends = np.cumsum(partners)
        start = 0
        while start < count:
            before = int(ends[start - 1]) if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, before + PARTITION_CANDIDATES, "right")))
            a = np.repeat(np.arange(start, stop), partners[start:stop])
            yield a, a + 1 + counting(partners[start:stop])
            start = stop

    def pairs(self, a: Ints, b: Ints) -> pa.Table:
        """Those candidates that are similar with evidence and of which this is the place to tell."""
        both = self.size[a] + self.size[b]
        most = np.minimum(self.size[a] - self.place[a], self.size[b] - self.place[b])  # if nothing rarer is shared
        a, b, both = _only(self.rules.enough(most, both) & (self.run[a] != self.run[b]), a, b, both)
        most = (both - ones(self.bits[a] ^ self.bits[b])) // 2
        a, b, both = _only(self.rules.enough(most, both), a, b, both)
        shared, none_rarer = self.members.common(a, b, self.token[a])
        good = none_rarer & self.rules.enough(shared, both)
        good &= (np.minimum(self.size[a], self.size[b]) >= self.rules.short) | (2 * shared == both)
        a, b, shared = _only(good, a, b, shared)
        for name in ("evidence", "scopes"):
            if getattr(self.rules, name):
                first = name == self.rules.met_by
                count, none_before = self.keys[name].common(a, b, self.key[a])
                a, b, shared = _only((count > 0) & (none_before | (not first)), a, b, shared)
        return self._table(a, b, shared)

    def _table(self, a: Ints, b: Ints, shared: Ints) -> pa.Table:
        swapped = self.run[a] > self.run[b]
        a, b = np.where(swapped, b, a), np.where(swapped, a, b)
        needs = self.keys["needs"]
        both, _ = needs.common(a, b, np.zeros_like(a))
        of_b, of_a = both == needs.sizes(a), both == needs.sizes(b)
        columns = [self.run[a], self.run[b], shared.astype(np.int32), of_b, of_a]
        return pa.table([pa.array(column[of_a | of_b]) for column in columns], schema=PAIRS)


def _only(good: Flags, *arrays: Ints) -> tuple[Ints, ...]:
    return tuple(array[good] for array in arrays)
