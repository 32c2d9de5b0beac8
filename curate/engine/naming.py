"""Ids: every record of a run has its own. The first with an id keeps it, later ones get `#2`, `#3` ..., in input
order, and a line in their lineage; so the same inputs always give the same ids."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import msgspec
import pyarrow as pa

from curate.engine.work import Unread
from curate.model.arrow import SCHEMA
from curate.model.trajectory import Trajectory


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


def unique_names(names: Names, ids: Sequence[str], came_with: dict[int, str], unread: Sequence[Unread]) -> Named:
    """Final ids of the next shard. `ids`: its records' ids so far, unique in the shard; `came_with`: by row, the id a
    record came with where that is another. A record that could not be read has its id too, if it says one."""
    named = Named()
    waiting = deque(unread)

    def name_unread(before: int) -> None:
        while waiting and waiting[0].after <= before:
            id = waiting.popleft().row.id
            named.unread.append(None if id is None else names.unique(id))

    for row, id in enumerate(ids):
        name_unread(row)
        came = came_with.get(row, id)
        final = names.unique(came)
        if final != came:
            named.changed[row] = (final, came)
    name_unread(len(ids))
    return named


def lineage_note(came_with: str) -> str:
    return f"run: id was {came_with}, which an earlier record has"


def rename_record(record: Trajectory, final: str, came_with: str) -> None:
    """Give a record its final id and a line in its lineage."""
    record.id = final
    record.lineage = [*record.lineage, lineage_note(came_with)]


def rename_table(table: pa.Table, changed: dict[int, tuple[str, str]]) -> pa.Table:
    """The same for a table of trajectories."""
    if not changed:
        return table
    ids = table["id"].to_pylist()
    lineages = table["lineage"].to_pylist()
    for row, (final, came_with) in changed.items():
        ids[row] = final
        lineages[row] = [*(lineages[row] or []), lineage_note(came_with)]
    for name, values in (("id", ids), ("lineage", lineages)):
        column = SCHEMA.get_field_index(name)
        table = table.set_column(column, SCHEMA.field(name), pa.array(values, SCHEMA.field(name).type))
    return table


def rename_ids(table: pa.Table, finals: dict[str, str]) -> pa.Table:
    """A table with an `id` column, its ids replaced by their final ones."""
    if not finals or "id" not in table.column_names:
        return table
    ids = pa.array([finals.get(str(id), id) for id in table["id"].to_pylist()], pa.string())
    return table.set_column(table.column_names.index("id"), "id", ids).replace_schema_metadata(table.schema.metadata)
