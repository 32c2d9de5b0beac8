"""The projections of all shards, for stages that compare runs: shard by shard, with one dictionary over the corpus for
each column of words (a shard's own file has one of its own; hundreds of them are larger than the codes)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute

from curate.engine.naming import rename_ids
from curate.engine.work import measures_schema, read_measures
from curate.stages.arrays import one_array

pc: Any = pyarrow.compute  # its stubs know neither dictionaries nor lists


class Projection(NamedTuple):
    """A shard's file of projections, and final ids by the ids in it, where those differ."""

    path: Path
    finals: Mapping[str, str]


class Projections:
    """Of one shard at least; `tables()` may be gone through several times."""

    def __init__(self, files: Sequence[Projection]) -> None:
        self._files = files
        schemas = [measures_schema(file.path) for file in files]
        self._empty = max(schemas, key=len).empty_table()
        named = [field.name for field in self._empty.schema if _words_type(field.type) is not None]
        self._words: dict[str, Any] = {}
        self._codes: dict[str, list[Any]] = {}
        for name in named:
            own = [_dictionary(read_measures(file.path, [name]), name) for file in files]
            coded: Any = pa.chunked_array(own, pa.string()).dictionary_encode().unify_dictionaries()
            self._words[name] = coded.chunk(0).dictionary if coded.num_chunks else pa.array([], pa.string())
            codes = one_array(pa.chunked_array([chunk.indices for chunk in coded.chunks], pa.int32()))
            self._codes[name] = _cut(codes, [len(dictionary) for dictionary in own])

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Of each shard that has any, its rows, in order, with final ids and these columns (None: all); without any
        rows, one table that has none."""
        none = True
        for number, file in enumerate(self._files):
            table = rename_ids(read_measures(file.path, columns), dict(file.finals))
            if table.num_rows:
                none = False
                yield self._one_dictionary(table, number)
        if none:
            empty = self._empty if columns is None else self._empty.select(["id", *columns])
            yield empty.replace_schema_metadata(None)

    def _one_dictionary(self, table: pa.Table, number: int) -> pa.Table:
        for name in self._words.keys() & set(table.column_names):
            lists: Any = one_array(table[name])
            values = lists.values
            codes = self._codes[name][number].take(values.indices)
            words = pa.DictionaryArray.from_arrays(codes, self._words[name])
            mask = lists.is_null() if lists.null_count else None
            whole = pa.ListArray.from_arrays(lists.offsets, words, mask=mask)
            table = table.set_column(table.column_names.index(name), name, whole)
        return table.replace_schema_metadata(None)


def _words_type(kind: Any) -> Any:
    """The dictionary's type where rows are lists of words."""
    return kind.value_type if pa.types.is_list(kind) and pa.types.is_dictionary(kind.value_type) else None


def _dictionary(table: pa.Table, name: str) -> Any:
    return one_array(table[name]).values.dictionary if table.num_rows else pa.array([], pa.string())


def _cut(codes: Any, lengths: Sequence[int]) -> list[Any]:
    found, first = [], 0
    for length in lengths:
        found.append(codes.slice(first, length))
        first += length
    return found
