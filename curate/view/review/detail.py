"""One trajectory for the page: its record, what is drawn on each step's picture, and what every stage said of it."""

from __future__ import annotations

from typing import Any

from curate.model.edits import fingerprint
from curate.model.reasons import REASONS
from curate.model.trajectory import Step, Trajectory
from curate.view.drawn_action import Point, lines_of, marks_of, pointer_after
from curate.view.review.data import ReviewData
from curate.view.review.pictures import picture
from curate.view.review.stage_files import StageFile

_UNKNOWN_SIZE = (1600, 1000)  # of a picture that nobody states and that cannot be read: arrows have some length
_SAID = ("id", "step", "verdict", "reason", "detail", "witness", "flags", "hits")


def the_run(data: ReviewData, position: int) -> dict[str, Any]:
    """`run/<position>` of the page (docs/view.md). Raises NotThereError, ChangedError."""
    record = data.record(position)
    verdicts, left_out = _decided(data, position)
    return {
        "position": position,
        "record": record,
        "fingerprint": fingerprint(record),
        "steps": _steps(data, position, record, left_out),
        "final_image": picture(data, record.final_image),
        "verdicts": verdicts,
        "examples": {"count": _examples(data, record, verdicts, left_out)},
        "neighbours": {
            "prev": position - 1 if position else None,
            "next": position + 1 if position + 1 < len(data) else None,
        },
    }


def _steps(
    data: ReviewData, position: int, record: Trajectory, left_out: dict[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    found = []
    pointer: Point | None = None
    for step in record.steps:
        image = picture(data, step.image, step.image_size)
        size = (image["width"], image["height"]) if image and image["width"] else step.image_size or _UNKNOWN_SIZE
        keyframe = step.keyframe
        found.append({
            "index": step.index,
            "image": image,
            "image_after": picture(data, step.image_after),
            "marks": _marks(step, size, pointer),
            "pointer": None if keyframe is None or keyframe.pointer is None else {
                "at": keyframe.pointer, "on_target": keyframe.pointer_on_target,
            },
            "lines": lines_of(step),
            "code": step.code,
            "thought": step.thought,
            "observation": step.observation,
            "reflection": step.reflection,
            "left_out": left_out.get(step.index),
            "events": [min(step.events), max(step.events)] if step.events else None,
            "clip": f"clip/{position}/{step.index}" if step.events and step.time else None,
        })  # fmt: skip
        pointer = pointer_after(step.actions, pointer)
    return found


def _marks(step: Step, size: tuple[int, int], pointer: Point | None) -> list[dict[str, Any]]:
    """Marks in fractions of the picture."""
    width, height = size
    return [
        {
            "kind": mark.kind,
            "at": (mark.at[0] / width, mark.at[1] / height),
            "to": None if mark.to is None else (mark.to[0] / width, mark.to[1] / height),
            "label": mark.label,
            "sure": mark.sure,
        }
        for mark in marks_of(step, width, height, pointer)
    ]


def _decided(data: ReviewData, position: int) -> tuple[list[dict[str, Any]], dict[int, dict[str, Any]]]:
    """What every stage that the run came to said of it; and of steps that are no target, by index, the first reason."""
    verdicts: list[dict[str, Any]] = []
    left_out: dict[int, dict[str, Any]] = {}
    for file in data.stages:
        rows = file.of(position)
        if rows is None:
            continue
        told = rows.to_pylist()
        verdicts.append(_verdict(data, file, told[0]))
        for row in told[1:]:
            if row["step"] is not None and row["verdict"] == "drop":
                left_out.setdefault(row["step"], {
                    "stage": file.name, "reason": row["reason"], "sentence": REASONS.get(row["reason"] or ""),
                    "detail": row["detail"],
                })  # fmt: skip
    return verdicts, left_out


def _verdict(data: ReviewData, file: StageFile, row: dict[str, Any]) -> dict[str, Any]:
    reason = row["reason"]
    flags = row.get("flags") or []
    return {
        "stage": file.name,
        "number": file.number,
        "verdict": row["verdict"],
        "reason": reason,
        "sentence": REASONS.get(reason) if reason else None,
        "flags": [{"code": code, "sentence": REASONS.get(code)} for code in flags],
        "detail": row["detail"],
        "witness": witness_of(data, file, row),
        "measures": {name: value for name, value in row.items() if name not in _SAID and value is not None},
    }


def witness_of(data: ReviewData, file: StageFile, row: dict[str, Any]) -> dict[str, Any] | None:
    """What is the evidence: another run (`position` null: of data published before, or left out of this export), or a
    test task by its name."""
    name = row["witness"]
    if name is None:
        return None
    if not data.is_run(file, row["reason"]):
        return {"task": name}
    position = data.position(name)
    split = None if position is None else data.split_of(position)
    return {"position": position, "id": name, "split": split}


def _examples(
    data: ReviewData, record: Trajectory, verdicts: list[dict[str, Any]], left_out: dict[int, dict[str, Any]]
) -> int | None:
    """How many training examples the run gave; None where no run has made any of the data."""
    if data.kind != "run" or not verdicts:
        return None
    through = len(verdicts) == len(data.stages) and all(verdict["verdict"] == "keep" for verdict in verdicts)
    if not through:
        return 0
    return len(record.steps) if data.untrained_kept else len(record.steps) - len(left_out)
