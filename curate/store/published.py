"""The layout of a published dataset, for who writes one and who reads one back:

    manifest.json                                   every file with its SHA-256, size and rows; written last
    data/trajectories/<split>-00000.parquet         one row a record, without pictures (TRAJECTORIES)
    data/steps/<split>-00000.parquet                one row a step, its pictures inside (STEPS)
    media/<2 hex>/<sha256>.<ext>                    what is no picture of a step: videos, traces

Both tables of a split have their records in the same order, by `position`, which counts over all splits. Pictures keep
their bytes, and their name, which is the hash of these. Maps are lists of key and value: the Hub's tables know none.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from curate.model.arrow import SCHEMA, column_of, row_to_record
from curate.model.steps import Steps
from curate.model.trajectory import Trajectory

MANIFEST = "manifest.json"
MANIFEST_VERSION = "publish.v1"
TRAJECTORIES_FOLDER = "data/trajectories"
STEPS_FOLDER = "data/steps"
STEP_PICTURES = ("image", "image_after", "final_image")
"""Columns of STEPS that hold pictures. `final_image` is the run's, and stands with its last step."""
STEP_MEDIA = (*STEP_PICTURES, "tree")
"""Columns of STEPS that hold bytes, with the name they are stored under."""
OWN_COLUMNS = ("split", "position", "targets")
"""Columns of TRAJECTORIES that are no field of the record."""

_arrow: Any = pa  # its stubs know neither masks nor lists of any type
_MEDIUM = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_PAIRS = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
_MAPS = frozenset(name for name in SCHEMA.names if pa.types.is_map(SCHEMA.field(name).type))
_STEP: Any = SCHEMA.field("steps").type.value_type
_FIRST = ("image", "action", "code", "thought", "observation", "actions")
"""What a person who looks at a table wants to see first."""


def _trajectories() -> pa.Schema:
    fields: list[Any] = [pa.field(name, _PAIRS if name in _MAPS else SCHEMA.field(name).type) for name in SCHEMA.names]
    own = [("split", pa.string()), ("position", pa.int64()), ("targets", pa.list_(pa.int64()))]
    return pa.schema([*fields, *own])


def _steps() -> pa.Schema:
    kinds: dict[str, Any] = {field.name: _MEDIUM if field.name in STEP_MEDIA else field.type for field in _STEP}
    rest = [name for name in kinds if name not in ("index", *_FIRST, *STEP_MEDIA)]
    head = [("id", pa.string()), ("index", pa.int64()), ("instruction", pa.string())]
    last = [("target", pa.bool_()), ("split", pa.string()), ("position", pa.int64())]
    ordered = [*_FIRST, *rest, "image_after", "tree"]
    return pa.schema([*head, *((name, kinds[name]) for name in ordered), ("final_image", _MEDIUM), *last])


TRAJECTORIES: pa.Schema = _trajectories()
"""One row a record: its fields, and `split`, `position`, `targets` (indices of the steps that are learnt)."""
STEPS: pa.Schema = _steps()
"""One row a step: `id` and `instruction` of its run, its fields, its media as bytes, `target` (whether it is
learnt)."""


def trajectories_table(records: list[Trajectory], split: str, positions: list[int], targets: list[list[int]]) -> Any:
    """Records as a table of TRAJECTORIES."""
    steps = Steps(records)
    own = {"split": [split] * len(records), "position": positions, "targets": targets}
    columns = []
    for field in TRAJECTORIES:
        if field.name in own:
            columns.append(_arrow.array(own[field.name], field.type))
        else:
            column = column_of(steps, field.name)
            columns.append(_as_pairs(column) if field.name in _MAPS else column)
    return pa.Table.from_arrays(columns, schema=TRAJECTORIES)


def _as_pairs(column: Any) -> Any:
    pairs = _arrow.StructArray.from_arrays([column.keys, column.items], names=["key", "value"])
    return _arrow.ListArray.from_arrays(column.offsets, pairs, type=_PAIRS)


def steps_table(records: list[Trajectory], split: str, positions: list[int], targets: list[list[int]]) -> Any:
    """The steps of records as a table of STEPS in which STEP_MEDIA are still references (text, null where there is
    none)."""
    lengths = np.array([len(record.steps) for record in records], np.int64)
    of = np.repeat(np.arange(len(records)), lengths)
    rows: Any = column_of(Steps(records), "steps").flatten()
    wanted = [set(own) for own in targets]
    learnt = [step.index in wanted[at] for at, record in enumerate(records) for step in record.steps]
    final: list[str | None] = []
    for record in records:
        final += [*[None] * (len(record.steps) - 1), record.final_image] if record.steps else []
    given: dict[str, Any] = {
        "id": _arrow.array([record.id for record in records], pa.string()).take(_arrow.array(of)),
        "instruction": _arrow.array([record.instruction for record in records], pa.string()).take(_arrow.array(of)),
        "split": _arrow.array([split] * len(of), pa.string()),
        "position": _arrow.array(np.array(positions, np.int64)[of]),
        "target": _arrow.array(learnt, pa.bool_()),
        "final_image": _arrow.array(final, pa.string()),
    }
    columns = {name: given[name] if name in given else rows.field(name) for name in STEPS.names}
    return pa.table(columns)


def media_column(media: Iterable[tuple[bytes, str] | None]) -> Any:
    """Bytes with the name that they are stored under, as a column of STEPS."""
    rows = list(media)
    data = _arrow.array([row and row[0] for row in rows], pa.binary())
    names = _arrow.array([row and row[1] for row in rows], pa.string())
    return _arrow.StructArray.from_arrays(
        [data, names], fields=list(_MEDIUM), mask=_arrow.array([row is None for row in rows], pa.bool_())
    )


def record_of(row: dict[str, Any]) -> Trajectory:
    """The record of a row of TRAJECTORIES as `to_pylist` gives it. Raises msgspec.ValidationError, KeyError or
    TypeError for a foreign row."""
    own = {name: value for name, value in row.items() if name not in OWN_COLUMNS}
    for name in _MAPS:
        own[name] = [(pair["key"], pair["value"]) for pair in own[name] or ()]
    return row_to_record(own)


def name_of(reference: str) -> str:
    """The name of a reference (`media/ab/<sha256>.png`) in a column of media: `<sha256>.png`."""
    return reference.rsplit("/", 1)[-1]


def is_published(path: Path) -> bool:
    """Whether a folder has this layout, by its files."""
    return path.is_dir() and (path / MANIFEST).is_file() and (path / TRAJECTORIES_FOLDER).is_dir()
