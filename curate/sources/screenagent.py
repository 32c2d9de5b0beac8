"""ScreenAgent: sessions of rows, each with a picture, what a model answered and what an annotator made of it. Three
forms: a JSON list of sessions (lists of rows), a JSON list of rows, or a folder a session with a JSON file a row.

`actions`, what was done, is JSON in a string. A row that plans gives the sub-tasks (`task.steps`); one that judges a
sub-task is what the step before it is said to have led to: its words become that step's reflection, its picture the one
after that step. All others are steps."""

from __future__ import annotations

import heapq
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Action
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Origin, Platform, Screen, Step, Task, Trajectory
from curate.sources.actions.screenagent import read_action
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Keyed, grouped
from curate.sources.common.json_stream import beginning, elements, is_json, whole
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.step_rows import drained, scratch
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine

_KEYS = frozenset({"session_id", "saved_image_name", "actions"})
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LISTED = re.compile(r"\s*[\[{].*[\]}]\s*", re.DOTALL)
_SYSTEM = re.compile(r"familiar with the (Linux|Windows|Mac)", re.IGNORECASE)
_SUBTASK = re.compile(r"(?:sub[ -]?task is|子任务是)\s*[\"“](.+?)[\"”]", re.IGNORECASE)
_SYSTEMS: dict[str, Platform] = {"linux": "linux", "windows": "windows", "mac": "macos"}
_JUDGES, _PLANS = "EvaluateSubTaskAction", "PlanAction"

FACTS = Facts(
    title="ScreenAgent",
    card="https://github.com/niuzaisheng/ScreenAgent",
    space="screen_pixel",
    order="xy",
    scroll="view",
    timing="before",
    outcome="None: sub-tasks are judged, the run is not.",
    licences={"": None},
    faults=(
        "`LLM_response` has stray backslashes and was corrected by annotators: only their version is read.",
        "A plan is no step: its sub-tasks stand in `task.steps`. A judgement is the reflection of the step before it.",
        "A drag is from where the pointer was left.",
        "Actions without a type (a mouse button pressed alone) leave their step without actions, flagged "
        "`unsupported_action`.",
    ),
)


class Row(msgspec.Struct):
    """One row."""

    session_id: str
    actions: str | list[Any] | None = None
    saved_image_name: str | None = None
    task_prompt: str | None = None
    task_prompt_en: str | None = None
    task_prompt_zh: str | None = None
    send_prompt: str | None = None
    send_prompt_en: str | None = None
    video_width: int | None = None
    video_height: int | None = None
    LLM_response_editer: str | None = None
    LLM_response_editer_en: str | None = None


class ScreenAgent:
    """The source `screenagent`."""

    name = "screenagent"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A JSON list of either form, or the folder of a session."""
        if path.is_dir():
            files = _files(path, most=1)
            start = beginning(files[0]) if files else None
            return isinstance(start, dict) and start.keys() >= _KEYS
        start = beginning(path) if is_json(path) else None
        first = start[0] if isinstance(start, list) and start else None
        row = first[0] if isinstance(first, list) and first else first
        return isinstance(row, dict) and row.keys() >= _KEYS

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every session."""
        trouble: list[Rejected] = []
        folder = path if path.is_dir() else path.parent
        pictures, conventions = Carrier(folder, context), Conventions(FACTS, context)
        for group in grouped(_keyed(path, context, trouble), scratch(context)):
            yield from drained(trouble)
            rows = [msgspec.json.decode(row.data, type=Row) for row in group.rows]
            identity = f"screenagent:{group.key}"
            try:
                record = _record(rows, folder, conventions)
                record.id = identity
                record.source = Origin(
                    name="screenagent", id=group.key, file=context.shown, line=group.rows[0].line,
                    license=conventions.license(), url=FACTS.card, importer="screenagent@1",
                )  # fmt: skip
                yield Read(trajectory=pictures.carry(record))
            except TROUBLE as error:
                yield refused(error, context.shown, identity, group.rows[0].line)
        yield from drained(trouble)


def _files(folder: Path, most: int | None = None) -> list[Path]:
    """The JSON files of a folder by name; at most so many of the first."""
    names = (entry.name for entry in os.scandir(folder) if entry.name.lower().endswith(".json"))
    chosen = sorted(names) if most is None else heapq.nsmallest(most, names)
    return [folder / name for name in chosen if (folder / name).is_file()]


def _keyed(path: Path, context: ReadContext, trouble: list[Rejected]) -> Iterator[Keyed]:
    """Rows by session, in the order in which they stand."""
    place = 0
    for number, value in _values(path, context, trouble):
        for one in value if isinstance(value, list) else [value]:
            try:
                row = msgspec.convert(one, Row)
            except TROUBLE as error:
                trouble.append(refused(error, context.shown, None, number))
                continue
            place += 1
            yield Keyed(row.session_id, place, context.shown, number, msgspec.json.encode(row))


def _values(path: Path, context: ReadContext, trouble: list[Rejected]) -> Iterator[tuple[int, Any]]:
    if path.is_dir():
        for number, file in enumerate(_files(path), start=1):
            try:
                yield number, whole(file, dict[str, Any])
            except TROUBLE as error:
                trouble.append(refused(error, context.shown, None, number))
        return
    for item in elements(path):
        if isinstance(item, BadLine):
            trouble.append(rejected(context.shown, item.reason, item.detail, None, item.number))
        else:
            yield item.number, item.value


def _record(rows: Sequence[Row], folder: Path, conventions: Conventions) -> Trajectory:
    """The record without its id and origin."""
    first = rows[0]
    instruction = first.task_prompt_en or first.task_prompt or first.task_prompt_zh
    if not instruction:
        raise UnreadableError("import.no_task", "No row says what the task was.")
    others = {"task_prompt_zh": first.task_prompt_zh or first.task_prompt}
    said = _SYSTEM.search(first.send_prompt_en or first.send_prompt or "")
    platform = conventions.options.platform or (_SYSTEMS[said[1].lower()] if said else None)
    coded = Coded(conventions, first.session_id, platform)
    steps: list[Step] = []
    plan: list[str] = []
    for place, row in enumerate(rows):
        actions = _actions(row, place)
        kinds = {action.get("action_type") for action in actions}
        image = beside(folder, row.saved_image_name)
        if kinds == {_PLANS}:
            plan = [str(action.get("element")) for action in actions if action.get("element")]
        elif kinds == {_JUDGES} and steps:
            situation = next((str(action.get("situation")) for action in actions), "")
            steps[-1].reflection = _prose(row) or situation or None
            steps[-1].image_after = image
        elif kinds != {_JUDGES}:
            steps.append(_step(row, len(steps), image, actions, coded))
    if not steps:
        raise UnreadableError("import.not_gui", "The session plans and judges, and does nothing on the screen.")
    final = set_moments(steps, conventions)
    return Trajectory(
        id="",
        source=Origin(name="screenagent"),
        instruction=instruction,
        wordings={name: text for name, text in others.items() if text and text != instruction},
        task=Task(steps=plan or None),
        platform=platform,
        steps=steps,
        final_image=final or steps[-1].image_after,
    )


def _step(row: Row, index: int, image: str | None, given: Sequence[Mapping[str, Any]], coded: Coded) -> Step:
    size = _screen(row)
    acted = _acted(given, index, size, coded)
    part = _SUBTASK.search(row.send_prompt_en or "") or _SUBTASK.search(row.send_prompt or "")
    return Step(
        index=index,
        image=image,
        screen=Screen(width=size[0], height=size[1]) if size else None,
        thought=_prose(row),
        action=json.dumps(list(given), ensure_ascii=False) if "unsupported_action" in acted.flags else None,
        low_level=part[1] if part else None,
        actions=acted.actions,
        code=code_of(acted.actions),
        flags=acted.flags,
    )


def _acted(given: Iterable[Mapping[str, Any]], index: int, size: Size | None, coded: Coded) -> Framed:
    """The actions of a row, all of them or none."""
    found: list[Action] = []
    flags: set[str] = set()
    for one in given:
        read = read_action(one, coded.pointer, coded.platform)
        if read is None:
            return Framed([], ["unsupported_action"])
        if isinstance(read, tuple):
            found.append(coded.scroll(read[0], float(read[1]), index))
            continue
        acted = coded.acted(read, index, Around(picture=size, screen=size))
        found += acted.actions
        flags.update(acted.flags)
    return Framed(found, sorted(flags))


def _actions(row: Row, place: int) -> list[Mapping[str, Any]]:
    """What a row did, as objects. Raises UnreadableError."""
    given: Any = row.actions
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError) as error:
            raise UnreadableError("read.json", f"Row {place}: its actions are no JSON: {str(error)[:80]}.") from error
    listed = given if isinstance(given, list) else [given]
    if not all(isinstance(one, dict) for one in listed):
        raise UnreadableError("validate.schema", f"Row {place}: an action is an object.")
    return listed


def _prose(row: Row) -> str | None:
    """The annotator's answer without its actions."""
    text = _FENCED.sub("", row.LLM_response_editer_en or row.LLM_response_editer or "").strip()
    return None if _LISTED.fullmatch(text) else text or None


def _screen(row: Row) -> Size | None:
    width, height = row.video_width, row.video_height
    return (width, height) if width and height and width > 0 and height > 0 else None


SOURCE = ScreenAgent()
