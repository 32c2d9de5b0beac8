"""Ids: every record of a run has its own. The first with an id keeps it, later ones get `#2`, `#3` ..., in input
order, and a line in their lineage; so the same inputs always give the same ids."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.engine.work import ShardIndex
from curate.model.trajectory import Trajectory
from curate.stages.tables import places

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls


class Names:
    """Ids given out so far. Memory: the ids."""

    def __init__(self) -> None:
        self._next: dict[str, int] = {}

    def unique(self, id: str) -> str:
        """`id` if nobody has it, else `id#2` or the next that nobody has."""
        name, number = id, self._next.get(id, 2)
        while name in self._next:
            name, number = f"{id}#{number}", number + 1
        if name != id:
            self._next[id] = number
        self._next[name] = 2
        return name


class Named(msgspec.Struct, kw_only=True):
    """A shard's final ids. `changed`: row -> (final id, id it came with), where those differ; `unread`: of what could
    not be read, in order (None: it has no id)."""

    changed: dict[int, tuple[str, str]] = {}
    unread: list[str | None] = []


def name_all(ids: pa.Array[Any], shards: Sequence[tuple[int, ShardIndex]]) -> tuple[Any, list[Named]]:
    """The final ids of all records, and by shard what changed. `ids`: of all records, unique in each shard; `shards`:
    the position of each one's first record, and its index.

    Every record and unreadable line goes through one `Names`, in input order. Only ids that occur twice, and those
    that look like a name that such an id may get, have a say, so only they are looked at one by one."""
    came = _came_with(ids, shards)
    unread = [one.row.id for _, index in shards for one in index.unread if one.row.id is not None]
    asked = _to_look_at(pa.concat_arrays([came, pa.array(unread, pa.string())]))
    rows, names, found = np.flatnonzero(asked[: len(ids)]), Names(), []
    finals: dict[int, str] = {}
    for first, index in shards:
        low, high = np.searchsorted(rows, (first, first + index.rows))
        here = rows[low:high] - first
        own: list[Any] = ids.take(places(here + first)).to_pylist()
        found.append(_named_some(names, here.tolist(), own, index))
        finals |= {first + row: final for row, (final, _) in found[-1].changed.items()}
    if not finals:
        return ids, found
    at, texts = np.fromiter(finals, np.int64), pa.array(finals.values(), pa.string())
    place = np.arange(len(ids))
    place[at] = len(ids) + np.arange(len(at))
    return pa.concat_arrays([ids, texts]).take(places(place)), found


def renamed(ids: Any) -> dict[int, str]:
    """Of a column of ids those that an earlier row has: by row, the id that it gets. Only the few that may meet are
    Python objects."""
    rows, names = np.flatnonzero(_to_look_at(ids)), Names()
    asked = ids.take(places(rows)).to_pylist()
    finals = ((row, id, names.unique(id)) for row, id in zip(rows.tolist(), asked, strict=True))
    return {row: final for row, id, final in finals if final != id}


def _came_with(ids: Any, shards: Sequence[tuple[int, ShardIndex]]) -> Any:
    """The ids that records came with."""
    before = {first + row: id for first, index in shards for row, id in index.renamed.items()}
    if not before:
        return ids
    place = np.arange(len(ids))
    place[np.fromiter(before, np.int64)] = len(ids) + np.arange(len(before))
    return pa.concat_arrays([ids, pa.array(before.values(), pa.string())]).take(places(place))


def _to_look_at(ids: Any) -> NDArray[np.bool_]:
    """Ids that occur more than once, and ids that begin with one of those and `#`."""
    import polars as pl  # workers, who name the records of a shard, need not wait for it

    hashes = pl.Series(ids).hash().to_numpy()
    order = np.argsort(hashes, kind="stable")
    same = np.diff(hashes[order]) == 0
    asked = np.zeros(len(ids), bool)
    asked[order[1:][same]] = asked[order[:-1][same]] = True  # equal, or of one hash: too many is no harm
    if asked.any():
        twice = set(ids.filter(pa.array(asked)).to_pylist())
        numbered = np.flatnonzero(pc.match_substring(ids, "#"))
        for row, id in zip(numbered.tolist(), ids.take(pa.array(numbered)).to_pylist(), strict=True):
            asked[row] |= any(id[:at] in twice for at, char in enumerate(id) if char == "#")
    return asked


def _named_some(names: Names, rows: Sequence[int], ids: Sequence[str], index: ShardIndex) -> Named:
    """Final ids of the next shard. `rows`, `ids`: its records that are looked at. A record that could not be read has
    its id too, if it says one."""
    named = Named()
    waiting = deque(index.unread)

    def name_unread(before: int) -> None:
        while waiting and waiting[0].after <= before:
            id = waiting.popleft().row.id
            named.unread.append(None if id is None else names.unique(id))

    for row, id in zip(rows, ids, strict=True):
        name_unread(row)
        came = index.renamed.get(row, id)
        final = names.unique(came)
        if final != came:
            named.changed[row] = (final, came)
    name_unread(index.rows)
    return named


def lineage_note(came_with: str) -> str:
    return f"run: id was {came_with}, which an earlier record has"


def rename_record(record: Trajectory, final: str, came_with: str) -> None:
    """Give a record its final id and a line in its lineage."""
    record.id = final
    record.lineage = [*record.lineage, lineage_note(came_with)]


def rename_ids(table: pa.Table, finals: dict[str, str]) -> pa.Table:
    """A table with an `id` column, its ids replaced by their final ones."""
    if not finals or "id" not in table.column_names:
        return table
    found = pc.index_in(table["id"], value_set=pa.array(finals, pa.string()))
    ids = pc.coalesce(pa.array(finals.values(), pa.string()).take(found.combine_chunks()), table["id"].combine_chunks())
    return table.set_column(table.column_names.index("id"), "id", ids).replace_schema_metadata(table.schema.metadata)
