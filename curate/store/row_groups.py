"""Parquet written as it comes, in row groups of one size: however many rows are handed over at a time, the bytes are
the same."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.store.atomic import atomic_path

GROUP_ROWS = 65536


class RowGroups:
    """`with RowGroups(path) as writer: writer.add(table); writer.finish(metadata)`: a file whole or not at all. At
    least one table, which may be empty, says what the columns are. Raises StoreError."""

    def __init__(self, path: Path, rows: int = GROUP_ROWS) -> None:
        self._path, self._size = path, rows
        self._stack = contextlib.ExitStack()
        self._writer: Any = None
        self._waiting: list[pa.Table] = []
        self._rows = 0

    def __enter__(self) -> RowGroups:
        self._temporary = self._stack.enter_context(atomic_path(self._path))
        return self

    def add(self, rows: pa.Table) -> None:
        """The next rows, of the same columns as those before."""
        if self._writer is None:
            schema = rows.schema.remove_metadata()
            self._writer = self._stack.enter_context(pq.ParquetWriter(self._temporary, schema, compression="zstd"))
        self._waiting.append(rows.replace_schema_metadata(None).cast(self._writer.schema))
        self._rows += rows.num_rows
        while self._rows >= self._size:
            self._write(self._size)

    def _write(self, count: int) -> None:
        whole = pa.concat_tables(self._waiting)
        # in one piece each: where pieces end has a say in where pages end
        self._writer.write_table(whole.slice(0, count).combine_chunks(), row_group_size=self._size)
        rest = whole.slice(count)
        self._waiting, self._rows = [rest], rest.num_rows

    def finish(self, metadata: Mapping[bytes, bytes]) -> None:
        """Write what is left, and the file's metadata."""
        if self._rows:
            self._write(self._rows)
        self._writer.add_key_value_metadata(dict(metadata))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._stack.__exit__(kind, error, trace)
