"""Android in the Wild, one step a row, in three forms: TFRecord shards as released (screens as raw RGB bytes), JSON
lists with screens in files (Agent Data Protocol), and SeeClick's port (`{"general": [[step, ...], ...], ...}`), whose
points are x, y already.

The steps of an episode may lie in several shards: a folder of shards is one input, and so is a shard alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from curate.model.privacy import Masker
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.actions import dual_point
from curate.sources.actions.dual_point import Gesture, gesture_actions
from curate.sources.base import Read, ReadContext
from curate.sources.common import tfrecord_rows
from curate.sources.common.android_tree import from_annotations
from curate.sources.common.coded import Around
from curate.sources.common.conventions import Conventions
from curate.sources.common.embedded import from_pixels, some_serve
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.json_stream import beginning, elements, first_object, guarded, is_json
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.step_rows import (
    drained,
    mark_gaps,
    missing_end,
    packages,
    run_of,
    scratch,
    size_of,
    told_by_the_end,
)  # fmt: skip
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine
from curate.store.late import ijson
from curate.store.trees import add_tree

FACTS = Facts(
    title="Android in the Wild (AitW)",
    card="https://github.com/google-research/google-research/tree/master/android_in_the_wild",
    space="fraction",
    order="yx",
    scroll="finger",
    timing="before",
    outcome="The last action: the person says that the task is complete or impossible.",
    licences={"": None},
    faults=(
        "Points are y, x; SeeClick's port has swapped them already.",
        "Two points up to 0.04 apart are a tap, so that a swipe of tiny travel reads as one.",
        "The README states no licence for the data (its code is Apache-2.0): null.",
        "Apps are told by package, in `current_activity`; home screens and the system's own are not in `apps`.",
        "Ids of the part `single` name the episode they are cut from: `<parent>.<from>-<to>.<instruction>`; 99 % of "
        "its test episodes share their parent with a training episode.",
        "The Agent Data Protocol names kinds of actions by words, of which some copies are shifted: a kind without a "
        "point that has one is refused.",
        "Names of pictures may have over 100 characters.",
    ),
)  # fmt: skip
PORT = msgspec.structs.replace(FACTS, order="xy")

_TFRECORD = frozenset({"episode_id", "step_id", "goal_info", "results/action_type", "image/encoded"})
_JSON = frozenset({"episode_id", "step_id", "results/action_type", "results/yx_touch"})
_PORT = frozenset({"ep_id", "step", "action_type_id", "img_filename"})
_SETS = ("google_apps", "install", "web_shopping", "general", "single")
_FOLDERS = ("screenshots", "images", "aitw_images", "aitw")
_NAMES = {
    "dual-point gesture": dual_point.DUAL_POINT, "type": dual_point.TYPE, "go_back": dual_point.BACK,
    "go_home": dual_point.HOME, "enter": dual_point.ENTER, "task_complete": dual_point.COMPLETE,
    "task_impossible": dual_point.IMPOSSIBLE,
}  # fmt: skip

Form = Literal["tfrecord", "json", "port"]
Number = int | str


class Row(msgspec.Struct, kw_only=True):
    """A step as it waits for its episode. `image`: a reference where `stored`, else a name."""

    episode: str
    step: int
    goal: str
    gesture: Gesture
    length: int | None = None
    image: str | None = None
    stored: bool = False
    size: tuple[int, int] | None = None
    activity: str | None = None
    boxes: list[Any] = []
    texts: list[Any] = []
    kinds: list[Any] = []
    part: str | None = None
    flags: list[str] = []


class Aitw:
    """The source `aitw`."""

    name = "aitw"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A shard, a folder of shards, or a JSON file of either form."""
        if path.is_dir():
            return bool(_shards(path))
        return _form(path) is not None

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every episode, or why there is none."""
        files = _shards(path) if path.is_dir() else [path]
        reading = _Reading(path if path.is_dir() else path.parent, context, _form(files[0]) or "tfrecord")
        for group in grouped(reading.rows(files, path.is_dir()), scratch(context)):
            yield from drained(reading.trouble)
            yield from reading.episode(group)
        yield from drained(reading.trouble)


def _form(path: Path) -> Form | None:
    start = tfrecord_rows.head(path)
    if start is not None:
        own = start.features >= _TFRECORD or (not start.features and path.name.startswith(_SETS))
        return "tfrecord" if own else None
    if not is_json(path):
        return None
    if first_object(path).keys() >= _JSON:
        return "json"
    start_of = beginning(path)
    first = next(iter(start_of.values()), None) if isinstance(start_of, dict) else None
    for _ in range(2):
        first = first[0] if isinstance(first, list) and first else first
    return "port" if isinstance(first, dict) and first.keys() >= _PORT else None


def _shards(folder: Path) -> list[Path]:
    """The shards of a folder that holds nothing else to read."""
    with os.scandir(folder) as entries:
        if not any(tfrecord_rows.is_named(entry.name) for entry in entries):
            return []  # folders of a million pictures are asked as well
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
    shards = [folder / name for name in names if tfrecord_rows.is_named(name)]
    others = [name for name in names if name.lower().endswith((".jsonl", ".ndjson", ".parquet"))]
    return shards if shards and not others and _form(shards[0]) == "tfrecord" else []


class _Reading:
    """One input while it is read."""

    def __init__(self, folder: Path, context: ReadContext, form: Form) -> None:
        self._folder, self._context, self._form = folder, context, form
        self._conventions = Conventions(PORT if form == "port" else FACTS, context)
        self._carrier = Carrier(folder, context)
        self.trouble: list[Rejected] = []

    def rows(self, files: list[Path], in_folder: bool) -> Iterator[Keyed]:
        """The steps of all files; what cannot be read goes to `trouble`."""
        for file in files:
            shown = f"{self._context.shown}/{Masker()(file.name)}" if in_folder else self._context.shown
            part = next((one for one in _SETS if file.name.startswith(f"{one}-")), None)
            for number, item in self._items(file, shown):
                try:
                    row = self._row(item)
                    row.part = row.part or part
                    key = f"{row.episode}\n{row.goal}"
                    yield Keyed(key, row.step, shown, number, msgspec.json.encode(row))
                except TROUBLE as error:
                    self.trouble.append(refused(error, shown, None, number))

    def _items(self, file: Path, shown: str) -> Iterator[tuple[int, Any]]:
        if self._form == "tfrecord":
            for one in tfrecord_rows.examples(file):
                if isinstance(one, tfrecord_rows.BadExample):
                    self.trouble.append(rejected(shown, one.reason, one.detail, None, one.number))
                else:
                    yield one.number, one.features
            return
        parts = [f"{part}.item" for part in _parts(file)] if self._form == "port" else ["item"]
        for part in parts or ["item"]:
            for element in elements(file, part):
                if isinstance(element, BadLine):
                    if element.number is not None or len(parts) < 2:
                        self.trouble.append(rejected(shown, element.reason, element.detail, None, element.number))
                elif self._form == "json":
                    yield element.number, element.value
                else:
                    steps = element.value if isinstance(element.value, list) else [element.value]
                    yield from ((element.number, (part.removesuffix(".item"), step)) for step in steps)

    def _row(self, item: Any) -> Row:
        if self._form == "tfrecord":
            return self._of_example(item)
        return _of_port(*item) if self._form == "port" else _of_json(msgspec.convert(item, dict[str, Any]))

    def _of_example(self, features: Mapping[str, list[Any]]) -> Row:
        def one(name: str, kind: type) -> Any:
            values = features.get(name) or [None]
            value = values[0].decode() if isinstance(values[0], bytes) and kind is str else values[0]
            return _is(value, kind, name)

        width, height, channels = (one(f"image/{name}", int) for name in ("width", "height", "channels"))
        shot = from_pixels(one("image/encoded", bytes), width, height, channels, self._context.media)
        texts, kinds = (_texts(features, f"image/ui_annotations_{name}") for name in ("text", "ui_types"))
        activity = next(iter(_texts(features, "current_activity")), None)
        length = next(iter(features.get("episode_length", [])), None)
        return Row(
            episode=one("episode_id", str), step=_place(one("step_id", int)), goal=one("goal_info", str),
            length=length if isinstance(length, int) else None,
            gesture=Gesture(
                kind=one("results/action_type", int), touch=list(features.get("results/yx_touch", [])),
                lift=list(features.get("results/yx_lift", [])), text=one("results/type_action", str),
            ),
            image=shot.reference, stored=True, size=size_of(width, height), flags=shot.flags,
            activity=activity,
            boxes=_fours(features.get("image/ui_annotations_positions", [])), texts=texts, kinds=kinds,
        )  # fmt: skip

    def episode(self, group: Group) -> Iterator[Read | Rejected]:
        """One episode as a record, and its rows that are refused."""
        name = group.key.split("\n", 1)[0]
        identity = f"aitw:{name}"
        yield from run_of(group, identity, lambda kept, own: self._record(kept, own, name))

    def _record(self, kept: list[Keyed], identity: str, name: str) -> Trajectory:
        rows = [msgspec.json.decode(one.data, type=Row) for one in kept]
        first = rows[0]
        steps = [self._step(row, identity) for row in rows]
        mark_gaps(steps)
        record = Trajectory(
            id=identity,
            source=Origin(
                name="aitw", id=name, file=kept[0].file, line=kept[0].line, url=FACTS.card, importer="aitw@1",
                license=self._conventions.license(first.part or ""),
            ),
            instruction=first.goal, actor=Actor(kind="human"), platform="android",
            apps=packages(row.activity for row in rows), steps=steps, outcome=told_by_the_end(steps, "human"),
            lineage=missing_end(steps, first.length) + ([f"AitW: part {first.part}"] if first.part else []),
        )  # fmt: skip
        record.final_image = set_moments(steps, self._conventions)
        if first.stored:
            some_serve(steps, self._conventions.options)
        else:
            self._carrier.carry(record)
        for step, row in zip(steps, rows, strict=True):
            if row.boxes:
                tree = from_annotations(row.boxes, row.texts, row.kinds, None)
                step.tree = add_tree(self._context.media, tree)
        return record

    def _step(self, row: Row, identity: str) -> Step:
        around = Around(picture=row.size, screen=row.size)
        done = gesture_actions(row.gesture, self._conventions, record=identity, step=row.step, around=around)
        return Step(
            index=row.step, image=row.image if row.stored else beside(self._folder, row.image, _FOLDERS),
            image_size=row.size, app=row.activity.split("/", 1)[0] if row.activity else None, window=row.activity,
            actions=done.actions, code=code_of(done.actions), flags=sorted({*done.flags, *row.flags}),
        )  # fmt: skip


def _texts(features: Mapping[str, list[Any]], name: str) -> list[str]:
    return [text.decode("utf-8", "replace") for text in features.get(name, []) if isinstance(text, bytes)]


def _is(value: Any, kind: type, name: str) -> Any:
    if not isinstance(value, kind) or isinstance(value, bool):
        what = "missing" if value is None else "of another kind"
        raise UnreadableError("validate.schema", f"{name} is {what}.")
    return value


def _place(step: int) -> int:
    if not 0 <= step < 1 << 31:
        raise UnreadableError("validate.schema", f"step_id {step} is no place.")
    return step


def _fours(flat: Any) -> list[Any]:
    """top, left, height, width of each: from a flat list of numbers or a list of lists."""
    if not isinstance(flat, list) or (flat and isinstance(flat[0], list)):
        return flat if isinstance(flat, list) else []
    return [flat[at : at + 4] for at in range(0, len(flat) - 3, 4)]


def _of_json(row: dict[str, Any]) -> Row:
    word = row.get("results/action_type")
    kind = _NAMES.get(word) if isinstance(word, str) else word
    touch = row.get("results/yx_touch")
    if kind is None or (kind != dual_point.DUAL_POINT and dual_point.is_point(touch)):
        raise UnreadableError("validate.schema", f"The action type {str(word)[:60]!r} does not go with its point.")
    picture = row.get("image/encoded")
    width, height = row.get("image/width"), row.get("image/height")
    known: dict[str, Any] = {
        "episode": row.get("episode_id"), "step": row.get("step_id"), "goal": row.get("goal_info"),
        "length": row.get("episode_length"), "image": _with_ending(picture) if isinstance(picture, str) else None,
        "size": size_of(width, height), "activity": row.get("current_activity"),
        "gesture": {"kind": kind, "touch": touch, "lift": row.get("results/yx_lift"),
                    "text": row.get("results/type_action") or ""},
        "boxes": _fours(row.get("image/ui_annotations_positions")), "texts": row.get("image/ui_annotations_text") or [],
        "kinds": row.get("image/ui_annotations_ui_types") or [],
    }  # fmt: skip
    return _checked(known)


def _of_port(part: str, row: Any) -> Row:
    step = msgspec.convert(row, dict[str, Any])
    picture, boxes = step.get("img_filename"), _fours(step.get("annot_position"))
    known: dict[str, Any] = {
        "episode": str(step.get("ep_id")), "step": step.get("step"), "goal": step.get("goal"), "part": part,
        "image": _with_ending(picture) if isinstance(picture, str) else None, "boxes": boxes,
        "texts": [None] * len(boxes), "kinds": [None] * len(boxes),
        "gesture": {"kind": step.get("action_type_id"), "touch": step.get("touch"), "lift": step.get("lift"),
                    "text": step.get("type_text") or ""},
    }  # fmt: skip
    return _checked(known)


def _checked(known: dict[str, Any]) -> Row:
    row = msgspec.convert(known, Row)
    _place(row.step)
    return row


def _with_ending(name: str) -> str:
    return name if name.lower().endswith((".png", ".jpg", ".jpeg")) else f"{name}.png"


def _parts(file: Path) -> list[str]:
    """The names of the parts of SeeClick's port."""
    found: list[str] = []
    try:
        with file.open("rb") as content:
            found += [
                value for prefix, event, value in ijson.parse(guarded(content)) if (prefix, event) == ("", "map_key")
            ]
    except (ijson.JSONError, OSError, UnicodeDecodeError, ValueError):
        pass  # told where the part is read that breaks
    return found


SOURCE = Aitw()
