"""Files of rows in either of the two forms that one dataset is handed on in: a JSON list or JSONL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.sources.base import ReadContext
from curate.sources.common.heads import head, is_jsonl
from curate.sources.common.json_stream import Numbered, elements, first_object, is_json
from curate.sources.common.reading import lines_of
from curate.store.jsonl import BadLine


def is_row_file(path: Path) -> bool:
    """Whether the name is that of a JSON or JSONL file."""
    return is_jsonl(path) or is_json(path)


def first_row(path: Path) -> dict[str, Any]:
    """The first row of such a file, as far as its beginning tells; empty where it has none."""
    if is_jsonl(path):
        return next(iter(head(path).objects), {})
    return first_object(path)


def rows_of(path: Path, context: ReadContext) -> Iterator[Numbered | BadLine]:
    """Its rows with their line or number from 1; a row that is no JSON comes as BadLine, and ends a JSON list."""
    if not is_jsonl(path):
        yield from elements(path)
        return
    for line in lines_of(path, context):
        if isinstance(line, BadLine):
            yield line
            continue
        try:
            yield Numbered(line.number, msgspec.json.decode(line.data))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            yield BadLine(line.number, "read.json", f"{error}.")
