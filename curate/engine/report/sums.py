"""What is counted in one shard, and how the counts of shards add up. Every table here is small: its rows are
sources, action types, bins, flags; never runs or steps."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from curate.engine.report.steps import CLICKS
from curate.model.constants import CLICK_COLUMNS, CLICK_FINE_BINS, CLICK_ROWS, REPORT_SAMPLES

Sums = dict[str, pl.DataFrame]

KEYS: dict[str, tuple[str, ...]] = {
    "sources": ("source",),
    "licenses": ("source", "value"),
    "actors": ("source", "value"),
    "platforms": ("source", "value"),
    "mixture": ("source", "actor"),
    "mixture_targets": ("source", "actor"),
    "outcomes": ("completed", "by"),
    "lengths": ("steps",),
    "weights": ("by",),
    "actions": ("source", "type"),
    "grid": ("source", "row", "column"),
    "fine_x": ("source", "bin"),
    "fine_y": ("source", "bin"),
    "off": ("source", "side"),
    "elements": ("source",),
    "pointer": ("source", "type", "target"),
    "keyframes": ("rule",),
    "flags": ("flag",),
    "correct": (),
}
"""By what each table of counts is grouped. Columns that begin with min_ or max_ are not sums."""

SAMPLE_KINDS = ("pointer_on_target", "hover", "pointer_near", "late_change", "erased", "plain")


def count_runs(runs: pl.DataFrame) -> Sums:
    """Counts of some records; `runs` has `trained` and `final_weight` beside the columns of `flat_runs`."""
    both = [pl.len().alias("runs"), pl.col("trained").sum()]
    sums = {
        "sources": runs.group_by("source").agg(*both, pl.col("steps").sum()),
        "outcomes": runs.group_by("completed", "by").agg(*both),
        "lengths": runs.group_by("steps").agg(*both),
    }
    for name, column in (("licenses", "license"), ("actors", "actor"), ("platforms", "platform")):
        value = pl.col(column).fill_null("unknown").alias("value")
        sums[name] = runs.group_by("source", value).agg(pl.len().alias("runs"))
    weight = pl.col("final_weight")
    actor = pl.col("actor").fill_null("unknown")
    given = weight.filter(pl.col("trained")).sum().alias("w")
    sums["mixture"] = runs.group_by("source", actor).agg(*both, pl.col("steps").sum(), given)
    sums["weights"] = (
        runs.filter("trained")
        .group_by(pl.col("weight_by").alias("by"))
        .agg(
            pl.len().alias("runs"),
            weight.sum().alias("w"),
            (weight**2).sum().alias("w2"),
            weight.min().alias("min_w"),
            weight.max().alias("max_w"),
        )
    )
    return sums


def count_steps(steps: pl.DataFrame) -> Sums:
    """Counts of some records' steps; `steps` has `target` (bool) and `actor` beside the columns of `flat_steps`."""
    two = [pl.len().alias("steps"), pl.col("target").sum().alias("targets")]
    flagged = steps.select("run", "flags").filter(pl.col("flags").list.len() > 0)
    flags = flagged.explode("flags").filter(pl.col("flags").is_not_null())
    pointing = steps.filter(pl.col("x").is_not_null())
    return {
        "actions": steps.filter(pl.col("type").is_not_null()).group_by("source", "type").agg(*two),
        "mixture_targets": steps.group_by("source", pl.col("actor").fill_null("unknown")).agg(two[1]),
        **_count_clicks(steps.filter(pl.col("type").is_in(CLICKS))),
        "pointer": pointing.group_by("source", "type", "target").agg(
            pl.len().alias("steps"),
            *(f(name) for name in ("on_target", "hover", "floor") for f in (_yes, _known)),
        ),
        "keyframes": steps.group_by("rule").agg(
            pl.len().alias("steps"), pl.col("image").is_not_null().sum().alias("pictures")
        ),
        "flags": flags.group_by(pl.col("flags").alias("flag")).agg(
            pl.len().alias("steps"), pl.col("run").n_unique().alias("runs")
        ),
        "correct": steps.select(pl.len().alias("steps"), _yes("correct"), _known("correct")),
    }


def _yes(name: str) -> pl.Expr:
    return pl.col(name).sum().cast(pl.Int64).alias(f"{name}_yes")


def _known(name: str) -> pl.Expr:
    return pl.col(name).is_not_null().sum().cast(pl.Int64).alias(f"{name}_known")


def _count_clicks(clicks: pl.DataFrame) -> Sums:
    placed = clicks.filter(pl.col("click_x").is_not_null() & pl.col("click_y").is_not_null())
    off = clicks.filter(pl.col("click_x").is_null() & pl.col("raw_x").is_not_null())
    side = (
        pl.when(pl.col("raw_y") < 0)
        .then(pl.lit("above"))
        .when(pl.col("raw_x") < 0)
        .then(pl.lit("left"))
        .when(pl.col("raw_y") >= pl.col("height"))
        .then(pl.lit("below"))
        .when(pl.col("raw_x") >= pl.col("width"))
        .then(pl.lit("right"))
        .otherwise(pl.lit("unknown"))  # the screen is not known any more
        .alias("side")
    )
    count = pl.len().alias("clicks")
    return {
        "grid": placed.group_by(
            "source", _bin("click_y", CLICK_ROWS).alias("row"), _bin("click_x", CLICK_COLUMNS).alias("column")
        ).agg(count),
        "fine_x": placed.group_by("source", _bin("click_x", CLICK_FINE_BINS).alias("bin")).agg(count),
        "fine_y": placed.group_by("source", _bin("click_y", CLICK_FINE_BINS).alias("bin")).agg(count),
        "off": off.group_by("source", side).agg(
            count,
            *(getattr(pl.col(f"raw_{c}"), f)().alias(f"{f}_{c}") for f in ("min", "max") for c in ("x", "y")),
        ),
        "elements": clicks.filter(pl.col("click_x").is_null() & pl.col("by_element")).group_by("source").agg(count),
    }


def _bin(column: str, bins: int) -> pl.Expr:
    """The bin of a fraction; 1.0 belongs to the last one."""
    return (pl.col(column) * bins).floor().clip(0, bins - 1).cast(pl.Int64)


def sample_rows(steps: pl.DataFrame, ids: Sequence[str]) -> list[dict[str, Any]]:
    """At most REPORT_SAMPLES steps of each kind whose picture is worth a look, chosen by a checksum of their run's id
    and number: no favourites, and the same ones every time. `ids`: by `run`."""
    seen = steps.filter(pl.col("image").is_not_null() & pl.col("x").is_not_null())
    if seen.is_empty():
        return []
    has = {flag: pl.col("flags").list.contains(flag) for flag in ("pointer_near", "late_change")}
    kind = (
        pl.when(pl.col("on_target"))
        .then(pl.lit("pointer_on_target"))
        .when(pl.col("hover"))
        .then(pl.lit("hover"))
        .when(has["pointer_near"])
        .then(pl.lit("pointer_near"))
        .when(has["late_change"])
        .then(pl.lit("late_change"))
        .when(pl.col("erased"))
        .then(pl.lit("erased"))
        .otherwise(pl.lit("plain"))
        .alias("kind")
    )
    order = pl.Series("order", _drawn(seen["run"].to_numpy(), seen["index"].to_numpy(), ids))
    chosen = seen.with_columns(kind, order).sort("order", "run", "index").group_by("kind", maintain_order=True)
    rows = chosen.head(REPORT_SAMPLES).to_dicts()
    return [{**row, "id": ids[row["run"]]} for row in rows]


def _drawn(run: NDArray[Any], index: NDArray[Any], ids: Sequence[str]) -> NDArray[np.int64]:
    """A number for each step as if drawn by lot, the same every time: the checksum of its run's id, and its index,
    mixed (the finaliser of SplitMix64)."""
    runs, which = np.unique(run, return_inverse=True)
    checksums = np.array([zlib.crc32(ids[one].encode()) for one in runs.tolist()], np.uint64)
    mixed = (checksums[which] << np.uint64(32)) + index.astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(1)).astype(np.int64)


class Totals:
    """Counts of all shards so far."""

    def __init__(self) -> None:
        self._tables: dict[str, list[pl.DataFrame]] = defaultdict(list)
        self.samples: list[dict[str, Any]] = []

    def add(self, sums: Sums) -> None:
        for name, table in sums.items():
            self._tables[name].append(table)
            if len(self._tables[name]) > 64:  # so that a run of many shards does not pile up tables
                self._tables[name] = [self.table(name)]

    def add_samples(self, rows: list[dict[str, Any]]) -> None:
        rows = sorted([*self.samples, *rows], key=lambda row: (row["order"], row["id"], row["index"]))
        self.samples = [row for kind in SAMPLE_KINDS for row in [r for r in rows if r["kind"] == kind][:REPORT_SAMPLES]]

    def table(self, name: str) -> pl.DataFrame:
        """The table of one kind of count over all shards, sorted by its keys. Empty where nothing was counted."""
        tables = self._tables.get(name)
        if not tables:
            return pl.DataFrame()
        whole = pl.concat(tables, how="vertical_relaxed")
        keys = KEYS[name]
        values = [_merged(column) for column in whole.columns if column not in keys]
        if not keys:
            return whole.select(values)
        return whole.group_by(keys).agg(values).sort(keys, nulls_last=True)


def _merged(column: str) -> pl.Expr:
    if column.startswith("min_"):
        return pl.col(column).min()
    if column.startswith("max_"):
        return pl.col(column).max()
    return pl.col(column).sum()
