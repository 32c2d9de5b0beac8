"""Unique ids: the first keeps its own, whatever shards the records lie in."""

from __future__ import annotations

from zlib import crc32

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.naming import Names, name_all, rename_ids
from curate.engine.work import Batch, ShardIndex, Unread
from curate.model.rejected import Rejected

ids = st.lists(st.sampled_from(["a", "b", "a#2", "a#3", "b#2#2", "c", "c#x", "#"]), max_size=12)


def one_by_one(came: list[str]) -> list[str]:
    """The rule in its plainest form."""
    taken: set[str] = set()
    given_out = []
    for id in came:
        name, number = id, 2
        while name in taken:
            name, number = f"{id}#{number}", number + 1
        taken.add(name)
        given_out.append(name)
    return given_out


@given(st.lists(ids, max_size=4))
def test_shards_change_nothing_and_unreadable_records_take_part(shards: list[list[str]]) -> None:
    expected = one_by_one([id for shard in shards for id in shard])
    own, read, orders, first = [], [], [], 0
    for shard in shards:
        local, here, renamed, unread, order = Names(), [], {}, [], []
        for place, id in enumerate(shard):
            if crc32(f"{place} {id}".encode()) % 4 == 0:  # not read
                row = Rejected(id=id, file=None, line=None, stage="validate", reason="validate.schema")
                unread.append(Unread(after=len(here), row=row))
                order.append(("unread", len(unread) - 1))
                continue
            order.append(("row", len(here)))
            here.append(local.unique(id))
            if here[-1] != id:
                renamed[len(here) - 1] = id
        read.append((first, ShardIndex(batches=[Batch(rows=len(here), bytes=1)], unread=unread, renamed=renamed)))
        orders.append(order)
        own += here
        first += len(here)
    final, by_shard = name_all(pa.array(own, pa.string()), read)
    found = []
    for (start, index), named, order in zip(read, by_shard, orders, strict=True):
        for kind, at in order:
            found.append(named.unread[at] if kind == "unread" else final[start + at].as_py())
        for row in range(index.rows):  # what changed is told: the id it came with, and its final one
            came = index.renamed.get(row, own[start + row])
            assert named.changed.get(row, (came, came)) == (final[start + row].as_py(), came)
    assert found == expected
    assert len(set(found)) == len(found)


def test_thousands_of_one_id_are_named_in_no_time() -> None:
    names = Names()
    assert [names.unique("x") for _ in range(50_000)][-1] == "x#50000"


def test_a_table_gets_final_ids_and_keeps_what_its_schema_says() -> None:
    table = pa.table({"n": [1, 2, 3], "id": ["a", "b", "a"]}).replace_schema_metadata({"k": "v"})
    renamed = rename_ids(table, {"a": "a#2"})
    assert renamed["id"].to_pylist() == ["a#2", "b", "a#2"]
    assert renamed.schema.metadata == {b"k": b"v"} and rename_ids(table, {}) is table
