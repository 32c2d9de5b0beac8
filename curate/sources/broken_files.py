"""What is wrong with a data file as such, before anybody asks whose it is: only for the sentence of an error. Nothing
that may hold code is opened."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.sources.common.arrow_rows import arrow_rows, is_arrow
from curate.sources.common.json_stream import beginning
from curate.sources.common.tfrecord_rows import head as tfrecord_head
from curate.sources.common.tfrecord_rows import is_named
from curate.store.file_kinds import HEAD_BYTES as KIND_BYTES
from curate.store.file_kinds import kind_of
from curate.store.jsonl import BadLine, read_lines

_TEXTS = (".json", ".jsonl", ".ndjson")
_HEAD_BYTES = 1 << 16
_WHOLE_BYTES = 1 << 24  # a JSON file up to this size is looked at to its end
_DETAIL = 200  # characters of another library's sentence
_LINES = 20  # of JSONL, so many are looked at for one that is JSON


def broken(path: Path) -> str | None:
    """Why the file is not what its name says (JSON, JSONL, a parquet or Arrow table, a TFRecord), as half a sentence
    after `it`; None where it is, or says nothing of the kind."""
    kind = path.suffix.lower()
    table, record = kind in (".parquet", ".arrow"), is_named(path.name)
    if not (table or record or kind in (*_TEXTS, ".txt")) or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    if not head.strip():
        return "is empty"
    if table:
        return _table(path, head)
    if record:
        return None if tfrecord_head(path) is not None else "is no TFRecord, whatever its name says"
    if (said := kind_of(head[:KIND_BYTES])) is not None:
        return f"is {said}"
    return _text(path, head, kind)


def _table(path: Path, head: bytes) -> str | None:
    if head.lstrip()[:1] in (b"{", b"[") and _first_lines(path) is None:
        return "is JSON, whatever its name says: end it with .jsonl"
    why: str | None = None
    try:
        if is_arrow(path):
            first = next(arrow_rows(path), None)
            why = first.detail if isinstance(first, BadLine) else None
        else:
            pq.read_schema(path)
    except (pa.ArrowException, OSError, ValueError) as error:
        why = str(error).split("\n", 1)[0][:_DETAIL]
    return None if why is None else f"is no whole table: {why.rstrip('.')}"


def _text(path: Path, head: bytes, kind: str) -> str | None:
    if kind == ".txt":
        is_rows = head[:1] == b"{" and _first_lines(path) is None
        return "holds rows of JSON: end its name with .jsonl" if is_rows else None
    if (encoding := _encoding(path)) is not None:
        return encoding
    if b"\r" in head and b"\n" not in head and _is_json(head.split(b"\r", 1)[0]):
        return "ends its lines with a carriage return alone: end them with a line feed"
    return _first_lines(path) if kind != ".json" else _document(path)


def _encoding(path: Path) -> str | None:
    first = next(read_lines(path), None)
    if isinstance(first, BadLine) and first.reason == "read.encoding":
        told = first.detail.removeprefix("The file is ").rstrip(".")
        return f"is {told}" if first.number is None else "is not UTF-8: write it as UTF-8"
    return None


def _first_lines(path: Path) -> str | None:
    """What is wrong with the first line of JSONL of which none of the first lines is JSON."""
    why: str | None = None
    for line in islice(read_lines(path), _LINES):
        said = line.detail if isinstance(line, BadLine) else _fault(line.data)
        if said is None:
            return None
        why = why or f"is no JSON in its first line: {said.rstrip('.')}"
    return why


def _document(path: Path) -> str | None:
    """What is wrong with a JSON file that is neither one document nor lines of them, or holds nothing."""
    if beginning(path) in ([], {}, None) and path.stat().st_size < _HEAD_BYTES and _is_json(path.read_bytes()):
        return "holds no rows"
    if path.stat().st_size > _WHOLE_BYTES:
        return None
    said = _fault(path.read_bytes())
    if said is None or all(not isinstance(line, BadLine) and _is_json(line.data) for line in read_lines(path)):
        return None
    return f"is no JSON: {said.rstrip('.')}"


def _is_json(data: bytes) -> bool:
    return _fault(data) is None


def _fault(data: bytes) -> str | None:
    try:
        msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=Any)
    except RecursionError:
        return "it is nested too deeply"
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return str(error)
    return None
