"""Counts of all shards as the rows of report.json."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import msgspec
import polars as pl

from curate.engine.report.sums import SAMPLE_KINDS, Totals
from curate.engine.report.types import (
    ActionRow,
    ChainRow,
    ClickRow,
    FlagRow,
    KeyframeRow,
    OutcomeRow,
    PointerNumbers,
    PointerRow,
    Sample,
    Share,
    SourceRow,
    StepsRow,
    WeakestLink,
    WeightNumbers,
)
from curate.model.constants import (
    CHAIN_STEPS,
    CLICK_BINS,
    CLICK_COLUMNS,
    CLICK_FINE_BINS,
    CLICK_ROWS,
    REPORT_SAMPLES,
)
from curate.model.flags import FLAGS
from curate.model.wilson import wilson
from curate.stages.weights import effective_sample_size


def share(yes: int, known: int, steps: int) -> Share:
    """`yes` of `known` of `steps`, with the Wilson interval; no share where nothing is known."""
    if not known:
        return Share(unknown=steps)
    low, high = wilson(yes, known)
    part = round(yes / known, 4)
    return Share(yes=yes, known=known, unknown=steps - known, share=part, low=round(low, 4), high=round(high, 4))


def _most_first(table: pl.DataFrame, count: str, *names: str) -> list[dict[str, Any]]:
    if table.is_empty():
        return []
    rows = table.sort([count, *names], descending=[True] + [False] * len(names), nulls_last=True)
    return rows.to_dicts()


def source_rows(totals: Totals) -> list[SourceRow]:
    """What came from each source."""
    maps: dict[str, dict[str, dict[str, int]]] = {}
    for name in ("licenses", "actors", "platforms"):
        maps[name] = defaultdict(dict)
        for row in _most_first(totals.table(name), "runs", "value"):
            maps[name][row["source"]][row["value"]] = row["runs"]
    targets: dict[str, int] = defaultdict(int)
    for row in totals.table("actions").to_dicts():
        targets[row["source"]] += row["targets"]
    found = []
    for row in _most_first(totals.table("sources"), "runs", "source"):
        source = row["source"]
        counted = {name: dict(by_source[source]) for name, by_source in maps.items()}
        found.append(msgspec.convert({**row, **counted, "targets": targets[source]}, SourceRow))
    return found


def action_rows(totals: Totals) -> list[ActionRow]:
    """Steps by source and main action."""
    return [
        ActionRow(source=row["source"], action=row["type"], steps=row["steps"], targets=row["targets"])
        for row in _most_first(totals.table("actions"), "steps", "source", "type")
    ]


def length_rows(totals: Totals) -> list[StepsRow]:
    """How many runs have how many steps, the shortest first."""
    return [StepsRow(**row) for row in totals.table("lengths").to_dicts()]


def outcome_rows(totals: Totals) -> list[OutcomeRow]:
    """How runs ended."""
    return [OutcomeRow(**row) for row in _most_first(totals.table("outcomes"), "runs", "completed", "by")]


def flag_rows(totals: Totals) -> list[FlagRow]:
    """Flags, each with its sentence."""
    return [
        FlagRow(**row, sentence=FLAGS.get(row["flag"], ""))
        for row in _most_first(totals.table("flags"), "steps", "flag")
    ]


def keyframe_rows(totals: Totals) -> list[KeyframeRow]:
    """By which rule pictures were chosen."""
    return [KeyframeRow(**row) for row in _most_first(totals.table("keyframes"), "steps", "rule")]


def click_rows(totals: Totals) -> list[ClickRow]:
    """Where clicks land, by source."""
    found: dict[str, ClickRow] = {}

    def row_of(source: str) -> ClickRow:
        grid = [[0] * CLICK_COLUMNS for _ in range(CLICK_ROWS)]
        return found.setdefault(source, ClickRow(source=source, points=0, grid=grid, x=[0] * CLICK_BINS))

    for cell in totals.table("grid").to_dicts():
        row = row_of(cell["source"])
        row.grid[cell["row"]][cell["column"]] = cell["clicks"]
        row.points += cell["clicks"]
    fine: dict[str, dict[str, dict[int, int]]] = {"fine_x": defaultdict(dict), "fine_y": defaultdict(dict)}
    for name, by_source in fine.items():
        for cell in totals.table(name).to_dicts():
            by_source[cell["source"]][cell["bin"]] = cell["clicks"]
    for off in totals.table("off").to_dicts():
        row = row_of(off["source"])
        row.off_picture[off["side"]] = off["clicks"]
        box = (off["min_x"], off["min_y"], off["max_x"], off["max_y"])
        old = row.off_range or box
        row.off_range = (min(old[0], box[0]), min(old[1], box[1]), max(old[2], box[2]), max(old[3], box[3]))
    for element in totals.table("elements").to_dicts():
        row_of(element["source"]).by_element = element["clicks"]
    for source, row in found.items():
        for place, clicks in fine["fine_x"][source].items():
            row.x[place * CLICK_BINS // CLICK_FINE_BINS] += clicks
        row.x_range, row.y_range = _range(fine["fine_x"][source]), _range(fine["fine_y"][source])
    return sorted(found.values(), key=lambda row: (-row.points, row.source))


def _range(bins: dict[int, int]) -> tuple[float, float] | None:
    """The 1st and 99th percentile (nearest rank), as the middle of their bins."""
    total, seen = sum(bins.values()), 0
    ends: list[float] = []
    if not total:
        return None
    ranks = [max(1, math.ceil(total * 0.01)), max(1, math.ceil(total * 0.99))]
    for place, clicks in sorted(bins.items()):
        seen += clicks
        while len(ends) < 2 and seen >= ranks[len(ends)]:
            ends.append((place + 0.5) / CLICK_FINE_BINS)
    return ends[0], ends[1]


def pointer_numbers(totals: Totals) -> PointerNumbers:
    """What the pictures give away, over the targets and over everything read."""
    table = totals.table("pointer")
    if table.is_empty():
        return PointerNumbers()
    everything = table.drop("target").group_by("source", "type").sum()
    return PointerNumbers(targets=_pointer_rows(table.filter("target")), read=_pointer_rows(everything))


def _pointer_rows(table: pl.DataFrame) -> list[PointerRow]:
    return [
        PointerRow(
            source=row["source"],
            action=row["type"],
            steps=row["steps"],
            **{
                name: share(row[f"{name}_yes"], row[f"{name}_known"], row["steps"])
                for name in ("on_target", "hover", "floor")
            },
        )
        for row in _most_first(table, "steps", "source", "type")
    ]


def samples(totals: Totals) -> list[Sample]:
    """Pictures to look at: REPORT_SAMPLES of each kind that there is."""
    found = []
    for kind in SAMPLE_KINDS:
        rows = [row for row in totals.samples if row["kind"] == kind][:REPORT_SAMPLES]
        found += [_sample(row) for row in rows]
    return found


def _sample(row: dict[str, Any]) -> Sample:
    box = (row["left"], row["top"], row["right"], row["bottom"])
    pointer = (row["pointer_x"], row["pointer_y"])
    return Sample(
        id=row["id"],
        step=row["index"],
        image=row["image"],
        why=row["kind"],
        action=row["type"],
        target=row["target"],
        point=(row["x"], row["y"]),
        pointer=None if None in pointer else pointer,
        box=None if None in box else box,
    )


def weight_numbers(totals: Totals) -> WeightNumbers:
    """How uneven the weights are."""
    rows = totals.table("weights").to_dicts()
    runs, w, w2 = (sum(row[name] for row in rows) for name in ("runs", "w", "w2"))
    if not runs:
        return WeightNumbers()
    return WeightNumbers(
        runs=runs,
        total=round(w, 6),
        least=round(min(row["min_w"] for row in rows), 6),
        most=round(max(row["max_w"] for row in rows), 6),
        effective=round(effective_sample_size(w, w2), 2) if w2 else None,
        by={row["by"]: row["runs"] for row in sorted(rows, key=lambda row: (-row["runs"], row["by"]))},
    )


def weakest_link(totals: Totals) -> WeakestLink:
    """What the share of right steps means for whole runs; empty where no step is marked."""
    table = totals.table("correct")
    if table.is_empty():
        return WeakestLink()
    row = table.row(0, named=True)
    steps = share(row["correct_yes"], row["correct_known"], row["steps"])
    if not steps.known:
        return WeakestLink(steps=steps)
    p = row["correct_yes"] / row["correct_known"]
    return WeakestLink(steps=steps, chain=[ChainRow(steps=n, success=round(p**n, 4)) for n in CHAIN_STEPS])
