"""JSONL of our own records (`trajectory.v1`), one a line; pictures by paths relative to the file.

This is also the source of JSONL files of which no line can be read: it says of every line why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.rejected import Rejected
from curate.model.schemas import problem
from curate.model.trajectory import decode
from curate.sources.base import Read, ReadContext
from curate.sources.common.heads import head, is_jsonl
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, lines_of, rejected
from curate.sources.common.row_files import first_rows
from curate.store.jsonl import PACKED, BadLine


class Records:
    """The source `records`. A line becomes a record in one step; only a line that does not is looked at by the JSON
    Schema, for the sentence that says what is wrong with it."""

    name = "records"
    raw = False
    divisible = True
    facts = None

    def recognise(self, path: Path) -> bool:
        """JSONL in which a line of the first is a record, or none is JSON at all."""
        return is_jsonl(path) and looks_like_records(path)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every record, or why a line is none."""
        carrier = Carrier(path.parent, context, as_written=True)
        for line in lines_of(path, context):
            if isinstance(line, BadLine):
                yield rejected(context.shown, line.reason, line.detail, None, line.number)
                continue
            try:
                record = decode(line.data)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                reason, detail = problem(line.data) or ("read.error", None)
                if line.cut and reason == "read.json":
                    detail = f"{detail or ''} The file ends within this line: the copy is not whole."
                yield rejected(context.shown, reason, detail, identity_of(line.data), line.number)
                continue
            try:
                carrier.carry(record)
            except UnreadableError as error:
                yield rejected(context.shown, error.reason, str(error), record.id, line.number)
                continue
            if record.source.file is None and record.source.line is None:
                record.source.file, record.source.line = context.shown, line.number
            yield Read(trajectory=record)


class _Named(msgspec.Struct):
    id: str


def identity_of(data: bytes) -> str | None:
    """The id of a line that is no record, where it has one."""
    try:
        return msgspec.json.decode(data, type=_Named).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def looks_like_records(path: Path) -> bool:
    """Whether the first lines of a JSONL file are records, or nothing that can be read."""
    rows = head(path).objects if path.suffix in PACKED else first_rows(path)
    return not rows or any(_is_record(row) for row in rows)


def _is_record(row: dict[str, Any]) -> bool:
    return str(row.get("schema", "")).startswith("trajectory.") or ("steps" in row and "source" in row)


SOURCE = Records()
