"""Numbers of near-copies: what was found, and the certificate that nothing the decision would drop was kept, checked by
a second implementation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.engine.decided_copies import DecidedCopies, read_decided, stage_tables
from curate.engine.report.rows import share
from curate.engine.report.types import CopyCertificate, CopyNumbers, SameTasks, Share
from curate.model.constants import COPY_LIST
from curate.stages.copies.certificate import left_over
from curate.stages.copies.decide import settled
from curate.stages.copies.engines import solve
from curate.stages.copies.keys import codes
from curate.stages.copies.problem import COLUMNS, Judged
from curate.store.run_folder import RunFolder


def copy_numbers(run: RunFolder, against: Sequence[Path] = ()) -> CopyNumbers | None:
    """What a run folder says of near-copies; None where its recipe does not look for them, and of a folder that an
    earlier version wrote. `against`: the files of signatures that the run was held against."""
    tables = stage_tables(run, "nearcopies")
    if not tables or not {"cluster", *COLUMNS} <= set(pq.read_schema(tables[-1]).names):
        return None
    decided = read_decided(run.root)
    judged = decided.judged(against)
    clusters = pq.read_table(tables[-1], columns=["cluster"])["cluster"]
    sizes = np.unique(codes(clusters.filter(clusters.is_valid())), return_counts=True)[1]
    return CopyNumbers(
        threshold=decided.options.threshold,
        evidence=decided.options.evidence,
        method=decided.options.method,
        came=decided.runs.num_rows,
        kept=int(decided.kept.sum()),
        published=judged.published,
        clusters=len(sizes),
        in_clusters=int(sizes.sum()),
        same_tasks=_same_tasks(decided),
        certificate=_certificate(judged, decided),
    )


def _certificate(judged: Judged, decided: DecidedCopies) -> CopyCertificate:
    """No kept run is left that the decision would drop: every kept pair that may be similar is looked at again."""
    kept = np.concatenate([np.ones(judged.published, bool), decided.kept])
    found = left_over(judged.problem, kept[judged.rows])
    ids = judged.ids
    listed = [
        (str(ids[int(judged.rows[run])]), str(ids[int(judged.rows[witness])]))
        for run, witness in zip(found.runs[:COPY_LIST].tolist(), found.witnesses[:COPY_LIST].tolist(), strict=True)
    ]
    recall = _recall(judged, decided) if decided.options.method == "minhash" else None
    return CopyCertificate(left_over=len(found.runs), pairs=found.looked_at, listed=listed, recall=recall)


def _recall(judged: Judged, decided: DecidedCopies) -> Share:
    """Of the runs that the exact decision leaves out, the share that MinHash left out too."""
    exact = _without_published(judged, settled(judged, solve(judged.problem, Exact()))[2])
    return share(int((exact & ~decided.kept).sum()), int(exact.sum()), int(exact.sum()))


class Exact:
    """Options of the exact engine."""

    method = "exact"
    recall = 1.0


def _without_published(judged: Judged, column: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return column[judged.published :]


def _same_tasks(decided: DecidedCopies) -> SameTasks:
    """How many runs say the same: instructions that are equal after normal form, and templates."""
    task, template = codes(decided.runs["task"]), codes(decided.runs["template"])
    return SameTasks(
        tasks=int(task.max(initial=-1)) + 1,
        sharing=_sharing(task),
        templates=int(template.max(initial=-1)) + 1,
        sharing_template=_sharing(template),
    )


def _sharing(keys: NDArray[np.int64]) -> int:
    """How many rows have a key that another row has too."""
    counts = np.bincount(keys[keys >= 0])
    return int(counts[counts > 1].sum())
