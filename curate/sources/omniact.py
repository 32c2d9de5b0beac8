"""OmniACT: one screen, one task, one script. Two forms: the index as published (`train.json`: `{"2849": {"task":
"data/tasks/.../task_1.30.txt", "image": ..., "box": ...}}`, with the task's text, its picture and its boxes in files of
their own) and the list that the Agent Data Protocol hands on, with text and boxes in the record.

A task's text is `Task: ...` and `Output Script:` with PyAutoGUI calls in pixels of the picture, halves among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from curate.model.actions import Action
from curate.model.coordinates import place_box
from curate.model.finite import finite_number
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Element, Origin, Step, Trajectory
from curate.model.tree import Node, Tree
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Coded
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.json_stream import beginning, elements, is_json, members
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside, local_name
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.targets import point_of
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine
from curate.store.trees import add_tree

_TEXT = re.compile(r"\s*Task:\s*(.+?)\s*Output Script:\s*(.*)", re.DOTALL)

FACTS = Facts(
    title="OmniACT",
    card="https://huggingface.co/datasets/Writer/omniact",
    space="picture_pixel",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="None: a script is what would do the task, nobody ran it.",
    licences={"": "MIT"},
    faults=(
        "Several wordings share one screen and one script: near-copies by picture and action are paraphrases here. One "
        "screen may stand in train and in test.",
        "Older cards state Apache-2.0.",
        "The element is the smallest of the screen's boxes that holds the point; it is derived, not annotated.",
    ),
    companions=("*/metadata/*.json", "metadata/*.json"),
)


class Labelled(NamedTuple):
    """A box of the screen in pixels: left, top, right, bottom."""

    label: str
    sides: tuple[float, float, float, float]


class Screen(NamedTuple):
    """A task with all that belongs to it."""

    key: str
    number: int
    text: str
    image: str | None
    boxes: list[Labelled]


class OmniACT:
    """The source `omniact`."""

    name = "omniact"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A JSON file of either form."""
        start = beginning(path) if is_json(path) else None
        if isinstance(start, dict):
            first = next(iter(start.values()), None)
            return isinstance(first, dict) and str(first.get("task", "")).endswith(".txt") and "image" in first
        first = start[0] if isinstance(start, list) and start else None
        return isinstance(first, dict) and "image" in first and bool(_TEXT.match(str(first.get("task", ""))))

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every task as a run of one step."""
        pictures, conventions = Carrier(path.parent, context), Conventions(FACTS, context)
        listed = isinstance(beginning(path), list)
        for entry in elements(path) if listed else members(path):
            if isinstance(entry, BadLine):
                yield rejected(context.shown, entry.reason, entry.detail, None, entry.number)
                continue
            number, value = entry.number, entry.value
            key = f"{path.stem}_{entry.name}" if not listed else None  # type: ignore[union-attr]
            try:
                screen = _listed(value, number) if listed else _indexed(key or "", value, number, pictures, path.parent)
                key = screen.key
                record = pictures.carry(_record(screen, path, context, conventions, pictures))
                size = record.steps[0].image_size
                if screen.boxes and size is not None:
                    record.steps[0].tree = add_tree(context.media, _tree(screen.boxes, size))
                yield Read(trajectory=record)
            except TROUBLE as error:
                yield refused(error, context.shown, f"omniact:{key}" if key else None, number)


def _listed(value: Any, number: int) -> Screen:
    if not isinstance(value, dict) or not isinstance(value.get("task"), str):
        raise msgspec.ValidationError("A task is an object with a text `task`")
    identity = value.get("id")
    return Screen(
        str(identity) if isinstance(identity, str | int) else str(number), number, value["task"], value.get("image"),
        _boxes(value.get("box")),
    )  # fmt: skip


def _indexed(key: str, value: Any, number: int, pictures: Carrier, folder: Path) -> Screen:
    if not isinstance(value, dict) or not isinstance(value.get("task"), str):
        raise msgspec.ValidationError("A task is an object with a path `task`")
    text = pictures.content(local_name(value["task"]))
    if text is None:
        raise UnreadableError(
            "read.media_missing", f"The file of the task, {local_name(value['task'])!r}, is not there."
        )
    boxes: Any = None
    if isinstance(value.get("box"), str) and (data := pictures.content(local_name(value["box"]))) is not None:
        try:
            boxes = msgspec.json.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            boxes = None  # without its boxes a task is as good as with them
    return Screen(key, number, text.decode(), value.get("image"), _boxes(boxes))


def _boxes(given: Any) -> list[Labelled]:
    """Boxes as three lists (`top_left`, `bottom_right`, `label`) or as objects with these three."""
    if not isinstance(given, dict):
        return []
    names = ("label", "top_left", "bottom_right")
    if all(isinstance(given.get(name), list) for name in names):
        rows: list[tuple[Any, ...]] = list(zip(*(given[name] for name in names), strict=False))
    else:
        one = [row for row in given.values() if isinstance(row, dict)]
        rows = [(row.get("label") or row.get("text"), row.get("top_left"), row.get("bottom_right")) for row in one]
    found = []
    for label, start, end in rows:
        corners = [*start, *end] if isinstance(start, list) and isinstance(end, list) else []
        sides = [side for corner in corners if (side := finite_number(corner)) is not None]
        if len(sides) == 4 and isinstance(label, str):
            found.append(Labelled(label, (sides[0], sides[1], sides[2], sides[3])))
    return found


def _record(
    screen: Screen, path: Path, context: ReadContext, conventions: Conventions, pictures: Carrier
) -> Trajectory:
    said = _TEXT.fullmatch(screen.text)
    if said is None:
        raise UnreadableError("validate.schema", "The text of a task is `Task: ...` and `Output Script:`.")
    image = beside(path.parent, screen.image if isinstance(screen.image, str) else None, within=())
    size = pictures.size(image)
    if size is None:
        why = "is not there or is none; its points are pixels of it, and no other size is stated."
        raise UnreadableError("read.media_missing", f"Its picture, {str(image)[:200]!r}, {why}")
    acted = Coded(conventions, screen.key).step(said[2], 0, Around(size, size))
    step = Step(
        index=0,
        image=image,
        image_size=size,
        actions=acted.actions,
        code=code_of(acted.actions),
        element=_element(screen.boxes, size, acted.actions),
        flags=acted.flags,
    )
    final = set_moments([step], conventions)
    parts = local_name(screen.image).split("/") if isinstance(screen.image, str) else []
    kind, about = (parts[-3], parts[-2].lower()) if len(parts) >= 3 else ("", "")
    return Trajectory(
        id=f"omniact:{screen.key}",
        source=Origin(
            name="omniact", id=screen.key, file=context.shown, line=screen.number, license=conventions.license(),
            url=FACTS.card, importer="omniact@1",
        ),
        instruction=said[1],
        actor=Actor(kind="human"),
        platform=conventions.options.platform or ("web" if kind == "web" else None),
        apps=[about] if kind == "desktop" else [],
        sites=[about] if kind == "web" else [],
        steps=[step],
        final_image=final,
    )  # fmt: skip


def _tree(boxes: list[Labelled], size: Size) -> Tree:
    return Tree(time=0.0, nodes=[Node(name=box.label, box=place_box(*box.sides, *size)) for box in boxes])


def _element(boxes: list[Labelled], size: Size, actions: list[Action]) -> Element | None:
    """The smallest box that holds the first point."""
    point = point_of(actions)
    if point is None:
        return None
    x, y = point[0] * size[0], point[1] * size[1]
    there = [box for box in boxes if box.sides[0] <= x <= box.sides[2] and box.sides[1] <= y <= box.sides[3]]
    areas = [(box.sides[2] - box.sides[0]) * (box.sides[3] - box.sides[1]) for box in there]
    for _, box in sorted(zip(areas, there, strict=True), key=lambda pair: pair[0]):
        if (placed := place_box(*box.sides, *size)) is not None:
            return Element(name=box.label, box=placed)
    return None


SOURCE = OmniACT()
