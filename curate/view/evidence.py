"""What stands beside a near-copy: the steps of both runs in words, with those that differ marked."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from curate.engine.report.types import CopyGroup, CopyRow
from curate.model.arrow import records
from curate.model.trajectory import Step, Trajectory
from curate.model.words import words
from curate.stages.copies.tokens import token
from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder


class Line(msgspec.Struct, frozen=True):
    """A step in words; `kind`: the other run did the same (`same`) or not (`only`), as the stage compares steps;
    `ignored`: it does not look at it (a scroll, a wait)."""

    text: str
    kind: Literal["same", "only", "ignored"]


class Side(msgspec.Struct, frozen=True):
    """A run as one column: `steps_more` further steps are not shown."""

    id: str
    instruction: str
    where: str
    steps: list[Line]
    steps_more: int


class Pair(msgspec.Struct, frozen=True):
    """A near-copy beside its witness."""

    witness: Side
    copy: Side
    row: CopyRow


def pairs(run: RunFolder, groups: Sequence[CopyGroup], limit: int, steps: int) -> list[Pair]:
    """At most `limit` near-copies beside their witnesses, at most `steps` steps of each; first the groups' first
    copies, so that every group is seen before any is seen twice."""
    ranked = [(k, group.witness, copy) for group in groups for k, copy in enumerate(group.copies)]
    chosen = sorted(ranked, key=lambda item: item[0])[:limit]  # stable: groups keep their order
    found = load(run, {name for _, witness, copy in chosen for name in (witness, copy.id)})
    return [
        _pair(found[witness], found[copy.id], copy, steps)
        for _, witness, copy in chosen
        if witness in found and copy.id in found
    ]


def load(run: RunFolder, ids: Iterable[str]) -> dict[str, Trajectory]:
    """The records of these ids; only the row groups that hold one are decoded."""
    wanted = pa.array(sorted(ids), pa.string())
    found: dict[str, Trajectory] = {}
    for path in part_paths(run.root) if len(wanted) else []:
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                hit = pc.is_in(file.read_row_group(group, columns=["id"])["id"], value_set=wanted)
                if pc.any(hit).as_py():
                    found |= {record.id: record for record in records(file.read_row_group(group).filter(hit))}
    return found


def _pair(witness: Trajectory, copy: Trajectory, row: CopyRow, limit: int) -> Pair:
    return Pair(*beside(witness, copy, limit), row)


def beside(witness: Trajectory, copy: Trajectory, limit: int | None = None) -> tuple[Side, Side]:
    """Two runs, each step marked by whether the other did it too; at most `limit` steps of each."""
    left, right = ([token(step) for step in record.steps] for record in (witness, copy))
    both = _matches(left, right)
    return _side(witness, left, {a for a, _ in both}, limit), _side(copy, right, {b for _, b in both}, limit)


def aligned(witness: Trajectory, copy: Trajectory) -> list[tuple[int | None, int | None]]:
    """The places of both runs' steps in rows: what both did stands in one row; what only one did, and what is not
    compared, stands between those rows, the first such steps of both beside each other."""
    left, right = ([token(step) for step in record.steps] for record in (witness, copy))
    rows: list[tuple[int | None, int | None]] = []
    a = b = 0
    for next_a, next_b in [*_matches(left, right), (len(left), len(right))]:
        rows += zip_longest(range(a, next_a), range(b, next_b))
        if next_a < len(left) and next_b < len(right):
            rows.append((next_a, next_b))
        a, b = next_a + 1, next_b + 1
    return rows


def _matches(left: list[str | None], right: list[str | None]) -> list[tuple[int, int]]:
    """The places of steps that both runs did, ascending in both."""
    compared = [[k for k, found in enumerate(tokens) if found is not None] for tokens in (left, right)]
    matcher = difflib.SequenceMatcher(
        a=[left[k] for k in compared[0]], b=[right[k] for k in compared[1]], autojunk=False
    )
    return [
        (compared[0][block.a + k], compared[1][block.b + k])
        for block in matcher.get_matching_blocks()
        for k in range(block.size)
    ]


def _side(record: Trajectory, tokens: list[str | None], same: set[int], limit: int | None) -> Side:
    lines = [
        Line(step_words(step), "ignored" if tokens[k] is None else "same" if k in same else "only")
        for k, step in enumerate(record.steps[:limit])
    ]
    return Side(record.id, record.instruction, where_of(record), lines, len(record.steps) - len(lines))


def where_of(record: Trajectory) -> str:
    """The apps and sites of a run."""
    return ", ".join([*record.apps, *record.sites])


def step_words(step: Step) -> str:
    """A step in a few words: its own, else its code, else words made of its actions (a recipe need not write any)."""
    told = step.action or (step.code or "").replace("\n", "; ")
    return told or (words(step.actions, step.element) if step.actions else "(nothing)")
