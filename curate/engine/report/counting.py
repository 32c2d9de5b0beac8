"""Counts over all records of a folder, some thousand at a time: each piece is counted by itself, in whichever process,
and pieces add up in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.engine.memory import give_back
from curate.engine.report.missing import Missing, targets
from curate.engine.report.steps import flat_runs, flat_steps, read_parts
from curate.engine.report.sums import Sums, Totals, count_runs, count_steps, sample_rows
from curate.engine.report.tables import run_tables, stage_paths
from curate.engine.workers import Workers
from curate.model.constants import REPORT_BATCH
from curate.stages.ids import Ids
from curate.store.run_folder import RunFolder

_STEPS = 1 << 31  # more than any run has


class CountJob(NamedTuple):
    """Consecutive parts to count, and of their records by row: whether it gave an example, what the stage weights
    says (NaN: nothing), and the steps that are no target (`row * 2^31 + index`, in order)."""

    parts: Sequence[Path]
    trained: NDArray[np.bool_]
    weights: NDArray[np.float64]
    left_out: NDArray[np.int64]


class Counted(NamedTuple):
    runs: Sums
    steps: Sums
    samples: list[dict[str, Any]]


def count_all(run: RunFolder, parts: Sequence[Path], missing: Missing, workers: Workers) -> Totals:
    """The counts of all parts."""
    done: dict[int, Counted] = {}
    totals = Totals()
    jobs = list(_jobs(run, parts, missing))
    for number, counted in workers.run(count, jobs):
        done[number] = counted
    for number in range(len(jobs)):
        totals.add(done[number].runs)
        totals.add(done[number].steps)
        totals.add_samples(done[number].samples)
    return totals


def count(job: CountJob) -> Counted:
    """The counts of some parts. Raises InputError."""
    counted = _counted(job)
    give_back()
    return counted


def _counted(job: CountJob) -> Counted:
    table = read_parts(job.parts)
    runs = flat_runs(table).with_columns(
        pl.Series("trained", job.trained),
        pl.coalesce(pl.Series("given", job.weights).fill_nan(None), pl.col("weight")).alias("final_weight"),
    )
    steps = flat_steps(table)
    learnt = targets(steps["run"].to_numpy(), steps["index"].to_numpy(), job.trained, job.left_out)
    steps = steps.with_columns(pl.Series("target", learnt), runs["actor"].gather(steps["run"]).alias("actor"))
    ids = Ids(table["id"].combine_chunks())
    return Counted(count_runs(runs), count_steps(steps), sample_rows(steps, ids))


def _jobs(run: RunFolder, parts: Sequence[Path], missing: Missing) -> Iterator[CountJob]:
    weights = _weights(run, missing)
    first, rows, group = 0, 0, []
    for number, part in enumerate(parts, start=1):
        group.append(part)
        rows += pq.read_metadata(part).num_rows
        if rows < REPORT_BATCH and number < len(parts):
            continue
        low, high = np.searchsorted(missing.left_out, (first * _STEPS, (first + rows) * _STEPS))
        left_out = missing.left_out[low:high] - first * _STEPS
        yield CountJob(group, missing.trained[first : first + rows], weights[first : first + rows], left_out)
        first, rows, group = first + rows, 0, []


def _weights(run: RunFolder, missing: Missing) -> NDArray[np.float64]:
    """By position the weights stage's word; NaN where it says nothing."""
    found = np.full(len(missing.trained), np.nan)
    for path in stage_paths(run, "weights")[-1:]:
        for table in run_tables(path, ["id", "weight"]):
            if "weight" in table.column_names:
                at = missing.lookup.of(table["id"])
                weight = table["weight"].cast(pa.float64()).to_numpy()
                found[at[at >= 0]] = weight[at >= 0]
    return found
