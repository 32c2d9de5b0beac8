"""A record cut down to what a page shows of it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from curate.model.trajectory import Trajectory

STEPS = 2  # of the record, which are enough to see its shape
_CHARS = 300  # of a text
_PLAIN_LIST = re.compile(r'\[(?:\n\s+(?:-?[0-9][^\n]*|"[^"\\\n]*",?|true,?|false,?))+\n\s*\]')
"""A list of plain values over several lines."""


def sample_of(record: Trajectory) -> dict[str, Any]:
    """Plain JSON: without nulls and empty lists, texts and steps cut."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    plain["steps"] = plain["steps"][:STEPS]
    shown: dict[str, Any] = _shown(plain)
    if len(record.steps) > STEPS:
        shown["steps"].append(f"… and {len(record.steps) - STEPS} more")
    return shown


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shown(one) for key, one in value.items() if one is not None and one not in ([], {})}
    if isinstance(value, list | tuple):
        return [_shown(one) for one in value]
    if isinstance(value, str) and len(value) > _CHARS:
        return f"{value[:_CHARS]}… (+{len(value) - _CHARS:,} characters)"
    return value


def shown_json(record: Any) -> str:
    """A sample as JSON for a page, lists of plain values on one line each. Line ends within texts are escapes in JSON,
    so none is changed."""
    text = msgspec.json.format(msgspec.json.encode(record), indent=2).decode()
    return _PLAIN_LIST.sub(_on_one_line, text)


def _on_one_line(found: re.Match[str]) -> str:
    return "[" + re.sub(r"\n\s*", " ", found[0][1:-1]).strip() + "]"
