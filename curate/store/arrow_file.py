"""Tables of work in progress as Arrow files (IPC): written and read back in a fifth of the time of Parquet (measured on
measures of a shard: many columns, few rows), at twice the size. What others are to read is Parquet."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import pyarrow as pa
import pyarrow.ipc

from curate.store.atomic import atomic_path

ipc: Any = pyarrow.ipc  # its stubs know neither options nor files
BATCH_ROWS = 65536


def write_arrow(path: Path, table: pa.Table, *, durable: bool = True) -> None:
    """Write a table, whole or not at all, in batches of BATCH_ROWS rows at most. `durable`: as of `atomic_path`. Raises
    StoreError."""
    options = ipc.IpcWriteOptions(compression="lz4", unify_dictionaries=True, use_threads=False)
    with (
        atomic_path(path, durable=durable) as temporary,
        ipc.new_file(str(temporary), table.schema, options=options) as writer,
    ):
        writer.write_table(table.combine_chunks(), BATCH_ROWS)


class ArrowBatches:
    """`with ArrowBatches(path) as writer: writer.add(table)`: the same file, whole or not at all, from tables that come
    one after the other, one at least. Dictionaries of a column are the same object in all of them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stack = contextlib.ExitStack()
        self._writer: Any = None
        self._waiting: list[pa.Table] = []
        self._rows = 0

    def __enter__(self) -> ArrowBatches:
        self._temporary = self._stack.enter_context(atomic_path(self._path))
        return self

    def add(self, rows: pa.Table) -> None:
        """The next rows, of the same columns as those before."""
        if self._writer is None:
            options = ipc.IpcWriteOptions(compression="lz4", use_threads=False)
            file = ipc.new_file(str(self._temporary), rows.schema, options=options)
            self._writer = self._stack.enter_context(file)
        self._waiting.append(rows)
        self._rows += rows.num_rows
        while self._rows >= BATCH_ROWS:
            self._write(BATCH_ROWS)

    def _write(self, count: int) -> None:
        whole = pa.concat_tables(self._waiting)
        self._writer.write_table(whole.slice(0, count).combine_chunks(), BATCH_ROWS)
        rest = whole.slice(count)
        self._waiting, self._rows = [rest], rest.num_rows

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if kind is None and self._rows:
            self._write(self._rows)
        return self._stack.__exit__(kind, error, trace)


def arrow_schema(path: Path) -> pa.Schema:
    """The columns of a file, and what its metadata says. Raises ArrowException or OSError for a file that is broken."""
    with pa.OSFile(str(path), "rb") as file:
        schema: pa.Schema = ipc.open_file(file).schema
        return schema


def arrow_rows(path: Path) -> int:
    """How many rows a file has. Raises as `arrow_schema` does."""
    with pa.OSFile(str(path), "rb") as file:
        reader = _opened(file, ())
        last = reader.num_record_batches - 1
        return BATCH_ROWS * last + int(reader.get_batch(last).num_rows) if last >= 0 else 0


def read_arrow(path: Path, columns: Sequence[str] | None = None, first: int = 0, stop: int | None = None) -> pa.Table:
    """These columns of a table (None: all), in their order there, of the rows from `first` to before `stop`. Raises as
    `arrow_schema` does."""
    with pa.OSFile(str(path), "rb") as file:
        reader = _opened(file, columns)
        if first == 0 and stop is None:
            return cast(pa.Table, reader.read_all())
        ends = BATCH_ROWS * reader.num_record_batches if stop is None else stop
        numbers = range(first // BATCH_ROWS, min(-(-ends // BATCH_ROWS), reader.num_record_batches))
        table = pa.Table.from_batches([reader.get_batch(number) for number in numbers], reader.schema)
        return table.slice(first - first // BATCH_ROWS * BATCH_ROWS, ends - first)


def _opened(file: Any, columns: Sequence[str] | None) -> Any:
    if columns is None:
        return ipc.open_file(file)
    names = ipc.open_file(file).schema.names
    wanted = [number for number, name in enumerate(names) if name in set(columns)]
    return ipc.open_file(file, options=ipc.IpcReadOptions(included_fields=wanted, use_threads=False))
