"""Leaks as the page lists them: by how strong the evidence is and by test task, since one task may be given away by
hundreds of runs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from curate.engine.report.types import LeakRow


class LeakGroup(msgspec.Struct, frozen=True):
    """Runs that one test task (or run: `first.witness`) is the evidence for, under one reason. `detail`: what the stage
    says of the first of them, where that is more than the test task's own words."""

    first: LeakRow
    detail: str | None
    runs: list[LeakRow]


class LeakPart(msgspec.Struct, frozen=True):
    """Groups of one strength that met one fate, the largest first."""

    strength: str
    kept: bool
    runs: int
    groups: list[LeakGroup]


def leak_parts(leaks: Sequence[LeakRow]) -> list[LeakPart]:
    """What was left out before what was kept, strong evidence before weak."""
    parts: dict[tuple[bool, str], dict[tuple[str, str], list[LeakRow]]] = {}
    for row in leaks:
        strength = row.strength or ("weak" if row.kept else "strong")  # earlier versions did not say
        groups = parts.setdefault((row.kept, strength), {})
        groups.setdefault((row.reason, row.witness or ""), []).append(row)
    return [
        LeakPart(
            strength,
            kept,
            sum(map(len, groups.values())),
            [_group(rows) for _, rows in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))],
        )
        for (kept, strength), groups in sorted(parts.items())
    ]


def _group(rows: list[LeakRow]) -> LeakGroup:
    first = rows[0]
    said = first.detail if first.detail and not (first.task and first.detail.endswith(first.task)) else None
    return LeakGroup(first, said, rows)
