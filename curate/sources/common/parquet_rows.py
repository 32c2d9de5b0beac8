"""Parquet tables row by row: a few rows at a time, since rows hold pictures and whole pages. Memory: the largest page
of the columns read, unpacked (up to 1,024 values, however large they are), not the row group."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from curate.store.jsonl import BadLine

_BATCH = 4  # rows decoded at once: of AndroidControl some 10 MB each
_BUFFER = 1 << 20  # of a column that is read on from the disk at a time; with pre_buffer it would be a whole row group


class Row(NamedTuple):
    """A row: its number from 1, and its values by column."""

    number: int
    values: dict[str, Any]


def columns_of(path: Path) -> frozenset[str]:
    """The names of the columns of a parquet file; empty for any other file. For `recognise`."""
    if path.suffix.lower() != ".parquet" or not path.is_file():
        return frozenset()
    status = path.stat()
    return _columns(path, status.st_mtime_ns, status.st_size)


def rows(path: Path, columns: Sequence[str] | None = None) -> Iterator[Row | BadLine]:
    """The rows of a file in order, of all columns or the named ones; never raises for what the file holds. What breaks
    on the way comes as a BadLine with the number of the row it broke at, and ends the file."""
    number = 0
    try:
        with pq.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False) as file:
            for batch in file.iter_batches(_BATCH, columns=list(columns) if columns else None, use_threads=False):
                for values in batch.to_pylist():
                    number += 1
                    yield Row(number, values)
    except (pa.ArrowException, OSError, ValueError) as error:
        why = str(error).split("\n", 1)[0][:200]
        yield BadLine(number + 1, "read.parquet", f"The table breaks at row {number + 1}: {why}")


@functools.lru_cache(maxsize=16)
def _columns(path: Path, changed: int, size: int) -> frozenset[str]:
    try:
        return frozenset(pq.read_schema(path).names)
    except (pa.ArrowException, OSError, ValueError):
        return frozenset()
