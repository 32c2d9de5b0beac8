"""What stands beside a near-copy: the steps of both runs in words, with those that differ marked."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from curate.engine.report_types import CopyGroup, CopyRow
from curate.model.arrow import records
from curate.model.trajectory import Step, Trajectory
from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder


class Line(msgspec.Struct, frozen=True):
    """A step in words; `same`: the other run has it too, in this order."""

    text: str
    same: bool


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


def instructions(run: RunFolder, ids: Iterable[str]) -> dict[str, str]:
    """The instructions of these runs, by id; nothing else of them is decoded."""
    wanted = pa.array(sorted(ids), pa.string())
    found: dict[str, str] = {}
    for path in part_paths(run.root) if len(wanted) else []:
        table = pq.read_table(path, columns=["id", "instruction"])
        hit = table.filter(pc.is_in(table["id"], value_set=wanted))
        found |= {str(row["id"]): str(row["instruction"]) for row in hit.to_pylist()}
    return found


def _pair(witness: Trajectory, copy: Trajectory, row: CopyRow, limit: int) -> Pair:
    left, right = ([step_words(step) for step in record.steps] for record in (witness, copy))
    matcher = difflib.SequenceMatcher(a=left, b=right, autojunk=False)
    same_left: set[int] = set()
    same_right: set[int] = set()
    for block in matcher.get_matching_blocks():
        same_left.update(range(block.a, block.a + block.size))
        same_right.update(range(block.b, block.b + block.size))
    return Pair(_side(witness, left, same_left, limit), _side(copy, right, same_right, limit), row)


def _side(record: Trajectory, words: list[str], same: set[int], limit: int) -> Side:
    lines = [Line(text, k in same) for k, text in enumerate(words[:limit])]
    where = ", ".join([*record.apps, *record.sites])
    return Side(record.id, record.instruction, where, lines, max(0, len(words) - limit))


def step_words(step: Step) -> str:
    """A step in a few words: its own, else its code."""
    return step.action or (step.code or "").replace("\n", "; ") or "(nothing)"
