"""Parquet without some records: their rows go, others' rows no longer mention them, and nothing of them is left in
dictionaries, statistics or lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from curate.engine.forgetting.mentions import Mentions
from curate.model.errors import InputError
from curate.store.atomic import atomic_path

pc: Any = pyarrow.compute  # its stubs know neither lists nor maps

OF_OTHERS = frozenset({"id", "steps", "instruction", "labels", "words", "template", "task", "source", "actor", "apps"})
"""Columns of what others are, did or were asked: kept as they are."""


def forget_rows(path: Path, mentions: Mentions, group_rows: int = 65536) -> int:
    """Write a table again without the rows of the records; how many went. A table that mentions none of them stays as
    it is. Raises InputError, StoreError."""
    try:
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            groups = [file.read_row_group(number) for number in range(file.num_row_groups)]
            made = [without(group, mentions) for group in groups]
            gone = sum(map(len, groups)) - sum(map(len, made))
            if not gone and all(one.equals(other) for one, other in zip(groups, made, strict=True)):
                return 0
            extra: Any = {k: v for k, v in (file.metadata.metadata or {}).items() if k != b"ARROW:schema"}
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"Cannot read {path}: {error}.") from error
    with atomic_path(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for table in made or [schema.empty_table()]:
            writer.write_table(table.cast(schema), row_group_size=group_rows)
        writer.add_key_value_metadata(extra)
    return gone


def without(table: pa.Table, mentions: Mentions) -> pa.Table:
    """The rows of others, which no longer mention the records."""
    if "id" in table.column_names:
        gone = pc.is_in(table["id"], value_set=pa.array(sorted(mentions.ids), pa.string()))
        table = table.filter(pc.invert(gone))
    columns = [
        compact(column) if name in OF_OTHERS else scrubbed(compact(column), mentions)
        for name, column in zip(table.column_names, map(_whole, table.columns), strict=True)
    ]
    return pa.table(columns, schema=table.schema) if columns else table


def _whole(column: Any) -> Any:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def compact(array: Any) -> Any:
    """The same values without what rows that went have left behind: values of dictionaries, ends of lists."""
    kind = array.type
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], kind)
    if pa.types.is_dictionary(kind):
        found = array.cast(kind.value_type).dictionary_encode()
        return pa.DictionaryArray.from_arrays(found.indices.cast(kind.index_type), found.dictionary)
    if pa.types.is_struct(kind):
        children = [compact(array.field(number)) for number in range(kind.num_fields)]
        return pa.StructArray.from_arrays(children, fields=list(kind), mask=pc.is_null(array))
    if pa.types.is_list(kind):
        return _listed(array, compact(array.flatten()), pc.list_value_length(array))
    if pa.types.is_map(kind):
        return _mapped(array, _lengths(array), lambda entries: entries)
    return array.take(pa.array(range(len(array)), pa.int64()))


def scrubbed(array: Any, mentions: Mentions) -> Any:
    """The same values without mentions: a text names no record any more; an entry (of a list of entries, or a map) that
    is about one goes."""
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        distinct = array.dictionary_encode()
        texts = distinct.dictionary.to_pylist()
        replaced = mentions.replaced(texts)
        if replaced == texts:
            return array
        return pa.array(replaced, kind).take(distinct.indices)
    if pa.types.is_struct(kind):
        children = [scrubbed(array.field(number), mentions) for number in range(kind.num_fields)]
        return pa.StructArray.from_arrays(children, fields=list(kind), mask=pc.is_null(array))
    if pa.types.is_list(kind) and pa.types.is_struct(kind.value_type):
        values = array.flatten()
        keep = ~np.array(_about(values, mentions), bool)
        return array if keep.all() else _listed(array, values.filter(pa.array(keep)), _left(array, keep))
    if pa.types.is_list(kind):
        return _listed(array, scrubbed(array.flatten(), mentions), pc.list_value_length(array))
    if pa.types.is_map(kind):
        return _mapped(array, _lengths(array), lambda entries: ~np.array(_about(entries, mentions), bool))
    return array


def _about(values: Any, mentions: Mentions) -> list[bool]:
    """Which entries name a record in one of their texts."""
    found = np.zeros(len(values), bool)
    for number in range(values.type.num_fields):
        child = values.field(number)
        if pa.types.is_string(child.type):
            found |= np.array(mentions.any_in(child.to_pylist()), bool)
    return [bool(one) for one in found]


def _lengths(array: Any) -> Any:
    """Entries of each value of a map; null where it is."""
    bounds = np.asarray(array.offsets)
    return pa.array(np.diff(bounds), mask=np.asarray(pc.is_null(array)))


def _left(array: Any, keep: Any) -> Any:
    """How many of each list's values are kept; null where the list is."""
    lengths = pc.list_value_length(array)
    owner = np.repeat(np.arange(len(array)), pc.fill_null(lengths, 0).to_numpy(zero_copy_only=False))
    counts = np.bincount(owner[keep], minlength=len(array))
    return pa.array(counts, mask=np.asarray(pc.is_null(array)))


def _listed(array: Any, values: Any, lengths: Any) -> Any:
    """A list array of these values, so many a list."""
    return pa.ListArray.from_arrays(_bounds(lengths), values, type=array.type, mask=pc.is_null(array))


def _mapped(array: Any, lengths: Any, keep_of: Any) -> Any:
    """A map array of the entries that are kept (all where `keep_of` gives the entries back)."""
    first, last = (array.offsets[0].as_py(), array.offsets[-1].as_py()) if len(array) else (0, 0)
    keys, items = (part.slice(first, last - first) for part in (array.keys, array.items))
    entries = pa.StructArray.from_arrays([keys, items], names=["key", "value"])
    keep = keep_of(entries)
    if keep is not entries:
        owner = np.repeat(np.arange(len(array)), np.diff(np.asarray(array.offsets)))
        lengths = pa.array(np.bincount(owner[keep], minlength=len(array)), mask=np.asarray(pc.is_null(array)))
        keys, items = keys.filter(pa.array(keep)), items.filter(pa.array(keep))
    nulls = np.asarray(pc.is_null(array))
    bounds = _bounds(lengths)
    made = pa.MapArray.from_arrays(bounds, compact(keys), compact(items), type=array.type)
    return made if not nulls.any() else pc.if_else(pa.array(~nulls), made, pa.nulls(len(array), array.type))


def _bounds(lengths: Any) -> Any:
    counts = pc.fill_null(lengths, 0).to_numpy(zero_copy_only=False)
    return pa.array(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32), pa.int32())


def rows_of(path: Path, columns: list[str]) -> Iterator[pa.Table]:
    """Some columns of a table, a row group at a time. Raises InputError."""
    try:
        with pq.ParquetFile(path) as file:
            for number in range(file.num_row_groups):
                yield file.read_row_group(number, columns=columns)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"Cannot read {path}: {error}.") from error
