"""JSON files of any size, element by element: a list of records (`elements`) or an object of them (`members`), and the
beginning of a document, by which sources tell whose it is (`beginning`).

What holds at most one record at a time; an element may take as many bytes as a line of JSONL. Where the text breaks,
what could be read before it comes first, then a BadLine that says after which element and why. Whole numbers stay
whole, however long; the others are floats."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from curate.model.constants import JSONL_LINE_LIMIT
from curate.sources.common.reading import UnreadableError
from curate.store.jsonl import BadLine
from curate.store.late import ijson

_BOM = b"\xef\xbb\xbf"
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_BEGINNING = 1 << 20  # bytes of a document that are looked at to tell whose it is
_PIECE = 1 << 16
_DIGITS_MOST = 4300  # of a number: CPython reads no longer ones (sys.int_info), and the parser's C code would crash
_DIGITS = re.compile(rb"[0-9]*")
_DEEP = 200  # lists in lists that a beginning may hold; no source's rows have a tenth of it


class Numbered(NamedTuple):
    """An element of a list: its number from 1, and its value."""

    number: int
    value: Any


class Member(NamedTuple):
    """A member of an object: its number from 1, its name and its value."""

    number: int
    name: str
    value: Any


def is_json(path: Path) -> bool:
    """Whether the name is that of a JSON file."""
    return path.suffix.lower() == ".json" and path.is_file()


def elements(path: Path, prefix: str = "item", limit: int = JSONL_LINE_LIMIT) -> Iterator[Numbered | BadLine]:
    """The elements of a list: of the file itself, or of the one that `prefix` names (`general.item`: the list under
    `general`). Never raises for what the file holds or for a file that cannot be opened."""

    def read(file: Any, exact: bool) -> Iterator[Any]:
        return iter(ijson.items(file, prefix, use_float=not exact))

    for number, value in _numbered(path, read, limit):
        yield value if isinstance(value, BadLine) else Numbered(number, value)


def documents(path: Path, limit: int = JSONL_LINE_LIMIT) -> Iterator[Numbered | BadLine]:
    """The JSON values of a file that stand in it one after another, whatever lines they take. Never raises."""

    def read(file: Any, exact: bool) -> Iterator[Any]:
        return iter(ijson.items(file, "", multiple_values=True, use_float=not exact))

    for number, value in _numbered(path, read, limit):
        yield value if isinstance(value, BadLine) else Numbered(number, value)


def members(path: Path, prefix: str = "", limit: int = JSONL_LINE_LIMIT) -> Iterator[Member | BadLine]:
    """The members of an object: of the file itself, or of the one that `prefix` names. Never raises, as `elements`."""

    def read(file: Any, exact: bool) -> Iterator[Any]:
        return iter(ijson.kvitems(file, prefix, use_float=not exact))

    for number, pair in _numbered(path, read, limit):
        yield pair if isinstance(pair, BadLine) else Member(number, *pair)


def whole(path: Path, kind: Any, limit: int = JSONL_LINE_LIMIT) -> Any:
    """The one record that a file holds, as a msgspec type. Raises UnreadableError for a file that cannot be read or is
    larger than a record may be, and what msgspec raises."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise UnreadableError("read.error", f"The file cannot be read: {error.strerror or error}.") from error
    if len(data) > limit:
        raise UnreadableError("read.too_long", f"The file holds over {limit:,} bytes, the limit for one record.")
    if data.startswith(_WIDE) or b"\0" in data[:4]:
        raise UnreadableError("read.encoding", "The file is UTF-16 or UTF-32; write it as UTF-8.")
    return msgspec.json.decode(data.removeprefix(_BOM), type=kind)


def beginning(path: Path) -> Any:
    """The document as far as its first megabyte tells: lists and objects that end later hold what stands before, a
    scalar cut in two is left out. None where it is no JSON or cannot be read."""
    try:
        status = path.stat()
    except OSError:
        return None
    return _beginning(path, status.st_mtime_ns, status.st_size)


def first_object(path: Path) -> dict[str, Any]:
    """The first record of a JSON file, as far as its first megabyte tells: of a list its first element, if that is an
    object, of an object the object itself; else an empty one."""
    start = beginning(path) if is_json(path) else None
    if isinstance(start, list):
        start = start[0] if start else None
    return start if isinstance(start, dict) else {}


@functools.lru_cache(maxsize=16)
def _beginning(path: Path, changed: int, size: int) -> Any:
    builder, depth = ijson.ObjectBuilder(), 0
    try:
        with path.open("rb") as file:
            for event, value in ijson.basic_parse(_Limited(file, _BEGINNING), use_float=False):
                depth += event.startswith("start") - event.startswith("end")
                if depth > _DEEP:
                    break
                builder.event(event, value)
    except (ijson.JSONError, OSError, UnicodeDecodeError, ValueError):
        pass  # cut, or broken from here on: what stands before it counts
    try:
        return _floats(builder.value)
    except AttributeError:  # no event at all
        return None


class _Limited:
    """The first bytes of a file, without its byte order mark."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file, self._left, self._first = file, most, True
        self._broken = False  # a number too long for the parser comes next
        self._digits = 0  # that what was read so far ends with

    def read(self, size: int = -1) -> bytes:
        if self._broken:
            raise _LongNumberError(f"A number has over {_DIGITS_MOST:,} digits; what follows is lost.")
        data = self._file.read(min(self._left, _PIECE if size < 0 else size))
        self._left -= len(data)
        start = self._long_number(data)
        if start is not None:
            self._broken, data = True, data[:start]
        return self._checked(data) if data or start is None else self.read(size)

    def _long_number(self, data: bytes) -> int | None:
        """Where more digits stand in a row than a number may have: such a row lies over one of the places looked at, or
        goes on from the piece before."""
        for at in range(0, len(data), _DIGITS_MOST):
            found = _DIGITS.match(data, at)
            end = found.end() if found else at
            if end > at:
                before = data[max(0, at - _DIGITS_MOST) : at]
                start = at - (len(before) - len(before.rstrip(b"0123456789")))
                if end - start + (0 if start else self._digits) > _DIGITS_MOST:
                    return start
        ending = len(data) - len(data.rstrip(b"0123456789"))
        self._digits = ending + (self._digits if ending == len(data) else 0)
        return None

    def _checked(self, data: bytes) -> bytes:
        if self._first and data:
            self._first = False
            if data.startswith(_WIDE) or b"\0" in data[:4]:
                raise _EncodingError("The file is UTF-16 or UTF-32; write it as UTF-8.")
            return data.removeprefix(_BOM) or self.read(1)
        return data


def guarded(file: BinaryIO) -> Any:
    """A file for ijson's own functions, which crash at numbers of thousands of digits: reading it raises ValueError
    there."""
    return _Limited(file, 1 << 62)


class _EncodingError(ValueError):
    """A file in another encoding."""


class _LongNumberError(ValueError):
    """A number with more digits than can be read."""


class _TooLongError(ValueError):
    """An element over the limit."""


class _Counted(_Limited):
    """A file that counts what was read since the last element came out of it."""

    def __init__(self, file: BinaryIO, limit: int) -> None:
        super().__init__(file, 1 << 62)
        self._limit, self.since = limit, 0

    def read(self, size: int = -1) -> bytes:
        if self.since > self._limit:
            raise _TooLongError
        data = super().read(size)
        self.since += len(data)
        return data


_Reading = Callable[[Any, bool], Iterator[Any]]


def _numbered(path: Path, read: _Reading, limit: int) -> Iterator[tuple[int, Any]]:
    """Values with their numbers; the last may be a BadLine. Numbers that do not fit the fast reader (64 bits) are read
    again by the exact one, from the element they stand in."""
    number = 0
    for exact in (False, True):
        skip = number
        number = 0
        try:
            with path.open("rb") as raw:
                counted = _Counted(raw, limit)
                for value in read(counted, exact):
                    counted.since = 0
                    number += 1
                    if number > skip:
                        yield number, _floats(value) if exact else value
            if not number:
                yield 0, BadLine(None, "read.empty", "The file holds no records.")
            return
        except _TooLongError:
            yield (
                number + 1,
                BadLine(number + 1, "read.too_long", f"It has over {limit:,} bytes; what follows is lost."),
            )
            return
        except (_EncodingError, UnicodeDecodeError) as error:
            why = str(error) if isinstance(error, _EncodingError) else "A text of it is not UTF-8."
            yield number + 1, BadLine(number + 1, "read.encoding", why)
            return
        except _LongNumberError as error:
            yield number + 1, BadLine(number + 1, "read.json", str(error))
            return
        except RecursionError:
            yield number + 1, BadLine(number + 1, "read.json", "It is nested too deeply; what follows is lost.")
            return
        except ijson.JSONError as error:
            why = str(error).split("\n", 1)[0].strip()
            if exact or "overflow" not in why:
                place = f"after record {number}" if number else "from its beginning"
                yield number + 1, BadLine(number + 1, "read.json", f"The file is no JSON {place}: {why}.")
                return
        except OSError as error:
            yield number + 1, BadLine(number + 1, "read.error", f"It cannot be read: {error.strerror or error}.")
            return


def _floats(value: Any) -> Any:
    """The same with floats for decimals."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {name: _floats(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_floats(member) for member in value]
    if isinstance(value, tuple):  # a name and its value
        return tuple(_floats(member) for member in value)
    return value
