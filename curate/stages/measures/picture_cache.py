"""What is known of pictures by content, shared by all processes that work on a run: a database below `.work` that a
finished run no longer needs and removes. A cache alone: without it, or with one that is broken, the answers are the
same and pictures are decoded again.

A new one is filled from the measures of shards that were read before, so that an input to which a line was added is
read again without decoding its pictures again."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow as pa

from curate.stages.measures.picture_facts import Facts
from curate.store.arrow_file import arrow_schema, read_arrow

FACTS_VERSION = b"2"
"""Rises when facts of pictures change their meaning; stands in the metadata of the tables they are stored in."""
VERSION_KEY = b"picture_facts"
_TABLES = """
CREATE TABLE IF NOT EXISTS facts (sha256 BLOB PRIMARY KEY, facts BLOB) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS differences (pair BLOB PRIMARY KEY, difference REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS filled (done INTEGER PRIMARY KEY);
"""
_WAIT = 60.0  # seconds for another process that writes
_WRITTEN_AT_ONCE = 256  # facts: another process finds them then, and a killed one has lost seconds
_COLUMNS = ("id", "sha256", "state", "width", "height", "white", "dhash", "thumbnail", "difference")


def cache_folder(root: Path) -> Path:
    """Where a run keeps it."""
    return root / ".work" / "pictures"


class FactsCache:
    """`folder`: where the database is (None: nothing is kept). `earlier`: tables of measures to fill a new one from."""

    def __init__(self, folder: Path | None, earlier: Path | None = None) -> None:
        self._folder, self._earlier = folder, earlier  # opened when the first picture is asked for: many runs have none
        self._facts: dict[bytes, Facts] = {}
        self._differences: dict[bytes, float] = {}
        self._opened: sqlite3.Connection | None = None

    @property
    def _database(self) -> sqlite3.Connection | None:
        if self._opened is None and self._folder is not None:
            with self._or_without():
                self._folder.mkdir(parents=True, exist_ok=True)
                path = self._folder / f"facts-{FACTS_VERSION.decode()}.sqlite"
                opened = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
                opened.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + _TABLES)
                self._fill(opened)
                self._opened = opened
        return self._opened

    def facts(self, sha256: str) -> Facts | None:
        """What is known of the bytes with this hash."""
        key = bytes.fromhex(sha256)
        if key in self._facts:
            return self._facts[key]
        row = self._row("SELECT facts FROM facts WHERE sha256 = ?", key)
        return msgspec.msgpack.decode(row, type=Facts) if isinstance(row, bytes) else None

    def difference(self, one: str, other: str) -> float | None:
        """The difference of two pictures, as `PictureReader.difference` gives it."""
        key = _pair(one, other)
        if key in self._differences:
            return self._differences[key]
        row = self._row("SELECT difference FROM differences WHERE pair = ?", key)
        return row if isinstance(row, float) else None

    def add_facts(self, facts: Facts) -> None:
        if self._folder is not None and facts.sha256 is not None:
            self._facts[bytes.fromhex(facts.sha256)] = facts
            self._flush_if_many()

    def add_difference(self, one: str, other: str, difference: float) -> None:
        if self._folder is not None:
            self._differences[_pair(one, other)] = difference
            self._flush_if_many()

    def _flush_if_many(self) -> None:
        if len(self._facts) + len(self._differences) >= _WRITTEN_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Other processes find all that was added."""
        facts = [(key, msgspec.msgpack.encode(one)) for key, one in self._facts.items()]
        differences = list(self._differences.items())
        self._facts.clear()
        self._differences.clear()
        if facts or differences:
            self._insert(facts, differences)

    def close(self) -> None:
        self.flush()
        if self._opened is not None:
            with contextlib.suppress(sqlite3.Error):
                self._opened.close()
        self._opened = self._folder = None

    def _insert(self, facts: list[tuple[bytes, bytes]], differences: list[tuple[bytes, float]]) -> None:
        with self._or_without():
            database = self._database
            if database is not None:
                database.execute("BEGIN IMMEDIATE")
                _put(database, facts, differences)
                database.execute("COMMIT")

    def _row(self, query: str, key: bytes) -> object:
        with self._or_without():
            database = self._database
            found = None if database is None else database.execute(query, (key,)).fetchone()
            return None if found is None else found[0]
        return None

    @contextlib.contextmanager
    def _or_without(self) -> Iterator[None]:
        """A database that is broken, locked for long or on a disk that has none: go on without it."""
        try:
            yield
        except (sqlite3.Error, OSError):
            self._opened = self._folder = None

    def _fill(self, database: sqlite3.Connection) -> None:
        """Once, by the first process that opens it; others wait."""
        if self._earlier is None or not self._earlier.is_dir():
            return
        database.execute("BEGIN IMMEDIATE")
        if database.execute("SELECT 1 FROM filled").fetchone() is None:
            for path in sorted(self._earlier.glob("*/images-*.arrow")):
                with contextlib.suppress(pa.ArrowException, OSError):
                    if (arrow_schema(path).metadata or {}).get(VERSION_KEY) == FACTS_VERSION:
                        _put(database, *_known_in(read_arrow(path, _COLUMNS)))
            database.execute("INSERT INTO filled VALUES (1)")
        database.execute("COMMIT")


def _put(
    database: sqlite3.Connection, facts: list[tuple[bytes, bytes]], differences: list[tuple[bytes, float]]
) -> None:
    database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts)
    database.executemany("INSERT OR REPLACE INTO differences VALUES (?, ?)", differences)


def _known_in(table: pa.Table) -> tuple[list[tuple[bytes, bytes]], list[tuple[bytes, float]]]:
    """Facts and differences from a table of the stage `images`. Most rows leave the thumbnail out: facts without one
    are looked for again where it is needed."""
    rows = table.to_pylist()
    facts: dict[bytes, Facts] = {}
    for row in rows:
        if row["sha256"] is None or row["state"] not in ("ok", "unreadable"):
            continue
        key = bytes.fromhex(row["sha256"])
        if key not in facts or row["thumbnail"] is not None:
            facts[key] = Facts(**{name: row[name] for name in Facts.__struct_fields__})
    differences = [
        (_pair(before["sha256"], row["sha256"]), row["difference"])
        for before, row in itertools.pairwise(rows)
        if before["id"] == row["id"] and row["difference"] is not None and before["sha256"] is not None
    ]
    return [(key, msgspec.msgpack.encode(one)) for key, one in facts.items()], differences


def _pair(one: str, other: str) -> bytes:
    return bytes.fromhex(one) + bytes.fromhex(other)
