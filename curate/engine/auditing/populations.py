"""What an audit draws from, with the machine's answer of each: the one place that says what the machine's answer is.

verdicts    every record of the run: the outcome that the run used (`success`, `failure`, none where it is unknown)
pairs       pairs of runs that came to near-copies and are at least LABEL_FLOOR similar: whether they are near-copies
            by the recipe (`copy`, `different`)
keyframes   every step with a picture: `wrong` where a flag, the keyframe or the stage `images` doubts it, `right`
            where it has a keyframe and nothing does; none where nobody chose the picture"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.auditing.strata import Candidate
from curate.engine.decided_copies import read_decided
from curate.engine.exporting import decided
from curate.engine.pair_sample import LabelPair, sample_pairs
from curate.model.errors import InputError
from curate.stages.copies.problem import Judged
from curate.stages.copies.types import Sets
from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder

DOUBTS = frozenset({
    "acted_blind", "late_change", "picture_damaged", "picture_unsure", "pointer_inherited", "pointer_on_target",
})  # fmt: skip
"""Flags by which the machine says that a picture may not be the screen before the action, or gives the target away."""
_KEYFRAME = ["id", *(f"steps.list.element.{name}" for name in ("index", "image", "flags", "keyframe"))]


def verdicts(folder: Path) -> Iterator[Candidate]:
    """Every record of a finished run."""
    fates = decided(folder)
    row = 0
    for table in _columns(folder, ["id", "outcome"]):
        for one in table.to_pylist():
            completed = (one["outcome"] or {}).get("completed")
            said = None if completed is None else "success" if completed else "failure"
            kept = fates is not None and fates.of(row) is not None
            row += 1
            yield Candidate(f"{said or 'unknown'}, {'kept' if kept else 'out'}", one["id"], said=said, kept=kept)


def keyframes(folder: Path) -> Iterator[Candidate]:
    """Every step with a picture, of a finished run."""
    decided(folder)  # says so where the run is not finished
    left_out = {(row.id, row.step) for row in RunFolder(folder).read_steps_left_out() if row.stage.startswith("images")}
    for table in _columns(folder, _KEYFRAME):
        for one in table.to_pylist():
            for step in one["steps"] or ():
                if step["image"] is None:
                    continue
                doubted = (one["id"], step["index"]) in left_out
                said = _of_picture(step["keyframe"], step["flags"] or (), doubted)
                yield Candidate(_why(step, said), one["id"], step=step["index"], said=said)


def _of_picture(keyframe: dict[str, Any] | None, flags: Any, doubted: bool) -> str | None:
    frame = keyframe or {}
    if doubted or DOUBTS & set(flags) or frame.get("pointer_on_target") or frame.get("hover"):
        return "wrong"
    return None if keyframe is None else "right"


def _why(step: dict[str, Any], said: str | None) -> str:
    """The stratum: what the machine said, and by which rule the picture was chosen."""
    rule = (step["keyframe"] or {}).get("rule") or "no rule"
    return f"{said or 'nothing said'}, {rule}"


def pairs(folder: Path, size: int, seed: int) -> list[tuple[Candidate, float]]:
    """Pairs from every band of similarity and length, each with how many it stands for (`pair_sample.py`)."""
    decided(folder)
    found = sample_pairs(folder, size, seed)
    if not found:
        return []
    judged = read_decided(folder).judged()
    position = {name: at for at, name in enumerate(judged.ids.to_pylist())}
    return [(_of_pair(judged, position, pair), pair.stands_for) for pair in found]


def _of_pair(judged: Judged, position: dict[str, int], pair: LabelPair) -> Candidate:
    same = are_copies(judged, position[pair.a], position[pair.b])
    return Candidate(pair.band, pair.a, other=pair.b, said="copy" if same else "different")


def are_copies(judged: Judged, one: int, other: int) -> bool:
    """Whether two runs are near-copies by the recipe: similar enough (equal where one is short), compared at all, and
    with the evidence that it asks for. (Which of them goes depends on the others; that is not asked here.)"""
    first, second = int(judged.repeat_of[one]), int(judged.repeat_of[other])
    if first == second:
        return True
    problem = judged.problem
    a, b = np.searchsorted(judged.rows, (first, second)).tolist()
    mine, yours = _members(problem.sets, a), _members(problem.sets, b)
    both, either = len(mine & yours), len(mine | yours)
    if not either or Fraction(both, either) < problem.threshold:
        return False
    if min(len(mine), len(yours)) < problem.short and mine != yours:
        return False
    return all(
        keys is None or bool(_members(keys, a) & _members(keys, b)) for keys in (problem.scopes, problem.evidence)
    )


def _members(sets: Sets, at: int) -> set[int]:
    return set(sets.members[sets.offsets[at] : sets.offsets[at + 1]].tolist())


def _columns(folder: Path, names: list[str]) -> Iterator[pa.Table]:
    """These columns of all records, a row group at a time."""
    for path in part_paths(folder):
        try:
            with pq.ParquetFile(path) as file:
                for number in range(file.num_row_groups):
                    yield file.read_row_group(number, columns=names)
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"Cannot read {path}: {error}.") from error
