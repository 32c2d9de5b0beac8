"""Unique ids: the first keeps its own, whatever shards the records lie in."""

from __future__ import annotations

from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from curate.engine.naming import Names, unique_names
from curate.engine.work import Unread
from curate.model.rejected import Rejected

ids = st.lists(st.sampled_from(["a", "b", "a#2", "a#3", "b#2#2", "c"]), max_size=12)


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
    names, found = Names(), []
    for shard in shards:
        local, own, rows, came_with, unread, order = Names(), [], 0, {}, [], []
        for place, id in enumerate(shard):
            if crc32(f"{place} {id}".encode()) % 4 == 0:  # not read
                row = Rejected(id=id, file=None, line=None, stage="validate", reason="validate.schema")
                unread.append(Unread(after=rows, row=row))
                order.append(("unread", len(unread) - 1))
                continue
            own.append(local.unique(id))
            if own[-1] != id:
                came_with[rows] = id
            order.append(("row", rows))
            rows += 1
        named = unique_names(names, own, came_with, unread)
        for kind, at in order:
            if kind == "unread":
                found.append(named.unread[at])
            else:
                came = came_with.get(at, own[at])
                found.append(named.changed[at][0] if at in named.changed else came)
    assert found == expected
    assert len(set(found)) == len(found)


def test_thousands_of_one_id_are_named_in_no_time() -> None:
    names = Names()
    assert [names.unique("x") for _ in range(50_000)][-1] == "x#50000"
