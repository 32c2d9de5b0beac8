"""UI-TARS' conversations: messages of a system, a user (prompt and task, then pictures) and an assistant (`Thought:
...`, `Action: ...`), each with its `loss_mask`. Either a JSON list of messages, which is one run, or rows `{"messages":
[...], "images": [...]}`, of which each tells what was done before: rows that go on with each other are one run.

The tag tells the frame: `<|box_start|>(x,y)<|box_end|>` is of 1000 (v1), `<point>x y</point>` pixels of the picture as
the model's processor resizes it. Bare `(x,y)` is either: v1's tags get lost in decoding, and 1.5 writes it so. The data
decides, or the user."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.formats.smart_resize import UI_TARS
from curate.model.actions import Action, Click, MoveTo, Wait, Write
from curate.model.calls import Call, CodeError, read_calls
from curate.model.constants import UITARS_SCROLL_NOTCHES, UITARS_WAIT_SECONDS
from curate.model.parse import parse
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.chains import Told, chains
from curate.sources.common.chat_rows import as_messages, is_chat
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.embedded import Embedded, from_base64
from curate.sources.common.facts import Facts, Space
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.json_stream import beginning, is_json, whole
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_row_file, rows_of
from curate.sources.common.step_rows import drained, scratch
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine

_TASK = re.compile(r"##\s*User Instruction\s*\n\s*(.*)", re.DOTALL)
_ANSWER = re.compile(r"\s*(?:Thought:\s*(?P<thought>.*?)\s*)?Action:\s*(?P<action>.*)", re.DOTALL)
_INSIDE = "data:image/"
_PLACEHOLDER = re.compile(r"<image>|<\|image_pad\|>")

FACTS = Facts(
    title="UI-TARS conversations",
    card="https://github.com/bytedance/UI-TARS",
    space=None,
    order="xy",
    scroll="view",
    timing="before",
    outcome="None beyond what `finished(...)` claims.",
    licences={"": "Apache-2.0"},
    faults=(
        "Bare points, `(x,y)`, are of 1000 or pixels of the resized picture: the data decides, else state "
        "`import.space` (`permille`, or `picture_pixel`, which here is the picture as resized to multiples of 28).",
        "A scroll says which side it shows more of and not how much: 5 notches, as its own parser does. A wait is 5 "
        "seconds, by its prompt.",
        "`loss_mask` 0 becomes the step weight 0: such a step is told and not trained on.",
        "Pictures of older steps are left out by the publisher; those steps have none.",
        "`call_user()` has no action in a record: the step keeps its words, flagged `unsupported_action`; "
        "so does a step of the history whose answer holds no `Action:` (our own rows of what the language has no word "
        "for).",
    ),
)


class Message(msgspec.Struct):
    """One message."""

    role: str
    content: str | list[dict[str, Any]]
    loss_mask: int | None = None


class Row(msgspec.Struct):
    """One row of a file of rows."""

    messages: list[Message]
    images: list[str | None] = []
    id: str | int | None = None
    trajectory: str | None = None  # of rows that this project wrote


class Answer(msgspec.Struct):
    """An assistant's message with the picture before it."""

    text: str
    image: str | None
    trained: bool | None


class Conversation(msgspec.Struct):
    """What a row says: its task and its answers, of which the last is its own."""

    task: str
    answers: list[Answer]
    id: str | None


class UiTars:
    """The source `uitars`."""

    name = "uitars"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A JSON list of messages with `loss_mask` or whose answers are its calls, or a file of rows of such messages
        in any shape that trainers read."""
        start = beginning(path) if is_json(path) else None
        first = start[0] if isinstance(start, list) and start else None
        if isinstance(start, list) and isinstance(first, dict) and "role" in first:
            return "content" in first and _is_ours(start)
        row = first_row(path) if is_row_file(path) else {}
        return is_chat(row) and "objects" not in row and _is_ours(as_messages(row)["messages"])

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The run of a list, or every run of a file of rows."""
        file = _File(path, context)
        if not is_chat(first_row(path)):
            yield file.single()
            return
        trouble: list[Rejected] = []
        for group in grouped(file.keyed(trouble), scratch(context)):
            yield from drained(trouble)
            yield from file.runs_of(group)
        yield from drained(trouble)


_CALLS = re.compile(
    r"Action:\s*(?:click|left_single|left_double|right_single|drag|select|scroll|hotkey|type|wait|finished|call_user"
    r"|long_press|open_app|press_home|press_back)\((?:\)|start_box=|point=|start_point=|key=|content=|direction=|app_name=)"
)


def _is_ours(messages: Sequence[Any]) -> bool:
    """Whether messages have a loss mask, or an answer is one of UI-TARS' calls."""
    return any(
        isinstance(one, dict)
        and ("loss_mask" in one or (one.get("role") == "assistant" and _CALLS.search(_text_of(one.get("content")))))
        for one in messages
    )


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return _text([part for part in parts if isinstance(part, dict)])


class _File:
    """One file."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._path, self._context, self._pictures = path, context, Carrier(path.parent, context)
        self._conventions: dict[Space | None, Conventions] = {}

    def single(self) -> Read | Rejected:
        """A JSON list of messages."""
        try:
            told = _told(whole(self._path, list[Message]), [], None)
        except TROUBLE as error:
            return refused(error, self._context.shown)
        return self._read(told, told.answers, f"uitars:{self._path.stem}", None)

    def keyed(self, trouble: list[Rejected]) -> Iterator[Keyed]:
        """Rows by their task."""
        for item in rows_of(self._path, self._context):
            if isinstance(item, BadLine):
                trouble.append(rejected(self._context.shown, item.reason, item.detail, None, item.number))
                continue
            try:
                row = msgspec.convert(as_messages(msgspec.convert(item.value, dict[str, Any])), Row)
                name = row.trajectory or row.id
                told = _told(row.messages, row.images, None if name is None else str(name))
            except TROUBLE as error:
                trouble.append(refused(error, self._context.shown, None, item.number))
                continue
            yield Keyed(
                row.trajectory or told.task,
                len(told.answers),
                self._context.shown,
                item.number,
                msgspec.json.encode(told),
            )

    def runs_of(self, group: Group) -> Iterator[Read | Rejected]:
        """The runs of one task. The last row of each tells all its answers; a picture that it leaves out is in the row
        of its own step."""
        rows = [(row.line, msgspec.json.decode(row.data, type=Conversation)) for row in group.rows]
        tellings = [
            Told(len(one.answers) - 1, [answer.text for answer in one.answers[:-1]], one.answers[-1].text, (line, one))
            for line, one in rows
        ]
        for run in chains(tellings):
            line, first = run[0].row
            answers = list(run[-1].row[1].answers)
            for told in run:
                own = told.row[1].answers[-1]
                answers[told.place] = msgspec.structs.replace(own, image=own.image or answers[told.place].image)
            name = first.id or f"{self._path.stem}/{line}"
            yield self._read(first, answers, f"uitars:{name}", line)

    def _read(self, told: Conversation, answers: Sequence[Answer], identity: str, line: int | None) -> Read | Rejected:
        try:
            steps = self._steps(answers, identity)
            conventions = self._in(_space_of(answers))
            final = set_moments(steps, conventions)
            record = Trajectory(
                id=identity,
                source=Origin(
                    name="uitars", id=identity.removeprefix("uitars:"), file=self._context.shown, line=line,
                    license=conventions.license(), url=FACTS.card, importer="uitars@1",
                ),
                instruction=told.task,
                actor=Actor(),
                platform=conventions.options.platform,
                steps=steps,
                final_image=final,
            )  # fmt: skip
            record = self._pictures.carry(record)
            for step, answer in zip(record.steps, answers, strict=True):
                step.image = step.image or self._embedded(answer.image).reference
            return Read(trajectory=record)
        except TROUBLE as error:
            return refused(error, self._context.shown, identity, line)

    def _embedded(self, image: str | None) -> Embedded:
        """A picture that stands in the message itself."""
        inside = image is not None and image.startswith(_INSIDE)
        return from_base64(image, self._context.media) if image and inside else Embedded(None, None)

    def _in(self, space: Space | None) -> Conventions:
        if space not in self._conventions:
            facts = msgspec.structs.replace(FACTS, space=space)
            self._conventions[space] = Conventions(facts, self._context)
        return self._conventions[space]

    def _steps(self, answers: Sequence[Answer], identity: str) -> list[Step]:
        conventions = self._in(_space_of(answers))
        coded = Coded(conventions, identity, conventions.options.platform)
        steps = []
        for index, answer in enumerate(answers):
            said = _ANSWER.fullmatch(answer.text)
            if said is None and answer.trained is not False:
                raise UnreadableError("validate.schema", f"Step {index}: an answer without `Action:`.")
            inside = self._embedded(answer.image)
            image = None if inside.reference else beside(self._path.parent, answer.image)
            size = inside.size or self._pictures.size(image)
            if said is None:
                steps.append(self._told_only(answer, index, image))
                continue
            acted = _acted(said["action"], index, coded, conventions, _seen_size(size))
            steps.append(
                Step(
                    index=index,
                    image=image,
                    thought=said["thought"] or None,
                    action=None if acted.actions else said["action"],
                    actions=acted.actions,
                    code=code_of(acted.actions),
                    weight=None if answer.trained is None else float(answer.trained),
                    flags=acted.flags,
                )
            )
        return steps

    def _told_only(self, answer: Answer, index: int, image: str | None) -> Step:
        """A step of the history that has no action in this language, told in words and not trained on."""
        words = answer.text.strip().removeprefix("Thought:").strip()
        return Step(
            index=index, image=image, action=words or None, actions=[], weight=0.0, flags=["unsupported_action"]
        )


def _seen_size(size: Size | None) -> Size | None:
    """The size in which UI-TARS' processor shows a picture to the model."""
    return UI_TARS.size(*size) if size is not None else None


def _space_of(answers: Sequence[Answer]) -> Space | None:
    """The frame that the tags of a run's points tell; None for bare points."""
    texts = [answer.text for answer in answers]
    if any("<|box_start|>" in text for text in texts):
        return "permille"
    return "picture_pixel" if any("<point>" in text for text in texts) else None


def _told(messages: Sequence[Message], images: Sequence[str | None], identity: str | None) -> Conversation:
    """Task and answers of a conversation, each with the last picture shown since the answer before."""
    task: str | None = None
    waiting, picture = iter(images), None
    answers: list[Answer] = []
    for message in messages:
        if message.role == "assistant":
            trained = None if message.loss_mask is None else bool(message.loss_mask)
            answers.append(Answer(_text(message.content), picture, trained))
            picture = None
        elif message.role == "user":
            text = _text(message.content)
            said = _TASK.search(text)
            if task is None and (said is not None or text.strip()):
                task = (said[1] if said is not None else text).strip()
            for name in _named(message.content):
                picture = name or next(waiting, None)
    if task is None or not answers:
        raise UnreadableError("import.no_task", "No user message holds a task that an assistant answers.")
    return Conversation(_PLACEHOLDER.sub("", task).strip(), answers, identity)


def _text(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if isinstance(part.get("text"), str))


def _named(content: str | list[dict[str, Any]]) -> Iterator[str | None]:
    """The pictures of a message: their names, None for a placeholder."""
    if isinstance(content, str):
        yield from (None for _ in _PLACEHOLDER.finditer(content))
        return
    for part in content:
        if part.get("type") in ("image", "image_url"):
            name = part.get("image") or part.get("image_url")
            name = name.get("url") if isinstance(name, dict) else name
            yield name if isinstance(name, str) else None


def _acted(code: str, index: int, coded: Coded, conventions: Conventions, size: Size | None) -> Framed:
    """The actions of an answer's calls."""
    around = Around(picture=size)
    actions: list[Action] = []
    flags: set[str] = set()
    try:
        calls, lines = read_calls(code), code.splitlines()
        for call in calls:
            line = lines[call.line - 1]
            if call.word == "calluser":
                flags.add("unsupported_action")
                continue
            raw = _own_meaning(call, index)
            if raw is None and call.word == "scroll" and isinstance(call.kwargs.get("direction"), str):
                found = _scrolled(call, index, coded, conventions, around)
            else:
                found = coded.step(line, index, around) if raw is None else coded.acted(raw, index, around)
            actions += found.actions
            flags.update(found.flags)
    except CodeError as error:
        error.args = (str(error) if str(error).startswith("Step") else f"Step {index}: {error}",)
        raise
    return Framed(actions, sorted(flags))


def _own_meaning(call: Call, index: int) -> list[Action] | None:
    """What a call means here and nowhere else; points stay as they stand. None for all others."""
    if call.word == "wait" and not call.args and not call.kwargs:
        return [Wait(UITARS_WAIT_SECONDS)]
    box = call.kwargs.get("start_box") or call.kwargs.get("point")
    if call.word == "select" and isinstance(box, str):  # opens a list, or chooses of it, by a click
        return _at(box, Click)
    content = call.kwargs.get("content")
    if call.word == "type" and isinstance(box, str) and isinstance(content, str):  # a click into the field first
        return [*_at(box, Click), Write(content)]
    return None


def _at(box: str, kind: type[Any]) -> list[Action]:
    """A tagged point as an action there."""
    (click,) = parse(f"click(point={box!r})", pixels=True)
    return [kind(click.x, click.y)]  # type: ignore[union-attr]


def _scrolled(call: Call, index: int, coded: Coded, conventions: Conventions, around: Around) -> Framed:
    """A scroll by its side, at its point, where it names one."""
    box = call.kwargs.get("start_box") or call.kwargs.get("point")
    at = coded.acted(_at(box, MoveTo), index, around) if isinstance(box, str) else Framed([], [])
    scroll = conventions.scroll(
        str(call.kwargs["direction"]), axis="y", unit="notch", amount=float(UITARS_SCROLL_NOTCHES), record=coded.record,
        step=index, meaning="view",
    )  # fmt: skip
    return Framed([*at.actions, scroll], at.flags)


SOURCE = UiTars()
