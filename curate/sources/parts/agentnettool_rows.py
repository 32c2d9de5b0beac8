"""Rows of events.jsonl as AgentNetTool and DuckTrack write them, as the reducer takes them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.events import EventKind, RawEvent
from curate.model.finite import finite_number
from curate.model.trajectory import Platform
from curate.store.jsonl import BadLine, read_lines

_KINDS: dict[str, EventKind] = {
    "move": "move", "click": "button", "scroll": "scroll", "press": "key", "release": "key", "pause": "pause",
    "resume": "resume",
}  # fmt: skip
_CONTROL = re.compile(r"'\\x([01][0-9a-f]|7f)'")  # pynput's repr of a control character; the name has lost which
_ESCAPED = {"'\\t'": "\t", "'\\n'": "\n", "'\\r'": "\r"}
_CODE = re.compile(r"<(\d+)>")
_DEAD = re.compile(r"\[(.+)\]")


def event_of_row(row: dict[str, Any], index: int, platform: Platform | None = None) -> RawEvent:
    """One row, the `index`-th of its file (from 0), recorded on `platform`. What a field holds that is not of its kind
    counts as missing; a row without a time, with an unknown action or with a place that is no number is an event of
    kind `unknown` (its time may be NaN)."""
    time = finite_number(row.get("time_stamp"))
    action = row.get("action")
    kind: EventKind = _KINDS.get(action, "unknown") if isinstance(action, str) else "unknown"
    if time is None or kind == "unknown":
        return RawEvent(index=index, time=math.nan if time is None else time, kind="unknown")
    x, y = finite_number(row.get("x")), finite_number(row.get("y"))
    if (x is None and row.get("x") is not None) or (y is None and row.get("y") is not None):
        return RawEvent(index=index, time=time, kind="unknown")  # a broken place is not "where the pointer last was"
    if kind == "button":
        pressed = row.get("pressed")
        return RawEvent(
            index=index, time=time, kind=kind, x=x, y=y, button=_text(row.get("button")),
            pressed=pressed if isinstance(pressed, bool) else None,
        )  # fmt: skip
    if kind == "scroll":
        dx, dy = finite_number(row.get("dx", 0)), finite_number(row.get("dy", 0))
        if dx is None or dy is None:
            return RawEvent(index=index, time=time, kind="unknown")
        return RawEvent(index=index, time=time, kind=kind, x=x, y=y, dx=dx, dy=dy)
    if kind == "key":
        return _key(row, index, time, platform, pressed=action == "press")
    return RawEvent(index=index, time=time, kind=kind, x=x, y=y)


def _key(row: dict[str, Any], index: int, time: float, platform: Platform | None, pressed: bool) -> RawEvent:
    """`name` is what AgentNetTool calls the key; `pynput_key` (how pynput prints it) still knows a control character,
    a dead key, and the number of a key without a character. AgentNetTool looks the number up among Windows' virtual
    keys on every system: on a Mac that gives the name of another key (32 is U there, not Space)."""
    name, printed = _text(row.get("name")), _text(row.get("pynput_key")) or ""
    control, code, dead = _CONTROL.fullmatch(printed), _CODE.fullmatch(printed), _DEAD.fullmatch(printed)
    if control:
        name = chr(int(control[1], 16))
    name = _ESCAPED.get(printed, name)
    if code and platform == "macos":
        name = printed
    if name is None:
        name = printed.strip("'") or None
    return RawEvent(
        index=index, time=time, kind="key", key=name, code=int(code[1]) if code else None, pressed=pressed,
        dead=dead is not None,
    )  # fmt: skip


def read_events(path: Path, unreadable: list[tuple[int, str]], platform: Platform | None = None) -> Iterator[RawEvent]:
    """The events of a file, streaming. `unreadable` is emptied and filled with (line from 1, why) for lines that are
    no row with a time; an event's index is its line's, from 0, so that these leave gaps."""
    unreadable.clear()
    for line in read_lines(path):
        if isinstance(line, BadLine):
            unreadable.append((line.number or 1, line.detail))
            continue
        row = _decoded(line.data)
        event = event_of_row(row, line.number - 1, platform) if isinstance(row, dict) else None
        if event is None:
            unreadable.append((line.number, "The line is not a JSON object."))
        elif math.isnan(event.time):
            unreadable.append((line.number, "The row has no time_stamp."))
        else:
            yield event


def _decoded(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    try:  # half of an emoji, as pynput writes it on Windows, is refused by msgspec
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
