"""Multimodal-Mind2Web: parquet tables with a row a step, its picture of the whole page in it; and SeeAct's
`queries.jsonl`, whose pictures lie beside it and are cropped.

A folder of such tables is one input, since a task's rows may go on in the next file. Pictures go to the media as they
are met; what waits for a task's other rows is small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.rejected import Rejected
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.embedded import embedded
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.heads import head, is_jsonl
from curate.sources.common.parquet_rows import columns_of
from curate.sources.common.parquet_rows import rows as table_rows
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import rejected
from curate.sources.common.row_files import rows_of
from curate.sources.common.step_rows import drained, first_of_each, mark_gaps, scratch
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts.mind2web_steps import (
    Chosen,
    Operation,
    chosen,
    from_json,
    index_of,
    page_size,
    shown,
    split_told,
    step_of,
)
from curate.store.jsonl import BadLine
from curate.store.trees import add_text_tree

_STEP = frozenset({"annotation_id", "action_uid", "operation", "pos_candidates", "target_action_index"})
_READ = (
    "annotation_id", "action_uid", "operation", "pos_candidates", "target_action_index", "target_action_reprs",
    "action_reprs", "confirmed_task", "website", "screenshot", "cleaned_html", "raw_html",
)  # fmt: skip

FACTS = Facts(
    title="Multimodal-Mind2Web",
    card="https://huggingface.co/datasets/osunlp/Multimodal-Mind2Web",
    space="page_pixel",
    outcome="Not told; no run has an action that ends it, and there is no picture after the last action.",
    licences={"": "openrail"},
    faults=(
        "Rows are steps, and a task's rows may go on in the next file: give the folder. Steps are ordered by "
        "`target_action_index`; missing ones leave a gap flagged `step_gap`.",
        "761 rows name no element (`pos_candidates` is empty): they have no point and are flagged `no_target`.",
        "Elements that are not shown have the box `-1,-1,-1,-1`: they have no place.",
        "Some boxes lie outside their picture: their points are null, flagged `off_screen`.",
        "`op` calls HOVER and ENTER clicks: what was done is in `original_op`.",
        "Each picture has the size of its page, up to 100 megapixels.",
        "SeeAct's pictures show a part of the page, its boxes speak of the whole: such a picture is told by its shape, "
        "and has no point, flagged `picture_cropped`.",
        "The files are named after official splits: `lineage` says which.",
        "Of the page's two texts the cleaned one is kept; elements that were not acted on (`neg_candidates`) are not.",
    ),
)


class Waiting(msgspec.Struct):
    """What is kept of a row until the task's other rows are there."""

    operation: Operation
    element: Chosen | None
    task: str
    action_uid: str
    website: str | None
    words: str | None
    picture: str | None
    name: str | None
    size: Size | None
    page: tuple[float, float] | None
    tree: str | None
    flags: list[str]


class MultimodalMind2Web:
    """The source `multimodal_mind2web`."""

    name = "multimodal_mind2web"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A table of such steps, a folder whose tables are all such, or SeeAct's queries."""
        if path.is_dir():
            tables = _tables(path)
            return bool(tables) and all(_is_table(table) for table in tables)
        return _is_table(path) or (is_jsonl(path) and any(row.keys() >= _STEP for row in head(path).objects[:1]))

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every task, or why a row is none of its steps."""
        conventions = Conventions(FACTS, context)
        pictures = Carrier(path if path.is_dir() else path.parent, context)
        trouble: list[Rejected] = []
        for group in grouped(_keyed(path, context, pictures, trouble), scratch(context)):
            yield from drained(trouble)
            identity = f"multimodal_mind2web:{group.key}"
            kept, others = first_of_each(group, identity)
            yield from others
            try:
                yield Read(trajectory=_record(group, kept, identity, context, conventions, pictures))
            except TROUBLE as error:
                yield refused(error, context.shown, identity, kept[0].line)
        yield from drained(trouble)


def _is_table(path: Path) -> bool:
    return columns_of(path) >= _STEP | {"screenshot"}


def _tables(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".parquet" and path.name[0] != ".")


def _keyed(path: Path, context: ReadContext, pictures: Carrier, trouble: list[Rejected]) -> Iterator[Keyed]:
    for shown_name, item in _rows(path, context):
        if isinstance(item, BadLine):
            trouble.append(rejected(shown_name, item.reason, item.detail, None, item.number))
            continue
        number, values = item
        key = values.get("annotation_id")
        identity = f"multimodal_mind2web:{key}" if isinstance(key, str) and key else None
        try:
            waiting = _waiting(values, path, context, pictures)
            place = index_of(values.get("target_action_index"))
        except TROUBLE as error:
            trouble.append(refused(error, shown_name, identity, number))
            continue
        yield Keyed(str(key), place, shown_name, number, msgspec.json.encode(waiting))


def _rows(path: Path, context: ReadContext) -> Iterator[tuple[str, Any]]:
    if is_jsonl(path):
        yield from ((context.shown, item) for item in rows_of(path, context))
    for table in _tables(path) if path.is_dir() else [] if is_jsonl(path) else [path]:
        name = context.shown if table == path else f"{context.shown}/{table.name}"
        wanted = [column for column in _READ if column in columns_of(table)]
        yield from ((name, item) for item in table_rows(table, wanted))


def _waiting(values: dict[str, Any], path: Path, context: ReadContext, pictures: Carrier) -> Waiting:
    whole, cleaned = (_text(values.get(name)) for name in ("raw_html", "cleaned_html"))
    page = cleaned or whole
    picture, name, size, flags = _picture(values, path, context, pictures)
    reprs, place = values.get("action_reprs"), index_of(values.get("target_action_index"))
    words = values.get("target_action_reprs") or (
        reprs[place] if isinstance(reprs, list) and place < len(reprs) else None
    )
    return msgspec.convert(
        {
            "operation": from_json(values.get("operation"), Operation),
            "element": chosen(values.get("pos_candidates") or []),
            "task": values.get("confirmed_task"), "action_uid": values.get("action_uid"),
            "website": values.get("website"), "words": words, "picture": picture, "name": name, "size": size,
            "page": page_size(whole) or page_size(page),
            "tree": add_text_tree(context.media, page, "html.zst") if page else None, "flags": flags,
        },
        Waiting,
    )  # fmt: skip


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _picture(
    values: dict[str, Any], path: Path, context: ReadContext, pictures: Carrier
) -> tuple[str | None, str | None, Size | None, list[str]]:
    """The step's picture: in the media, or the name of a file beside the table; its size, and flags."""
    held = values.get("screenshot")
    data = held.get("bytes") if isinstance(held, dict) else held
    if isinstance(data, bytes):
        found = embedded(data, context.media)
        return found.reference, None, found.size, found.flags
    named = values.get("image_path") or (held.get("path") if isinstance(held, dict) else None)
    folder = path if path.is_dir() else path.parent
    name = beside(folder, named) if isinstance(named, str) else None
    return None, name, pictures.size(name), []


def _record(
    group: Group, kept: list[Keyed], identity: str, context: ReadContext, conventions: Conventions, pictures: Carrier
) -> Trajectory:
    rows = [(one, msgspec.json.decode(one.data, type=Waiting)) for one in kept]
    steps = [_step(row, one.order, identity, conventions) for one, row in rows]
    mark_gaps(steps)
    first = rows[0][1]
    record = Trajectory(
        id=identity,
        source=Origin(
            name="multimodal_mind2web", id=group.key, file=kept[0].file, line=kept[0].line,
            license=conventions.license(), url=FACTS.card, importer="multimodal_mind2web@1",
        ),
        instruction=first.task,
        actor=Actor(kind="human"),
        platform="web",
        sites=[first.website] if first.website else [],
        steps=steps,
        lineage=split_told(FACTS.title, kept[0].file),
    )  # fmt: skip
    pictures.carry(record)
    for step, (_, row) in zip(record.steps, rows, strict=True):
        step.image = step.image or row.picture
        step.tree = row.tree
    return record


def _step(row: Waiting, index: int, identity: str, conventions: Conventions) -> Step:
    step = step_of(
        row.operation, row.element, index=index, words=(row.words or "").strip() or None,
        picture=shown(row.size, row.page), conventions=conventions, record=identity, has_page=row.tree is not None,
    )  # fmt: skip
    step.image = row.name
    step.image_size = row.size
    step.flags = sorted({*step.flags, *row.flags})
    return step


SOURCE = MultimodalMind2Web()
