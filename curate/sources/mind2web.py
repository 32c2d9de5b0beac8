"""Mind2Web as it was first published: JSON lists of whole tasks, `{"annotation_id", "website", "confirmed_task",
"action_reprs", "actions": [{"action_uid", "raw_html", "cleaned_html", "operation", "pos_candidates", ...}]}`, without
pictures; and SeeClick's port of it, whose actions have a `bbox` in pixels of a picture cropped for them.

Without a picture a step names its element by the number that its page's text gives it, and keeps the element's box in
pixels of the page as `raw_box`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import MIND2WEB_TASK_LIMIT
from curate.model.rejected import Rejected
from curate.model.trajectory import Actor, Origin, RawBox, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.json_stream import elements, first_object, is_json
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import rejected
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts.mind2web_steps import Operation, Shown, chosen, split_told, step_of
from curate.store.jsonl import BadLine
from curate.store.trees import add_text_tree

FACTS = Facts(
    title="Mind2Web",
    card="https://huggingface.co/datasets/osunlp/Mind2Web",
    space="page_pixel",
    outcome="Not told; no run has an action that ends it.",
    licences={"": "CC-BY-4.0"},
    faults=(
        "The published tasks have no pictures: a step names its element by number, and its page is kept.",
        "`op` calls HOVER and ENTER clicks: what was done is in `original_op`.",
        "Elements that are not shown have the box `-1,-1,-1,-1`: they have no place.",
        "Steps without an element (`pos_candidates` is empty) have no point and are flagged `no_target`.",
        "SeeClick's port measures boxes on pictures that it has cropped: there the point is on the picture.",
        "The files are named after official splits: `lineage` says which.",
        "Of the page's two texts the cleaned one is kept; elements that were not acted on (`neg_candidates`) are not.",
    ),
)


class Box(msgspec.Struct):
    """A box of SeeClick's port, in pixels of its picture."""

    x: float
    y: float
    width: float
    height: float


class Done(msgspec.Struct):
    """One step."""

    operation: Operation
    action_uid: str | None = None
    pos_candidates: list[Any] = []
    cleaned_html: str | None = None
    raw_html: str | None = None
    bbox: Box | None = None


class Task(msgspec.Struct):
    """One run."""

    annotation_id: str
    confirmed_task: str
    actions: list[Done]
    website: str | None = None
    action_reprs: list[str] = []


class Mind2Web:
    """The source `mind2web`."""

    name = "mind2web"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON whose first object is such a task, or one action of one."""
        if not is_json(path):
            return False
        first = first_object(path)
        return {"annotation_id", "actions"} <= first.keys() or {
            "action_uid",
            "operation",
            "pos_candidates",
        } <= first.keys()

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every task, or why an element of the list is none."""
        if "annotation_id" not in first_object(path):
            why = "It holds an action by itself: no task (`confirmed_task`), and no picture or page it was done on."
            yield rejected(context.shown, "import.no_task", why)
            return
        conventions, pictures = Conventions(FACTS, context), Carrier(path.parent, context)
        for item in elements(path, limit=MIND2WEB_TASK_LIMIT):
            if isinstance(item, BadLine):
                yield rejected(context.shown, item.reason, item.detail, None, item.number)
                continue
            own = item.value.get("annotation_id") if isinstance(item.value, dict) else None
            identity = f"mind2web:{own}" if isinstance(own, str) and own else None
            try:
                task = msgspec.convert(item.value, Task)
                identity = f"mind2web:{task.annotation_id}"
                record = _record(task, identity, path.parent, context, conventions, pictures)
                record.source = Origin(
                    name="mind2web", id=task.annotation_id, file=context.shown, line=item.number,
                    license=conventions.license(), url=FACTS.card, importer="mind2web@1",
                )  # fmt: skip
                yield Read(trajectory=record)
            except TROUBLE as error:
                yield refused(error, context.shown, identity, item.number)


def _record(
    task: Task, identity: str, folder: Path, context: ReadContext, conventions: Conventions, pictures: Carrier
) -> Trajectory:
    steps = []
    for index, done in enumerate(task.actions):
        words = task.action_reprs[index].strip() if index < len(task.action_reprs) else None
        steps.append(_step(done, index, words or None, task, identity, folder, conventions, pictures))
    record = Trajectory(
        id=identity,
        source=Origin(name="mind2web"),
        instruction=task.confirmed_task,
        actor=Actor(kind="human"),
        platform="web",
        sites=[task.website] if task.website else [],
        steps=steps,
        lineage=split_told(FACTS.title, context.shown),
    )
    pictures.carry(record)
    for step, done in zip(record.steps, task.actions, strict=True):
        page = done.cleaned_html or done.raw_html
        step.tree = add_text_tree(context.media, page, "html.zst") if page else None
    return record


def _step(
    done: Done, index: int, words: str | None, task: Task, identity: str, folder: Path, conventions: Conventions,
    pictures: Carrier,
) -> Step:  # fmt: skip
    image, box, size = None, None, None
    if done.bbox is not None:
        image = beside(folder, f"{task.annotation_id}-{done.action_uid}.jpg", ("mind2web_images", "images"))
        size, box = pictures.size(image), _sides(done.bbox)
    step = step_of(
        done.operation, chosen(done.pos_candidates), index=index, words=words, picture=Shown(size),
        conventions=conventions, record=identity, has_page=bool(done.cleaned_html or done.raw_html), box=box,
    )  # fmt: skip
    step.image, step.image_size = image, size
    return step


def _sides(box: Box) -> RawBox:
    return box.x, box.y, box.x + box.width, box.y + box.height


SOURCE = Mind2Web()
