"""TFRecord files, packed with gzip or not, record by record: framing and checksums here, the contents by
`tf.train.Example` of the package `tfrecord`. TensorFlow is not needed.

A record is its length (8 bytes), a checksum of that, the bytes, and a checksum of them. A record whose bytes do not fit
their checksum is told and the next one is read; where a length does not, or the file ends within a record, nothing
after it can be found: that is told as well, so that a file is never silently short."""

from __future__ import annotations

import functools
import gzip
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from curate.model.constants import TFRECORD_LIMIT

Value = list[bytes] | list[int] | list[float]

_GZIP = b"\x1f\x8b"
_PIECE = 1 << 20


class Example(msgspec.Struct, frozen=True):
    """A record of a file: its number from 1, and its features by name."""

    number: int
    features: dict[str, Value]


class BadExample(msgspec.Struct, frozen=True):
    """A record that cannot be read: its number from 1, a code of model.reasons and what is wrong."""

    number: int
    reason: str
    detail: str


def examples(path: Path) -> Iterator[Example | BadExample]:
    """The records of a file in order; never raises for what the file holds. Memory: the largest record."""
    for number, record in _records(path):
        if isinstance(record, BadExample):
            yield record
            continue
        features = _features(record)
        if features is None:
            yield BadExample(number, "read.tfrecord", f"Record {number} is no tf.train.Example.")
        else:
            yield Example(number, features)


class TFRecordHead(msgspec.Struct, frozen=True):
    """`features`: the names of the features of the first record, empty where it is cut (of a remote file only the
    beginning is at hand)."""

    features: frozenset[str]


def head(path: Path) -> TFRecordHead | None:
    """The beginning of a TFRecord file, None for any other file. For `recognise`."""
    if not is_named(path.name) or not path.is_file():
        return None
    status = path.stat()
    return _head(path, status.st_mtime_ns, status.st_size)


def is_named(name: str) -> bool:
    """Whether a file may be a TFRecord by its name: a shard (`x-00000-of-00020`), or by its ending."""
    return _NAMED.search(name) is not None


_NAMED = re.compile(r"-\d+-of-\d+|\.tfrecords?", re.IGNORECASE)


@functools.lru_cache(maxsize=16)
def _head(path: Path, changed: int, size: int) -> TFRecordHead | None:
    try:
        with _opened(path) as file:
            if not _is_length(file.read(12)):
                return None
    except (OSError, EOFError, zlib.error):
        return None
    first = next(examples(path), None)
    return TFRecordHead(frozenset(first.features) if isinstance(first, Example) else frozenset())


def _records(path: Path) -> Iterator[tuple[int, bytes | BadExample]]:
    number = 1
    try:
        with _opened(path) as file:
            while (head := file.read(12)) != b"":
                if len(head) < 12:
                    yield number, _bad(number, "the file ends within its length")
                    return
                if not _is_length(head):
                    yield number, _bad(number, "its length does not fit its checksum; nothing after it can be found")
                    return
                (length,) = struct.unpack("<Q", head[:8])
                record = _one(file, number, length)
                yield number, record
                if isinstance(record, BadExample) and record.detail.endswith(_ENDS):
                    return
                number += 1
    except EOFError:
        yield number, _bad(number, _ENDS)
    except (zlib.error, gzip.BadGzipFile) as error:
        yield number, _bad(number, f"the packed data is damaged ({error}); nothing after it can be found")
    except OSError as error:
        yield number, BadExample(number, "read.error", f"It cannot be read: {error.strerror or error}.")


_ENDS = "the file ends within it"


def _one(file: BinaryIO, number: int, length: int) -> bytes | BadExample:
    if length > TFRECORD_LIMIT:
        left = length
        while left and (piece := file.read(min(left, _PIECE))):
            left -= len(piece)
        if left or len(file.read(4)) < 4:
            return _bad(number, _ENDS)
        return BadExample(number, "read.too_long", f"Record {number} has {length:,} bytes; at most {TFRECORD_LIMIT:,}.")
    record, checksum = file.read(length), file.read(4)
    if len(record) < length or len(checksum) < 4:
        return _bad(number, _ENDS)
    if checksum != _masked(record):
        return _bad(number, "its bytes do not fit their checksum")
    return record


def _bad(number: int, what: str) -> BadExample:
    return BadExample(number, "read.tfrecord", f"Record {number}: {what}")


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    return cast(BinaryIO, gzip.open(path, "rb")) if packed else path.open("rb")


def _is_length(head: bytes) -> bool:
    return len(head) == 12 and head[8:] == _masked(head[:8])


def _masked(data: bytes) -> bytes:
    """The checksum as TFRecord stores it: CRC-32C, turned by 15 bits and shifted by a constant."""
    import crc32c

    value = crc32c.crc32c(data)
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def _features(record: bytes) -> dict[str, Value] | None:
    from google.protobuf.message import DecodeError
    from tfrecord.example_pb2 import Example as Message

    message = Message()
    try:
        message.ParseFromString(record)
    except DecodeError:
        return None
    features: dict[str, Value] = {}
    for name, feature in message.features.feature.items():
        kind = feature.WhichOneof("kind")
        features[name] = [] if kind is None else list(getattr(feature, kind).value)
    return features
