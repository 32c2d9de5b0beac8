"""Training rows in chat form, read back: those of OpenCUA, of the Qwen models' tool calls, of LLaMA-Factory, ms-swift
and TRL, and our own `messages`. A row is a step: its last model's turn says the action, the turns and texts before it
the task and the steps before. A run is the rows that go on with each other. Rows of UI-TARS, Aguvis and ScaleCUA have
sources of their own; this one takes what none of them knows, and says of rows that hold no action what they are.

Code is in fractions of the picture or in pixels of it as Qwen2.5-VL's processor resizes it, told by the numbers; the
coordinates of tool calls by the resolution that the prompt names, else by the data; those of ms-swift's `objects` are
pixels of the picture as it lies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.formats.smart_resize import QWEN2_VL
from curate.model.actions import Action
from curate.model.parse import parse
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.actions.qwen_tools import actions_of
from curate.sources.base import Read, ReadContext
from curate.sources.common.chains import Told, chains
from curate.sources.common.chat_rows import is_chat, messages_of
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.embedded import Embedded, embedded
from curate.sources.common.facts import Facts, Space
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.previous import plain
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_row_file, rows_of
from curate.sources.common.step_rows import drained, mark_gaps, scratch
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts.chat_answers import answers, is_place, task_of
from curate.store.jsonl import BadLine
from curate.store.media import MediaStore
from curate.store.picture_size import picture_size

FACTS = Facts(
    title="Training rows in chat form",
    card="formats.md",
    space=None,
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="None beyond what a final `terminate(status=...)` claims.",
    licences={"": None},
    faults=(
        "Code is in fractions, or in pixels after Qwen2.5-VL's resize where a number is above 1.",
        "Tool calls are in thousandths where the prompt names a resolution of 1000 x 1000 (or 999), in pixels where it "
        "names another; else the data decides, or `import.space`.",
        "A tool's `scroll` counts pixels by its description, and is read so; agents that hand the number to PyAutoGUI "
        "(and our own rows without `notch_pixels`) mean notches.",
        "Steps that are told and not learnt (wrong, redundant, before the history begins) are in no row: `step_gap`.",
        "Rows that hold no action (questions about pictures; a place alone) are no steps: `import.not_gui`.",
        "A row whose task is one step's instruction (`low_level`, grounding) is a run of one step.",
        "Sections that a row leaves out (a thought at level L1) are not known.",
    ),
    companions=("*dataset_info.json", "*.weights.jsonl", "*.steps_left_out.jsonl"),
)
_RESOLUTION = re.compile(r"resolution(?: is|:)? (\d{2,5}) ?[xX×] ?(\d{2,5})")
_GRID = ((1000, 1000), (999, 999))
_MARKS = ("## Code:", "<tool_call>", "<action>")


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a row says of its step. `place`: how many steps came before it; `before`: their words, null where the row
    does not tell all of them; `screen`: the resolution that its prompt names; `points`: what `<bbox>` stands for, as
    `fractions` or pixels; `single`: its task is one step, so that it is a run by itself; `picture`: the name in the
    media of a picture that stands in the row."""

    task: str
    place: int
    before: list[str] | None
    observation: str | None
    thought: str | None
    words: str | None
    code: str | None
    tools: list[str]
    image: str | None
    picture: str | None
    screen: Size | None
    points: list[list[float]]
    fractions: bool
    single: bool
    damaged: bool
    weight: float | None
    line: int


class TrainingChats:
    """The source `training_chats`."""

    name = "training_chats"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A file of chat rows, or of what is left of one, that no other source knows."""
        row = first_row(path) if is_row_file(path) else {}
        return bool(row) and (is_chat(row) or _is_rest(row)) and not _is_anothers(path)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run that the rows make up, in order of their first rows."""
        file, told = _File(path, context), list[Rejected]()
        for group in grouped(_keyed(path, context, told), scratch(context)):
            yield from drained(told)
            yield from file.runs_of(group)
        yield from drained(told)


def _is_rest(row: Mapping[str, Any]) -> bool:
    """Whether a row holds an answer and nothing that it answers."""
    texts = [value for value in row.values() if isinstance(value, str)]
    return any(mark in text for text in texts for mark in _MARKS) and any(answers(text)[0].acts for text in texts)


def _is_anothers(path: Path) -> bool:
    from curate.sources.registry import sources  # which imports this module

    return any(one.recognise(path) for name, one in sources().items() if name != "training_chats")


def _keyed(path: Path, context: ReadContext, told: list[Rejected]) -> Iterator[Keyed]:
    for item in rows_of(path, context):
        if isinstance(item, BadLine):
            told.append(rejected(context.shown, item.reason, item.detail, None, item.number))
            continue
        try:
            row = msgspec.convert(item.value, dict[str, Any])
            said = _said(row, item.number, context.media)
        except TROUBLE as error:
            told.append(refused(error, context.shown, None, item.number))
            continue
        run = row.get("trajectory")
        key = f"run {run}" if isinstance(run, str) else f"task {said.task}"
        key = f"row {item.number}" if said.single else key
        yield Keyed(key, said.place, context.shown, item.number, msgspec.json.encode(said))


def _said(row: Mapping[str, Any], line: int, media: MediaStore) -> Said:
    if not is_chat(row) and _is_rest(row):
        raise UnreadableError("import.no_task", "The row holds a model's answer alone: no task and no picture.")
    messages = messages_of(row)
    if not messages or messages[-1].role != "assistant":
        raise UnreadableError("import.not_gui", "The last turn is not the model's: there is nothing to learn.")
    asked = [one for one in messages if one.role == "user"]
    *earlier, own = answers(messages[-1].text)
    if not own.acts:
        text = messages[-1].text
        what = "names a place and no action" if is_place(text) else f"holds no action: {text.strip()[:80]!r}"
        raise UnreadableError("import.not_gui", f"The answer {what}.")
    task = task_of([one.text for one in asked])
    if task is None:
        raise UnreadableError("import.no_task", "No user's turn says what is to be done.")
    told = [one for turn in messages[:-1] if turn.role == "assistant" for one in answers(turn.text)]
    before = [*task.before, *(plain(one.words or "") for one in (*told, *earlier))]
    place = 0 if task.whole else _place(row, own.number, len(before))
    known = len(before) == place and "trajectory" not in row
    image = next((one.images[-1] for one in reversed(asked) if one.images), None)
    inside = embedded(image, media) if isinstance(image, bytes) else None
    screen = _RESOLUTION.search("\n".join(one.text for one in messages if one.role == "system"))
    weight = row.get("weight")
    return Said(
        task=task.task,
        place=place,
        before=before if known else None,
        observation=own.observation,
        thought=own.thought,
        words=own.words or (task.task if task.whole else None),
        code=own.code,
        tools=list(own.tools),
        image=image if isinstance(image, str) else None,
        picture=inside and inside.reference,
        damaged=inside is not None and inside.reference is None,
        screen=(int(screen[1]), int(screen[2])) if screen else None,
        points=_points(row.get("objects")),
        fractions=_is_norm(row.get("objects")),
        single=task.whole,
        weight=float(weight) if isinstance(weight, int | float) and weight != 1 else None,
        line=line,
    )


def _place(row: Mapping[str, Any], number: int | None, before: int) -> int:
    """How many steps came before: our own rows say so, some answers do, else those that were told."""
    own = row.get("step")
    if isinstance(own, int) and not isinstance(own, bool) and 0 <= own < 1 << 31:
        return own
    return before if number is None else max(0, number - 1)


def _points(objects: Any) -> list[list[float]]:
    boxes = objects.get("bbox") if isinstance(objects, dict) else None
    return msgspec.convert(boxes, list[list[float]]) if boxes else []


def _is_norm(objects: Any) -> bool:
    return isinstance(objects, dict) and objects.get("bbox_type") == "norm1"


class _File:
    """Makes records of the groups of one file."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._path, self._context, self._pictures = path, context, Carrier(path.parent, context)
        self._conventions: dict[Space | None, Conventions] = {}

    def runs_of(self, group: Group) -> Iterator[Read | Rejected]:
        """The runs of one task, or of one of our own runs."""
        rows = [msgspec.json.decode(row.data, type=Said) for row in group.rows]
        tellings = [Told(row.place, row.before, plain(row.words or ""), row) for row in rows]
        name = group.key.removeprefix("run ") if group.key.startswith("run ") else None
        for number, run in enumerate(chains(tellings)):
            first = run[0].row.line
            identity = f"training_chats:{name or f'{self._path.stem}/{first}'}" + (
                f"#{first}" if number and name else ""
            )
            try:
                yield Read(trajectory=self._record([told.row for told in run], identity))
            except TROUBLE as error:
                yield refused(error, self._context.shown, identity, first)

    def _record(self, rows: Sequence[Said], identity: str) -> Trajectory:
        conventions = self._in(_space_of(rows[0]))
        pointers: dict[Space | None, Coded] = {}  # where each frame's steps left the pointer
        steps = [self._step(row, identity, pointers) for row in rows]
        mark_gaps(steps)
        record = Trajectory(
            id=identity,
            source=Origin(
                name="training_chats", id=identity.removeprefix("training_chats:"), file=self._context.shown,
                line=rows[0].line, license=conventions.license(), importer="training_chats@1",
            ),
            instruction=rows[0].task,
            actor=Actor(),
            platform=conventions.options.platform,
            final_image=set_moments(steps, conventions),
            steps=steps,
        )  # fmt: skip
        record = self._pictures.carry(record)
        for row, step in zip(rows, record.steps, strict=True):
            step.image = step.image or row.picture
            step.flags = sorted({*step.flags, *(Embedded(None, None).flags if row.damaged else [])})
        return record

    def _step(self, row: Said, identity: str, pointers: dict[Space | None, Coded]) -> Step:
        image = beside(self._path.parent, row.image)
        space = _space_of(row)
        conventions = self._in(space)
        coded = pointers.setdefault(space, Coded(conventions, identity, conventions.options.platform))
        acted = _acted(row, coded, self._seen_size(row, image))
        return Step(
            index=row.place, image=image, observation=row.observation, thought=row.thought, action=row.words,
            actions=acted.actions, code=code_of(acted.actions), weight=row.weight, flags=acted.flags,
        )  # fmt: skip

    def _in(self, space: Space | None) -> Conventions:
        if space not in self._conventions:
            self._conventions[space] = Conventions(msgspec.structs.replace(FACTS, space=space), self._context)
        return self._conventions[space]

    def _seen_size(self, row: Said, image: str | None) -> Size | None:
        """The size of the picture that coordinates speak of: as it lies, or as the model's processor resizes it."""
        if row.screen is not None and row.screen not in _GRID:
            return row.screen
        size = self._pictures.size(image)
        if row.picture is not None:
            with self._context.media.open(row.picture) as file:
                size = picture_size(file)
        return size if size is None or row.points else QWEN2_VL.size(*size)


def _space_of(row: Said) -> Space | None:
    """The frame that a row itself tells; None where it does not."""
    if row.points:
        return "fraction" if row.fractions else "picture_pixel"
    if row.tools:
        return None if row.screen is None else "permille" if row.screen in _GRID else "picture_pixel"
    return "picture_pixel" if any(value > 1 for value in _numbers(row.code or "")) else "fraction"


def _numbers(code: str) -> Iterator[float]:
    for action in parse(code, pixels=True):
        yield from _places(action)


def _places(action: Action) -> Iterator[float]:
    for name in ("x", "y", "to_x", "to_y"):
        if isinstance(value := getattr(action, name, None), int | float):
            yield value


def _acted(row: Said, coded: Coded, size: Size | None) -> Framed:
    around = Around(picture=size, words=row.words)
    if row.tools:
        done = actions_of(row.tools, coded.platform)
        acted = coded.acted(done.actions, row.place, around)
        return Framed(acted.actions, sorted({*acted.flags, *done.flags}))
    code = row.code or ""
    for point in row.points:
        if len(point) != 2:
            raise UnreadableError("import.not_gui", "A box stands where an action would have its point.")
        code = re.sub(r"(['\"])<bbox>\1", f"'({point[0]:g},{point[1]:g})'", code, count=1)
    return coded.step(code, row.place, around)


SOURCE = TrainingChats()
