"""Looks for the secrets in everything that was written. What it finds is an error that names the file and the place,
never the secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import msgspec

from curate.model.constants import MAX_TREE_BYTES
from curate.model.errors import GateError
from curate.model.trajectory import Platform
from curate.reduce.redaction.drawn import Hunt, Looks
from curate.reduce.redaction.fragments import Fragments
from curate.reduce.redaction.spellings import Spellings
from curate.reduce.redaction.typed import KeyLog, typed_spans
from curate.reduce.redaction.video import grey_frames
from curate.store.recording import EVENTS, VIDEO, lines, read_rows

_CHUNK, _OVERLAP = 8 << 20, 1 << 16
TEXT_SUFFIXES = frozenset({".json", ".jsonl", ".txt", ".csv", ".yaml", ".yml", ".md", ".html", ".xml", ".log", ""})
_NOTHING = "nothing was kept."
_LEAST_IN_BINARY = 6
"""Bytes of a finding in a compressed picture or video; fewer are there by chance."""


def check_folder(folder: Path, spellings: Spellings, looks: Looks, platform: Platform | None) -> None:
    """Raises GateError where a secret is left: in a file's name or bytes, in what keys typed, in a frame."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if spellings.holds(name) or any(spellings.found_in(name.encode())):
            raise GateError(f"A secret is left in the name of a file, {spellings.mask(name)}: {_NOTHING}")
        if path.is_file():
            _check_file(path, name, spellings)
    _check_typed(folder / EVENTS, spellings, platform)
    if (folder / VIDEO).is_file():
        _check_frames(folder / VIDEO, looks)


def _check_file(path: Path, name: str, spellings: Spellings) -> None:
    suffix = path.suffix.lower()
    if suffix in (".json", ".jsonl"):
        _check_json(path, name, spellings)
        return
    for offset, data in _chunks(path):
        for at, length, secret in spellings.found_in(data):
            if suffix in TEXT_SUFFIXES or length >= _LEAST_IN_BINARY:
                raise GateError(f"The secret named {secret.name} is left in {name}, byte {offset + at}: {_NOTHING}")
    if suffix in TEXT_SUFFIXES:
        for number, row in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1):
            if spellings.holds(row):
                raise GateError(f"A secret is left in {name}, line {number}: {_NOTHING}")
    elif suffix == ".mkv":
        with av.open(str(path)) as container:
            told = [container.metadata, *(stream.metadata for stream in container.streams)]
        if any(spellings.holds(text) for metadata in told for pair in metadata.items() for text in pair):
            raise GateError(f"A secret is left in the metadata of {name}: {_NOTHING}")


def _check_json(path: Path, name: str, spellings: Spellings) -> None:
    """All texts in the rows; numbers are times and places, and may look like a secret of digits. What is no JSON is
    looked through as it is."""
    data = path.read_bytes() if path.suffix == ".json" else None
    pieces = (
        [(1, data)] if data is not None else ((line.number, line.data or b"") for line in lines(path, MAX_TREE_BYTES))
    )
    for number, piece in pieces:
        try:
            texts = "\n".join(texts_of(msgspec.json.decode(piece)))
        except (msgspec.DecodeError, UnicodeDecodeError):
            texts = piece.decode("utf-8", errors="replace")
        if spellings.holds(texts) or any(spellings.found_in(texts.encode("utf-8", errors="replace"))):
            raise GateError(f"A secret is left in {name}, line {number}: {_NOTHING}")


def texts_of(value: Any) -> Iterator[str]:
    """Every text in plain JSON data, names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts_of(item)


def _chunks(path: Path) -> Iterator[tuple[int, bytes]]:
    """Pieces with their offsets; they overlap, so that nothing is cut in two."""
    with path.open("rb") as file:
        kept, offset = b"", 0
        while piece := file.read(_CHUNK):
            yield offset, kept + piece
            offset += len(kept) + len(piece)
            kept = (kept + piece)[-_OVERLAP:]
            offset -= len(kept)


def _check_typed(events: Path, spellings: Spellings, platform: Platform | None) -> None:
    log = KeyLog(spellings, platform)
    for line, row in read_rows(events, []):
        log.add(line - 1, row)
    for span in typed_spans(log.presses, spellings):
        raise GateError(f"Keys that type a secret are left in {EVENTS}, line {span.first + 1}: {_NOTHING}")


def _check_frames(path: Path, looks: Looks) -> None:
    hunt, fragments = Hunt(looks.strict()), Fragments(looks)
    for number, seconds, grey in grey_frames(path):
        where = f"still shows in frame {number} of {path.name}, at {seconds:.2f} s: {_NOTHING}"
        if hunt.found(grey) is not None:
            raise GateError(f"A secret {where}")
        if fragments.shows(grey):
            raise GateError(f"Half of a secret, or more, {where}")
