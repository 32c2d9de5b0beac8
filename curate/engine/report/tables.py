"""The tables of a run folder that its numbers are made from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from curate.stages.leakage.pack import read_test_tasks
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


def witnessed(run: RunFolder, stage: str) -> Iterator[dict[str, Any]]:
    """The rows of runs that a stage did not keep, or kept with a witness beside them, in all its places."""
    for table in stage_tables(run, stage):
        said = pl.col("verdict").is_in(["drop", "quarantine"]) | pl.col("witness").is_not_null()
        rows = table.filter(said)
        if "step" in rows.columns:
            rows = rows.filter(pl.col("step").is_null())
        yield from rows.iter_rows(named=True)


def listed(run: RunFolder, gone: pl.DataFrame) -> Iterator[tuple[str, str, str]]:
    """(stage, code, run) of what stages say about runs that gave examples: the column `flags` of their rows."""
    for path in run.stage_paths():
        table = pl.from_arrow(run.read_stage(path))
        if not isinstance(table, pl.DataFrame) or "flags" not in table.columns:
            continue
        rows = table.filter((pl.col("verdict") == "keep") & pl.col("step").is_null())
        rows = rows.filter(~pl.col("id").is_in(gone["id"].implode()))
        stage = path.stem.partition("-")[2].rstrip("_0123456789")
        for run_id, code in rows.select("id", "flags").explode("flags").drop_nulls().iter_rows():
            yield stage, code, run_id


def recipe_option(run: RunFolder, section: str, option: str) -> Any:
    """An option of the recipe in run.json; None where there is no run.json or it does not say."""
    recipe = run.read_run().get("recipe") if run.run_json.is_file() else None
    found = recipe.get(section) if isinstance(recipe, dict) else None
    return found.get(option) if isinstance(found, dict) else None


def test_tasks(tests: Path | None) -> dict[str, str]:
    """Instructions of the test tasks in the file, by id; none without one."""
    return {task.id: task.words for task in read_test_tasks(tests)} if tests else {}


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
