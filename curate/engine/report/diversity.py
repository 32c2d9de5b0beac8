"""How varied the runs are that gave an example: their tasks, the words of these, and the ways they were done.

Read from the table of the near-copies stage, which holds what each run did as tokens (`stages/copies/tokens.py`), its
task after normal form and its app or site. Memory: some ten bytes a run and a word, by hashes of 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.report.missing import Missing
from curate.engine.report.tables import stage_paths
from curate.engine.report.types import DiversityRow
from curate.store.run_folder import RunFolder

_COLUMNS = ("id", "step", "labels", "scope", "task", "instruction", "people")
_WORD = r"[\p{L}\p{N}]+"
_TABLES = ("tasks", "places", "goals", "paths")
_ROWS = 8192  # runs at a time, so that their words fit in a few megabytes


def diversity(run: RunFolder, missing: Missing) -> list[DiversityRow]:
    """A row for all runs that gave an example, and one each for people's and others' where there are both. Empty for a
    folder whose recipe has no near-copies stage."""
    paths = stage_paths(run, "nearcopies")[-1:]
    if not paths or not set(_COLUMNS) <= set(pq.read_schema(paths[0]).names):
        return []
    seen = _Seen()
    for table in _tables(paths[0]):
        seen.add(_trained(table, missing))
    rows = [seen.row("all", None), seen.row("people", True), seen.row("others", False)]
    return [row for row in rows if row.runs] if all(row.runs for row in rows) else rows[:1] if rows[0].runs else []


def _tables(path: Any) -> Iterator[pa.Table]:
    """The rows of runs, a row group at a time: lists of dictionaries do not read over row groups."""
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, columns=list(_COLUMNS))
            for start in range(0, table.num_rows, _ROWS):
                yield table.slice(start, _ROWS)


def _trained(table: pa.Table, missing: Missing) -> pl.DataFrame:
    """`people, task, places (list), path (null: did nothing), text` of the runs that gave an example."""
    at = missing.lookup.of(table["id"])
    gave = pa.array((at >= 0) & missing.trained[np.maximum(at, 0)] & np.asarray(table["step"].is_null()))
    frame = pl.from_arrow(table.filter(gave).drop_columns(["id", "step"]))
    assert isinstance(frame, pl.DataFrame)
    names = pl.List(pl.String)
    path = pl.col("labels").cast(names).fill_null([])
    return frame.select(
        pl.col("people").fill_null(False),
        pl.when(pl.col("task").is_not_null()).then(pl.col("task").hash()).alias("task"),
        pl.col("scope").cast(names).fill_null([]).alias("places"),
        pl.when(path.list.len() > 0).then(path.list.join("\x1f").hash()).alias("path"),
        pl.col("instruction").fill_null("").str.to_lowercase().alias("text"),
    )


class _Seen:
    """What all runs so far have, each kind of thing once a side (people's or not)."""

    def __init__(self) -> None:
        self.runs: list[pl.DataFrame] = []
        self.words: list[pl.DataFrame] = []
        self.sets: dict[str, list[pl.DataFrame]] = {name: [] for name in _TABLES}

    def add(self, runs: pl.DataFrame) -> None:
        goals = runs.select("people", "task", pl.col("places").alias("place")).explode("place").drop_nulls("place")
        goals = goals.with_columns(pl.col("place").hash())
        words = _vectors(runs)
        has_words = words.group_by("people").agg(pl.col("run").n_unique().alias("worded"), pl.col("n").sum())
        counts = runs.group_by("people").agg(pl.len().alias("runs"), pl.col("path").is_not_null().sum().alias("done"))
        self.runs.append(counts.join(has_words, on="people", how="left").fill_null(0))
        self.words.append(words.group_by("people", "word").agg(pl.col("v").sum()))
        self.sets["tasks"].append(runs.select("people", "task").drop_nulls().unique())
        self.sets["places"].append(goals.select("people", "place").unique())
        self.sets["goals"].append(goals.drop_nulls().unique())
        self.sets["paths"].append(runs.select("people", "path").drop_nulls().unique())
        if len(self.runs) > 32:
            self._fold()

    def _fold(self) -> None:
        for name, tables in self.sets.items():
            self.sets[name] = [pl.concat(tables).unique()]
        self.words = [pl.concat(self.words).group_by("people", "word").agg(pl.col("v").sum())]

    def row(self, who: Any, people: bool | None) -> DiversityRow:
        """The row of one side; `people` None: of both."""
        of: Callable[[pl.DataFrame], pl.DataFrame] = lambda t: t if people is None else t.filter(people=people)  # noqa: E731
        empty = not self.runs
        counts = (
            {} if empty else of(pl.concat(self.runs)).select("runs", "done", "worded", "n").sum().row(0, named=True)
        )
        runs, worded = int(counts.get("runs") or 0), int(counts.get("worded") or 0)
        if not runs:
            return DiversityRow(who=who, runs=0, tasks=0, places=0)
        sizes = {name: of(pl.concat(tables)).drop("people").n_unique() for name, tables in self.sets.items()}
        summed = of(pl.concat(self.words)).group_by("word").agg(pl.col("v").sum())["v"]
        return DiversityRow(
            who=who,
            runs=runs,
            tasks=sizes["tasks"],
            places=sizes["places"],
            goals_per_place=round(sizes["goals"] / sizes["places"], 2) if sizes["places"] else None,
            words=round(int(counts["n"]) / runs, 2),
            vocabulary=len(summed),
            distance=mean_distance(float((summed**2).sum()), worded),
            paths=sizes["paths"],
            with_path=int(counts["done"]),
        )


def _vectors(runs: pl.DataFrame) -> pl.DataFrame:
    """A row a run and word: how often (`n`), and that over the length of the run's vector (`v`)."""
    words = runs.select("people", pl.col("text").str.extract_all(_WORD).alias("word")).with_row_index("run")
    words = words.explode("word").drop_nulls("word").with_columns(pl.col("word").hash())
    counted = words.group_by("run", "people", "word").agg(pl.len().cast(pl.Int64).alias("n"))
    length = (pl.col("n") ** 2).sum().over("run").sqrt()
    return counted.with_columns((pl.col("n") / length).alias("v"))


def mean_distance(squared: float, count: int) -> float | None:
    """The mean of 1 - cosine over all pairs of `count` vectors of length 1, from the squared length of their sum,
    which holds every pair twice and every vector with itself once. None for fewer than two."""
    if count < 2:
        return None
    return round(1 - (squared - count) / (count * (count - 1)), 4)
