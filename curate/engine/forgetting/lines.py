"""JSONL without some records: the lines that are theirs go; what the tools say of others no longer mentions them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.forgetting.mentions import Mentions
from curate.model.errors import InputError
from curate.store.atomic import atomic_path

_BLOCK = 4096
_OWNERS = ("trajectory", "id")
"""Members that say whose line it is: of an example, the first that is there; of every other row, the id."""
_SAID = ("detail", "witness")
"""Members in which the tools speak of other records."""
_NOTE = "note"
"""The kind of an edit whose value speaks of records, and is nothing that anybody did or was asked."""


def forget_lines(path: Path, mentions: Mentions, *, anywhere: bool = False) -> int:
    """Write a file again without the records' lines; how many went. A file with none of them stays as it is.
    `anywhere`: a line is theirs that names one in any of its texts (a label of a pair is about both). Raises InputError
    with file and line, StoreError."""
    if not any(True for _ in _changes(path, mentions)):
        return 0
    gone = 0
    with atomic_path(path) as temporary, temporary.open("wb") as out:
        for line in _lines(path, mentions, anywhere):
            if line is None:
                gone += 1
            else:
                out.write(line)
    return gone


def _changes(path: Path, mentions: Mentions) -> Iterator[bool]:
    for block, _ in _blocks(path):
        if mentions.lines_to_read(block):
            yield True


def _lines(path: Path, mentions: Mentions, anywhere: bool) -> Iterator[bytes | None]:
    """The lines as they are to be; None for one that goes."""
    for block, first in _blocks(path):
        made: list[bytes | None] = list(block)
        for place in mentions.lines_to_read(block):
            try:
                row = msgspec.json.decode(block[place])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise InputError(f"Cannot read {path}, line {first + place + 1}: {error}.") from error
            made[place] = None if anywhere and _named_in(row, mentions) else _line(block[place], row, mentions)
        yield from made


def _line(line: bytes, row: Any, mentions: Mentions) -> bytes | None:
    if not isinstance(row, dict):
        return line
    owner = next((row[name] for name in _OWNERS if name in row), None)
    if owner in mentions.ids:
        return None
    names = (*_SAID, "value") if row.get("kind") == _NOTE else _SAID
    said = {name: mentions.replaced([row[name]])[0] for name in names if isinstance(row.get(name), str)}
    changed = {name: text for name, text in said.items() if text != row[name]}
    return msgspec.json.encode({**row, **changed}) + b"\n" if changed else line


def _named_in(row: Any, mentions: Mentions) -> bool:
    """Whether a row names one of the records: as a whole text, within one, or as a part of one that lists several."""
    texts: list[str | None] = []
    in_every_text(row, lambda text: texts.append(text) or text)  # type: ignore[func-returns-value]
    parts = {part for text in texts if text for part in (text, *re.split(r"[\s|,;#]+", text))}
    return not mentions.ids.isdisjoint(parts) or any(mentions.any_in(texts))


def _blocks(path: Path) -> Iterator[tuple[list[bytes], int]]:
    """Some thousand lines at a time, with the number of lines before them. Raises InputError."""
    first = 0
    try:
        with path.open("rb") as file:
            while block := list(islice(file, _BLOCK)):
                yield block, first
                first += len(block)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error}.") from error


def count_lines(path: Path) -> int:
    """Lines of a file. Raises InputError."""
    return sum(len(block) for block, _ in _blocks(path))


def in_every_text(plain: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every text in it, names of members too, changed."""
    if isinstance(plain, str):
        return change(plain)
    if isinstance(plain, list):
        return [in_every_text(one, change) for one in plain]
    if isinstance(plain, dict):
        return {change(name): in_every_text(value, change) for name, value in plain.items()}
    return plain
