"""Builds the table a decision gives (schema `stages.base.VERDICTS`, with a stage's own columns behind).

A run is named by its position among those given (its id serves too, and costs a look-up). What is said of many runs
is best said at once (`drop_all`, `note_all`, `fill`): a million runs are columns here, never objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.model.reasons import REASONS
from curate.stages.base import VERDICTS
from curate.stages.ids import ids_of
from curate.stages.sparse import SparseColumn, Values, as_array
from curate.stages.tables import nulls, places

Positions = Sequence[int] | NDArray[Any]
Reasons: TypeAlias = "str | Values"
"""One reason for all, or one for each."""

_VERDICTS = ("keep", "drop", "quarantine")
_KEEP, _DROP, _QUARANTINE = range(3)
_CODES = tuple(REASONS)
_CODE = {code: number for number, code in enumerate(_CODES)}


class Verdicts:
    """Verdicts for `alive`: kept unless said otherwise. `extra`: the stage's own columns, null where not set.

    Memory: three bytes a run, and what is set."""

    def __init__(self, alive: Sequence[str], extra: Mapping[str, pa.DataType] | None = None) -> None:
        self._ids = ids_of(alive)
        count = len(self._ids)
        self._verdict = np.zeros(count, np.int8)
        self._reason = np.full(count, -1, np.int16)
        self._schema = VERDICTS
        for name, kind in (extra or {}).items():
            self._schema = self._schema.append(pa.field(name, kind))
        columns = [name for name in self._schema.names if name not in ("id", "step", "verdict", "reason")]
        self._columns = {name: SparseColumn(count, self._schema.field(name).type) for name in columns}
        self._steps = _Steps(columns)
        self._by_id: dict[str, int] | None = None

    def drop(self, run: int | str, reason: str, detail: str | None = None, witness: str | None = None) -> None:
        """The run is out. Raises KeyError for a run that was not given, ValueError for a reason that is not listed."""
        self._set(run, _DROP, reason, detail, witness)

    def quarantine(self, run: int | str, reason: str, detail: str | None = None) -> None:
        """The run cannot be trusted as it is, and is put aside."""
        self._set(run, _QUARANTINE, reason, detail, None)

    def _set(self, run: int | str, verdict: int, reason: str, detail: str | None, witness: str | None) -> None:
        at = self._at(run)
        self._verdict[at], self._reason[at] = verdict, _code(reason)
        self._columns["detail"].set(at, detail)
        self._columns["witness"].set(at, witness)

    def drop_all(
        self, runs: Positions, reason: Reasons, details: Values | None = None, witnesses: Values | None = None
    ) -> None:
        """The runs at these positions are out; `details` and `witnesses` (null: none) have a value for each."""
        self._set_all(runs, _DROP, reason, details, witnesses)

    def quarantine_all(self, runs: Positions, reason: Reasons, details: Values | None = None) -> None:
        """The runs at these positions are put aside."""
        self._set_all(runs, _QUARANTINE, reason, details, None)

    def _set_all(
        self, runs: Positions, verdict: int, reason: Reasons, details: Values | None, witnesses: Values | None
    ) -> None:
        at = np.asarray(runs, np.int64)
        self._verdict[at], self._reason[at] = verdict, _codes(reason, len(at))
        self._columns["detail"].set_all(at, details)
        self._columns["witness"].set_all(at, witnesses)

    def note(self, run: int | str, **columns: Any) -> None:
        """Fills the stage's own columns, `detail` or `witness` of a run's row without changing its verdict."""
        at = self._at(run)
        for name, value in columns.items():
            self._columns[name].set(at, value)

    def note_all(self, runs: Positions, **columns: Values) -> None:
        """The same for the runs at these positions, with a value for each."""
        at = np.asarray(runs, np.int64)
        for name, values in columns.items():
            self._columns[name].set_all(at, values)

    def fill(self, column: str, values: Values) -> None:
        """The whole column: a value (or null) for every run given."""
        self._columns[column].set_all(np.arange(len(self._ids)), values)

    def leave_out(self, run: int | str, step: int, reason: str, detail: str | None = None, **columns: Any) -> None:
        """The step is no target."""
        self._steps.add(self._at(run), step, _code(reason), {"detail": detail, **columns})

    def leave_out_all(
        self,
        runs: Positions,
        steps: Positions,
        reason: Reasons,
        details: Values | None = None,
        **columns: Values,
    ) -> None:
        """The steps are no targets: of the run at each position the step with each index."""
        at = np.asarray(runs, np.int64)
        told = {**columns, **({} if details is None else {"detail": details})}
        self._steps.add_all(at, np.asarray(steps, np.int64), _codes(reason, len(at)), told)

    def dropped(self, run: int | str) -> bool:
        return bool(self._verdict[self._at(run)] != _KEEP)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """By position, whether the run is kept so far."""
        kept: NDArray[np.bool_] = self._verdict == _KEEP
        return kept

    def table(self) -> pa.Table:
        """Each run's row in the order given, its steps' rows behind it (none of a run that is out)."""
        runs = pa.Table.from_arrays(
            [
                self._ids,
                nulls(len(self._ids), pa.int64()),
                pa.array(_VERDICTS).take(places(self._verdict)),
                _reasons(self._reason),
                *(column.array() for column in self._columns.values()),
            ],
            schema=self._schema,
        )
        at, steps = self._steps.table(self._ids, self._schema, self.kept)
        if not len(at):
            return runs
        order = np.argsort(np.concatenate([np.arange(len(self._ids)), at]), kind="stable")
        return pa.concat_tables([runs, steps]).combine_chunks().take(places(order))

    def _at(self, run: int | str) -> int:
        if not isinstance(run, str):
            return int(run)
        if self._by_id is None:
            ids: list[Any] = self._ids.to_pylist()
            self._by_id = {id: position for position, id in enumerate(ids)}
        return self._by_id[run]


class _Steps:
    """Rows of steps in blocks of columns, in the order they came."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._names = columns
        self._blocks: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int16], dict[str, Values]]] = []
        self._waiting: list[tuple[int, int, int, dict[str, Any]]] = []  # said one by one, since the last block

    def add(self, at: int, step: int, reason: int, told: dict[str, Any]) -> None:
        if not told.keys() <= set(self._names):
            raise KeyError(min(told.keys() - set(self._names)))
        self._waiting.append((at, step, reason, told))

    def add_all(
        self, at: NDArray[np.int64], steps: NDArray[np.int64], reasons: NDArray[np.int16], told: dict[str, Values]
    ) -> None:
        self._flush()
        if not told.keys() <= set(self._names):
            raise KeyError(min(told.keys() - set(self._names)))
        self._blocks.append((at, steps, reasons, told))

    def _flush(self) -> None:
        if not self._waiting:
            return
        at, steps, reasons, told = zip(*self._waiting, strict=True)
        columns = {name: [one.get(name) for one in told] for name in {name for one in told for name in one}}
        block = np.array(at, np.int64), np.array(steps, np.int64), np.array(reasons, np.int16)
        self._blocks.append((*block, dict(columns)))
        self._waiting = []

    def table(self, ids: Any, schema: pa.Schema, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64], pa.Table]:
        """The rows of steps of kept runs, and the position of each row's run."""
        self._flush()
        positions, tables = [np.zeros(0, np.int64)], [schema.empty_table()]
        for at, steps, reasons, told in self._blocks:
            count = len(at)
            columns = {
                "id": ids.take(places(at)),
                "step": pa.array(steps),
                "verdict": pa.repeat("drop", count),
                "reason": _reasons(reasons),
                **{name: as_array(told[name], schema.field(name).type) for name in self._names if name in told},
            }
            rest = {f.name: nulls(count, f.type) for f in schema if f.name not in columns}
            table = pa.table({**columns, **rest}).select(schema.names).cast(schema)
            of_kept = kept[at]
            tables.append(table if of_kept.all() else table.filter(pa.array(of_kept)))
            positions.append(at[of_kept])
        return np.concatenate(positions), pa.concat_tables(tables)


def _code(reason: str) -> int:
    code = _CODE.get(reason)
    if code is None:
        raise ValueError(f"The reason {reason!r} is not listed: add it to curate/model/reasons.py with its sentence.")
    return code


def _codes(reason: Reasons, count: int) -> NDArray[np.int16]:
    if isinstance(reason, str):
        return np.full(count, _code(reason), np.int16)
    told = as_array(reason, pa.string()).dictionary_encode()
    codes: list[Any] = told.dictionary.to_pylist()
    numbers = np.array([_code(code) for code in codes], np.int16)
    return np.asarray(numbers[told.indices.to_numpy(zero_copy_only=False)], np.int16)


def _reasons(codes: NDArray[np.int16]) -> Any:
    return pa.array(_CODES, pa.string()).take(places(codes.astype(np.int32), codes < 0))
