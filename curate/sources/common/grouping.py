"""Rows that belong together, gathered and put in order, however they are spread over files: steps of one episode. The
rows wait in one file on the disk, so that memory does not grow with them."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from curate.model.constants import GROUPING_CACHE_BYTES


class Keyed(msgspec.Struct, frozen=True):
    """A row: the `key` of its group, its place there (`order`, within 64 bits), where it stands (`file` as shown in
    outputs, `line` or record number from 1), and what it says."""

    key: str
    order: int
    file: str
    line: int
    data: bytes


class Group(msgspec.Struct, frozen=True):
    """The rows of one key by `order`; those of one order as they came. Gaps and repeats are the caller's to judge."""

    key: str
    rows: list[Keyed]


def grouped(rows: Iterable[Keyed], scratch: Path) -> Iterator[Group]:
    """The groups in order of first appearance. `scratch`: a folder with room for the rows; nothing stays there.
    Memory: one group and a cache of GROUPING_CACHE_BYTES."""
    with tempfile.TemporaryDirectory(prefix="grouping-", dir=scratch) as folder:
        table = sqlite3.connect(Path(folder) / "rows.sqlite")
        with contextlib.closing(table):
            _fill(table, rows)
            yield from _groups(table)


def _fill(table: sqlite3.Connection, rows: Iterable[Keyed]) -> None:
    for statement in (
        "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", f"PRAGMA cache_size = -{GROUPING_CACHE_BYTES >> 10}",
        "CREATE TABLE keys (number INTEGER PRIMARY KEY, key BLOB UNIQUE)",
        "CREATE TABLE rows (number INTEGER, place INTEGER, file TEXT, line INTEGER, data BLOB)",
    ):  # fmt: skip
        table.execute(statement)
    last: tuple[str, int] | None = None
    for row in rows:
        if last is None or last[0] != row.key:
            last = row.key, _number(table, row.key)
        table.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", (last[1], row.order, row.file, row.line, row.data))
    table.execute("CREATE INDEX by_place ON rows (number, place)")  # and by rowid among equals


def _number(table: sqlite3.Connection, key: str) -> int:
    packed = key.encode("utf-8", "surrogatepass")
    found = table.execute("SELECT number FROM keys WHERE key = ?", (packed,)).fetchone()
    if found is None:
        return int(table.execute("INSERT INTO keys (key) VALUES (?)", (packed,)).lastrowid or 0)
    return int(found[0])


def _groups(table: sqlite3.Connection) -> Iterator[Group]:
    ask = "SELECT place, file, line, data FROM rows WHERE number = ? ORDER BY place, rowid"
    for number, packed in table.execute("SELECT number, key FROM keys ORDER BY number"):
        key = packed.decode("utf-8", "surrogatepass")
        yield Group(key, [Keyed(key, *row) for row in table.execute(ask, (number,))])
