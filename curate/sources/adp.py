"""Records of the Agent Data Protocol: `{"id", "content": [...], "details"}`, whose content is a sequence of
observations (`text_observation`, `image_observation`, `web_observation`) and actions (`api_action`, `code_action`,
`message_action`). An observation begins a step; actions with nothing seen between them are one.

The training format `adp` of this project puts the whole record into `details["trajectory.v1"]`, as JSON in a string
(details hold strings), with the pictures' names of its file. Where the code of the content still is that record's,
reading gives the record back as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Action
from curate.model.calls import CodeError
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import SCHEMA, Actor, Origin, Outcome, Platform, Step, Trajectory, decode
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around
from curate.sources.common.conventions import Conventions
from curate.sources.common.endings import borne_out
from curate.sources.common.facts import Facts
from curate.sources.common.page_trees import element_of
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_row_file, rows_of
from curate.sources.common.targets import target
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts.adp_actions import Doing, Frames, of_call, of_code, of_message, space_of
from curate.sources.parts.adp_trees import StoresTree, tree_of
from curate.store.jsonl import BadLine

FACTS = Facts(
    title="Agent Data Protocol",
    card="https://github.com/neulab/agent-data-protocol",
    space=None,
    scroll="plus_up",
    outcome="Not told, but for AgentNet's `task_completed` in `details`: a model's judgement.",
    licences={"": None},
    faults=(
        "The frame of points hangs on the dataset: it is told by a record's own numbers (fractions, or pixels of the "
        "picture) or asked for.",
        "A first `message_action` without a user's text before it is the goal, not an action.",
        "A user's text after the first action is what the environment showed, or another request: it stays with the "
        "step before which it was said, as its observation.",
        "Pictures may be absolute paths of one developer's machine: their base names are looked for beside the file.",
        "Where a record ends with something seen, that is the final picture.",
        "Its converter writes AndroidControl's long press as a click and leaves out what its `type` types: these are "
        "lost before reading.",
        "NNetNav's goals stand in a sentence of its converter: it is taken off.",
        "That converter writes `type` without Enter where nothing says so, though the language presses it.",
        "Records whose actions are no screen's (shell, files) are refused.",
        "Reasoning in some converted sets belongs to another task: nothing in a record tells.",
        "Licences are those of each dataset; the protocol states none.",
    ),
)

_BEFORE_GOAL = "You are given the following objective: "  # by the converter of NNetNav's runs
_BEHIND_GOAL = (
    "\nExamine the current web page and perform the next appropriate action to move toward completing the objective."
)
_ACTIONS = ("apiaction", "codeaction", "messageaction")


class Item(msgspec.Struct):
    """One observation or action. `content`: text, code or a picture's name."""

    class_: str
    content: str | None = None
    source: str | None = None
    function: str | None = None
    kwargs: dict[str, Any] = {}
    language: str | None = None
    description: str | None = None
    reasoning_content: str | None = None
    annotations: list[Any] | None = None
    html: str | None = None
    axtree: str | None = None
    url: str | None = None
    image_observation: Any = None
    viewport_size: list[int] | None = None

    @property
    def kind(self) -> str:
        """`api_action` and `ApiAction` alike."""
        return self.class_.replace("_", "").lower()


class Record(msgspec.Struct):
    """One run."""

    content: list[Item]
    id: str | int | None = None
    details: dict[str, Any] | None = None


class Adp:
    """The source `adp`."""

    name = "adp"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON or JSONL whose first record has such content."""
        if not is_row_file(path):
            return False
        content = first_row(path).get("content")
        return isinstance(content, list) and bool(content) and isinstance(content[0], dict) and "class_" in content[0]

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every record, or why one is none."""
        pictures = Carrier(path.parent, context)
        for item in rows_of(path, context):
            if isinstance(item, BadLine):
                yield rejected(context.shown, item.reason, item.detail, None, item.number)
                continue
            identity = None
            try:
                record = msgspec.convert(item.value, Record)
                identity = f"adp:{item.number if record.id is None else record.id}"
                own = _own(record)
                if own is not None:
                    pictures.carry(own)
                    yield Read(trajectory=own)
                    continue
                yield Read(trajectory=_Run(record, identity, item.number, path, context, pictures).record())
            except TROUBLE as error:
                yield refused(error, context.shown, identity, item.number)


def _own(record: Record) -> Trajectory | None:
    """The record that this project's format left in the details; None where there is none, or its content says other
    actions now."""
    held = (record.details or {}).get(SCHEMA)
    if not isinstance(held, str):
        return None
    try:
        own = decode(held)
    except msgspec.MsgspecError:
        return None
    said = [item.content for item in record.content if item.kind == "codeaction"]
    codes = (step.code or code_of(step.actions) for step in own.steps)
    return own if said == [code for code in codes if code] else None


class _Seen(msgspec.Struct):
    """What was observed before a step."""

    image: str | None = None
    annotations: list[Any] | None = None
    web: Item | None = None
    texts: list[str] = []

    @property
    def is_empty(self) -> bool:
        return self.image is None and self.web is None and not self.texts


class _Run:
    """One record while it is read."""

    def __init__(
        self, raw: Record, identity: str, number: int, path: Path, context: ReadContext, pictures: Carrier
    ) -> None:
        self._raw, self._identity, self._number = raw, identity, number
        self._folder, self._context, self._pictures = path.parent, context, pictures
        self._instruction: str | None = None
        self._seen: list[_Seen] = []
        self._done: list[list[tuple[Item, Doing]]] = []
        self._waiting = _Seen()

    def record(self) -> Trajectory:
        """The run as a record. Raises CodeError, UnreadableError."""
        self._take()
        if not self._done:
            raise UnreadableError("validate.no_steps", "It holds no action.")
        doings = [doing for step in self._done for _, doing in step]
        if not any(seen.image or seen.web for seen in self._seen) and not any(doing.points for doing in doings):
            raise UnreadableError("import.not_gui", "It shows no screen and no page, and nothing is done at a point.")
        if not self._instruction:
            raise UnreadableError("import.no_task", "No text of the user and no first message says what the task is.")
        space = space_of([point for doing in doings for point in doing.points])
        frames = Frames(FACTS, self._context, space, self._identity)
        steps: list[Step] = []
        trees: list[StoresTree | None] = []
        for index, (seen, done) in enumerate(zip(self._seen, self._done, strict=True)):
            step, tree = self._step(index, seen, done, frames)
            steps.append(step)
            trees.append(tree)
        conventions = Conventions(FACTS, self._context)
        record = Trajectory(
            id=self._identity,
            source=Origin(
                name="adp", id=self._identity.removeprefix("adp:"), file=self._context.shown, line=self._number,
                license=conventions.license(), url=FACTS.card, importer="adp@1",
            ),
            instruction=self._instruction, actor=Actor(), platform=self._platform(doings, conventions), steps=steps,
            final_image=self._waiting.image, outcome=_outcome(self._raw.details or {}),
        )  # fmt: skip
        self._pictures.carry(record)
        for step, tree in zip(record.steps, trees, strict=True):
            step.tree = tree(self._context.media) if tree else None
        return record

    def _take(self) -> None:
        """Sorts the content into what was seen and what was done."""
        task = (self._raw.details or {}).get("task_description")
        said = any(item.kind == "textobservation" and item.source == "user" for item in self._until_action())
        for item in self._raw.content:
            if item.kind in _ACTIONS:
                first_message = item.kind == "messageaction" and not self._done and not said and not task
                if first_message and self._instruction is None:
                    self._instruction = (item.content or "").strip() or None
                else:
                    self._act(item)
            elif item.kind == "textobservation":
                if item.source == "user" and self._instruction is None and not self._done:
                    self._instruction = (item.content or "").strip() or None
                elif item.content:
                    self._waiting.texts = [*self._waiting.texts, item.content]
            elif item.kind == "imageobservation":
                self._waiting.image, self._waiting.annotations = self._named(item.content), item.annotations
            elif item.kind == "webobservation":
                self._waiting.web = item
                picture = item.image_observation if isinstance(item.image_observation, dict) else {}
                if isinstance(picture.get("content"), str):
                    self._waiting.image = self._named(picture["content"])
                    self._waiting.annotations = picture.get("annotations")
            else:
                raise UnreadableError("validate.schema", f"{item.class_[:60]!r} is no class of the protocol.")
        if self._instruction is None and isinstance(task, str):
            self._instruction = task.strip() or None
        if self._instruction is not None:
            self._instruction = self._instruction.removeprefix(_BEFORE_GOAL).removesuffix(_BEHIND_GOAL).strip()

    def _until_action(self) -> Iterator[Item]:
        for item in self._raw.content:
            if item.kind in ("apiaction", "codeaction"):
                return
            yield item

    def _act(self, item: Item) -> None:
        doing = self._doing(item)
        if not self._done or not self._waiting.is_empty:
            self._seen.append(self._waiting)
            self._done.append([])
            self._waiting = _Seen()
        self._done[-1].append((item, doing))

    def _doing(self, item: Item) -> Doing:
        try:
            if item.kind == "messageaction":
                return of_message(item.content or "")
            if item.kind == "apiaction":
                return of_call(item.function or "", item.kwargs)
            if (item.language or "").lower() == "python":
                return of_code(item.content or "")
        except (CodeError, UnreadableError) as error:
            error.args = (f"Step {len(self._done)}: {error}",)
            raise
        raise UnreadableError(
            "import.not_gui", f"It runs {(item.language or 'code')[:40]}, which is no act on a screen."
        )

    def _named(self, name: str | None) -> str | None:
        return beside(self._folder, name, ("images", "screenshots"))

    def _step(
        self, index: int, seen: _Seen, done: Sequence[tuple[Item, Doing]], frames: Frames
    ) -> tuple[Step, StoresTree | None]:
        size = self._pictures.size(seen.image)
        thoughts = [item.reasoning_content or item.description for item, _ in done]
        thought = "\n".join(dict.fromkeys(text.strip() for text in thoughts if text and text.strip())) or None
        words = next((item.description for item, _ in done if item.reasoning_content and item.description), None)
        around = Around(picture=size, screen=size, words=words or thought)
        step = Step(
            index=index, image=seen.image, image_size=size, observation="\n".join(seen.texts) or None, thought=thought,
            action=words, actions=[], url=seen.web.url if seen.web else None,
        )  # fmt: skip
        unsupported = next((doing.unsupported for _, doing in done if doing.unsupported), None)
        if unsupported:
            step.action, step.flags = words or unsupported, ["unsupported_action"]
        else:
            framed = [doing.frame(frames, index, around) for _, doing in done]
            step.actions = [self._last_word(action) for one in framed for action in one.actions]
            step.flags = sorted({flag for one in framed for flag in one.flags})
            step.code = code_of(step.actions)
        element_id = next((doing.element_id for _, doing in done if doing.element_id), None)
        page = seen.web.axtree if seen.web else None
        named = element_of(page, element_id) if page and element_id else None
        if named is not None:
            step.element = target(None, size, step.actions, role=named.role, name=named.name).element
        return step, tree_of(page, seen.web.html if seen.web else None, seen.annotations, size)

    def _last_word(self, action: Action) -> Action:
        """AgentNet's tool ends every run with a success."""
        details = self._raw.details or {}
        return borne_out(action, _outcome(details).completed) if details.get("dataset") == "agentnet" else action

    def _platform(self, doings: Sequence[Doing], conventions: Conventions) -> Platform | None:
        if conventions.options.platform is not None:
            return conventions.options.platform
        if any(seen.web for seen in self._seen):
            return "web"
        return "android" if any(doing.phone for doing in doings) else None


def _outcome(details: dict[str, Any]) -> Outcome:
    completed = {"true": True, "false": False}.get(str(details.get("task_completed")).lower())
    return Outcome(completed=completed, by=None if completed is None else "model")


SOURCE = Adp()
