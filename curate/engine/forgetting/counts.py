"""The funnel of a run, counted again from its folder."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow.parquet as pq

from curate.engine.forgetting.lines import count_lines
from curate.engine.report.tables import run_tables
from curate.store.dataset import part_paths
from curate.store.run_folder import RunFolder

_FIRST = ("read", "validate")
"""Where what never became a record is told."""


def funnel(run: RunFolder) -> dict[str, Any]:
    """What report.json says of the counts after every stage, from stages/, rejected.jsonl, trajectories/ and examples/.
    Equal to what the run wrote, as long as nothing of it has changed. Raises InputError."""
    rejected: Counter[tuple[str, str | None]] = Counter((row.stage, row.reason) for row in run.read_rejected())
    tables = [(path.stem.partition("-")[2], _verdicts(run, path)) for path in run.stage_paths()]
    records = sum(pq.read_metadata(part).num_rows for part in part_paths(run.root))
    told: Counter[tuple[str, str | None]] = Counter()
    for name, said in tables[:1]:
        told.update({(name, reason): n for (verdict, reason), n in said.items() if verdict != "keep"})
    unread = Counter({str(reason): n for (stage, reason), n in (rejected - told).items() if stage in _FIRST})
    read = records + sum(unread.values())
    stages: list[dict[str, Any]] = []
    if not tables or tables[0][0] != "validate":
        stages.append(_row("read", read, records, {}, dict(unread)))
    for name, said in tables:
        out: dict[str, Counter[str]] = {"drop": Counter(), "quarantine": Counter()}
        for (verdict, reason), count in said.items():
            if verdict in out:
                out[verdict][reason or ""] += count
        if not stages:
            out["quarantine"] += unread
        kept = sum(count for (verdict, _), count in said.items() if verdict == "keep")
        entered = stages[-1]["kept"] if stages else read
        stages.append(_row(name, entered, kept, dict(out["drop"]), dict(out["quarantine"])))
    examples: Counter[str] = Counter()
    for path in run.example_paths():
        examples[path.stem.rpartition("-")[0]] += count_lines(path)
    return {
        "read": read,
        "stages": stages,
        "rejected": rejected.total(),
        "trajectories": stages[-1]["kept"],
        "examples": dict(sorted(examples.items())),
    }


def _verdicts(run: RunFolder, path: Any) -> Counter[tuple[str, str | None]]:
    """How many runs a place let go on or not, by verdict and reason."""
    found: Counter[tuple[str, str | None]] = Counter()
    for table in run_tables(path, ["verdict", "reason"]):
        for row in table.group_by(["verdict", "reason"]).aggregate([([], "count_all")]).to_pylist():
            found[row["verdict"], row["reason"]] += row["count_all"]
    return found


def _row(name: str, entered: int, kept: int, dropped: dict[str, int], quarantined: dict[str, int]) -> dict[str, Any]:
    return {
        "name": name,
        "in": entered,
        "kept": kept,
        "dropped": dict(sorted(dropped.items())),
        "quarantined": dict(sorted(quarantined.items())),
    }
