"""AITZ (Android in the Zoo, chain of action thought) and CAGUI: JSON lists of steps of the Android in the Wild family,
in which points, boxes and texts are JSON again, as strings. AITZ adds to each step what the screen shows, a thought,
the action in words and what came of it, all written by a model; CAGUI (Chinese apps) adds long presses and sizes.

A file holds the steps of one episode, or of several; the pictures lie beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.model.tree import Tree
from curate.sources.actions.dual_point import Gesture, gesture_actions
from curate.sources.base import Read, ReadContext
from curate.sources.common.android_tree import from_annotations
from curate.sources.common.coded import Around
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError
from curate.sources.common.row_files import first_row, is_row_file
from curate.sources.common.step_rows import (
    drained,
    mark_gaps,
    missing_end,
    run_of,
    scratch,
    size_of,
    told_by_the_end,
    typed_rows,
)
from curate.store.trees import add_tree

FACTS = Facts(
    title="AITZ (Android in the Zoo, CoAT) and CAGUI",
    card="https://github.com/IMNearth/CoAT",
    space="fraction",
    order="yx",
    scroll="finger",
    timing="before",
    outcome="The last action: the person says that the task is complete or impossible.",
    licences={"": None, "cagui": None},
    faults=(
        "Points, boxes and texts are strings that hold JSON.",
        "Boxes on the screen are pixels of the picture in AITZ and fractions in CAGUI, under one name: one above 1 "
        "makes them pixels.",
        "The words of a step name the way of the finger: `scroll up` shows what stands below.",
        "`coat_action_result`, what came of a step in a model's words, is its `reflection`.",
        "`image_full_path` is a path of the author's machine and is passed over; `image_path` writes the part in lower "
        "case.",
        "Neither states a licence for its data: null.",
    ),
)
_KEYS = frozenset({"episode_id", "step_id", "instruction", "result_action_type", "result_touch_yx", "result_lift_yx"})
_CAGUI = "https://huggingface.co/datasets/OpenBMB/CAGUI"


class Row(msgspec.Struct):
    """A step."""

    episode_id: str
    step_id: Annotated[int, Meta(ge=0, lt=1 << 31)]
    instruction: str
    result_action_type: int
    result_touch_yx: Any
    result_lift_yx: Any
    result_action_text: str | None = None
    episode_length: int | None = None
    image_path: str | None = None
    image_width: int | None = None
    image_height: int | None = None
    ui_positions: Any = None
    ui_text: Any = None
    ui_types: Any = None
    duration: float | None = None
    coat_screen_desc: str | None = None
    coat_action_think: str | None = None
    coat_action_desc: str | None = None
    coat_action_result: str | None = None
    low_instruction: str | None = None


class Aitz:
    """The source `aitz`."""

    name = "aitz"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON or JSONL whose first row is such a step."""
        return is_row_file(path) and first_row(path).keys() >= _KEYS

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every episode, or why there is none."""
        reading = _Reading(path.parent, context)
        for group in grouped(reading.rows(path), scratch(context)):
            yield from drained(reading.trouble)
            yield from reading.episode(group)
        yield from drained(reading.trouble)


class _Reading:
    """One file while it is read."""

    def __init__(self, folder: Path, context: ReadContext) -> None:
        self._folder, self._context = folder, context
        self._conventions = Conventions(FACTS, context)
        self._carrier = Carrier(folder, context)
        self.trouble: list[Rejected] = []

    def rows(self, path: Path) -> Iterator[Keyed]:
        """The steps of the file; what cannot be read goes to `trouble`."""
        for number, row in typed_rows(path, self._context, Row, self.trouble):
            key = f"{row.episode_id}\n{row.instruction}"
            yield Keyed(key, row.step_id, self._context.shown, number, msgspec.json.encode(row))

    def episode(self, group: Group) -> Iterator[Read | Rejected]:
        """One episode as a record, and its rows that are refused."""
        identity = f"aitz:{group.key.split(chr(10), 1)[0]}"
        yield from run_of(group, identity, self._record)

    def _record(self, kept: list[Keyed], identity: str) -> Trajectory:
        rows = [msgspec.json.decode(one.data, type=Row) for one in kept]
        first = rows[0]
        cagui = first.image_width is not None and first.coat_action_desc is None
        steps = [self._step(row, identity) for row in rows]
        trees = [self._tree(row, step.image) for row, step in zip(rows, steps, strict=True)]
        mark_gaps(steps)
        record = Trajectory(
            id=identity,
            source=Origin(
                name="aitz", id=first.episode_id, file=kept[0].file, line=kept[0].line, importer="aitz@1",
                license=self._conventions.license("cagui" if cagui else ""), url=_CAGUI if cagui else FACTS.card,
            ),
            instruction=first.instruction, actor=Actor(kind="human"), platform="android", steps=steps,
            outcome=told_by_the_end(steps, "human"), lineage=missing_end(steps, first.episode_length),
        )  # fmt: skip
        record.final_image = set_moments(steps, self._conventions)
        self._carrier.carry(record)
        for step, tree in zip(steps, trees, strict=True):
            step.tree = add_tree(self._context.media, tree) if tree is not None else None
        return record

    def _step(self, row: Row, identity: str) -> Step:
        size = size_of(row.image_width, row.image_height)
        gesture = Gesture(
            kind=row.result_action_type, text=row.result_action_text or "",
            touch=_pair(row.result_touch_yx, "result_touch_yx", row.step_id),
            lift=_pair(row.result_lift_yx, "result_lift_yx", row.step_id),
            seconds=row.duration / 1000 if row.duration is not None else None,
        )  # fmt: skip
        done = gesture_actions(
            gesture, self._conventions, record=identity, step=row.step_id,
            around=Around(picture=size, screen=size, words=row.coat_action_desc),
        )  # fmt: skip
        return Step(
            index=row.step_id, image=beside(self._folder, row.image_path), image_size=size,
            observation=row.coat_screen_desc or None, thought=row.coat_action_think or None,
            action=row.coat_action_desc or None, low_level=row.low_instruction or None, actions=done.actions,
            code=code_of(done.actions), reflection=row.coat_action_result or None, flags=done.flags,
        )  # fmt: skip

    def _tree(self, row: Row, picture: str | None) -> Tree | None:
        boxes, texts, kinds = (_list(value) for value in (row.ui_positions, row.ui_text, row.ui_types))
        if not boxes:
            return None
        size: Size | None = None
        if any(isinstance(side, int | float) and side > 1 for box in boxes if isinstance(box, list) for side in box):
            size = self._carrier.size(picture)
            if size is None:
                boxes = [None] * len(boxes)
        return from_annotations(boxes, texts or [None] * len(boxes), kinds or [None] * len(boxes), size)


def _loaded(value: Any) -> Any:
    """What a string of JSON says; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _list(value: Any) -> list[Any]:
    value = _loaded(value)
    return value if isinstance(value, list) else []


def _pair(value: Any, name: str, step: int) -> list[Any]:
    pair = _loaded(value)
    if not isinstance(pair, list) or len(pair) != 2:
        raise UnreadableError("validate.schema", f"Step {step}: {name} is no pair of numbers: {str(value)[:60]!r}.")
    return pair


SOURCE = Aitz()
