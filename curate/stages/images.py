"""Looks at every picture: missing, unreadable, blank, of another size than stated, unchanged since the step before; and
reads what the keyframe rule said about it. Records without any picture are kept as they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import pyarrow as pa

from curate.model.constants import BLANK_SHARE, UNCHANGED_MSE
from curate.model.trajectory import Step, Trajectory
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.picture_facts import PictureReader
from curate.stages.tables import from_tuples, schema
from curate.stages.verdicts import Verdicts

OnFault = Literal["keep", "drop_target", "drop_step"]
"""`drop_target`: the step is no target, and stays in the history. `drop_step`: it leaves the history too."""


class ImagesOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What becomes of a step by its picture: `keep`, `drop_target` (no target, stays in the history) or `drop_step`
    (leaves the history too). `pointer_on_target`: the pointer is on the target by its events. `erased`: the keyframe
    was repaired under the pointer. `late_change`: the target changed right before the action. `keyframe_missing`: no
    frame of the video served. `missing`, `unreadable`, `blank`, `wrong_size`: the file."""

    pointer_on_target: OnFault = "keep"
    erased: Literal["drop_target", "keep"] = "drop_target"
    late_change: OnFault = "drop_target"
    keyframe_missing: OnFault = "drop_target"
    missing: OnFault = "drop_target"
    unreadable: OnFault = "drop_target"
    blank: OnFault = "drop_target"
    wrong_size: OnFault = "drop_target"


MEASURES = schema(
    id=pa.string(),
    step=pa.int64(),
    image=pa.string(),  # null: the step names none
    pictures=pa.int64(),  # how many steps of the run name one
    state=pa.string(),  # ok, missing, unreadable; null without a picture
    sha256=pa.string(),
    width=pa.int64(),
    height=pa.int64(),
    stated=pa.string(),  # the size that the record states, where the file has another
    white=pa.float64(),  # share of near-white pixels
    difference=pa.float64(),  # mean squared difference to the picture of the step before; null: not comparable
    dhash=pa.string(),
    thumbnail=pa.binary(),  # of the run's first and last picture only
    pointer_on_target=pa.bool_(),
    hover=pa.bool_(),
    erased=pa.bool_(),
    late_change=pa.bool_(),
    keyframe_missing=pa.bool_(),
)

DECIDED_BY = [name for name in MEASURES.names if name not in ("sha256", "dhash", "thumbnail", "hover")]


def measure_run(record: Trajectory, reader: PictureReader) -> list[tuple[Any, ...]]:
    """A row for each step, in MEASURES' order."""
    shown = [step.index for step in record.steps if step.image is not None]
    rows = []
    before: str | None = None
    for step in record.steps:
        end = step.index in (shown[0], shown[-1]) if shown else False
        file = _file(step, before, reader, thumbnail=end)
        rows.append((record.id, step.index, step.image, len(shown), *file, *_keyframe(step)))
        before = step.image
    return rows


def _file(step: Step, before: str | None, reader: PictureReader, *, thumbnail: bool) -> tuple[Any, ...]:
    if step.image is None:
        return (None,) * 9
    facts = reader.facts(step.image)
    stated = None
    if facts.state == "ok" and step.image_size is not None and tuple(step.image_size) != (facts.width, facts.height):
        stated = f"{step.image_size[0]} x {step.image_size[1]}"
    difference = None if before is None else reader.difference(before, step.image)
    size = facts.width, facts.height
    small = facts.thumbnail if thumbnail else None
    return facts.state, facts.sha256, *size, stated, facts.white, difference, facts.dhash, small


def _keyframe(step: Step) -> tuple[bool | None, ...]:
    frame = step.keyframe
    on_target, hover = (frame.pointer_on_target, frame.hover) if frame else (None, None)
    late, missing = "late_change" in step.flags, "keyframe_missing" in step.flags
    return on_target, hover, frame.erased if frame else None, late, missing


def is_blank(white: float | None) -> bool:
    """Whether so many pixels are near-white that nothing was on the screen yet (strictly more than BLANK_SHARE)."""
    return white is not None and white > BLANK_SHARE


def is_unchanged(difference: float | None) -> bool:
    """Whether two pictures are the same to a judge: mean squared difference below UNCHANGED_MSE."""
    return difference is not None and difference < UNCHANGED_MSE


def faults(row: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """(option that decides, detail) of everything that is wrong with a step's picture, the gravest first."""
    found: list[tuple[str, str | None]] = []
    if row["keyframe_missing"]:
        found.append(("keyframe_missing", None))
    elif row["image"] is None or row["state"] == "missing":
        found.append(("missing", row["image"]))
    if row["state"] == "unreadable":
        found.append(("unreadable", row["image"]))
    if is_blank(row["white"]):
        found.append(("blank", f"{row['white']:.1%} near-white"))
    if row["stated"] is not None:
        found.append(("wrong_size", f"{row['width']} x {row['height']}, the record states {row['stated']}"))
    found += [(name, None) for name in ("pointer_on_target", "erased", "late_change") if row[name]]
    return found


class _Images:
    name = "images"
    version = 1
    scope: Literal["shard"] = "shard"
    options = ImagesOptions
    measure_options: frozenset[str] = frozenset()
    decides_by_run = True

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a step (see MEASURES)."""
        reader = PictureReader(context.media_root)
        rows = [row for record in context.records(trajectories) for row in measure_run(record, reader)]
        return from_tuples(rows, MEASURES)

    def decide(self, given: DecisionInput, options: ImagesOptions) -> pa.Table:
        """Besides VERDICTS: `out_of_history` (bool) of a step that leaves the history too."""
        verdicts = Verdicts(given.alive, {"out_of_history": pa.bool_()})
        alive = set(given.alive)
        unchanged: dict[str, int] = defaultdict(int)
        for row in given.measures[self.name].select(DECIDED_BY).to_pylist():
            if row["id"] not in alive:
                continue
            unchanged[row["id"]] += is_unchanged(row["difference"])
            if row["pictures"]:  # a run without any picture is kept, as text
                self._leave_out(verdicts, row, options)
        for run, count in unchanged.items():
            if count:
                verdicts.note(run, detail=f"{count} pictures unchanged since the step before")
        return verdicts.table()

    def _leave_out(self, verdicts: Verdicts, row: Mapping[str, Any], options: ImagesOptions) -> None:
        """One row for a step, by its gravest fault that the options act on."""
        acted: Sequence[tuple[str, str | None, OnFault]] = [
            (name, detail, getattr(options, name)) for name, detail in faults(row) if getattr(options, name) != "keep"
        ]
        if acted:
            name, detail, _ = acted[0]
            gone = any(action == "drop_step" for _, _, action in acted)
            verdicts.leave_out(row["id"], row["step"], f"images.{name}", detail, out_of_history=gone)


STAGE = _Images()
