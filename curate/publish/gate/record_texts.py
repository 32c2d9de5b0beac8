"""Every text of a record, whatever field it stands in: the field's name, the step's index, the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from curate.model.trajectory import Step, Trajectory

_MEDIA = {"image", "image_after", "final_image", "tree", "video", "trace"}  # references: hashes
_NAMES = {"schema", "type", "rule"}  # of a closed set
_SHORTEST = 5  # characters that can be personal: a@b.c


def texts_of(record: Trajectory) -> Iterator[tuple[str, int | None, str]]:
    """All of them, those of the run first. Code comes only where no actions say the same."""
    for name in record.__struct_fields__:
        if name != "steps":
            yield from ((field, None, text) for field, text in _below(name, getattr(record, name)))
    for step in record.steps:
        yield from ((field, step.index, text) for field, text in _of_step(step))


def _of_step(step: Step) -> Iterator[tuple[str, str]]:
    for name in step.__struct_fields__:
        if not (name == "code" and step.actions):
            yield from _below(name, getattr(step, name))


def _below(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        if len(value) >= _SHORTEST and name not in _MEDIA and name not in _NAMES:
            yield name, value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _below(f"{name} {str(key)[:40]}", key)
            yield from _below(f"{name} {str(key)[:40]}", one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _below(name, one)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _below(field, getattr(value, field))
