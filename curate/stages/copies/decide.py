"""Decides which near-copies stay: for a given order and evidence, a run is out if and only if enough runs that come
before it and stay are similar to it with evidence (one for `drop`, K for `cap:K`). A run whose content an earlier one
has, whatever its id, is that run read twice, and is out under every action."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.base import LINEAGE, WORDINGS, DecisionInput
from curate.stages.copies.problem import COLUMNS, Judged
from curate.stages.copies.types import Decided
from curate.stages.copies.wordings import taken_over
from curate.stages.verdicts import Verdicts

pc: Any = pyarrow.compute  # its stubs know no nulls
Positions = NDArray[np.int64]

_EXTRA: dict[str, Any] = {
    "copy_weight": pa.float64(),
    "copies": pa.int64(),
    "similarity": pa.float64(),
    "wordings": WORDINGS,
    "lineage": LINEAGE,
}


def settled(judged: Judged, found: Decided) -> tuple[Positions, Positions, NDArray[np.bool_]]:
    """By position: the witness (negative: none), how many shingles the two share, and whether the run is out. Repeats
    are out with the run whose content they have, or with the one that this is a copy of."""
    rows, count = judged.rows, len(judged.repeat_of)
    witness, shared, out = np.full(count, -1), np.zeros(count, np.int64), np.ones(count, bool)
    witness[rows] = np.where(found.witness >= 0, rows[found.witness], -1)
    shared[rows], out[rows] = found.shared, found.dropped
    repeats = np.setdiff1d(np.arange(count), rows)
    first = judged.repeat_of[repeats]
    gone = out[first]
    witness[repeats] = np.where(gone, witness[first], first)
    sizes = np.diff(judged.sets.offsets)
    shared[repeats] = np.where(gone, shared[first], sizes[repeats])
    return witness, shared, out


def write_verdicts(given: DecisionInput, judged: Judged, found: Decided) -> pa.Table:
    """The stage's verdicts (see `stages.nearcopies`)."""
    verdicts = Verdicts(given.alive, _EXTRA)
    witness, shared, out = settled(judged, found)
    witness, shared, out = witness[judged.published :], shared[judged.published :], out[judged.published :]
    own = np.arange(judged.count)
    is_repeat = judged.repeat_of[judged.published :] != own + judged.published
    gone = np.flatnonzero(out)
    told = np.flatnonzero((witness >= 0) & (out | (judged.cap[judged.published :] == 0)))
    same_content = is_repeat & (judged.repeat_of[judged.published :] == witness)
    details, similarity = _likeness(judged, told, witness[told], shared[told], same_content[told])
    witnesses = judged.ids.take(pa.array(witness[told]))
    verdicts.note_all(told, detail=details, witness=witnesses, similarity=similarity)
    within = out[told]
    reasons = _reasons(judged, gone, witness, is_repeat)
    verdicts.drop_all(gone, reasons, details.filter(pa.array(within)), witnesses.filter(pa.array(within)))
    _note_shares(verdicts, judged, witness, out)
    _note_wordings(verdicts, given, judged, witness, gone)
    return verdicts.table()


def _reasons(judged: Judged, gone: Positions, witness: Positions, is_repeat: NDArray[np.bool_]) -> Any:
    cap = judged.cap[judged.published + gone]
    reasons = np.where(cap > 1, "nearcopies.over_cap", "nearcopies.copy_of").astype(object)
    reasons[is_repeat[gone]] = "nearcopies.repeat"
    reasons[witness[gone] < judged.published] = "nearcopies.copy_of_published"
    return pa.array(reasons, pa.string())


def _likeness(
    judged: Judged, runs: Positions, witness: Positions, shared: Positions, same_content: NDArray[np.bool_]
) -> tuple[Any, Any]:
    """Jaccard similarity of each run and its witness: in words, and as a number."""
    sizes = np.diff(judged.sets.offsets)
    union = sizes[judged.published + runs] + sizes[witness] - shared
    alike = np.where(same_content & (union == 0), 1.0, shared / np.maximum(union, 1))
    words = [
        f"the same content as {id}" if again
        else f"{one} of {all_of} shingles shared with {id}, similarity {value:.3f}"
        for id, one, all_of, value, again in zip(
            judged.ids.take(pa.array(witness)).to_pylist(), shared.tolist(), union.tolist(), alike.tolist(),
            same_content.tolist(), strict=True,
        )
    ]  # fmt: skip
    return pa.array(words, pa.string()), pa.array(alike)


def _note_shares(verdicts: Verdicts, judged: Judged, witness: Positions, out: NDArray[np.bool_]) -> None:
    """Runs that stay and weigh: each is one share of the runs that hang together by their witnesses."""
    first = judged.published
    root = np.arange(first + judged.count)
    weighed = np.flatnonzero((witness >= 0) & ~out & (judged.cap[first:] == 0))
    root[first + weighed] = witness[weighed]
    while not np.array_equal(root, above := root[root]):
        root = above
    kept = np.concatenate([np.ones(first, bool), ~out])
    members = np.bincount(root[kept], minlength=len(root))[root[first:]]
    several = np.flatnonzero((members > 1) & ~out)
    verdicts.note_all(several, copy_weight=pa.array(1 / members[several]), copies=pa.array(members[several]))


def _note_wordings(
    verdicts: Verdicts, given: DecisionInput, judged: Judged, witness: Positions, gone: Positions
) -> None:
    """What a run that stays takes over from its copies. Texts are read only where tasks differ."""
    first = judged.published
    gone = gone[np.argsort(judged.rank[first + gone])]
    gone = gone[witness[gone] >= first]
    stays = witness[gone] - first
    texts = given.of_runs("nearcopies", ["wordings"]) if len(gone) else None
    if texts is None:
        return
    counts = pc.fill_null(pc.list_value_length(texts["wordings"]), 0).to_numpy()
    other = (judged.tasks[first + gone] != judged.tasks[first + stays]) | (counts[gone] > 0)
    gone, stays = gone[other], stays[other]
    if not len(gone):
        return
    rows, at = np.unique(np.concatenate([gone, stays]), return_inverse=True)
    chosen: Any = given.of_runs("nearcopies", ["instruction", "wordings"]).take(pa.array(rows))
    instructions, own = chosen["instruction"].to_pylist(), [w or [] for w in chosen["wordings"].to_pylist()]
    runs, wordings, lines = taken_over(at[: len(gone)], at[len(gone) :], chosen["id"].to_pylist(), instructions, own)
    verdicts.note_all(rows[runs], wordings=pa.array(wordings, WORDINGS), lineage=pa.array(lines, LINEAGE))


__all__ = ["COLUMNS", "Judged", "settled", "write_verdicts"]
