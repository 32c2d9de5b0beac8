"""A record cut down to what a page shows of it."""

from __future__ import annotations

from typing import Any

import msgspec

from curate.model.trajectory import Trajectory

STEPS = 2  # of the record, which are enough to see its shape
_CHARS = 300  # of a text


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
