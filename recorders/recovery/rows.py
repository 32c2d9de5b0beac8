"""What can be read of the JSONL files of a recording that was killed: whole rows up to the last one that is a row.

Lines in the middle that cannot be read stay where they are (readers tell of them by their line, and every other row
keeps its place); what comes after the last row that can be read is cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import MAX_ROW_BYTES, MAX_TREE_BYTES
from curate.store.accessibility import AnyAccessibilityRow, ElementRow, TreeRow
from curate.store.recording import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    EndRow,
    FrameRow,
    RedactionRow,
    decode_row,
    lines,
)


class Tail(msgspec.Struct, kw_only=True):
    """Where a file's rows end. `keep`: bytes up to the end of the last row that can be read; `open_line`: that row
    lacks its line end; `cut`: bytes after it; `half`: they are no more than half a row, which is what a kill leaves.
    `rows`: rows that can be read; `skipped`: lines (from 1) before the end that cannot."""

    keep: int = 0
    open_line: bool = False
    cut: int = 0
    half: bool = True
    rows: int = 0
    skipped: list[int] = []

    @property
    def torn(self) -> bool:
        """Whether the file ends in anything but a whole row."""
        return bool(self.cut or self.open_line)

    def told(self, name: str) -> list[str]:
        """Sentences about what was found."""
        said = []
        if self.cut:
            what = "half a last row" if self.half else "an end that cannot be read"
            said.append(f"{name}: {what} was cut off ({self.cut} bytes).")
        if self.skipped:
            lines = ranges(self.skipped)
            said.append(f"{name}: {len(self.skipped)} lines before the end cannot be read (line {lines}).")
        return said


class Events(msgspec.Struct, kw_only=True):
    """What events.jsonl holds. `hidden`: spans whose end was never written; `missing`: how many row numbers are passed
    over, unreadable lines not counted."""

    tail: Tail
    first_t: int | None = None
    last_t: int | None = None
    next_seq: int = 0
    missing: int = 0
    ended: EndRow | None = None
    hidden: list[RedactionRow] = []


class Frames(msgspec.Struct, kw_only=True):
    """What frames.jsonl holds: its rows, in the order of the file."""

    tail: Tail
    rows: list[FrameRow] = []


class Accessibility(msgspec.Struct, kw_only=True):
    """What a11y.jsonl holds."""

    tail: Tail
    trees: int = 0
    elements: int = 0
    last_t: int | None = None


class _AnyTree(msgspec.Struct, frozen=True):
    """A row of a kind that a later version writes."""

    kind: str
    t: int


_frame: msgspec.json.Decoder[Any] = msgspec.json.Decoder(FrameRow)
_reading: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyAccessibilityRow)
_unknown_reading = msgspec.json.Decoder(_AnyTree)


def scan_events(folder: Path) -> Events:
    """Look through events.jsonl (a missing file has no rows). Memory is bounded by one row."""
    found = Events(tail=Tail())
    skipped = 0  # lines since the last row that can be read
    hidden: dict[tuple[str, int, tuple[str, ...]], RedactionRow] = {}
    for row in _rows(folder / EVENTS, MAX_ROW_BYTES, found.tail, _an_event):
        found.first_t = row.t if found.first_t is None else found.first_t
        found.last_t = max(row.t, found.last_t or 0)
        lines = len(found.tail.skipped)
        found.missing += max(0, row.seq - found.next_seq - (lines - skipped))
        found.next_seq, skipped = max(found.next_seq, row.seq + 1), lines
        found.ended = row if isinstance(row, EndRow) else None
        if isinstance(row, RedactionRow):
            span = (row.reason, row.since, tuple(row.kinds))
            hidden.pop(span, None)
            if row.since == row.t:
                hidden[span] = row
    found.hidden = list(hidden.values())
    return found


def scan_frames(folder: Path) -> Frames:
    """Look through frames.jsonl (40 bytes of memory a frame)."""
    found = Frames(tail=Tail())
    found.rows = list(_rows(folder / FRAMES, MAX_ROW_BYTES, found.tail, lambda data: _as(data, _frame)))
    return found


def scan_accessibility(folder: Path) -> Accessibility:
    """Look through a11y.jsonl. Memory is bounded by one tree."""
    found = Accessibility(tail=Tail())
    for row in _rows(folder / ACCESSIBILITY, MAX_TREE_BYTES, found.tail, _a_reading):
        found.trees += isinstance(row, TreeRow)
        found.elements += isinstance(row, ElementRow)
        found.last_t = max(row.t, found.last_t or 0)
    return found


def _rows(path: Path, limit: int, tail: Tail, read: Callable[[bytes], Any]) -> Iterator[Any]:
    """The rows that can be read; `tail` is filled on the way and is right when they end."""
    if not path.is_file():
        return
    bad: list[int] = []
    end, whole_lines_after = 0, 0
    for line in lines(path, limit):
        end = line.end
        row = None if line.data is None else read(line.data)
        if row is None:
            bad.append(line.number)
            whole_lines_after += line.whole
            continue
        if bad:
            tail.skipped.extend(bad)
            bad.clear()
        whole_lines_after = 0
        tail.rows, tail.keep, tail.open_line = tail.rows + 1, end, not line.whole
        yield row
    tail.cut = end - tail.keep
    tail.half = not whole_lines_after and tail.cut <= limit


def _an_event(data: bytes) -> Any:
    row = decode_row(data)
    return None if isinstance(row, str) else row


def _as(data: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _a_reading(data: bytes) -> Any:
    return _as(data, _reading) or _as(data, _unknown_reading)


def ranges(numbers: list[int], most: int = 5) -> str:
    """`3, 7 to 9`; after `most` parts, `and others`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    said = [f"{a}" if a == b else f"{a} to {b}" for a, b in parts[:most]]
    return ", ".join(said) + (" and others" if len(parts) > most else "")
