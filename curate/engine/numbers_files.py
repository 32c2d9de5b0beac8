"""The tables of a run folder that its numbers are made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from curate.store.run_folder import RunFolder

NEVER_READ = "read."
"""Reasons that begin so belong to lines that never became a record (a duplicate's id is another record's id)."""


def stage_tables(run: RunFolder, stage: str) -> list[pl.DataFrame]:
    """The tables of a stage, one for each place it has in the order ("leaks", "leaks_2")."""
    found = []
    for path in run.stage_paths():
        place = path.stem.partition("-")[2]
        if place == stage or place.rstrip("0123456789") == f"{stage}_":
            found.append(pl.from_arrow(run.read_stage(path)))
    return [table for table in found if isinstance(table, pl.DataFrame)]


def run_rows(run: RunFolder, stage: str) -> pl.DataFrame:
    """The rows of a stage's last place that speak of whole runs; no rows and no columns without such a stage."""
    tables = stage_tables(run, stage)
    if not tables:
        return pl.DataFrame()
    table = tables[-1]
    return table.filter(pl.col("step").is_null()) if "step" in table.columns else table


def left_runs(run: RunFolder, stage: str) -> Iterator[dict[str, Any]]:
    """The rows of runs that a stage did not keep, in all its places."""
    for table in stage_tables(run, stage):
        rows = table.filter(pl.col("verdict").is_in(["drop", "quarantine"]))
        if "step" in rows.columns:
            rows = rows.filter(pl.col("step").is_null())
        yield from rows.iter_rows(named=True)


def fates(run: RunFolder) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Ids of the records that gave no example (column `id`), and the steps that are no target (`id`, `index`).
    Memory: 100 bytes or so for each."""
    gone: list[str] = []
    if run.rejected.is_file():
        gone = [row.id for row in run.read_rejected() if row.id is not None and not row.reason.startswith(NEVER_READ)]
    steps: list[tuple[str, int]] = []
    if run.steps_left_out.is_file():
        steps = [(row.id, row.step) for row in run.read_steps_left_out()]
    return (
        pl.DataFrame({"id": gone}, schema={"id": pl.String}).unique(),
        pl.DataFrame(steps, schema={"id": pl.String, "index": pl.Int64}, orient="row").unique(),
    )
