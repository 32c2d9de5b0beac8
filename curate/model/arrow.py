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
import pyarrow.json as pa_json
from msgspec import inspect as mi

from curate.model.actions import Action, Press
from curate.model.steps import Steps
from curate.model.trajectory import Trajectory

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


_root = mi.type_info(Trajectory)
assert isinstance(_root, mi.StructType)
SCHEMA: pa.Schema = pa.schema([pa.field(f.encode_name, _arrow(f.type)) for f in _root.fields])
"""The Arrow schema of a trajectory; every shard has exactly this one."""

_MAPS = tuple(name for name in SCHEMA.names if pa.types.is_map(SCHEMA.field(name).type))
_PAIRS = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
_LINE_SCHEMA = pa.schema([pa.field(f.name, _PAIRS if f.name in _MAPS else f.type) for f in SCHEMA])
_BLOCK_BYTES = 64 << 20
_line_encoder = msgspec.json.Encoder()


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


_NO_WORDINGS, _NO_PAIRS = b',"wordings":{},', b',"wordings":[],'
"""As they stand in a record's canonical JSON, and nowhere else in it: quotes inside a text are escaped."""
_WIDEST = 2**63


def to_table(records: Iterable[Trajectory], lines: Iterable[bytes] | None = None) -> pa.Table:
    """Records as one Arrow table of SCHEMA. Raises pa.ArrowInvalid for a whole number beyond 64 bits. `lines`: their
    canonical JSON, where the caller has it.

    They go through JSON: Arrow's own JSON reader builds the nested columns four times faster than
    `pa.Table.from_pylist` of plain rows (measured; a test holds the two equal)."""
    tables = [SCHEMA.empty_table()]
    block: list[bytes] = []
    size = 0
    for record, line in zip(records, lines, strict=True) if lines is not None else ((one, None) for one in records):
        block.append(_with_pairs(record, line))
        size += len(block[-1]) + 1
        if size > _BLOCK_BYTES:
            tables.append(_read_lines(block))
            block, size = [], 0
    if block:
        tables.append(_read_lines(block))
    return pa.concat_tables(tables[1:] or tables)


def _with_pairs(record: Trajectory, line: bytes | None) -> bytes:
    """The record's JSON, its maps as lists of pairs."""
    line = _line_encoder.encode(record) if line is None else line
    if not record.wordings and _MAPS == ("wordings",):
        return line.replace(_NO_WORDINGS, _NO_PAIRS, 1)
    pairs = {name: [{"key": key, "value": value} for key, value in getattr(record, name).items()] for name in _MAPS}
    return _line_encoder.encode(msgspec.structs.replace(record, **pairs))


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


def _read_lines(lines: list[bytes]) -> pa.Table:
    together = b"\n".join(lines)
    source: Any = pa.BufferReader(together)
    block = pa_json.read_json(
        source,
        read_options=pa_json.ReadOptions(use_threads=False, block_size=len(together) + 1),
        parse_options=pa_json.ParseOptions(explicit_schema=_LINE_SCHEMA, unexpected_field_behavior="error"),
    ).combine_chunks()
    columns: list[Any] = []
    for field in SCHEMA:
        column: Any = block.column(field.name).chunk(0)
        if pa.types.is_map(field.type):
            column = pa.MapArray.from_arrays(column.offsets, column.values.field(0), column.values.field(1))
        columns.append(column)
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def records(table: pa.Table) -> Iterator[Trajectory]:
    """The records of a table of SCHEMA, in its order."""
    for batch in table.to_batches():
        for row in batch.to_pylist():
            yield row_to_record(row)
