"""Reading JSONL of any size in bounded memory: one line at a time, and a reason for every line that is none.

A line longer than the limit is passed over without being held; a file in another encoding, or of another kind (a table,
a picture), is named as such, once; blank lines count in the numbering and are no records. Files ending in `.gz` and
`.zst` are unpacked on the way.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import msgspec
import pyarrow as pa

from curate.model.constants import JSONL_LINE_LIMIT
from curate.store.file_kinds import HEAD_BYTES, kind_of

_PIECE, _AHEAD = 1 << 20, 1 << 17
_BOM = b"\xef\xbb\xbf"
_OTHER_ENCODINGS = ((b"\xff\xfe\x00\x00", "UTF-32"), (b"\x00\x00\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"),
                    (b"\xfe\xff", "UTF-16"))  # fmt: skip
PACKED = (".gz", ".zst")


class Line(msgspec.Struct, frozen=True):
    """A line of a file: its number from 1, and its bytes without the line end. `cut`: the file ends within it (no
    line end follows), so that a fault in it is probably a broken copy."""

    number: int
    data: bytes
    cut: bool = False


class BadLine(msgspec.Struct, frozen=True):
    """A line, or a whole file (`number` null), that cannot be read: a code of model.reasons and what is wrong."""

    number: int | None
    reason: str
    detail: str


def read_lines(
    path: Path,
    limit: int = JSONL_LINE_LIMIT,
    start: int = 0,
    stop: int | None = None,
    first_line: int = 1,
) -> Iterator[Line | BadLine]:
    """The lines of a file in order; never raises for what the file holds or for a file that cannot be opened.

    `start`, `stop`: a piece of it in bytes (whole lines; not for packed files), whose first line is `first_line`.
    Memory: the longest line under `limit` (twice while it is put together), never more.
    """
    number = first_line - 1
    try:
        with _opened(path) as file:
            wrong = _encoding_of(file)
            if wrong is not None:
                if not start:  # the first piece says it for the whole file
                    yield BadLine(None, "read.encoding", f"The file is {wrong}.")
                return
            if start:
                file.seek(start)
            found = False
            for number, line in enumerate(_split(file, limit, start, stop), start=first_line):
                if isinstance(line, int):
                    found = True
                    yield BadLine(number, "read.too_long", f"The line holds {line:,} bytes; the limit is {limit:,}.")
                elif line.strip():
                    found = True
                    yield _checked(number, line)
            if not found and not start:
                yield BadLine(None, "read.empty", "The file holds no lines.")
    except (OSError, pa.ArrowException, EOFError) as error:
        place = f"after line {number}" if number >= first_line else "from its beginning"
        yield BadLine(None, "read.error", f"The file cannot be read on {place}: {_why(error)}.")


def _why(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).rstrip(".") or type(error).__name__


def _opened(path: Path) -> BinaryIO:
    if path.suffix not in PACKED:
        return path.open("rb", _AHEAD)
    if path.suffix == ".gz":
        return cast(BinaryIO, gzip.open(path, "rb"))
    return cast(
        BinaryIO, io.BufferedReader(cast(io.RawIOBase, pa.input_stream(str(path), compression="zstd")), 1 << 16)
    )


def _encoding_of(file: BinaryIO) -> str | None:
    """What the file is if it is plainly no UTF-8, and what to do; its byte order mark, if UTF-8, is passed over."""
    start = file.peek(HEAD_BYTES)[:HEAD_BYTES]  # type: ignore[attr-defined]
    if (kind := kind_of(start)) is not None:
        return str(kind)
    head = start[:4]
    for mark, name in _OTHER_ENCODINGS:
        if head.startswith(mark):
            return f"{name}; write it as UTF-8"
    if b"\x00" in head:  # JSON begins with an ASCII character: a zero byte beside it is the other half of a wider one
        wide = len(head) == 4 and head.strip(b"\x00")
        return "UTF-16 or UTF-32; write it as UTF-8" if wide else "no text"
    if head.startswith(_BOM):
        file.read(len(_BOM))
    return None


def _split(file: BinaryIO, limit: int, start: int, stop: int | None) -> Iterator[bytes | int]:
    """Lines with their line ends; for a line over the limit its length."""
    left = None if stop is None else stop - start
    while left is None or left > 0:
        pieces: list[bytes] = []
        length = 0
        while True:
            piece = file.readline(_PIECE)
            length += len(piece)
            if length <= limit:
                pieces.append(piece)
            else:
                pieces.clear()
            if not piece or piece.endswith(b"\n"):
                break
        if not length:
            return
        if left is not None:
            left -= length
        yield length if length > limit else pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _checked(number: int, line: bytes) -> Line | BadLine:
    if not line.isascii():
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return BadLine(number, "read.encoding", f"Byte {error.start + 1} of the line is not UTF-8.")
    return Line(number, line.rstrip(b"\r\n"), not line.endswith(b"\n"))
