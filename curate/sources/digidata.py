"""DigiData: JSONL of steps of phone runs, `{"episode_id", "step_id", "episode_len", "app", "action", "goal", "image",
"xml", ...}`; actions are short calls (`tap(x,y)`, `type(text)`).

In which frame its points stand is not documented: the data decides, or the user, or the rows with points are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Origin, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Framed, framed
from curate.sources.common.conventions import Conventions
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
    told_by_the_end,
    typed_rows,
)
from curate.store.trees import add_text_tree

FACTS = Facts(
    title="DigiData",
    card="https://huggingface.co/datasets/facebook/DigiData",
    space=None,
    order="xy",
    scroll="finger",
    timing="before",
    outcome="The last action: status(complete) or status(impossible).",
    licences={"": "CC-BY-4.0", "cot": "LicenseRef-Llama-4-Community"},
    faults=(
        "The frame of its points is not documented: the data decides, or `--set import.space=...`.",
        "Whether words stand in braces (`navigate({back})`) is not documented: with and without are read.",
        "Typed text stands without quotes; one in quotes or brackets is kept as it stands, and its step flagged "
        "`text_unverified`, since they may be typed or not.",
        "`episode_len` counts steps that are missing; steps after a hole are flagged `step_gap`.",
        "Whether people or programs acted is not stated: null.",
        "Chains of thought (`cot_*.jsonl`, `conversations`) have a licence of their own; their text is not kept, since "
        "its form is not documented.",
        "`xml` becomes the step's tree in its own text.",
    ),
)
_KEYS = frozenset({"episode_id", "step_id", "episode_len", "app", "action", "goal"})
_FOLDERS = ("images", "screenshots")
_CALL = re.compile(r"\s*([a-z_]+)\s*\((.*)\)\s*", re.DOTALL)
_WRAPPED = re.compile(r"""(['"]).*\1|<.*>|\{.*\}|\[.*\]""", re.DOTALL)
_NUMBER = re.compile(r"\s*(-?\d{1,9}(?:\.\d{1,12})?)\s*")
_WORDS: dict[tuple[str, str], Action] = {
    ("navigate", "back"): act.Back(),
    ("navigate", "home"): act.Home(),
    ("navigate", "enter"): act.Enter(),
    ("status", "complete"): act.Terminate("success"),
    ("status", "impossible"): act.Terminate("impossible"),
}


class Row(msgspec.Struct):
    """A step."""

    episode_id: str
    step_id: Annotated[int, Meta(ge=0, lt=1 << 31)]
    action: str
    goal: str
    app: str | None = None
    episode_len: int | None = None
    image: str | None = None
    xml: str | None = None
    complete: bool | None = None
    eval_category: str | None = None


class DigiData:
    """The source `digidata`."""

    name = "digidata"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSONL or JSON whose first row is such a step."""
        return is_row_file(path) and first_row(path).keys() >= _KEYS

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every episode, or why there is none."""
        reading = _Reading(path, context)
        for group in grouped(reading.rows(path), scratch(context)):
            yield from drained(reading.trouble)
            yield from reading.episode(group)
        yield from drained(reading.trouble)


class _Reading:
    """One file while it is read."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._folder, self._context = path.parent, context
        self._conventions = Conventions(FACTS, context)
        self._carrier = Carrier(path.parent, context)
        self._part = "cot" if path.name.startswith("cot_") else ""
        split = re.search(r"digidata_(train|test|demo)", path.name)
        self._split = [f"DigiData: split {split[1]}"] if split else []
        self.trouble: list[Rejected] = []

    def rows(self, path: Path) -> Iterator[Keyed]:
        """The steps of the file; what cannot be read goes to `trouble`."""
        for number, row in typed_rows(path, self._context, Row, self.trouble):
            yield Keyed(
                f"{row.episode_id}\n{row.goal}", row.step_id, self._context.shown, number, msgspec.json.encode(row)
            )

    def episode(self, group: Group) -> Iterator[Read | Rejected]:
        """One episode as a record, and its rows that are refused."""
        identity = f"digidata:{group.key.split(chr(10), 1)[0]}"
        yield from run_of(group, identity, self._record)

    def _record(self, kept: list[Keyed], identity: str) -> Trajectory:
        rows = [msgspec.json.decode(one.data, type=Row) for one in kept]
        first = rows[0]
        steps = [self._step(row, identity) for row in rows]
        mark_gaps(steps)
        missing = missing_end(steps, first.episode_len)
        if any(row.complete is False for row in rows):
            missing.append("DigiData says that steps of the episode are missing.")
        record = Trajectory(
            id=identity,
            source=Origin(
                name="digidata", id=first.episode_id, file=kept[0].file, line=kept[0].line, url=FACTS.card,
                license=self._conventions.license(self._part), importer="digidata@1",
            ),
            instruction=first.goal, platform="android", steps=steps, outcome=told_by_the_end(steps, "source"),
            apps=list(dict.fromkeys(row.app for row in rows if row.app)),
            lineage=self._split + [f"DigiData: apps {one}" for one in [first.eval_category] if one] + missing,
        )  # fmt: skip
        record.final_image = set_moments(steps, self._conventions)
        self._carrier.carry(record)
        for row, step in zip(rows, steps, strict=True):
            name = beside(self._folder, row.xml, ("xmls", "xml"))
            text = self._carrier.content(name) if name else None
            step.tree = add_text_tree(self._context.media, _decoded(text), "xml.zst") if text else None
        return record

    def _step(self, row: Row, identity: str) -> Step:
        name = beside(self._folder, row.image, _FOLDERS)
        meant = _meant(row.action, row.step_id)
        around = Around(picture=self._carrier.size(name))
        done = framed(meant.actions, self._conventions, record=identity, step=row.step_id, around=around)
        return Step(
            index=row.step_id, image=name, app=row.app, actions=done.actions, code=code_of(done.actions),
            flags=sorted({*done.flags, *meant.flags}),
        )  # fmt: skip


def _meant(text: str, step: int) -> Framed:
    """An action with its points as they stand."""
    found = _CALL.fullmatch(text)
    if found is None:
        raise UnreadableError("read.code", f"Step {step}: {text[:60]!r} is no call.")
    name, inner = found[1], found[2]
    if name == "type":
        known = inner and not _WRAPPED.fullmatch(inner)
        return Framed([act.Write(inner)] if inner else [], [] if known else ["text_unverified"])
    if name == "tap":
        x, y = _numbers(inner, 2, step)
        return Framed([act.Click(x=x, y=y)], [])
    if name == "swipe":
        return Framed([act.Swipe(*_numbers(inner, 4, step))], [])
    word = inner.strip().strip("{}").strip("'\" ").lower()
    action = _WORDS.get((name, word))
    if action is None:
        raise UnreadableError("import.unsupported_action", f"Step {step}: the action {text[:60]!r} is not known.")
    return Framed([action], [])


def _numbers(text: str, count: int, step: int) -> list[Any]:
    found = [_NUMBER.fullmatch(part) for part in text.split(",")]
    numbers = [float(one[1]) for one in found if one is not None]
    if len(numbers) != count or len(found) != count:
        why = f"Step {step}: {text[:60]!r} is no {count} numbers."
        raise UnreadableError("validate.coordinate_out_of_range", why)
    return numbers


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


SOURCE = DigiData()
