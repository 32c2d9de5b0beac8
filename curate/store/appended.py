"""A JSONL file that only grows: what a person decided, one line each, on the disk before anything says that it is
stored. A line that a kill or a full disk cut short was never said to be stored: the next line takes its place."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from curate.model.errors import InputError, StoreError
from curate.store.atomic import make_folder, store_error
from curate.store.locks import lock

T = TypeVar("T", bound=msgspec.Struct)
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)


class Appended(Generic[T]):
    """One such file of rows of one type; it need not be there yet. `told`: sentences on what was mended."""

    def __init__(self, path: Path, kind: type[T]) -> None:
        self.path = path
        self.told: list[str] = []
        self._decoder = msgspec.json.Decoder(kind)

    def read(self) -> list[T]:
        """Its rows. A last line without its end that is no row is passed over, and told. Raises InputError with file
        and line for any other line that is none."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"Cannot read {self.path}: {error.strerror}.") from error
        return self._rows(data)[0]

    def add(self, make: Callable[[list[T]], T]) -> T:
        """Append the row that `make` gives, which is told all rows before it; nobody else writes meanwhile. Raises
        StoreError where the disk refuses (nothing is appended then), InputError for a file that is broken."""
        make_folder(self.path.parent)
        try:
            with os.fdopen(os.open(self.path, _OPEN, 0o644), "r+b", buffering=0) as file:
                if not lock(file, wait=True):
                    raise StoreError(f"Cannot write {self.path}: another process holds it.")
                file.seek(0)
                data = file.read()
                rows, whole = self._rows(data)
                row = make(rows)
                _put(file, whole, data[:whole], msgspec.json.encode(row) + b"\n")
                return row
        except OSError as error:
            raise store_error("write", self.path, error) from error

    def _rows(self, data: bytes) -> tuple[list[T], int]:
        """The rows, and how many bytes they take up: all, or those before a torn last line."""
        rows: list[T] = []
        at = 0
        for number, line in enumerate(data.splitlines(keepends=True), start=1):
            try:
                if line.strip():
                    rows.append(self._decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                if not line.endswith(b"\n"):
                    self.told.append(
                        f"{self.path}: line {number} was cut short when it was written, and is passed over."
                    )
                    return rows, at
                raise InputError(f"{self.path}, line {number}: {error}. Put it right, or take the line out.") from error
            at += len(line)
        return rows, at


def _put(file: FileIO, whole: int, before: bytes, line: bytes) -> None:
    """Write a line behind what is whole, all of it or nothing, and on to the disk."""
    file.truncate(whole)
    file.seek(whole)
    left = memoryview(line if not before or before.endswith(b"\n") else b"\n" + line)
    try:
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(whole)
        raise
