"""A stage's table read for a page: the verdicts of all runs as columns, and of one run what was measured and which of
its steps were left out. A run's rows stand together, its own row first, in the order of the corpus
(`engine/stage_table.py`)."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
from numpy.typing import NDArray

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

_OWN = ("id", "step", "verdict", "reason", "detail", "witness")


class Verdicts(NamedTuple):
    """A stage's verdicts on runs, a row for each that came to it: its position, the verdict and what was said."""

    position: NDArray[np.int64]
    table: pa.Table


class StageFile:
    """One `stages/NN-<stage>.parquet`. `ids`: of all records, in their order."""

    def __init__(self, path: Path, ids: Any) -> None:
        self.path, self._ids = path, ids
        number, _, self.name = path.stem.partition("-")
        self.number = int(number)

    @property
    def stage(self) -> str:
        """The stage without the number of its place: `leaks` of `leaks_2`."""
        return self.name.rstrip("_0123456789")

    @cached_property
    def verdicts(self) -> Verdicts:
        """Verdicts on runs; columns verdict, reason, detail, witness, and of the stage's own `flags`, `split`,
        `weight`, `similarity`, where it has them."""
        with pq.ParquetFile(self.path) as file:
            own = [name for name in ("flags", "split", "weight", "similarity") if name in file.schema_arrow.names]
            wanted = ["verdict", "reason", "detail", "witness", *own]
            pieces = []
            for number in range(file.num_row_groups):
                table = file.read_row_group(number, columns=["step", *wanted])
                pieces.append(table.filter(pc.is_null(table["step"])).select(wanted))
            empty = file.schema_arrow.empty_table().select(wanted)
        told = pa.concat_tables(pieces) if pieces else empty
        rows = self._rows
        return Verdicts(rows.position, (told if rows.all else told.filter(pa.array(rows.known))).combine_chunks())

    @cached_property
    def _rows(self) -> _Rows:
        """Where each run's rows are."""
        starts, ids, groups, total = [], [], [0], 0
        with pq.ParquetFile(self.path) as file:
            for number in range(file.num_row_groups):
                table: Any = file.read_row_group(number, columns=["id", "step"])
                of_run = np.flatnonzero(np.asarray(pc.is_null(table["step"])))
                starts.append(of_run + total)
                ids.append(table["id"].combine_chunks().take(pa.array(of_run)))
                total += table.num_rows
                groups.append(total)
        named: Any = pa.concat_arrays(ids) if ids else pa.array([], pa.string())
        position = pc.fill_null(pc.index_in(named, value_set=self._ids), -1).to_numpy().astype(np.int64)
        first = np.concatenate(starts) if starts else np.zeros(0, np.int64)
        known, ends = position >= 0, np.append(first, total)[1:]
        return _Rows(position[known], first[known], ends[known], np.array(groups), known)

    def of(self, position: int) -> pa.Table | None:
        """All columns of one run's rows, its own first; None where it did not come to this stage."""
        at = self._rows.at(position)
        if at is None:
            return None
        first, last = int(self._rows.starts[at]), int(self._rows.ends[at])
        groups = self._rows.groups
        with pq.ParquetFile(self.path) as file:
            low = int(np.searchsorted(groups, first, "right")) - 1
            high = int(np.searchsorted(groups, last, "left"))
            names = [field.name for field in file.schema_arrow if _is_shown(field)]
            found = file.read_row_groups(list(range(low, high)), columns=names)
        return found.slice(first - int(groups[low]), last - first)


class _Rows(NamedTuple):
    """`position` of each run in the order of the table, the row that its rows start at and the one behind them; the row
    that each row group begins with. `known`: which of the table's runs are looked at at all."""

    position: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    groups: NDArray[np.int64]
    known: NDArray[np.bool_]

    @property
    def all(self) -> bool:
        return bool(self.known.all())

    def at(self, position: int) -> int | None:
        """The number of a run among those of the table."""
        found = int(np.searchsorted(self.position, position))
        there = found < len(self.position) and self.position[found] == position
        return found if there else None


def _is_shown(field: pa.Field[Any]) -> bool:
    """Whether a page shows a column: what a stage says, and single numbers, truths and texts that it measured."""
    kind: Any = field.type
    if field.name in _OWN or field.name in ("flags", "hits", "leak", "strength"):
        return True
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind) or pa.types.is_string(kind)
    )
