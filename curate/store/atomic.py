"""Files that appear whole or not at all.

Everything is written under a temporary name in the same folder, flushed to the disk, and renamed; a full disk, a
kill or a crash leaves the old file or none. Temporary names begin with `.tmp-`, so that leftovers of a killed
process can be told from data and removed (`remove_leftovers`).
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from curate.model.errors import StoreError

_TEMPORARY = ".tmp-"
_BEHIND = 1 << 19  # bytes that are collected for one call of the system
_counter = itertools.count()

_WHY = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file is larger than the system allows",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the disk is read-only",
    errno.ENAMETOOLONG: "the name is too long for this file system",
    errno.EEXIST: "there is a file of that name",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
    errno.EISDIR: "there is a folder of that name",
    errno.EIO: "the disk reports an error",
}


def store_error(what: str, path: Path, error: OSError) -> StoreError:
    """The sentence for a failed disk operation: `Cannot <what> <path>: <why>.`"""
    why = _WHY.get(error.errno or 0, error.strerror or type(error).__name__)
    return StoreError(f"Cannot {what} {path}: {why}.")


def make_folder(path: Path) -> Path:
    """Make a folder and those above it; an existing one is fine. Raises StoreError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error("make the folder", path, error) from error
    return path


@contextlib.contextmanager
def atomic_path(path: Path | str, *, durable: bool = True) -> Iterator[Path]:
    """A temporary path to write to; it becomes `path` when the block ends well and vanishes when it does not.
    `durable`: it is on the disk then; else whoever writes many files calls `make_durable` before anything says that
    they are there.

    Raises StoreError for a disk that is full, read-only or otherwise refuses, whichever write meets it.
    """
    target = Path(path)
    make_folder(target.parent)
    temporary = target.parent / f"{_TEMPORARY}{os.getpid()}-{next(_counter)}"
    try:
        yield temporary
        if durable:
            _flush(temporary)
        temporary.replace(target)
        if durable:
            _flush_folder(target.parent)
    except OSError as error:
        if error.filename is not None and Path(error.filename) not in (temporary, target, target.parent):
            raise  # the caller's own trouble with another file
        raise store_error("write", target, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def make_durable(paths: Iterable[Path]) -> None:
    """Files that were written with `durable=False` reach the disk, and each of their folders once. Raises
    StoreError."""
    folders = set()
    for path in paths:
        try:
            _flush(path)
        except FileNotFoundError:  # removed since
            continue
        except OSError as error:
            raise store_error("write", path, error) from error
        folders.add(path.parent)
    for folder in folders:
        _flush_folder(folder)


def write_bytes(path: Path | str, data: bytes, *, durable: bool = True) -> None:
    """Write a whole file, or nothing. `durable`: as of `atomic_path`. Raises StoreError."""
    with atomic_path(path, durable=durable) as temporary:
        temporary.write_bytes(data)


def write_text(path: Path | str, text: str) -> None:
    """Write a whole UTF-8 file with the line ends as given, or nothing. Raises StoreError."""
    write_bytes(path, text.encode())


def write_json(path: Path | str, obj: Any) -> None:
    """Write one JSON document (dicts, lists, msgspec structs), indented, with a line end. Raises StoreError."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(obj), indent=2) + b"\n")


class JsonlWriter:
    """A JSONL file that appears whole when the `with` block ends well: one object a line, any type of msgspec."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.lines = 0
        self._encoder = msgspec.json.Encoder()
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> JsonlWriter:
        temporary = self._stack.enter_context(atomic_path(self.path))
        try:
            self._file = self._stack.enter_context(temporary.open("wb", _BEHIND))
        except OSError as error:
            raise store_error("write", self.path, error) from error
        return self

    def write(self, obj: Any) -> None:
        """Append one line."""
        self.write_line(self._encoder.encode(obj))

    def write_line(self, line: bytes) -> None:
        """Append one line that is JSON already, without its line end."""
        try:
            self._file.write(line + b"\n")
        except OSError as error:
            raise store_error("write", self.path, error) from error
        self.lines += 1

    def write_lines(self, lines: Sequence[bytes]) -> None:
        """Append lines that are JSON already."""
        try:
            self._file.write(b"\n".join(lines) + b"\n" if lines else b"")
        except OSError as error:
            raise store_error("write", self.path, error) from error
        self.lines += len(lines)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)


def write_jsonl(path: Path | str, rows: Any) -> int:
    """Write an iterable of objects as JSONL, whole or not at all; how many. Raises StoreError."""
    with JsonlWriter(path) as writer:
        for row in rows:
            writer.write(row)
    return writer.lines


def remove_leftovers(folder: Path) -> int:
    """Remove temporary files that a killed process left in this folder and below; how many. Only for a folder
    that no other process writes to."""
    removed = 0
    for leftover in folder.rglob(f"{_TEMPORARY}*"):
        if leftover.is_file() or leftover.is_symlink():
            leftover.unlink(missing_ok=True)
            removed += 1
    return removed


def _flush(path: Path) -> None:
    # Windows flushes only through a handle that may write; elsewhere a file that none may write is flushed too.
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _flush_folder(folder: Path) -> None:
    """The rename itself must reach the disk; Windows has no such call and does not need it."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot
            raise
    finally:
        os.close(handle)
