"""GUIAct (GUICourse), steps as JSON lists: `web-single`, `web-multi` and `smartphone` in files of their own. The `uid`
says which episode and step a row is; what is done stands in `actions_label` (`sources.actions.guiact_labels`); pictures
are base64 in `*_images.parquet` beside the rows, or files in `images/`.

Each row of `web-single` is a run of one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Platform, Step, Trajectory
from curate.sources.actions.guiact_labels import Acting
from curate.sources.base import Read, ReadContext
from curate.sources.common.conventions import Conventions
from curate.sources.common.embedded import Embedded
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.picture_tables import PictureTable
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError
from curate.sources.common.row_files import first_row, is_row_file
from curate.sources.common.step_rows import drained, mark_gaps, run_of, scratch, size_of, typed_rows

FACTS = Facts(
    title="GUIAct (GUICourse)",
    card="https://huggingface.co/datasets/yiye2023/GUIAct",
    space="fraction",
    order="xy",
    scroll="plus_down",
    timing="before",
    outcome="Not told; `answer` gives the person a text and ends nothing.",
    licences={"": "Apache-2.0"},
    companions=("*_images.parquet",),
    faults=(
        "A target is a point where one is given, else the middle of the element's box.",
        "`absolute` is in pixels of another size than `image_size` (900 of 1,024 in a picture 1,920 wide): `related` "
        "is read.",
        "Scrolls are parts of the view; where rounding left 0 of one, its pixels are taken; one of no distance leaves "
        "its step without action, flagged `unsupported_action`.",
        "156 of the 193 episodes of `web-multi`'s test lack steps: flagged `step_gap`.",
        "Some names of actions are capitalised (`Click`).",
        "The same click twice is meant (a counter): nothing is taken out.",
        "An episode of the test re-uses two ids of pictures for others: each data file has its own pictures.",
        "`smartphone` are episodes of Android in the Wild, with its ids.",
    ),
)
_KEYS = frozenset({"uid", "image_id", "question", "actions_label"})
_UID = re.compile(r"uid_(?P<kind>image|record|episode)_(?P<episode>.+?)(?:_(?:step|qa)_(?P<number>\d{1,9}))?")


class Size(msgspec.Struct):
    """A picture's size in pixels."""

    width: int
    height: int


class Row(msgspec.Struct):
    """A step."""

    uid: str
    question: str
    actions_label: list[dict[str, Any]] | dict[str, Any]
    image_id: str | None = None
    image_size: Size | None = None
    thoughts: str | None = None


class GuiAct:
    """The source `guiact`."""

    name = "guiact"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON or JSONL whose first row is such a step."""
        return is_row_file(path) and first_row(path).keys() >= _KEYS

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run, or why there is none."""
        reading = _Reading(path, context)
        for group in grouped(reading.rows(path), scratch(context)):
            yield from drained(reading.trouble)
            yield from reading.run(group)
        yield from drained(reading.trouble)


class _Reading:
    """One file while it is read."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._folder, self._context = path.parent, context
        self._conventions = Conventions(FACTS, context)
        self._carrier = Carrier(path.parent, context)
        named = re.fullmatch(r"(?P<part>.+?)_(?P<split>train|test)_data", path.stem)
        self._part, self._split = (named["part"], named["split"]) if named else ("", "")
        table = path.with_name(f"{path.stem.removesuffix('_data')}_images.parquet")
        self._table = PictureTable(table, context.media) if table.is_file() else None
        self.trouble: list[Rejected] = []

    def rows(self, path: Path) -> Iterator[Keyed]:
        """The steps of the file; what cannot be read goes to `trouble`."""
        for line, row in typed_rows(path, self._context, Row, self.trouble):
            found = _UID.fullmatch(row.uid)
            alone = found is None or found["kind"] == "image" or found["number"] is None
            key = row.uid if alone or found is None else f"uid_{found['kind']}_{found['episode']}"
            number = 0 if alone or found is None else int(found["number"])
            yield Keyed(key, number, self._context.shown, line, msgspec.json.encode(row))

    def run(self, group: Group) -> Iterator[Read | Rejected]:
        """One run as a record, and its rows that are refused."""
        identity = f"guiact:{group.key}"
        yield from run_of(group, identity, self._record)

    def _record(self, kept: list[Keyed], identity: str) -> Trajectory:
        rows = [msgspec.json.decode(one.data, type=Row) for one in kept]
        first = rows[0]
        named = _UID.fullmatch(first.uid)
        several = named is not None and named["kind"] != "image"
        phone = isinstance(first.actions_label, dict)
        platform: Platform = "android" if phone else "web"
        shots = [self._shot(row) for row in rows]
        steps = [
            self._step(row, one.order, shot, identity, phone) for row, one, shot in zip(rows, kept, shots, strict=True)
        ]
        mark_gaps(steps)
        record = Trajectory(
            id=identity,
            source=Origin(
                name="guiact", id=named["episode"] if named and several else first.uid, file=kept[0].file,
                line=kept[0].line, license=self._conventions.license(), url=FACTS.card, importer="guiact@1",
            ),
            instruction=first.question, platform=platform, steps=steps,
            actor=Actor(kind="human" if several else None),
            lineage=[f"GUIAct: {self._part}, split {self._split}"] if self._split else [],
        )  # fmt: skip
        required = self._conventions.options.needs_pictures
        if self._table is not None and required and all(shot.reference is None for shot in shots):
            raise UnreadableError("read.media_missing", f"None of its {len(steps)} pictures is in the table, or whole.")
        record.final_image = set_moments(steps, self._conventions)
        if self._table is None:
            self._carrier.carry(record)
        return record

    def _shot(self, row: Row) -> Embedded:
        """The picture of a row: from the table, else the name of a file."""
        if not row.image_id:
            return Embedded(None, None)
        if self._table is not None:
            return self._table.find(row.image_id) or Embedded(None, None, absent=True)
        within = (f"images/{self._part}/{self._split}", f"images/{self._part}", "images")
        names = [beside(self._folder, f"{row.image_id}.{ending}", within) for ending in ("png", "jpg", "jpeg")]
        there = [name for name in names if name is not None and self._carrier.size(name) is not None]
        return Embedded(there[0] if there else names[0], None)

    def _step(self, row: Row, number: int, shot: Embedded, identity: str, phone: bool) -> Step:
        size = size_of(row.image_size.width, row.image_size.height) if row.image_size else shot.size
        labels = [row.actions_label] if isinstance(row.actions_label, dict) else row.actions_label
        acting = Acting(self._conventions, identity, number, size, row.thoughts, phone)
        for label in labels:
            acting.label(label)
        flags = acting.flags | set(shot.flags if self._table is not None and row.image_id else [])
        return Step(
            index=number, image=shot.reference, image_size=size, thought=row.thoughts or None, actions=acting.actions,
            code=code_of(acting.actions), element=acting.target.element, raw_box=acting.target.raw_box,
            action=acting.words, flags=sorted(flags),
        )  # fmt: skip


SOURCE = GuiAct()
