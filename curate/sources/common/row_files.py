"""Files of rows in whichever form a dataset is handed on in: JSONL, a JSON list, JSON objects over many lines (often
one alone), a parquet table, an Arrow file of Hugging Face's `datasets`. Of JSON the name does not tell which: a list is
met in files named `.jsonl` and lines in files named `.json`."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.sources.base import ReadContext
from curate.sources.common.arrow_rows import arrow_rows, is_arrow
from curate.sources.common.heads import head, is_jsonl
from curate.sources.common.json_stream import Numbered, beginning, documents, elements, first_object, is_json
from curate.sources.common.parquet_rows import Row, rows
from curate.sources.common.reading import lines_of
from curate.store.jsonl import BadLine, Line, read_lines

Form = Literal["lines", "list", "objects", "parquet", "arrow"]
_LINES = 20  # of a file whose first line is no JSON, so many are looked at for one that is


def is_row_file(path: Path) -> bool:
    """Whether the name is that of a file of rows."""
    return is_json_rows(path) or _is_table(path)


def is_json_rows(path: Path) -> bool:
    """Whether the name is that of a file of rows that are JSON."""
    return is_jsonl(path) or is_json(path)


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in (".parquet", ".arrow") and path.is_file()


def first_row(path: Path) -> dict[str, Any]:
    """The first row of such a file, as far as its beginning tells; empty where it has none."""
    return next(iter(first_rows(path)), {})


def first_rows(path: Path) -> list[dict[str, Any]]:
    """The first rows of such a file that are objects: of JSONL those of its first lines, else the first alone."""
    if is_jsonl(path) and form_of(path) == "lines":
        return head(path).objects
    if _is_table(path):
        status = path.stat()
        return _first_of_table(path, status.st_mtime_ns, status.st_size)
    if is_json(path):
        return [found] if (found := first_object(path)) else []
    start = beginning(path) if path.is_file() else None
    start = start[0] if isinstance(start, list) and start else start
    return [start] if isinstance(start, dict) and start else []


@functools.lru_cache(maxsize=16)
def _first_of_table(path: Path, changed: int, size: int) -> list[dict[str, Any]]:
    """The first row of a table, but for columns that hold bytes: pictures of megabytes tell nothing of whose it is."""
    if is_arrow(path):
        first = next(arrow_rows(path), None)
    else:
        try:
            schema = pq.read_schema(path)
        except (pa.ArrowException, OSError, ValueError):
            return []
        names = [field.name for field in schema if not _holds_bytes(field.type)]
        first = next(rows(path, names), None) if names else None
    return [first.values] if isinstance(first, Row) and first.values else []


def _holds_bytes(kind: pa.DataType) -> bool:
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return True
    return any(_holds_bytes(kind.field(number).type) for number in range(kind.num_fields))


def form_of(path: Path) -> Form:
    """How the rows of a file stand in it, by its first lines. A file that is none of the three is read by lines, each
    of which is then told."""
    if _is_table(path):
        return "arrow" if is_arrow(path) else "parquet"
    try:
        status = path.stat()
    except OSError:
        return "lines"
    return _form(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=16)
def _form(path: Path, changed: int, size: int) -> Form:
    with path.open("rb") as file:
        first = file.read(1 << 10).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first == b"[":
        return "list"
    if first != b"{":
        return "lines" if is_jsonl(path) else "list"  # which says why it is none
    return "lines" if any(_is_object(line) for line in islice(read_lines(path), _LINES)) else "objects"


def _is_object(line: Any) -> bool:
    try:
        return not isinstance(line, BadLine) and isinstance(msgspec.json.decode(line.data), dict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def rows_of(path: Path, context: ReadContext) -> Iterator[Numbered | BadLine]:
    """Its rows with their line or number from 1; a row that is no JSON comes as BadLine, and ends a file that is not
    read by lines."""
    form = form_of(path)
    if form == "lines":
        yield from _lines(path, context)
        return
    if form in ("parquet", "arrow"):
        for row in rows(path) if form == "parquet" else arrow_rows(path):
            context.reached.number = row.number
            yield row if isinstance(row, BadLine) else Numbered(row.number, row.values)
        return
    for item in elements(path) if form == "list" else documents(path):
        context.reached.number = item.number
        yield item


def row_lines(path: Path, context: ReadContext) -> Iterator[Line | BadLine]:
    """Its rows as lines of JSON, each with its line or number from 1: for sources that decode a row at once. The lines
    of JSONL are as they stand in the file."""
    if form_of(path) == "lines":
        yield from lines_of(path, context)
        return
    for item in rows_of(path, context):
        # json writes what msgspec would make null of (a number beyond a double's range), so that it is told
        yield item if isinstance(item, BadLine) else Line(item.number, json.dumps(item.value).encode())


def _lines(path: Path, context: ReadContext) -> Iterator[Numbered | BadLine]:
    for line in lines_of(path, context):
        if isinstance(line, BadLine):
            yield line
            continue
        try:
            yield Numbered(line.number, msgspec.json.decode(line.data))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            yield BadLine(line.number, "read.json", f"{error}.")
