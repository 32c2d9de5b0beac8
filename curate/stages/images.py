"""Looks at every picture: missing, unreadable, blank, of another size than stated, unchanged since the step before; and
reads what the keyframe rule said about it. Records without any picture are kept as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.model.constants import BLANK_SHARE, UNCHANGED_MSE
from curate.model.steps import Steps
from curate.model.trajectory import Step, Trajectory
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.picture_cache import FACTS_VERSION, VERSION_KEY
from curate.stages.measures.picture_reader import PictureReader
from curate.stages.records_table import id_by_step
from curate.stages.tables import from_columns, from_tuples, nulls, places, schema
from curate.stages.verdicts import Verdicts

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

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
    image=pa.string(),  # null: the step names none, or none that was there
    pictures=pa.int64(),  # how many steps of the run name one, those included whose picture was not there to be read
    state=pa.string(),  # ok, missing, unreadable; null without a picture
    sha256=pa.string(),
    width=pa.int64(),
    height=pa.int64(),
    stated=pa.string(),  # the size that the record states, where the file has another
    white=pa.float64(),  # share of near-white pixels (see Facts)
    difference=pa.float64(),  # mean squared difference to the picture of the step before, or what it is at least
    dhash=pa.string(),
    thumbnail=pa.binary(),  # of the run's first and last picture only
    pointer_on_target=pa.bool_(),
    hover=pa.bool_(),
    erased=pa.bool_(),
    late_change=pa.bool_(),
    keyframe_missing=pa.bool_(),
).with_metadata({VERSION_KEY: FACTS_VERSION})

DECIDED_BY = [name for name in MEASURES.names if name not in ("sha256", "dhash", "thumbnail", "hover")]


def measure_run(record: Trajectory, reader: PictureReader) -> list[tuple[Any, ...]]:
    """A row for each step, in MEASURES' order."""
    shown = [step.index for step in record.steps if step.image is not None]
    named = len(shown) + sum(step.image is None and "picture_missing" in step.flags for step in record.steps)
    rows = []
    before: str | None = None
    for step in record.steps:
        end = step.index in (shown[0], shown[-1]) if shown else False
        file = _none_of(step) if step.image is None else _file(step, step.image, before, reader, thumbnail=end)
        rows.append((record.id, step.index, step.image, named, *file, *_keyframe(step)))
        before = step.image
    return rows


def _without_pictures(steps: Steps) -> pa.Table:
    """The same of steps of which none names a picture."""
    count = len(steps)
    known: dict[str, Any] = {"id": id_by_step(steps), "step": steps.of("index"), "pictures": [0] * count}
    known |= {name: pa.repeat(False, count) for name in ("late_change", "keyframe_missing")}
    return from_columns([known.get(field.name, nulls(count, field.type)) for field in MEASURES], MEASURES)


_NO_FILE: tuple[Any, ...] = (None,) * 9
_DAMAGED: tuple[Any, ...] = ("unreadable", *_NO_FILE[1:])


def _none_of(step: Step) -> tuple[Any, ...]:
    """The file of a step without a picture: damaged where it was left out for that (`picture_damaged`)."""
    return _DAMAGED if "picture_damaged" in step.flags else _NO_FILE


_NO_FRAME = (None, None, None, False, False)


def _file(step: Step, image: str, before: str | None, reader: PictureReader, *, thumbnail: bool) -> tuple[Any, ...]:
    facts = reader.facts(image, thumbnail=thumbnail)
    stated = None
    if facts.state == "ok" and step.image_size is not None and tuple(step.image_size) != (facts.width, facts.height):
        stated = f"{step.image_size[0]} x {step.image_size[1]}"
    difference = None if before is None else reader.difference(before, image)
    size = facts.width, facts.height
    small = facts.thumbnail if thumbnail else None
    return facts.state, facts.sha256, *size, stated, facts.white, difference, facts.dhash, small


def _keyframe(step: Step) -> tuple[bool | None, ...]:
    frame = step.keyframe
    if frame is None and not step.flags:
        return _NO_FRAME
    on_target, hover = (frame.pointer_on_target, frame.hover) if frame else (None, None)
    late, missing = "late_change" in step.flags, "keyframe_missing" in step.flags
    return on_target, hover, frame.erased if frame else None, late, missing


def is_blank(white: float | None) -> bool:
    """Whether so many pixels are near-white that nothing was on the screen yet (strictly more than BLANK_SHARE)."""
    return bool(_is_blank(pa.array([white], pa.float64()))[0].as_py())


def _is_blank(white: Any) -> Any:
    return pc.fill_null(pc.greater(white, BLANK_SHARE), False)


def is_unchanged(difference: float | None) -> bool:
    """Whether two pictures are the same to a judge: mean squared difference below UNCHANGED_MSE."""
    return bool(_is_unchanged(pa.array([difference], pa.float64()))[0].as_py())


def _is_unchanged(difference: Any) -> Any:
    return pc.fill_null(pc.less(difference, UNCHANGED_MSE), False)


class _Images:
    name = "images"
    version = 3
    scope: Literal["shard"] = "shard"
    options = ImagesOptions
    measure_options: frozenset[str] = frozenset()
    decides_by_run = True

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a step (see MEASURES)."""
        steps = context.steps(trajectories)
        if not any(map(any, map(steps.of, ("image", "keyframe", "flags")))):
            return _without_pictures(steps)
        reader = context.pictures or PictureReader(context.media_root)
        rows = [row for record in context.records(trajectories) for row in measure_run(record, reader)]
        return from_tuples(rows, MEASURES)

    def decide(self, given: DecisionInput, options: ImagesOptions) -> pa.Table:
        """Besides VERDICTS: `out_of_history` (bool) of a step that leaves the history too."""
        verdicts = Verdicts(given.alive, {"out_of_history": pa.bool_()})
        table, at = given.of_steps(self.name, DECIDED_BY)
        unchanged = np.bincount(at[np.asarray(_is_unchanged(table["difference"]))], minlength=len(given.alive))
        noted = np.flatnonzero(unchanged)
        verdicts.note_all(
            noted, detail=[f"{count} pictures unchanged since the step before" for count in unchanged[noted]]
        )
        acted = [fault for fault in _FAULTS if getattr(options, fault) != "keep"]
        met = np.array([_meets(fault, table) for fault in acted], bool).reshape(len(acted), table.num_rows)
        met &= np.asarray(pc.greater(pc.fill_null(table["pictures"], 0), 0))  # a run without any picture stays, as text
        rows = np.flatnonzero(met.any(axis=0))
        gravest = met[:, rows].argmax(axis=0) if len(rows) else rows
        gone = met[[getattr(options, fault) == "drop_step" for fault in acted]][:, rows].any(axis=0)
        step = table["step"].to_numpy()[rows]
        reason = pa.array([f"images.{fault}" for fault in acted], pa.string()).take(places(np.asarray(gravest)))
        details = _details(table.take(places(rows)), [acted[fault] for fault in gravest])
        verdicts.leave_out_all(at[rows], step, reason, details, out_of_history=np.asarray(gone))
        return verdicts.table()


_FAULTS = (
    "keyframe_missing",
    "missing",
    "unreadable",
    "blank",
    "wrong_size",
    "pointer_on_target",
    "erased",
    "late_change",
)
"""Options that say what becomes of a step, the gravest first: it is left out by the first fault that is acted on."""


def _meets(fault: str, table: pa.Table) -> Any:
    """Which steps have the fault."""
    state = pc.fill_null(table["state"], "")
    if fault == "missing":
        none = pc.or_(pc.is_null(table["image"]), pc.equal(state, "missing"))
        none = pc.and_(none, pc.not_equal(state, "unreadable"))
        return pc.and_(none, pc.invert(pc.fill_null(table["keyframe_missing"], False)))
    if fault == "unreadable":
        return pc.equal(state, "unreadable")
    if fault == "blank":
        return _is_blank(table["white"])
    if fault == "wrong_size":
        return pc.is_valid(table["stated"])
    return pc.fill_null(table[fault], False)


def _details(table: pa.Table, faults: Sequence[str]) -> list[str | None]:
    """What is said of each of these steps, by the fault it is left out for."""
    if not faults:
        return []
    rows = table.select(["image", "white", "width", "height", "stated"]).to_pylist()
    return [_detail(fault, row) for fault, row in zip(faults, rows, strict=True)]


def _detail(fault: str, row: Mapping[str, Any]) -> str | None:
    if fault == "blank":
        return f"{row['white']:.1%} near-white"
    if fault == "wrong_size":
        return f"{row['width']} x {row['height']}, the record states {row['stated']}"
    return row["image"] if fault in ("missing", "unreadable") else None


STAGE = _Images()
