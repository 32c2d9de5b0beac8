"""What is the evidence of a verdict, beside the run: a near-copy's witness with both runs' steps aligned, a leak's test
task with the words that give it away."""

from __future__ import annotations

from typing import Any

from curate.model.reasons import REASONS
from curate.model.trajectory import Trajectory
from curate.stages.leakage.evidence import REASON, STRONG
from curate.view.evidence import Side, aligned, beside, where_of
from curate.view.review.data import ReviewData
from curate.view.review.detail import witness_of
from curate.view.review.pictures import picture

_PHRASES = 50  # of those that a run shares with one test task


def the_witnesses(data: ReviewData, position: int) -> dict[str, Any]:
    """`witness/<position>` of the page (docs/view.md). Raises NotThereError, ChangedError."""
    record = data.record(position)
    found = []
    for file in data.stages:
        rows = file.of(position)
        row: dict[str, Any] = rows.slice(0, 1).to_pylist()[0] if rows is not None else {}
        hits = row.get("hits") or []
        if not row or (row["witness"] is None and not hits):
            continue
        reason = row["reason"] or next(iter(row.get("flags") or ()), None)
        said = {"stage": file.name, "number": file.number, "verdict": row["verdict"], "reason": reason,
                "sentence": REASONS.get(reason or ""), "detail": row["detail"]}  # fmt: skip
        named = witness_of(data, file, row)
        if named is not None and "position" in named:
            found.append({**said, **_of_run(data, record, named, row)})
        else:
            found.append({**said, **_of_task(data, record, row, hits)})
    return {"position": position, "witnesses": found}


def _of_run(data: ReviewData, record: Trajectory, named: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    if named["position"] is None:
        other_side = {**named, "instruction": None, "where": None}
        mine = {"instruction": record.instruction, "where": where_of(record)}
        return {"kind": "run", "other": other_side, **mine, "similarity": row.get("similarity"), "rows": []}
    other = data.record(named["position"])
    left, right = beside(other, record)
    rows = [
        {"other": _line(data, other, left, a), "own": _line(data, record, right, b)} for a, b in aligned(other, record)
    ]
    return {
        "kind": "run",
        "other": {**named, "instruction": other.instruction, "where": where_of(other)},
        "instruction": record.instruction,
        "where": where_of(record),
        "similarity": row.get("similarity"),
        "rows": rows,
    }


def _line(data: ReviewData, record: Trajectory, side: Side, place: int | None) -> dict[str, Any] | None:
    if place is None:
        return None
    step, line = record.steps[place], side.steps[place]
    image = picture(data, step.image, step.image_size)
    return {"index": step.index, "text": line.text, "kind": line.kind, "image": image and image["src"]}


def _of_task(data: ReviewData, record: Trajectory, row: dict[str, Any], hits: list[dict[str, Any]]) -> dict[str, Any]:
    """A run beside a test task: the one the stage names, else that of its strongest evidence."""
    task = row["witness"] if row["witness"] is not None else hits[0]["test"]
    mine = [hit for hit in hits if hit["test"] == task] or hits
    evidence = [
        {
            "kind": hit["kind"],
            "reason": REASON.get(hit["kind"]),
            "strength": "strong" if hit["kind"] in STRONG else "weak",
            "text": hit["evidence"],
            "share": hit["share"],
            "phrases": (hit["phrases"] or [])[:_PHRASES],
        }
        for hit in mine
    ]
    return {
        "kind": "task",
        "task": {"id": task, "words": _words_of(data, task, mine)},
        "instruction": record.instruction,
        "evidence": evidence,
        "others": len({hit["test"] for hit in hits} - {task}),
    }


def _words_of(data: ReviewData, task: str | None, hits: list[dict[str, Any]]) -> str | None:
    """What the test task asks for: as the report has it; else as the stage says it, whose evidence it is word for
    word where the tasks are the same. None where neither tells."""
    if task is None:
        return None
    told = data.told_tasks.get(task)
    return told or next((hit["evidence"] for hit in hits if hit["kind"] in ("task", "paraphrase")), None)
