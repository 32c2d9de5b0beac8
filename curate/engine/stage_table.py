"""A stage's table in the run folder: measures and verdict side by side, one row a run that came to the stage, its
steps' rows behind it. Reading it back gives the verdicts again, so a finished decision is not made twice.

Columns: id, step, the measures (a measure of the same name as one of the verdict's is `measured_<name>`), verdict,
reason, detail, witness, and the stage's own columns. A step of a kept run that was not left out has verdict `keep`.

Rows are written as they come, in row groups of one size: however many runs are decided at a time, the bytes are the
same. Which run a row is of is told by its position in the corpus, never by looking up its id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.stages.base import VERDICTS
from curate.stages.tables import nulls, places
from curate.store.row_groups import RowGroups

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_KEY, _AMENDED = b"decision", b"amended"
_STEPS = 1 << 31  # more than any run has: row keys are position * _STEPS + step + 1
_Rows = NDArray[np.int64]


class DecisionKey(msgspec.Struct, kw_only=True):
    """What a decision depended on: `before` (inputs, options, the decisions before it) and the measures it looked
    at, by stage; `columns`: those of its verdicts."""

    before: str
    looked_at: dict[str, str]
    columns: list[str]


class StageWriter(RowGroups):
    """`with StageWriter(path) as writer: writer.add(rows); writer.close(key)`."""

    def close(self, key: DecisionKey, amended: str = "") -> None:
        """Write what is left, and what the decision depended on. `amended`: see `read_amended`."""
        told = {_KEY: msgspec.json.encode(key), **({_AMENDED: amended.encode()} if amended else {})}
        self.finish(told)

    def __enter__(self) -> StageWriter:
        super().__enter__()
        return self


def joined(verdicts: pa.Table, of_verdicts: _Rows, measures: pa.Table, of_measures: _Rows, ids: Any) -> pa.Table:
    """Verdicts and measures side by side. `of_verdicts`, `of_measures`: by row the position of its run in the corpus
    (-1: a run that did not come here; its measures stay out). `ids`: all ids of the corpus."""
    keys, measured = _keys(verdicts, of_verdicts), _keys(measures, of_measures)
    known = measured >= 0
    rows = _merged(keys, measured[known])
    columns: dict[str, Any] = {
        "id": _taken(ids, rows // _STEPS),
        "step": pa.array(rows % _STEPS - 1, pa.int64(), mask=rows % _STEPS == 0),
    }
    own = [name for name in verdicts.column_names if name not in ("id", "step")]
    at = _find(measured, rows)
    for name in measures.column_names:
        if name not in ("id", "step"):
            columns[f"measured_{name}" if name in own else name] = _taken(measures[name], at)
    at = _find(keys, rows)
    for name in own:
        columns[name] = _taken(verdicts[name], at)
    columns["verdict"] = _kept_steps(columns["verdict"], rows % _STEPS != 0, kept_before=False)
    return pa.table(columns)


def read_key(path: Path) -> DecisionKey | None:
    """What the table at `path` depended on; None where there is no such table."""
    told = _metadata(path)
    try:
        return None if told is None else msgspec.json.decode(told[_KEY], type=DecisionKey)
    except (KeyError, msgspec.MsgspecError):
        return None


def read_amended(path: Path) -> str:
    """Which amendments (a hash; "": none) the table at `path` was written with."""
    return (_metadata(path) or {}).get(_AMENDED, b"").decode()


def _metadata(path: Path) -> dict[bytes, bytes] | None:
    try:
        return pq.read_metadata(path).metadata or {}
    except (OSError, pa.ArrowException):
        return None


def verdict_rows(rows: pa.Table) -> pa.Table:
    """The rows of a stage's table that the verdicts had: those of runs, and of steps that were left out."""
    step_kept = pc.and_(pc.is_valid(rows["step"]), pc.equal(pc.fill_null(rows["verdict"], "keep"), "keep"))
    rows = rows.filter(pc.invert(step_kept)).replace_schema_metadata(None)
    fields = [VERDICTS.field(f.name) if f.name in VERDICTS.names else f for f in rows.schema]
    return rows.cast(pa.schema(fields))


def amend(path: Path, key: DecisionKey, reason: str, out: NDArray[np.bool_], amended: str) -> None:
    """Write the table anew with the runs of `out` (by number among the table's runs) dropped for `reason`, and no
    other run dropped for it."""
    with StageWriter(path) as writer, pq.ParquetFile(path) as file:  # closed before it is replaced
        runs, kept = 0, False
        for group in range(file.num_row_groups):
            rows = file.read_row_group(group).replace_schema_metadata(None)
            is_step = np.asarray(pc.is_valid(rows["step"]))
            which = runs - 1 + np.cumsum(~is_step)
            gone = pa.array(out[which] & ~is_step) if len(out) else nulls(rows.num_rows, pa.bool_())
            back = pc.and_(pc.equal(pc.fill_null(rows["reason"], ""), reason), pa.array(~is_step))
            verdict = pc.if_else(back, "keep", rows["verdict"].combine_chunks())
            verdict = pc.if_else(pc.and_(gone, pc.equal(verdict, "keep")), "drop", verdict)
            why = pc.if_else(back, pa.scalar(None, pa.string()), rows["reason"].combine_chunks())
            why = pc.if_else(pc.and_(gone, pc.is_null(why)), reason, why)
            silent = pc.and_(pa.array(is_step), pc.equal(pc.fill_null(verdict, "keep"), "keep"))
            verdict = pc.if_else(silent, pa.scalar(None, pa.string()), verdict)
            verdict = _kept_steps(verdict, is_step, kept_before=kept)
            rows = _replaced(_replaced(rows, "verdict", verdict), "reason", why)
            writer.add(rows)
            runs += int((~is_step).sum())
            if not is_step.all():
                kept = verdict[int(np.flatnonzero(~is_step)[-1])].as_py() == "keep"
        writer.close(key, amended)


def _replaced(table: pa.Table, name: str, column: Any) -> pa.Table:
    at = table.column_names.index(name)
    return table.set_column(at, table.schema.field(name), column)


def _keys(table: pa.Table, position: _Rows) -> _Rows:
    """position * _STEPS + (0 for the run, step + 1 for a step); -1 for a run that is not here."""
    if "step" not in table.column_names:
        return np.where(position < 0, -1, position * _STEPS)
    step = pc.fill_null(pc.add(table["step"], 1), 0).to_numpy().astype(np.int64)
    return np.where(position < 0, -1, position * _STEPS + step)


def _merged(one: _Rows, other: _Rows) -> _Rows:
    """The keys of both, ascending, each once. Both are ascending as a rule, which a stable sort makes use of."""
    both = np.sort(np.concatenate([one, other]), kind="stable")
    merged: _Rows = both[np.append(True, both[1:] != both[:-1])[: len(both)]]
    return merged


def _find(keys: _Rows, rows: _Rows) -> _Rows:
    """For every row the first place in `keys` that has its key (each key but -1 is among the rows); -1 where none
    has."""
    place = np.full(len(rows), -1, np.int64)
    known = np.flatnonzero(keys >= 0)[::-1]  # what is written last stands: the first
    place[np.searchsorted(rows, keys[known])] = known
    return place


def _taken(column: Any, place: _Rows) -> Any:
    """The values in these places, null for -1. All of them in order is the common case."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if len(place) and place[-1] - place[0] == len(place) - 1 and place[0] >= 0 and (np.diff(place) == 1).all():
        return whole.slice(int(place[0]), len(place))
    return whole.take(places(place, place < 0))


def _kept_steps(verdict: Any, is_step: NDArray[np.bool_], kept_before: bool) -> Any:
    """Steps nothing was said about are kept, if their run is. A run's row stands before those of its steps.
    `kept_before`: whether the run is kept whose steps these rows begin with."""
    run = np.maximum.accumulate(np.where(is_step, -1, np.arange(len(is_step))))
    kept = pc.fill_null(pc.equal(verdict.take(places(np.maximum(run, 0))), "keep"), False)
    kept = pc.if_else(pa.array(run < 0), kept_before, kept)
    silent = pc.and_(pc.is_null(verdict), pa.array(is_step))
    return pc.if_else(pc.and_(silent, kept), "keep", verdict)
