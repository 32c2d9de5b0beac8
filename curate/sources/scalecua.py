"""ScaleCUA's navigation rows: `{"image", "conversations": [human, gpt], "width", "height"}`, a row a step. The human
text holds the task and the operations before this one; the answer holds `<think>`, `<operation>` (words) and `<action>`
(code in fractions of the picture). A run is the rows of one picture folder and one task that go on with each other.

The number of a desktop `scroll(clicks=N)` is + = down by what was measured on the data and + = up in the publisher's
own agent: the step's words decide, where they say nothing the data as a whole, and otherwise the run is refused. The
word of a `swipe(direction=...)` is the finger's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Action, Terminate
from curate.model.calls import CodeError, read_calls
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Platform, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.chains import Told, chains
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.json_stream import beginning
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside, local_name
from curate.sources.common.pictures import Carrier
from curate.sources.common.previous import listed, plain
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_rows, is_row_file, rows_of
from curate.sources.common.step_numbers import GAP, gaps
from curate.sources.common.step_rows import drained, scratch
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.detector.scroll import direction_in
from curate.store.jsonl import BadLine

_CALL_USER = re.compile(r"call_user\([^()]*\)")
_HUMAN = re.compile(r"Task:\s*(.*?)\s*Previous operations:\s*(.*)", re.DOTALL)
_TAGS = {name: re.compile(rf"<{name}>\s*(.*?)\s*</{name}>", re.DOTALL) for name in ("think", "operation", "action")}
_PLATFORMS: dict[str, Platform] = {
    "ubuntu": "linux", "linux": "linux", "windows": "windows", "macos": "macos", "mac": "macos", "web": "web",
    "android": "android", "iphone": "ios", "ios": "ios",
}  # fmt: skip

FACTS = Facts(
    title="ScaleCUA-Data",
    card="https://huggingface.co/datasets/OpenGVLab/ScaleCUA-Data",
    space="fraction",
    order="xy",
    scroll=None,
    timing="before",
    outcome="None beyond what a final `terminate(status=...)` claims.",
    licences={"": "Apache-2.0"},
    faults=(
        "The sign of desktop scrolls contradicts itself (measured: + is down; the publisher's own agent: + is up): the "
        "words of the step decide (`scroll_from_words`), else the data as a whole, else the run is refused.",
        "`swipe(direction=...)` names the finger's way; without points it scrolls by `amount` of a page, or one page.",
        "Arguments that are prose or stand in the wrong place (`clicks=40`, `press(keys='...')`) refuse the run.",
        "`call_user()` has no action in a record: the step keeps its words, flagged `unsupported_action`.",
        "Rows without an action (captions, boxes in thousandths, icon canvases) are no steps: `import.not_gui`.",
        "A row whose history names operations that no row holds leaves a gap: `step_gap`. A copied row stands alone.",
        "Folders hold tasks of AndroidLab's test set with other words in them: check for leaks by folder.",
        "The platform stands only in the name of the annotation file or its entry in `meta.json`.",
    ),
    companions=("meta.json", "*/meta.json"),
)


class Turn(msgspec.Struct):
    """One message of a row."""

    value: str
    sender: str = msgspec.field(name="from", default="")


class Row(msgspec.Struct):
    """One step."""

    image: str | list[str] | None
    conversations: list[Turn]
    width: int | None = None
    height: int | None = None
    trajectory: str | None = None  # of rows that this project wrote


class Said(msgspec.Struct, frozen=True):
    """What a row says. `before`: the operations before it; `run`: what the rows of a run have in common."""

    task: str
    before: list[str]
    thought: str | None
    operation: str | None
    action: str
    image: str | None
    size: Size | None
    run: str
    line: int


class ScaleCUA:
    """The source `scalecua`."""

    name = "scalecua"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A file of rows in which one of the first rows is such a step."""
        return is_row_file(path) and any(_is_row(row) for row in first_rows(path))

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run that rows make up, in order of their first rows."""
        conventions = Conventions(FACTS, context)
        platform, root = _of_file(path)
        run = _Runs(path.parent, root, conventions, context, conventions.options.platform or platform)
        told: list[Rejected] = []
        for group in grouped(_keyed(path, context, told), scratch(context)):
            yield from drained(told)
            yield from run.of(group)
        yield from drained(told)


def _is_row(row: dict[str, Any]) -> bool:
    turns = row.get("conversations")
    values = [turn.get("value") for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
    return "image" in row and any(isinstance(value, str) and "<action>" in value for value in values)


def _keyed(path: Path, context: ReadContext, told: list[Rejected]) -> Iterator[Keyed]:
    for row in rows_of(path, context):
        if isinstance(row, BadLine):
            told.append(rejected(context.shown, row.reason, row.detail, None, row.number))
            continue
        try:
            said = _said(msgspec.convert(row.value, Row), row.number)
        except TROUBLE as error:
            told.append(refused(error, context.shown, None, row.number))
            continue
        key = f"{said.run}\n{said.task}"
        yield Keyed(key, len(said.before), context.shown, row.number, msgspec.json.encode(said))


def _said(row: Row, line: int) -> Said:
    human = next((turn.value for turn in row.conversations if turn.sender in ("human", "user")), "")
    answer = next((turn.value for turn in row.conversations if turn.sender in ("gpt", "assistant")), "")
    task, found = _HUMAN.search(human), {name: tag.search(answer) for name, tag in _TAGS.items()}
    action = found["action"]
    if action is None:
        raise UnreadableError("import.not_gui", "The answer has no <action>: a caption, a box, no step.")
    if task is None:
        raise UnreadableError("import.no_task", "The question names no task with its previous operations.")
    images = row.image if isinstance(row.image, list) else [row.image]
    operation = found["operation"]
    return Said(
        task[1], listed(task[2]), found["think"][1] if found["think"] else None,
        operation[1] if operation else None, action[1], images[-1] if images else None, _size(row),
        row.trajectory or _folder(images[-1] if images else None), line,
    )  # fmt: skip


def _size(row: Row) -> Size | None:
    width, height = row.width, row.height
    known = width is not None and height is not None and 0 < width < 1 << 31 and 0 < height < 1 << 31
    return (width, height) if known else None  # type: ignore[return-value]


def _folder(image: str | None) -> str:
    """What a run's pictures have in common: the folder before `images/`."""
    name = local_name(image or "")
    return name.rsplit("/images/", 1)[0] if "/images/" in name else name.rpartition("/")[0]


def _of_file(path: Path) -> tuple[Platform | None, str | None]:
    """Platform and picture folder, by the entry in `meta.json` that names this file, else by the file's name."""
    name, root = path.stem.lower(), None
    for folder in (path.parent, path.parent.parent):
        meta = beginning(folder / "meta.json")
        for key, entry in meta.items() if isinstance(meta, dict) else ():
            if isinstance(entry, dict) and str(entry.get("annotation", "")).replace("\\", "/").endswith(path.name):
                name, root = str(key).lower(), entry.get("root")
    words = re.split(r"[^a-z]+", name)
    platform = next((_PLATFORMS[word] for word in words if word in _PLATFORMS), None)
    return platform, root if isinstance(root, str) else None


class _Runs:
    """Makes records of groups of rows."""

    def __init__(
        self, folder: Path, root: str | None, conventions: Conventions, context: ReadContext, platform: Platform | None
    ) -> None:
        self._folder, self._conventions, self._context, self._platform = folder, conventions, context, platform
        self._within = [name for name in (local_name(root) if root else "", "images") if name]
        self._pictures = Carrier(folder, context)

    def of(self, group: Group) -> Iterator[Read | Rejected]:
        """The runs of one folder and task."""
        rows = [msgspec.json.decode(row.data, type=Said) for row in group.rows]
        tellings = [
            Told(len(row.before), [plain(text) for text in row.before], plain(row.operation or ""), row) for row in rows
        ]
        for run in chains(tellings):
            first = run[0].row
            name = first.run or str(first.line)
            identity = f"scalecua:{name}"
            try:
                record = self._record([told.row for told in run], name, identity)
                yield Read(trajectory=self._pictures.carry(record))
            except TROUBLE as error:
                yield refused(error, self._context.shown, identity, first.line)

    def _record(self, rows: Sequence[Said], name: str, identity: str) -> Trajectory:
        steps = self._steps(rows, Coded(self._conventions, identity, self._platform))
        final = set_moments(steps, self._conventions)
        return Trajectory(
            id=identity,
            source=Origin(
                name="scalecua", id=name, file=self._context.shown, line=rows[0].line,
                license=self._conventions.license(), url=FACTS.card, importer="scalecua@1",
            ),
            instruction=rows[0].task,
            actor=Actor(),
            platform=self._platform,
            steps=steps,
            final_image=final,
        )  # fmt: skip

    def _steps(self, rows: Sequence[Said], coded: Coded) -> list[Step]:
        numbers = [len(row.before) for row in rows]
        steps: list[Step] = []
        ended = False
        for row, number, gap in zip(rows, numbers, gaps(numbers, 0), strict=True):
            acted = self._acted(row, number, coded)
            flags = {*acted.flags, *([GAP] if gap else []), *(["after_end"] if ended else [])}
            steps.append(
                Step(
                    index=number,
                    image=beside(self._folder, row.image, within=self._within),
                    image_size=row.size,
                    thought=row.thought or None,
                    action=row.operation or None,
                    actions=acted.actions,
                    code=code_of(acted.actions),
                    flags=sorted(flags),
                )
            )
            ended = ended or any(isinstance(action, Terminate) for action in acted.actions)
        return steps

    def _acted(self, row: Said, number: int, coded: Coded) -> Framed:
        if _CALL_USER.fullmatch(row.action.strip()):
            return Framed([], ["unsupported_action"])
        around = Around(picture=row.size, words=row.operation, way=direction_in(row.operation))
        if "direction" not in row.action:
            return coded.step(row.action, number, around)
        try:
            calls = read_calls(row.action)
        except CodeError as error:
            error.args = (f"Step {number}: {error}",)
            raise
        actions: list[Action] = []
        flags: set[str] = set()
        lines = row.action.splitlines()
        for call in calls:
            way = call.kwargs.get("direction")
            if call.word == "swipe" and isinstance(way, str):
                amount = call.kwargs.get("amount")
                pages = float(amount) if isinstance(amount, int | float) and 0 < amount <= 1 else 1.0
                actions.append(
                    self._conventions.scroll(
                        way, axis="y", unit="page", record=coded.record, step=number, amount=pages,
                        words=row.operation, meaning="finger",
                    )
                )  # fmt: skip
            else:
                acted = coded.step(lines[call.line - 1], number, around)
                actions += acted.actions
                flags.update(acted.flags)
        return Framed(actions, sorted(flags))


SOURCE = ScaleCUA()
