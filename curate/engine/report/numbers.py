"""The numbers of a run: what `report.json` holds beside the funnel. Read from the run folder alone, shard by shard,
so they can be made again at any time; the same folder gives the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from curate.engine.report import decisions as of_runs
from curate.engine.report import rows as rows
from curate.engine.report.steps import flat_steps, read_runs
from curate.engine.report.sums import Totals, count_runs, count_steps, sample_rows
from curate.engine.report.tables import fates, listed, recipe_option, run_rows, test_tasks, witnessed
from curate.engine.report.types import Numbers
from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder


def report_numbers(run_folder: Path, funnel: dict[str, Any], tests: Path | None = None) -> dict[str, Any]:
    """The numbers of the run in `run_folder` (records, stages, rejected.jsonl and steps_left_out.jsonl are there)
    as plain JSON types, in the shape of `report_types.Numbers`. `funnel` is what report.json says already; of it
    the examples by split are read. `tests`: the file of test tasks that leaks were looked for in, whose words stand
    beside a leak. Raises InputError for a folder that cannot be read."""
    run = RunFolder(run_folder)
    leaks = of_runs.leak_rows(witnessed(run, "leaks"))
    gone, left = fates(run)
    totals, instructions = _count(run, gone, left, {name for leak in leaks for name in (leak.id, leak.witness) if name})
    examples = dict(funnel.get("examples") or {})
    numbers = Numbers(
        sources=rows.source_rows(totals),
        actions=rows.action_rows(totals),
        steps=rows.length_rows(totals),
        clicks=rows.click_rows(totals),
        pointer=rows.pointer_numbers(totals),
        keyframes=rows.keyframe_rows(totals),
        samples=rows.samples(totals),
        near_copies=of_runs.copy_groups(witnessed(run, "nearcopies")),
        leaks=of_runs.with_words(leaks, instructions, test_tasks(tests)),
        splits=of_runs.split_numbers(run_rows(run, "split"), recipe_option(run, "split", "by"), examples),
        flags=rows.flag_rows(totals),
        listed=of_runs.reasons_of_kept(listed(run, gone)),
        rejected_by_reason=of_runs.reasons_of_runs(run.read_rejected()) if run.rejected.is_file() else [],
        steps_left_out=of_runs.reasons_of_steps(run.read_steps_left_out()) if run.steps_left_out.is_file() else [],
        raw_events=of_runs.raw_event_rows(run),
        outcomes=rows.outcome_rows(totals),
        weights=rows.weight_numbers(totals),
        weakest_link=rows.weakest_link(totals),
    )
    plain: dict[str, Any] = msgspec.to_builtins(numbers)
    return plain


def _count(run: RunFolder, gone: pl.DataFrame, left: pl.DataFrame, wanted: set[str]) -> tuple[Totals, dict[str, str]]:
    """Counts over all shards, and the instructions of the runs `wanted`."""
    weights = run_rows(run, "weights")
    totals = Totals()
    instructions: dict[str, str] = {}
    for part in part_paths(run.root):
        runs = _with_fate(read_runs(part), gone, weights)
        totals.add(count_runs(runs))
        steps = _with_targets(flat_steps(runs), runs, left)
        totals.add(count_steps(steps))
        totals.add_samples(sample_rows(steps))
        if wanted:
            words = pl.read_parquet(part, columns=["id", "instruction"], glob=False)
            instructions |= dict(words.filter(pl.col("id").is_in(list(wanted))).iter_rows())
    return totals, instructions


def _with_fate(runs: pl.DataFrame, gone: pl.DataFrame, weights: pl.DataFrame) -> pl.DataFrame:
    """`trained`: the run gave an example. `final_weight`: the weights stage's word, else the record's own."""
    runs = runs.with_columns((~pl.col("id").is_in(gone["id"].implode())).alias("trained"))
    own = pl.col("weight").struct.field("value")
    if "weight" not in weights.columns:
        return runs.with_columns(own.alias("final_weight"))
    given = weights.select("id", pl.col("weight").cast(pl.Float64).alias("given"))
    runs = runs.join(given, on="id", how="left", maintain_order="left")
    return runs.with_columns(pl.coalesce("given", own).alias("final_weight")).drop("given")


def _with_targets(steps: pl.DataFrame, runs: pl.DataFrame, left: pl.DataFrame) -> pl.DataFrame:
    """`target`: the step is one to learn from: its run gave an example and nothing left the step out."""
    out = left.with_columns(pl.lit(True).alias("out"))
    steps = steps.join(out, on=["id", "index"], how="left", maintain_order="left")
    steps = steps.join(runs.select("id", "trained"), on="id", how="left", maintain_order="left")
    return steps.with_columns((pl.col("trained") & pl.col("out").is_null()).alias("target")).drop("out", "trained")
