"""How the data was made: the funnel, what did not come out, and what the report says of pointers, near-copies, weights,
edits and diversity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from curate.engine.planning.costs import costs, read_prices
from curate.engine.report.rows import share
from curate.engine.report.types import PointerRow, Report
from curate.publish.manifest import Number

_REPORT = "report.json of the run"


def run_numbers(run_json: dict[str, Any], report: Report, prices: Path | None) -> dict[str, Number]:
    """The numbers of a run. Raises InputError, UsageError for a file of prices that cannot be used."""
    recipe = run_json.get("recipe") or {}
    return {
        "read": _of(report.read, "read"),
        "rejected": _of(report.rejected, "rejected"),
        "funnel": _of(report.stages, "stages"),
        "rejected_by_reason": _of(_counts(report.rejected_by_reason), "rejected_by_reason"),
        "steps_left_out": _of(_counts(report.steps_left_out), "steps_left_out"),
        "remarks": _of(_counts(report.listed), "listed"),
        "examples": _of(report.examples, "examples"),
        "pointer": _of(pointer_rows(report.pointer.targets), "pointer.targets"),
        "near_copies": _of(_copies(report, recipe), "copies, near_copies, stages"),
        "test_tasks": _of(report.test_tasks, "test_tasks"),
        "weights": _of(report.weights, "weights"),
        "people": _of(report.mixture.people_targets, "mixture.people_targets"),
        "diversity": _of(report.diversity, "diversity"),
        "edits": _of(_edits(report), "edits"),
        "redacted": Number(value="redact" in (recipe.get("order") or []), of="run.json: recipe.order"),
        "format": Number(value=(recipe.get("unroll") or {}).get("format"), of="run.json: recipe.unroll.format"),
        "split_by": Number(value=report.splits.by, of=f"{_REPORT}: splits.by"),
        "versions": Number(value=run_json.get("versions") or {}, of="run.json: versions"),
        "seed": Number(value=run_json.get("seed"), of="run.json: seed"),
        "inputs": Number(value=_inputs(run_json), of="run.json: inputs"),
        "costs": _costs(report, prices),
    }


def _of(value: Any, where: str) -> Number:
    return Number(value=msgspec.to_builtins(value), of=f"{_REPORT}: {where}")


def _counts(rows: list[Any]) -> list[dict[str, Any]]:
    """Reasons with their counts and sentences; ids of what did not come out are nobody's business."""
    return [{"reason": row.reason, "count": row.count, "sentence": row.sentence} for row in rows]


def _edits(report: Report) -> dict[str, Any] | None:
    """What people changed; how many they were, and not who."""
    if report.edits is None:
        return None
    told: dict[str, Any] = msgspec.to_builtins(report.edits)
    return {**told, "reviewers": len(report.edits.reviewers)}


def _inputs(run_json: dict[str, Any]) -> dict[str, int]:
    """How much was read. Names of files may be people's; their hashes stand in the run's own run.json."""
    rows = run_json.get("inputs") or []
    return {"files": len(rows), "bytes": sum(int(row.get("bytes") or 0) for row in rows)}


def pointer_rows(rows: list[PointerRow]) -> list[dict[str, Any]]:
    """How often the pointer, or what lights up under it, gives the target away; the floor beside it is how often a
    click where the last action ended would have hit. The last row is all of them."""
    found = [_pointer("all", rows)] if len(rows) > 1 else []
    return [*(_pointer(f"{row.source}: {row.action}", [row]) for row in rows), *found]


def _pointer(name: str, rows: list[PointerRow]) -> dict[str, Any]:
    row: dict[str, Any] = {"of": name, "steps": sum(row.steps for row in rows)}
    for kind in ("on_target", "hover", "floor"):
        shares = [getattr(one, kind) for one in rows]
        yes, known, unknown = (sum(getattr(one, field) for one in shares) for field in ("yes", "known", "unknown"))
        row[kind] = msgspec.to_builtins(share(yes, known, known + unknown))
    return row


def _copies(report: Report, recipe: dict[str, Any]) -> dict[str, Any] | None:
    """Near-copies that were dropped and that stayed, against the threshold that said what one is."""
    if report.copies is None:
        return None
    dropped = sum(sum(stage.dropped.values()) for stage in report.stages if stage.name.startswith("nearcopies"))
    copies = report.copies
    return {
        "threshold": copies.threshold, "evidence": copies.evidence, "method": copies.method, "compared": copies.came,
        "dropped": dropped, "kept": report.near_copies_listing.total - dropped,
        "action": (recipe.get("nearcopies") or {}).get("action"),
        "left_over": copies.certificate.left_over, "recall": msgspec.to_builtins(copies.certificate.recall),
    }  # fmt: skip


def _costs(report: Report, prices: Path | None) -> Number:
    if prices is None:
        return Number(value=None, of="no file of prices was given")
    found = costs(read_prices(prices), report.sources)
    return Number(value=msgspec.to_builtins(found), of=f"prices as given, over {_REPORT}: sources")
