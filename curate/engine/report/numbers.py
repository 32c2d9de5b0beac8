"""The numbers of a run: what `report.json` holds beside the funnel. Read from the run folder alone, shard by shard,
so they can be made again at any time; the same folder gives the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.memory import give_back
from curate.engine.report import decisions as of_runs
from curate.engine.report import rows as rows
from curate.engine.report.copies import copy_numbers
from curate.engine.report.counting import count_all
from curate.engine.report.diversity import diversity
from curate.engine.report.instructions import instructions_of
from curate.engine.report.missing import read_missing
from curate.engine.report.mixture import mixture
from curate.engine.report.splitting import seen_tasks, split_choices
from curate.engine.report.tables import (
    listed,
    recipe_option,
    run_rows,
    run_tables,
    test_tasks,
)
from curate.engine.report.types import Numbers
from curate.engine.workers import Workers
from curate.model.constants import LEAK_COVERAGE
from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder


def report_numbers(
    run_folder: Path,
    funnel: dict[str, Any],
    tests: Sequence[Path] = (),
    against: Sequence[Path] = (),
    workers: Workers | None = None,
) -> dict[str, Any]:
    """The numbers of the run in `run_folder` (records, stages, rejected.jsonl and steps_left_out.jsonl are there)
    as plain JSON types, in the shape of `report_types.Numbers`. `funnel` is what report.json says already; of it
    the examples by split are read. `tests`: the files of test tasks that leaks were looked for in, whose words stand
    beside a leak. `against`: files of signatures that the run was held against. `workers` count. Raises InputError for
    a folder that cannot be read."""
    run = RunFolder(run_folder)
    leaks, leaks_listing = of_runs.leak_rows(run)
    missing = read_missing(run, _ids(run))
    totals = count_all(run, part_paths(run.root), missing, workers or Workers(1))
    instructions = instructions_of(run, {name for leak in leaks for name in (leak.id, leak.witness) if name})
    examples = dict(funnel.get("examples") or {})
    told = test_tasks(tests)
    by = recipe_option(run, "split", "by")
    splits = of_runs.split_numbers(run_rows(run, "split", of_runs.SPLIT_COLUMNS), by, examples)
    give_back()
    copies = copy_numbers(run, against)
    give_back()
    choices = split_choices(run, recipe_option(run, "split", "test"))
    give_back()
    near_copies, near_copies_listing = of_runs.copy_groups(run)
    give_back()
    varied = diversity(run, missing)
    give_back()
    numbers = Numbers(
        sources=rows.source_rows(totals),
        mixture=mixture(totals),
        diversity=varied,
        actions=rows.action_rows(totals),
        steps=rows.length_rows(totals),
        clicks=rows.click_rows(totals),
        pointer=rows.pointer_numbers(totals),
        keyframes=rows.keyframe_rows(totals),
        samples=rows.samples(totals),
        near_copies=near_copies,
        near_copies_listing=near_copies_listing,
        copies=copies,
        leaks=of_runs.with_words(leaks, instructions, told),
        leaks_listing=leaks_listing,
        test_tasks=seen_tasks(run, list(told), recipe_option(run, "leaks", "coverage") or LEAK_COVERAGE),
        splits=msgspec.structs.replace(splits, choices=choices),
        flags=rows.flag_rows(totals),
        listed=listed(run, missing).rows(),
        rejected_by_reason=missing.runs.rows(),
        steps_left_out=missing.steps.rows(),
        raw_events=of_runs.raw_event_rows(run),
        outcomes=rows.outcome_rows(totals),
        weights=rows.weight_numbers(totals),
        weakest_link=rows.weakest_link(totals),
    )
    plain: dict[str, Any] = msgspec.to_builtins(numbers)
    return plain


def _ids(run: RunFolder) -> Any:
    """The ids of all records, in order: those that came to the first stage, where that are all."""
    arrays: list[Any] = [pa.array([], pa.string())]
    parts = part_paths(run.root)
    for path in run.stage_paths()[:1]:
        came = pa.concat_arrays(arrays + [chunk for rows in run_tables(path, ["id"]) for chunk in rows["id"].chunks])
        if not parts or len(came) == sum(pq.read_metadata(part).num_rows for part in parts):
            return came
    for part in parts:
        with pq.ParquetFile(part) as file:
            arrays += file.read(columns=["id"])["id"].chunks
    return pa.concat_arrays(arrays)
