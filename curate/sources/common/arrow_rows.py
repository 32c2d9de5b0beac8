"""Arrow files row by row, as Hugging Face's `datasets` keeps them (`save_to_disk`, its cache): a stream, or a file with
a footer. Memory: the batch that is being read, which lies on the disk until a row of it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.sources.common.parquet_rows import Row
from curate.store.jsonl import BadLine

_ROWS = 4  # decoded at once, as of parquet


def is_arrow(path: Path) -> bool:
    """Whether the name is that of an Arrow file."""
    return path.suffix.lower() == ".arrow" and path.is_file()


def arrow_rows(path: Path) -> Iterator[Row | BadLine]:
    """The rows of a file in order; never raises for what the file holds. What breaks on the way comes as a BadLine with
    the number of the row it broke at, and ends the file."""
    number = 0
    try:
        with pa.memory_map(str(path)) as data:
            for batch in _batches(_reader(data)):
                for at in range(0, batch.num_rows, _ROWS):
                    for values in batch.slice(at, _ROWS).to_pylist():
                        number += 1
                        yield Row(number, values)
    except (pa.ArrowException, OSError, ValueError) as error:
        why = str(error).split("\n", 1)[0][:200]
        yield BadLine(number + 1, "read.parquet", f"The table breaks at row {number + 1}: {why}")


def _reader(data: pa.MemoryMappedFile) -> Any:
    try:
        return pa.ipc.open_stream(data)
    except pa.ArrowInvalid:
        data.seek(0)
        return pa.ipc.open_file(data)


def _batches(reader: Any) -> Iterator[pa.RecordBatch]:
    if isinstance(reader, pa.ipc.RecordBatchStreamReader):
        yield from reader
    else:
        yield from (reader.get_batch(number) for number in range(reader.num_record_batches))
