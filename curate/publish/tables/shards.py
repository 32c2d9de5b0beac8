"""Tables in shards: row groups that the Hub can show, files that it can take, and the same rows the same bytes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.constants import PUBLISH_SHARD_BYTES
from curate.store.atomic import atomic_path

_arrow: Any = pa  # its stubs do not know all types
_parquet: Any = pq  # nor that columns may be chosen
_FOOTER_BYTES = 1 << 20  # what a file's end takes besides its row groups, for the largest shards


class Groups(msgspec.Struct, kw_only=True, frozen=True):
    """How large a row group may be: rows, and bytes of what stands in them."""

    rows: int
    bytes: int


class Shards:
    """`<folder>/<name>-00000.parquet` and so on below `root`: rows are handed over as they come, in tables of any
    size, and written in row groups. `schema`: with the features in its metadata. `complete`: makes the table that is
    written of the rows of a group. `stored`: columns, by their leaf path, that are compressed already.

    Files appear whole when they are full, or when the block ends. Raises StoreError."""

    def __init__(
        self, root: Path, folder: str, name: str, schema: pa.Schema, groups: Groups, *,
        complete: Callable[[pa.Table], pa.Table] = lambda table: table, stored: Sequence[str] = (),
        shard_bytes: int = PUBLISH_SHARD_BYTES,
    ) -> None:  # fmt: skip
        self._root, self._folder, self._name, self._schema = root, folder, name, schema
        self._groups, self._complete, self._stored, self._limit = groups, complete, stored, shard_bytes
        self._waiting: list[pa.Table] = []
        self._rows = self._bytes = 0
        self._open: contextlib.ExitStack | None = None
        self._writer: Any = None
        self._file: Any = None
        self.rows: dict[str, int] = {}
        """Rows by path below `root`."""
        self.sizes: dict[str, int] = {}
        """Bytes that they take in memory, by path."""

    def __enter__(self) -> Shards:
        return self

    def add(self, table: pa.Table, sizes: Sequence[int]) -> None:
        """The next rows, and how many bytes each of them will take."""
        start = 0
        for row, size in enumerate(sizes):
            waiting = self._rows + row - start
            if waiting and (waiting == self._groups.rows or self._bytes + size > self._groups.bytes):
                self._wait(table, start, row)
                self._write()
                start = row
            self._bytes += size
        self._wait(table, start, table.num_rows)

    def _wait(self, table: pa.Table, start: int, stop: int) -> None:
        if stop > start:
            self._waiting.append(table.slice(start, stop - start))
            self._rows += stop - start

    def _write(self) -> None:
        # In one piece each: where pieces end has a say in where pages end.
        table = self._complete(pa.concat_tables(self._waiting).combine_chunks()).cast(self._schema).combine_chunks()
        self._waiting, self._rows, self._bytes = [], 0, 0
        if self._writer is not None and self._file.tell() + table.nbytes + _FOOTER_BYTES > self._limit:
            self._close()
        if self._writer is None:
            self._start()
        self._writer.write_table(table, row_group_size=table.num_rows)
        path = self._path(len(self.rows) - 1)
        self.rows[path] += table.num_rows
        self.sizes[path] += table.nbytes

    def _path(self, number: int) -> str:
        return f"{self._folder}/{self._name}-{number:05d}.parquet"

    def _start(self) -> None:
        path = self._path(len(self.rows))
        self._open = contextlib.ExitStack()
        self._file = self._open.enter_context(self._open.enter_context(atomic_path(self._root / path)).open("wb"))
        leaves = list(leaf_paths(self._schema))
        packed = [leaf for leaf in leaves if leaf not in self._stored]
        self._writer = _parquet.ParquetWriter(
            self._file, self._schema, use_dictionary=packed, write_statistics=packed, write_page_index=True,
            compression={leaf: "zstd" if leaf in packed else "none" for leaf in leaves},
            use_content_defined_chunking=True,  # what a new revision shares with the last one is not sent again
        )  # fmt: skip
        self.rows[path] = self.sizes[path] = 0

    def _close(self) -> None:
        if self._open is not None:
            with self._open:
                self._writer.close()
        self._open = self._writer = self._file = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._discard(kind, error, trace)
            return
        try:
            if self._rows:
                self._write()
            self._close()
        except BaseException as late:
            self._discard(type(late), late, late.__traceback__)
            raise

    def _discard(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The file that is open goes. Raises StoreError where the error is the disk's."""
        if self._open is not None:
            with contextlib.suppress(OSError, pa.ArrowException):
                self._writer.close()
            self._open.__exit__(kind, error, trace)


def leaf_paths(schema: pa.Schema) -> Iterator[str]:
    """The columns of a schema as Parquet names them: `actions.list.element.x`."""
    for field in schema:
        yield from _leaves(field.name, field.type)


def _leaves(path: str, kind: Any) -> Iterator[str]:
    if _arrow.types.is_struct(kind):
        for field in kind:
            yield from _leaves(f"{path}.{field.name}", field.type)
    elif _arrow.types.is_list(kind):
        yield from _leaves(f"{path}.list.element", kind.value_type)
    else:
        yield path
