"""Ids: every record of a run has its own. The first with an id keeps it, later ones get `#2`, `#3` ..., in input
order, and a line in their lineage; so the same inputs always give the same ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa

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


def unique_names(shards: Iterable[tuple[Sequence[str], dict[int, str]]]) -> list[dict[int, tuple[str, str]]]:
    """For every shard (its ids, unique in itself, and by row the id a record came with where that differs) the rows
    whose id is not the one they came with: row -> (final id, id it came with)."""
    names = Names()
    found = []
    for ids, renamed in shards:
        changed = {}
        for row, id in enumerate(ids):
            came_with = renamed.get(row, id)
            final = names.unique(came_with)
            if final != came_with:
                changed[row] = (final, came_with)
        found.append(changed)
    return found


def lineage_note(came_with: str) -> str:
    return f"run: id was {came_with}, which an earlier record has"


def rename_records(records: Sequence[Trajectory], changed: dict[int, tuple[str, str]]) -> None:
    """Give the records at these rows their final ids and a line in their lineage."""
    for row, (final, came_with) in changed.items():
        records[row].id = final
        records[row].lineage = [*records[row].lineage, lineage_note(came_with)]


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
