"""Rows of `rejected.jsonl`, `steps_left_out.jsonl` and `edits_left_out.jsonl`: nothing is missing without one of
these."""

from __future__ import annotations

import msgspec


class Rejected(msgspec.Struct, kw_only=True, frozen=True):
    """A trajectory that gave no example, or a line that could not be read (`id` null). `file` is relative to the
    input as named on the command line, `line` counts from 1, `reason` is a code of `model.reasons`."""

    id: str | None
    file: str | None
    line: int | None
    stage: str
    reason: str
    detail: str | None = None


class StepLeftOut(msgspec.Struct, kw_only=True, frozen=True):
    """A step that is no target; `step` is its index."""

    id: str
    step: int
    file: str | None
    line: int | None
    stage: str
    reason: str
    detail: str | None = None


class EditLeftOut(msgspec.Struct, kw_only=True, frozen=True):
    """An edit that was not applied: who made it (`number` of theirs) and when, of which record and step, what it
    says."""

    by: str
    number: int
    at: str
    id: str
    step: int | None
    kind: str
    value: bool | str | tuple[float, float, float, float] | None
    reason: str
    detail: str | None = None
