"""A stage's table in the run folder: measures and verdict side by side, one row a run that came to the stage, its
steps' rows behind it. Reading it back gives the verdicts again, so a finished decision is not made twice.

Columns: id, step, the measures (a measure of the same name as one of the verdict's is `measured_<name>`), verdict,
reason, detail, witness, and the stage's own columns. A step of a kept run that was not left out has verdict `keep`."""

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
from curate.store.dataset import write_parquet

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_KEY = b"decision"
_STEPS = 1 << 31  # more than any run has: row keys are position * _STEPS + step + 1
_Keys = NDArray[np.int64]


class DecisionKey(msgspec.Struct, kw_only=True):
    """What a decision depended on: `before` (inputs, options, the decisions before it) and the measures it looked
    at, by stage; `columns`: those of its verdicts."""

    before: str
    looked_at: dict[str, str]
    columns: list[str]


def write_stage_table(path: Path, verdicts: pa.Table, measures: pa.Table, ids: list[str], key: DecisionKey) -> None:
    """Join verdicts and measures (both with `id`, maybe `step`) in the order of `ids`, the runs of the stage."""
    order: Any = pa.array(ids, pa.string())
    of_verdicts = _keys(verdicts, order)
    of_measures = _keys(measures, order)
    known = of_measures >= 0  # measures of runs that did not come here stay out
    rows = np.union1d(of_verdicts, of_measures[known])
    columns: dict[str, Any] = {
        "id": order.take(pa.array(rows // _STEPS)),
        "step": pa.array(rows % _STEPS - 1, mask=rows % _STEPS == 0, type=pa.int64()),
    }
    own = [name for name in verdicts.column_names if name not in ("id", "step")]
    at = _find(np.where(known, of_measures, -1), rows)
    for name in measures.column_names:
        if name not in ("id", "step"):
            columns[f"measured_{name}" if name in own else name] = measures[name].combine_chunks().take(at)
    at = _find(of_verdicts, rows)
    for name in own:
        columns[name] = verdicts[name].combine_chunks().take(at)
    columns["verdict"] = _kept_steps(columns["verdict"], rows)
    table = pa.table(columns).replace_schema_metadata({_KEY: msgspec.json.encode(key)})
    write_parquet(path, table)


def read_key(path: Path) -> DecisionKey | None:
    """What the table at `path` depended on; None where there is no such table."""
    try:
        metadata = pq.read_schema(path).metadata or {}
        return msgspec.json.decode(metadata[_KEY], type=DecisionKey)
    except (OSError, KeyError, pa.ArrowException, msgspec.MsgspecError):
        return None


def read_verdicts(path: Path, key: DecisionKey) -> pa.Table:
    """The verdicts that a stage's table was written from."""
    table = pq.read_table(path, columns=["id", "step", *key.columns]).replace_schema_metadata(None)
    step_kept = pc.and_(pc.is_valid(table["step"]), pc.equal(pc.fill_null(table["verdict"], "keep"), "keep"))
    table = table.filter(pc.invert(step_kept))
    fields = [VERDICTS.field(f.name) if f.name in VERDICTS.names else f for f in table.schema]
    return table.cast(pa.schema(fields))


def _keys(table: pa.Table, order: Any) -> _Keys:
    """position * _STEPS + (0 for the run, step + 1 for a step); -1 for a run that is not in `order`."""
    position = pc.fill_null(pc.index_in(table["id"], value_set=order), -1).to_numpy().astype(np.int64)
    if "step" not in table.column_names:
        step = np.zeros(len(position), np.int64)
    else:
        step = pc.fill_null(pc.add(table["step"], 1), 0).to_numpy().astype(np.int64)
    return np.where(position < 0, -1, position * _STEPS + step)


def _find(keys: _Keys, rows: _Keys) -> Any:
    """For every row the first place in `keys` that has its key; null where none has."""
    if not len(keys):
        return pa.nulls(len(rows), pa.int64())
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys, rows, sorter=order)
    place = order[np.minimum(at, len(keys) - 1)]
    return pa.array(place, mask=keys[place] != rows, type=pa.int64())


def _kept_steps(verdict: Any, rows: _Keys) -> Any:
    """Steps nothing was said about are kept, if their run is. A run's row stands before those of its steps."""
    is_step = rows % _STEPS != 0
    run = np.maximum.accumulate(np.where(is_step, 0, np.arange(len(rows))))
    kept = pc.equal(verdict.take(pa.array(run)), "keep")
    silent = pc.and_(pc.is_null(verdict), pa.array(is_step))
    return pc.if_else(pc.and_(silent, kept), "keep", verdict)
