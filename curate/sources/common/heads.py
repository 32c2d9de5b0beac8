"""The beginning of a JSONL file, by which the sources that read JSONL tell whose it is."""

from __future__ import annotations

import functools
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from curate.store.jsonl import PACKED, BadLine, read_lines

_LINES = 20
_SUFFIXES = (".jsonl", ".ndjson")


class Head(msgspec.Struct, frozen=True):
    """`objects`: the JSON objects among the first lines; `broken`: some of them could not be read."""

    objects: list[dict[str, Any]]
    broken: bool


def is_jsonl(path: Path) -> bool:
    """Whether the name is that of a JSONL file."""
    return path.suffix.lower() in _SUFFIXES and path.is_file()


def is_packed_jsonl(path: Path) -> bool:
    """Whether the name is that of a packed JSONL file."""
    return path.suffix in PACKED and path.with_suffix("").suffix.lower() in _SUFFIXES and path.is_file()


def head(path: Path) -> Head:
    """The first lines of a JSONL file, packed or not."""
    status = path.stat()
    return _head(path, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=16)
def _head(path: Path, changed: int, size: int) -> Head:
    objects: list[dict[str, Any]] = []
    broken = False
    decoder = msgspec.json.Decoder(dict[str, Any])
    for line in islice(read_lines(path), _LINES):
        if isinstance(line, BadLine):
            broken = True
            continue
        try:
            objects.append(decoder.decode(line.data))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            broken = True
    return Head(objects, broken)
