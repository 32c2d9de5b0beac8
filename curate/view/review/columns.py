"""The list: one array a column over all trajectories, read from the columns of the tables and nothing else. Texts that
repeat are given once, as `{values, codes}`.

Memory: what the list itself holds, some 400 bytes a trajectory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.tables import places
from curate.view.review.data import ReviewData
from curate.view.review.limits import INSTRUCTION, TEXT

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

_PLAIN = ["id", "instruction", "source.name", "platform", "apps", "sites", "actor.kind", "outcome"]
_MORE = ["scores", "video", "weight.value"]
_STEPS = ["steps.list.element.image", "steps.list.element.flags"]
_TEXT = ["instruction", "apps", "sites", "steps.list.element.action", "steps.list.element.actions.list.element.text"]


def the_list(data: ReviewData) -> dict[str, Any]:
    """`list` of the page (docs/view.md): columns of equal length in the order of the data."""
    columns: dict[str, list[Any]] = {name: [] for name in (*_NAMES, "pictures", "steps", "flags")}
    for _, table in data.columns([*_PLAIN, *_MORE, *_STEPS]):
        for name, values in _of_group(table).items():
            columns[name] += values
    decided = _decided(data, columns)
    shown: dict[str, Any] = {"count": len(data), "id": columns["id"], "instruction": columns["instruction"]}
    for name in ("source", "platform", "apps", "sites", "actor"):
        shown[name] = coded(columns[name])
    shown |= {"completed": columns["completed"], "steps": columns["steps"]}
    shown |= {name: coded(decided[name]) for name in ("split", "fate", "stage", "reason")}
    shown |= {"score": columns["score"], "score_name": coded(columns["score_name"]), "flags": coded(decided["flags"])}
    shown |= {"pictures": columns["pictures"], "video": columns["video"]}
    return {**shown, "weight": decided["weight"], "witness": decided["witness"]}


def the_text(data: ReviewData) -> dict[str, Any]:
    """`text`: what each trajectory is found by, in small letters: instruction, apps and sites, the words of its steps
    and what was typed."""
    found: list[str] = []
    for _, table in data.columns(_TEXT):
        for row in table.to_pylist():
            said = [row["instruction"], *(row["apps"] or ()), *(row["sites"] or ())]
            for step in row["steps"] or ():
                said.append(step["action"])
                said += [action["text"] for action in step["actions"] or ()]
            found.append(_cut(said))
    return {"text": found}


def coded(values: list[Any]) -> dict[str, list[Any]]:
    """`{values, codes}`: each different value once, in order of first appearance, and by row which it is."""
    known: dict[Any, int] = {}
    codes = [known.setdefault(tuple(value) if isinstance(value, list) else value, len(known)) for value in values]
    return {"values": [list(value) if isinstance(value, tuple) else value for value in known], "codes": codes}


_NAMES = (
    "id", "instruction", "source", "platform", "apps", "sites", "actor", "completed", "score", "score_name", "video",
    "weight",
)  # fmt: skip


def _of_group(table: pa.Table) -> dict[str, list[Any]]:
    source, actor, outcome, weight = (table[name].combine_chunks() for name in ("source", "actor", "outcome", "weight"))
    steps = table["steps"].combine_chunks()
    scores = [row[0] if row else None for row in table["scores"].to_pylist()]
    return {
        "id": table["id"].to_pylist(),
        "instruction": [short(str(text), INSTRUCTION) for text in table["instruction"].to_pylist()],
        "source": pc.struct_field(source, "name").to_pylist(),
        "platform": table["platform"].to_pylist(),
        "apps": [value or [] for value in table["apps"].to_pylist()],
        "sites": [value or [] for value in table["sites"].to_pylist()],
        "actor": pc.struct_field(actor, "kind").to_pylist(),
        "completed": pc.struct_field(outcome, "completed").to_pylist(),
        "steps": pc.fill_null(pc.list_value_length(steps), 0).to_pylist(),
        "score": [None if score is None else _finite(score["value"]) for score in scores],
        "score_name": [None if score is None else score["name"] for score in scores],
        "flags": _flags(steps),
        "pictures": _pictures(steps),
        "video": pc.is_valid(table["video"]).to_pylist(),
        "weight": [_finite(value) for value in pc.struct_field(weight, "value").to_pylist()],
    }


def _pictures(steps: Any) -> list[int]:
    """How many steps of each trajectory have a picture."""
    images = pc.is_valid(pc.struct_field(pc.list_flatten(steps), "image"))
    of: NDArray[np.int64] = pc.list_parent_indices(steps).to_numpy().astype(np.int64)
    counts: list[int] = np.bincount(of[np.asarray(images)], minlength=len(steps)).tolist()
    return counts


def _flags(steps: Any) -> list[list[str]]:
    """The flags of each trajectory's steps, each once."""
    lists = pc.struct_field(pc.list_flatten(steps), "flags")
    of = pc.list_parent_indices(steps).take(pc.list_parent_indices(lists)).to_pylist()
    found: list[list[str]] = [[] for _ in range(len(steps))]
    for run, flag in zip(of, pc.list_flatten(lists).to_pylist(), strict=True):
        if flag not in found[run]:
            found[run].append(flag)
    return [sorted(one) for one in found]


def _decided(data: ReviewData, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """What the stages made of each trajectory; all null for a dataset, which no stage has seen."""
    count = len(data)
    fate: list[str | None] = ["kept" if data.stages else None] * count
    stage: list[str | None] = [None] * count
    reason: list[str | None] = [None] * count
    split: list[str | None] = [None] * count
    witness: list[int | None] = [None] * count
    witness_of: list[tuple[int, str | None]] = []
    flags, weight = columns["flags"], columns["weight"]
    for file in data.stages:
        position, table = file.verdicts
        for name, into in (("split", split), ("weight", weight)):
            if name in table.column_names:
                _fill(into, position, table[name].to_pylist())
        if "flags" in table.column_names:
            noted = _rows_where(pc.greater(pc.fill_null(pc.list_value_length(table["flags"]), 0), 0))
            for at, more in zip(position[noted].tolist(), table["flags"].take(places(noted)).to_pylist(), strict=True):
                flags[at] = sorted({*flags[at], *(more or ())})
        told = _rows_where(pc.or_(pc.not_equal(table["verdict"], "keep"), pc.is_valid(table["witness"])))
        for at, row in zip(position[told].tolist(), table.take(places(told)).to_pylist(), strict=True):
            if row["verdict"] != "keep":
                fate[at] = "dropped" if row["verdict"] == "drop" else "quarantined"
                stage[at], reason[at] = file.name, row["reason"]
            if data.is_run(file, row["reason"]):
                witness_of.append((at, row["witness"]))
    for (at, _), found in zip(witness_of, data.positions([name for _, name in witness_of]), strict=True):
        witness[at] = found if found is not None else witness[at]
    for at, one in enumerate(fate):
        if one in ("dropped", "quarantined"):
            split[at] = None
    return {"fate": fate, "stage": stage, "reason": reason, "split": split, "witness": witness, "flags": flags,
            "weight": weight}  # fmt: skip


def _rows_where(said: Any) -> NDArray[np.int64]:
    return np.flatnonzero(np.asarray(pc.fill_null(said, False)))


def _fill(into: list[Any], position: NDArray[np.int64], values: list[Any]) -> None:
    for at, value in zip(position.tolist(), values, strict=True):
        if value is not None:
            into[at] = value


def short(text: str, limit: int) -> str:
    """A text of at most `limit` characters, the last a … where it was longer."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _cut(said: list[str | None]) -> str:
    """Texts one after the other, at most TEXT characters; no more is looked at of a text of megabytes."""
    found, left = [], TEXT
    for text in said:
        if text and left > 0:
            found.append(text[:left].lower())
            left -= len(text) + 1
    return " ".join(found)[:TEXT]


def _finite(value: float | None) -> float | None:
    return value if value is not None and abs(value) < float("inf") else None
