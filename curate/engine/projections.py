"""The projections of all shards, for stages that compare runs: shard by shard, with one dictionary over the corpus for
each column of words (a shard's own file has one of its own; hundreds of them are larger than the codes)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute

from curate.engine.naming import rename_ids
from curate.engine.work import measures_schema, read_measures
from curate.stages.arrays import one_array

pc: Any = pyarrow.compute  # its stubs know neither dictionaries nor lists

_AT_A_TIME = 64  # shards whose words are numbered at once


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
            self._words[name], self._codes[name] = _numbered(_dictionary(file.path, name) for file in files)

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


def _dictionary(path: Path, name: str) -> Any:
    table = read_measures(path, [name])
    return one_array(table[name]).values.dictionary if table.num_rows else pa.array([], pa.string())


def _numbered(dictionaries: Iterable[Any]) -> tuple[Any, list[Any]]:
    """One dictionary of all their words, and for each of them where its words stand there. Some at a time: Arrow gives
    each chunk of an encoded column a dictionary of its own, of all that came before it."""
    words: Any = pa.array([], pa.string())
    codes: list[Any] = []
    rest = iter(dictionaries)
    while some := list(islice(rest, _AT_A_TIME)):
        coded = pa.concat_arrays([words, *some]).dictionary_encode()
        first = len(words)
        for dictionary in some:
            codes.append(coded.indices.slice(first, len(dictionary)))
            first += len(dictionary)
        words = coded.dictionary
    return words, codes
