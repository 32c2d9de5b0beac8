"""The record as Arrow: a schema derived from the types of `model.trajectory`, and rows both ways.

Actions are one struct with the fields of all kinds, null where the kind has none; reading a row gives each action
its own fields back, so a record survives the way there and back unchanged. Keys with an open set are maps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, get_args

import msgspec
import pyarrow as pa
from msgspec import inspect as mi

from curate.model.actions import Action, Press
from curate.model.arrow_columns import fields_of, of_lengths
from curate.model.steps import Steps
from curate.model.trajectory import Step, Trajectory

_ACTION_FIELDS: dict[str, frozenset[str]] = {
    str(kind.__struct_config__.tag): frozenset(kind.__struct_fields__) for kind in get_args(Action)
}
_SCALARS: dict[type[mi.Type], pa.DataType] = {
    mi.StrType: pa.string(),
    mi.IntType: pa.int64(),
    mi.FloatType: pa.float64(),
    mi.BoolType: pa.bool_(),
    mi.LiteralType: pa.string(),
}


def _struct(types: Iterable[mi.StructType]) -> pa.DataType:
    """One Arrow struct with the fields of all the types, in the order they first appear."""
    fields: dict[str, pa.DataType] = {}
    for kind in types:
        if kind.tag is not None:
            fields.setdefault(str(kind.tag_field), pa.string())
        for field in kind.fields:
            fields.setdefault(field.encode_name, _arrow(field.type))
    return pa.struct(list(fields.items()))


def _arrow(kind: mi.Type) -> pa.DataType:
    if type(kind) in _SCALARS:
        return _SCALARS[type(kind)]
    if isinstance(kind, mi.StructType):
        return _struct([kind])
    if isinstance(kind, mi.DictType):
        return pa.map_(_arrow(kind.key_type), _arrow(kind.value_type))
    if isinstance(kind, mi.ListType | mi.VarTupleType):
        return pa.list_(_arrow(kind.item_type))
    if isinstance(kind, mi.TupleType):
        return pa.list_(_arrow(kind.item_types[0]))
    if isinstance(kind, mi.UnionType):
        members = [member for member in kind.types if not isinstance(member, mi.NoneType)]
        if len(members) == 1:
            return _arrow(members[0])
        structs = [member for member in members if isinstance(member, mi.StructType)]
        if len(structs) == len(members):
            return _struct(structs)
    raise TypeError(f"no Arrow type for {kind}")


def schema_of(kind: type[msgspec.Struct]) -> pa.Schema:
    """The Arrow schema of a type's rows. Raises TypeError for one that mixes kinds in a field."""
    info = mi.type_info(kind)
    assert isinstance(info, mi.StructType)
    return pa.schema([pa.field(f.encode_name, _arrow(f.type)) for f in info.fields])


_root, _step = mi.type_info(Trajectory), mi.type_info(Step)
assert isinstance(_root, mi.StructType) and isinstance(_step, mi.StructType)
SCHEMA: pa.Schema = pa.schema([pa.field(f.encode_name, _arrow(f.type)) for f in _root.fields])
"""The Arrow schema of a trajectory; every shard has exactly this one."""

_MAPS = tuple(name for name in SCHEMA.names if pa.types.is_map(SCHEMA.field(name).type))


def row_to_record(row: dict[str, Any]) -> Trajectory:
    """The record of an Arrow row as `to_pylist` gives it. Raises msgspec.ValidationError for a foreign row."""
    for name in _MAPS:
        row[name] = dict(row[name] or ())
    for step in row["steps"]:
        step["actions"] = [_only_its_fields(action) for action in step["actions"]]
    return msgspec.convert(row, Trajectory)


def _only_its_fields(action: dict[str, Any]) -> dict[str, Any]:
    own = _ACTION_FIELDS[action["type"]]
    omitted = ("raw_point", "element_id")  # absent in JSON unless known
    return {
        name: value
        for name, value in action.items()
        if name == "type" or (name in own and not (value is None and name in omitted))
    }


_WIDEST = 2**63


def to_table(records: Iterable[Trajectory]) -> pa.Table:
    """Records as one Arrow table of SCHEMA. Raises pa.ArrowInvalid for a whole number beyond 64 bits."""
    return table_of(Steps(list(records)))


def table_of(steps: Steps) -> pa.Table:
    """The same of records whose steps are columns already."""
    return pa.Table.from_arrays([column_of(steps, name) for name in SCHEMA.names], schema=SCHEMA)


def column_of(steps: Steps, name: str) -> Any:
    """One column of that table."""
    if name == "steps":
        return _steps_of(steps)
    return _COLUMNS[name]([getattr(record, name) for record in steps.records])


def _steps_of(steps: Steps) -> Any:
    """The steps of each record as a list of structs."""
    kind: Any = SCHEMA.field("steps").type
    columns = [build(steps.of(name)) for name, build in _STEP_FIELDS]
    rows: Any = pa.StructArray.from_arrays(columns, fields=list(kind.value_type))
    return of_lengths(steps.lengths, rows, kind)


_COLUMNS = dict(fields_of(_root, SCHEMA))
_STEP_FIELDS = fields_of(_step, SCHEMA.field("steps").type.value_type)


def too_wide(record: Trajectory) -> bool:
    """Whether the record holds a whole number beyond 64 bits, for which `to_table` raises."""
    return may_be_too_wide(Steps([record]))


def may_be_too_wide(steps: Steps) -> bool:
    """Whether any of the records of these steps does."""
    screens = [screen for screen in steps.of("screen") if screen is not None]
    columns: list[Sequence[int]] = [
        steps.of("index"),
        [screen.width for screen in screens],
        [screen.height for screen in screens],
        [action.presses for action in steps.actions if type(action) is Press],
        [record.source.line or 0 for record in steps.records],
    ]
    if any(events := steps.of("events")):
        columns.append(list(chain.from_iterable(filter(None, events))))
    return any(max(column) >= _WIDEST or min(column) < -_WIDEST for column in columns if column)


def records(table: pa.Table) -> Iterator[Trajectory]:
    """The records of a table of SCHEMA, in its order."""
    for batch in table.to_batches():
        for row in batch.to_pylist():
            yield row_to_record(row)
