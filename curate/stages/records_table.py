"""Records as a table of which only the columns that are asked for are made: where a run keeps no dataset, most measures
need a few of them, and making all costs more than everything else together. Stages find here what others made too."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.model.arrow import SCHEMA, column_of, table_of
from curate.model.steps import Steps
from curate.model.trajectory import Trajectory
from curate.stages.arrays import list_array, numbers, one_array
from curate.stages.tables import places

pc: Any = pyarrow.compute  # its stubs know neither lists nor nulls


class RecordsTable:
    """What measures use of a table of trajectories: its columns by name, and how many rows it has."""

    schema = SCHEMA

    def __init__(
        self, records: Sequence[Trajectory], lines: Sequence[bytes] | None = None, table: pa.Table | None = None
    ) -> None:
        """`lines`: the canonical JSON of the records, `table`: their table, where the caller has them."""
        self.records = records
        self.num_rows = len(records)
        self.lines = lines
        self._table = table
        self._columns: dict[str, Any] = {}
        self._made_once: dict[Hashable, Any] = {}

    @cached_property
    def steps(self) -> Steps:
        """The steps of all records, as columns."""
        return Steps(self.records)

    def whole(self) -> pa.Table:
        """All columns, which are kept."""
        if self._table is None:
            self._table = table_of(self.steps)
        return self._table

    @property
    def column_names(self) -> list[str]:
        return list(SCHEMA.names)

    def __getitem__(self, name: str) -> Any:
        """A column, as `model.arrow.to_table` makes it."""
        if self._table is not None:
            return self._table[name]
        if name not in self._columns:
            self._columns[name] = column_of(self.steps, name)
        return self._columns[name]

    def slice(self, row: int, count: int) -> RecordsTable:
        lines = None if self.lines is None else self.lines[row : row + count]
        table = None if self._table is None else self._table.slice(row, count)
        return RecordsTable(self.records[row : row + count], lines, table)

    def combine_chunks(self) -> RecordsTable:
        return self

    def once(self, what: Hashable, make: Callable[[], Any]) -> Any:
        """What several stages make of the records, made once."""
        if what not in self._made_once:
            self._made_once[what] = make()
        return self._made_once[what]

    def of_steps(self, name: str) -> Any:
        """A text of each step, as lists by run."""
        return list_array(self.steps.offsets, pa.array(self.steps.of(name), pa.string()))


def may_hold(trajectories: Any, texts: Sequence[bytes]) -> bool:
    """Whether any record may hold one of these texts (in UTF-8) somewhere: False where their JSON shows that none does,
    without a column being made."""
    if not isinstance(trajectories, RecordsTable) or trajectories.lines is None:
        return True
    import polars as pl  # only runs that keep no dataset come here

    lines = pl.Series(trajectories.lines, dtype=pl.Binary)  # searched in a third of the time that Python takes
    written = [msgspec.json.encode(text.decode("utf-8", "replace"))[1:-1] for text in texts]
    return any(lines.bin.contains(text).any() for text in written)


def id_by_step(steps: Steps) -> Any:
    """For each step the id of its record."""
    return pa.array([record.id for record in steps.records], pa.string()).take(places(steps.run))


def of_steps(trajectories: Any, name: str) -> Any:
    """A text of each step of a table of trajectories, as lists by run."""
    if isinstance(trajectories, RecordsTable):
        return trajectories.of_steps(name)
    lists = one_array(trajectories["steps"])
    steps = lists.flatten()
    lengths = numbers(pc.fill_null(pc.list_value_length(lists), 0))
    return list_array(np.r_[0, np.cumsum(lengths)], steps.field(steps.type.get_field_index(name)))
