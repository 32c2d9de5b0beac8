"""The rows of a recording without the secrets: keys that typed one are replaced by a redaction row, texts masked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import MAX_TREE_BYTES
from curate.reduce.redaction.spellings import Spellings
from curate.reduce.redaction.typed import TypedSpan
from curate.store.recording import KeyRow, lines

Plain = dict[str, Any]


def read_plain(path: Path) -> Iterator[Plain | None]:
    """The rows as plain JSON, unknown kinds and fields too; None for a line that is no row."""
    for _, data, *_ in lines(path, MAX_TREE_BYTES):
        try:
            row = msgspec.json.decode(data or b"")
        except (msgspec.DecodeError, UnicodeDecodeError):
            row = None
        yield row if isinstance(row, dict) else None


def rewritten(rows: Iterable[Plain | None], spans: Sequence[TypedSpan], spellings: Spellings) -> Iterator[Plain]:
    """The rows that are left, masked and numbered anew. What cannot be judged is left out. A key belongs where its
    press fell: its release goes and stays with it."""
    gone: set[Any] = set()
    seq = 0
    starts = {span.first: span for span in spans if not span.keeps_keys}
    ends = {span.last: span for span in spans if not span.keeps_keys}
    inside: TypedSpan | None = None
    for line, row in enumerate(rows):
        if line in starts:
            inside = starts[line]
            yield _mark(seq, inside.since, inside)
            seq += 1
        if row is not None and is_judged(row) and not _is_taken(row, inside is not None, gone):
            kept = spellings.mask_all(row)
            kept["seq"] = seq
            yield kept
            seq += 1
        if line in ends and inside is not None:
            yield _mark(seq, inside.until, inside)
            seq += 1
            inside = None


def is_judged(row: Plain | None) -> bool:
    """Whether it is a row, and a key that can be read as one: what others type nobody knows."""
    if row is None or row.get("kind") != "key":
        return row is not None
    try:
        msgspec.convert(row, KeyRow)
    except msgspec.ValidationError:
        return False
    return True


def _is_taken(row: Plain, hidden: bool, gone: set[Any]) -> bool:
    if row.get("kind") != "key":
        return False
    key = row.get("code") if row.get("code") is not None else row.get("key")
    if row.get("pressed"):
        (gone.add if hidden else gone.discard)(key)
        return hidden
    if key in gone:
        gone.discard(key)
        return True
    return False


def _mark(seq: int, t: int, span: TypedSpan) -> Plain:
    return {"kind": "redaction", "seq": seq, "t": t, "since": span.since, "reason": "redacted", "kinds": ["key"]}
