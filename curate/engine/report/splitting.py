"""What each choice of `split.by` would mean for the runs that came to the split: what stays together, and what a split
by run would cost. And how much of the test the data has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.engine.memory import give_back
from curate.engine.report.tables import run_tables, stage_paths
from curate.engine.report.types import SplitChoice, TaskClasses
from curate.stages.arrays import numbers, one_array
from curate.stages.leakage.evidence import STRONG
from curate.stages.measures.split_groups import CHOICES, group_sizes
from curate.stages.measures.twins import twins_of_sizes
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

_SHARED = ("task", "template", "apps", "sites", "actor")


def split_choices(run: RunFolder, share: float | None) -> list[SplitChoice]:
    """One row for each choice; none where no split was decided. `share`: of runs that the recipe wants in the test."""
    paths = stage_paths(run, "split")
    if not paths or share is None:
        return []
    tables = list(run_tables(paths[-1], _SHARED))
    return choices(pa.concat_tables(tables), share) if tables and "task" in tables[0].column_names else []


def choices(runs: pa.Table, share: float) -> list[SplitChoice]:
    """The same; `runs`: their measures by the stage split. Twins are test runs that have another run of their task in
    train. Every choice but `run` keeps a task's runs together and has none; for `run` it is what drawing runs one by
    one gives on average (near-copies, which stay together, make it less)."""
    test = int(share * runs.num_rows + 0.5)
    task = one_array(runs["task"])
    sizes = numbers(pc.drop_null(task).value_counts().field("counts")) if runs.num_rows else np.zeros(0, np.int64)
    alone = task.null_count  # what it was asked for is not known: it is nobody's twin
    by_size = dict(zip(*(column.tolist() for column in np.unique(sizes, return_counts=True)), strict=True))
    twins = twins_of_sizes({**by_size, 1: by_size.get(1, 0) + alone}, test)
    found = []
    for by in CHOICES:
        sizes = group_sizes(runs, by)
        largest = int(sizes.max(initial=0))
        row = SplitChoice(by=by, groups=len(sizes), largest=largest, test=test, twins=twins if by == "run" else 0.0)
        found.append(row)
        give_back()
    return found


def seen_tasks(run: RunFolder, tasks: Sequence[str], coverage: float) -> TaskClasses | None:
    """How many of the test's tasks (by id) runs of this data give away, share only weak evidence with, or neither: the
    runs that came to the first leak check, kept or not. None without tasks."""
    if not tasks:
        return None
    seen: set[str] = set()
    similar: set[str] = set()
    for path in stage_paths(run, "leaks")[:1]:
        for table in run_tables(path, ["verdict", "witness", "strength", "hits"]):
            if "strength" not in table.column_names:
                continue
            weak = table.filter(pc.equal(table["strength"], "weak"))
            similar.update(filter(None, weak["witness"].unique().to_pylist()))
            if "hits" in table.column_names:
                hits = pc.list_flatten(table["hits"]).to_pylist()
                seen.update(hit["test"] for hit in hits if hit["test"] is not None and _gives_away(hit, coverage))
    known = set(tasks)
    seen, similar = seen & known, (similar & known) - seen
    return TaskClasses(seen=len(seen), similar=len(similar), unseen=len(known) - len(seen) - len(similar))


def _gives_away(hit: Mapping[str, Any], coverage: float) -> bool:
    return hit["kind"] in STRONG or (hit["kind"] == "phrase" and hit["share"] >= coverage)
