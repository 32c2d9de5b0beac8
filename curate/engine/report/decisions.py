"""Numbers that come from the decisions: near-copies and leaks with their evidence, splits, reasons, raw events."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.compute

from curate.engine.report.tables import tables_of, witnessed
from curate.engine.report.types import (
    CopyGroup,
    CopyRow,
    LeakRow,
    Listing,
    RawEventRow,
    SplitNumbers,
    SplitRow,
)
from curate.model.constants import REPORT_GROUP, REPORT_LIST, REPORT_ROWS
from curate.model.reasons import REASONS
from curate.stages.leakage.evidence import RUN_WITNESS
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls
_SIMILARITY = re.compile(r"similarity ([01]\.\d+)$")
SPLIT_COLUMNS = ("verdict", "split", "apps", "sites", "task", "template", "actor")
"""What the numbers of splits are made from."""


def copy_groups(run: RunFolder) -> tuple[list[CopyGroup], Listing]:
    """Near-copies by the run they are a copy of, the largest groups first: REPORT_LIST groups with REPORT_GROUP copies
    each, however many there are; and how many that is. Memory: a name for each near-copy."""
    names: list[Any] = [pa.array([], pa.string())]
    for table in witnessed(run, "nearcopies", ["witness"]):
        names += pc.fill_null(table["witness"].cast(pa.string()), "").chunks
    groups: Any = pa.Table.from_struct_array(pc.value_counts(pa.chunked_array(names)))
    total, count = sum(map(len, names)), groups.num_rows
    ranked = groups.sort_by([("counts", "descending"), ("values", "ascending")]).slice(0, REPORT_LIST)
    found = {row["values"]: CopyGroup(witness=row["values"], copies=[], count=row["counts"])
             for row in ranked.to_pylist()}  # fmt: skip
    largest = ranked["values"].combine_chunks()
    for table in witnessed(run, "nearcopies"):
        theirs = pc.fill_null(table["witness"].cast(pa.string()), "")
        for row in table.filter(pc.is_in(theirs, value_set=largest)).to_pylist():
            copies = found[row["witness"] or ""].copies
            if len(copies) < REPORT_GROUP:
                copies.append(
                    CopyRow(id=row["id"], reason=row["reason"], similarity=_similarity(row), detail=row["detail"])
                )
    listed = sum(len(group.copies) for group in found.values())
    listing = Listing(listed=listed, total=total, groups=count, files=tables_of(run, "nearcopies"))
    return list(found.values()), listing


def _similarity(row: Mapping[str, Any]) -> float | None:
    if row.get("similarity") is not None:
        return round(float(row["similarity"]), 4)
    said = _SIMILARITY.search(row["detail"] or "")  # the stage says it in words
    return float(said[1]) if said else None


def leak_rows(run: RunFolder) -> tuple[list[LeakRow], Listing]:
    """Leaks with their evidence, those that were dropped first, REPORT_LIST of them at most; and how many there are.
    `instruction` and `task` are filled by whoever reads the records."""
    dropped: list[LeakRow] = []
    listed: list[LeakRow] = []
    total = 0
    for table in witnessed(run, "leaks"):
        total += table.num_rows
        kept = pc.equal(table["verdict"], "keep")
        for rows, those in ((dropped, pc.invert(kept)), (listed, kept)):
            rows += map(_leak, table.filter(those).slice(0, REPORT_LIST - len(rows)).to_pylist())
    shown = [*dropped, *listed][:REPORT_LIST]
    return shown, Listing(listed=len(shown), total=total, files=tables_of(run, "leaks"))


def _leak(row: Mapping[str, Any]) -> LeakRow:
    reason = row["reason"] or next(iter(row.get("flags") or ()), "leaks.phrase")
    return LeakRow(id=row["id"], reason=reason, kept=row["verdict"] == "keep", strength=row.get("strength"),
                   witness=row["witness"], detail=row["detail"])  # fmt: skip


def with_words(leaks: list[LeakRow], runs: Mapping[str, str], tests: Mapping[str, str]) -> list[LeakRow]:
    """The leaks with the instructions of runs and test tasks, by id."""
    for leak in leaks:
        leak.instruction = runs.get(leak.id)
        witness = leak.witness or ""
        of_run = leak.reason in RUN_WITNESS
        leak.task = runs.get(witness) if of_run else tests.get(witness, runs.get(witness))  # a run of our own test
    return leaks


def raw_event_rows(run: RunFolder) -> list[RawEventRow]:
    """Raw events by what became of them, from reduced.parquet; empty where nothing came from recordings."""
    if not run.reduced.is_file():
        return []
    events = (pl.col("last") - pl.col("first") + 1).sum().alias("events")
    code = pl.when(pl.col("reason").is_not_null()).then(pl.col("reason"))
    table = (
        pl.scan_parquet(run.reduced, glob=False)
        .group_by(code.alias("reason"))
        .agg(events, pl.len().alias("stretches"))
        .sort("events", "reason", descending=[True, False])
        .collect()
    )
    return [
        RawEventRow(
            reason=row["reason"],
            events=row["events"],
            stretches=row["stretches"],
            sentence=REASONS.get(row["reason"], "") if row["reason"] else "In an action.",
        )
        for row in table.iter_rows(named=True)
    ]


def split_numbers(runs: pl.DataFrame, by: str | None, examples: dict[str, int]) -> SplitNumbers:
    """`runs`: the rows of the stage split, one a run that came so far, with `split` and what runs may share."""
    if "split" not in runs.columns:
        return SplitNumbers(by=by, examples=examples)
    kept = runs.filter((pl.col("verdict") == "keep") & pl.col("split").is_not_null())
    groups: dict[str, dict[str, int]] = defaultdict(dict)
    table = kept.group_by(_shared(kept, by).alias("shared"), "split").len().sort("shared", "split")
    for name, split, n in table.iter_rows():
        groups[name][split] = n
    rows = [SplitRow(group=name, runs=counts) for name, counts in groups.items()]
    rows.sort(key=lambda row: (-sum(row.runs.values()), row.group))
    return SplitNumbers(
        by=by,
        runs=dict(kept.group_by("split").len().sort("split").iter_rows()),
        examples=examples,
        groups=rows[:REPORT_ROWS],
        groups_total=len(rows),
    )


def _shared(runs: pl.DataFrame, by: str | None) -> pl.Expr:
    """What a run shares with others in the recipe's sense: its main app or site, task, template or actor."""
    columns = {"app_or_site": ("sites", "apps"), "app": ("apps",), "site": ("sites",), None: ("sites", "apps")}
    found = [
        pl.col(name).list.first() if isinstance(runs.schema[name], pl.List) else pl.col(name)
        for name in columns.get(by, (by or "",))
        if name in runs.columns
    ]
    return pl.coalesce(*found, pl.lit(""))
