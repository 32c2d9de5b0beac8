"""Rows of a task list, whatever file they are in: JSONL, a JSON list, CSV, TSV, parquet, or lines of text. And folders
of such files. One row in memory at a time."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.errors import InputError
from curate.sources.common.json_stream import elements
from curate.sources.common.parquet_rows import columns_of
from curate.sources.common.parquet_rows import rows as parquet_rows
from curate.store.jsonl import BadLine, read_lines

_TABLES = (".csv", ".tsv")
KINDS = (".jsonl", ".json", ".parquet", ".txt", *_TABLES)
_CELL = 1 << 24  # characters of a cell
Row = dict[str, Any]


def rows(path: Path, columns: list[str] | None = None) -> Iterator[tuple[int, Row]]:
    """(number from 1, row) of a file. A JSON file that holds one object is one row; a line of text is `{"instruction":
    line}`. `columns`: of a parquet table, those that are read. Raises InputError for what is no row."""
    ending = path.suffix.lower()
    if ending == ".jsonl":
        yield from _json_lines(path)
    elif ending == ".json":
        yield from _json(path)
    elif ending in _TABLES:
        yield from _cells(path, "\t" if ending == ".tsv" else ",")
    elif ending == ".parquet":
        yield from _parquet(path, columns)
    elif ending == ".txt":
        for number, text in lines(path):
            yield number, {"instruction": text}
    else:
        raise InputError(f"{path} is no task list: it must end in one of {', '.join(KINDS)}.")


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """(number from 1, text) of the lines of a file that are not blank."""
    for line in read_lines(path):
        if isinstance(line, BadLine):
            raise InputError(f"{path}, line {line.number or 1}: {line.detail}")
        yield line.number, line.data.decode("utf-8", "replace").strip()


def first_row(path: Path) -> Row:
    """The first row; an empty one where there is none, or where the file is no table."""
    try:
        if path.suffix.lower() == ".parquet":
            return dict.fromkeys(columns_of(path))
        return next(iter(rows(path)), (0, {}))[1] if path.is_file() and path.suffix.lower() in KINDS else {}
    except InputError:
        return {}


def _json_lines(path: Path) -> Iterator[tuple[int, Row]]:
    for line in read_lines(path):
        if isinstance(line, BadLine):
            raise InputError(f"{path}, line {line.number or 1}: {line.detail}")
        try:
            yield line.number, msgspec.json.decode(line.data, type=Row)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path}, line {line.number}: no row ({error}).") from error


def _json(path: Path) -> Iterator[tuple[int, Row]]:
    with path.open("rb") as file:
        start = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        yield 1, whole_object(path)
        return
    for item in elements(path):
        if isinstance(item, BadLine):
            raise InputError(f"{path}: {item.detail}")
        if not isinstance(item.value, dict):
            raise InputError(f"{path}, element {item.number}: a task is an object with columns.")
        yield item.number, item.value


def whole_object(path: Path) -> Row:
    """The object in a JSON file. Raises InputError."""
    try:
        return msgspec.json.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"), type=Row)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no JSON object ({error}).") from error


def _cells(path: Path, between: str) -> Iterator[tuple[int, Row]]:
    csv.field_size_limit(_CELL)
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            for number, row in enumerate(csv.DictReader(file, delimiter=between), 1):
                yield number, {name: cell for name, cell in row.items() if name and isinstance(cell, str) and cell}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} cannot be read as a table ({error}).") from error


def _parquet(path: Path, columns: list[str] | None) -> Iterator[tuple[int, Row]]:
    there = columns_of(path)
    wanted = None if columns is None else [name for name in columns if name in there]
    for item in parquet_rows(path, columns=wanted):
        if isinstance(item, BadLine):
            raise InputError(f"{path}, row {item.number or 1}: {item.detail}")
        yield item.number, item.values


def files_below(path: Path, ending: str) -> list[Path]:
    """The files with this ending, of a folder by their paths; a file stands for itself."""
    return sorted(path.rglob(f"*{ending}")) if path.is_dir() else [path]


def some(path: Path, ending: str, count: int = 20) -> list[Path]:
    """The first few of them, for telling what they are."""
    return list(itertools.islice(path.rglob(f"*{ending}"), count)) if path.is_dir() else [path]
