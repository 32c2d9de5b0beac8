"""Explorer's runs: a folder each, with `task_trajectory_data.json`, `screenshot_k.png`, `html_k.html` and
`screenshot_final.png`. Actions name elements of a list beside them and come with the element's place.

`bounding_box_coord` gives the element's centre and size: the tool takes it from the table that it clicks by
(`id2center`), which the names of its fields (x, y, width, height) do not say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import UNSET

from curate.model.actions import POINTED, Action
from curate.model.privacy import Masker
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Outcome, Screen, Step, Trajectory
from curate.sources.actions.element_calls import read_element_call, thought_before
from curate.sources.base import Read, ReadContext
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.page_trees import element_of
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_row_file, rows_of
from curate.sources.common.targets import target
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts.explorer_pictures import numbers_of
from curate.store.jsonl import BadLine
from curate.store.paths import PathError, inside, own_file
from curate.store.trees import add_text_tree

_FILE = "task_trajectory_data.json"
_KEYS = frozenset({"folder", "summary_abstract", "actions"})
_SENTINELS = ("regex fail", "api call failed", "captcha detected", "error in setting up the environment")

FACTS = Facts(
    title="Explorer",
    card="https://github.com/OSU-NLP-Group/Explorer",
    space="picture_pixel",
    scroll="view",
    outcome="The last `Status:` of `verifier_agent_response`, a model's judgement.",
    licences={"": "MIT"},
    faults=(
        "`bounding_box_coord` is the element's centre and size, not its corner.",
        "Pictures are numbered by attempts, actions listed where they could be done: where numbers and pages do not "
        "tell which picture is an action's, the step has none and is flagged `picture_unsure`.",
        "`stop` is never in the list of actions.",
        "`regex fail` and `API call failed` stand for a text that its model did not give: it is unknown.",
        "Whether Enter was pressed after typing is not told: none is assumed.",
        "`google_search` has no action in a record: the step keeps its words, flagged `unsupported_action`.",
        "Rows of the training set (JSONL, parquet, Arrow) name the run's folder, where its pictures are looked for, "
        "and an element's number without its place.",
        "Marked pictures (`screenshot_som_k.png`) and pages (`html_k.html`) are not taken over.",
    ),
    companions=("dataset_info.json", "state.json", "*/dataset_info.json", "*/state.json"),
)


class Place(msgspec.Struct):
    """Where an element is, in pixels of the viewport: its centre and size."""

    x: float
    y: float
    width: float
    height: float


class Done(msgspec.Struct):
    """One action that could be done."""

    new_action_grounded: str | None = None
    action_grounded: str | None = None
    acc_tree_before: str | None = None
    acc_tree_visible_before: str | None = None
    acc_tree_other_before: str | None = None
    step_action_nl: str | None = None
    bounding_box_coord: Place | None = None
    step_refined_goal: str | None = None
    step_reasoning_response: str | None = None
    screenshot_action_som: str | None = None
    url_after: str | None = msgspec.field(name="URL_after", default=None)


class Run(msgspec.Struct):
    """One run. `summary_abstract`: what the training set calls the task."""

    actions: list[Done]
    init_url: str | None = None
    width: int | None = msgspec.field(name="viewport-width", default=None)
    height: int | None = msgspec.field(name="viewport-height", default=None)
    task_summary: str | None = None
    summary_abstract: str | None = None
    verifier_agent_response: str | None = None


class Row(Run, kw_only=True):
    """A run as a row of the training set. `folder`: the run's own."""

    folder: str


class Explorer:
    """The source `explorer`."""

    name = "explorer"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """The folder of a run, the file in it, or a file of rows that are runs."""
        if path.is_dir():
            return own_file(path, _FILE) is not None
        return path.name == _FILE or (is_row_file(path) and first_row(path).keys() >= _KEYS)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The run, or why it is none; of rows, every one."""
        if path.name != _FILE and not path.is_dir():
            yield from _rows(path, context)
            return
        folder = path if path.is_dir() else path.parent
        identity = f"explorer:{Masker()(folder.name)}"
        try:
            run = msgspec.json.decode((folder / _FILE).read_bytes(), type=Run)
            yield Read(trajectory=_record(run, folder, identity, context))
        except TROUBLE as error:
            yield refused(error, context.shown, identity)
        except OSError as error:
            why = UnreadableError("read.error", f"{_FILE} cannot be read: {error.strerror or type(error).__name__}.")
            yield refused(why, context.shown, identity)


def _rows(path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
    """The runs of the training set, a row each; their pictures in the folder that a row names, beside the file."""
    for item in rows_of(path, context):
        if isinstance(item, BadLine):
            yield rejected(context.shown, item.reason, item.detail, None, item.number)
            continue
        identity = None
        try:
            row = msgspec.convert(item.value, Row)
            identity = f"explorer:{Masker()(row.folder)}"
            record = _record(row, _inside(path.parent, row.folder), identity, context)
            record.source.line = item.number
            yield Read(trajectory=record)
        except TROUBLE as error:
            yield refused(error, context.shown, identity, item.number)


def _inside(folder: Path, name: str) -> Path:
    try:
        return inside(folder, name)
    except PathError as error:
        raise UnreadableError("read.path_refused", f"{name[:200]!r}: {error}") from error


def _record(run: Run, folder: Path, identity: str, context: ReadContext) -> Trajectory:
    conventions, pictures = Conventions(FACTS, context), Carrier(folder, context)
    trees = [_tree(done) for done in run.actions]
    numbers = numbers_of(folder, trees, [done.screenshot_action_som for done in run.actions])
    urls = [run.init_url, *(done.url_after for done in run.actions)]
    steps = []
    for index, (done, number) in enumerate(zip(run.actions, numbers, strict=True)):
        picture = None if number is None else f"screenshot_{number}.png"
        size = pictures.size(picture)
        step = _step(done, index, size or _viewport(run), conventions, identity)
        step.image, step.image_size, step.url = picture, size, urls[index] or None
        step.screen = Screen(width=run.width, height=run.height) if run.width and run.height else None
        step.flags = sorted({*step.flags, *(["picture_unsure"] if number is None else [])})
        steps.append(step)
    final = "screenshot_final.png"
    goals = [goal for done in run.actions if (goal := _told(done.step_refined_goal))]
    instruction = _told(run.task_summary) or _told(run.summary_abstract) or (goals[-1] if goals else None)
    if instruction is None:
        raise UnreadableError("import.no_task", "Neither its summary nor a refined goal says what the task was.")
    record = Trajectory(
        id=identity,
        source=Origin(
            name="explorer", id=identity.removeprefix("explorer:"), file=context.shown,
            license=conventions.license(), url=FACTS.card, importer="explorer@1",
        ),
        instruction=instruction,
        wordings={f"refined_goal_{number}": goal for number, goal in enumerate(dict.fromkeys(goals))},
        actor=Actor(kind="model"),
        platform="web",
        steps=steps,
        final_image=final if own_file(folder, final) is not None else None,
        outcome=_outcome(run.verifier_agent_response),
    )  # fmt: skip
    pictures.carry(record)
    for step, tree in zip(record.steps, trees, strict=True):
        step.tree = add_text_tree(context.media, tree) if tree else None
    return record


def _tree(done: Done) -> str:
    visible = "\n".join(part for part in (done.acc_tree_visible_before, done.acc_tree_other_before) if part)
    return done.acc_tree_before or visible


def _viewport(run: Run) -> Size | None:
    return (run.width, run.height) if run.width and run.height else None


def _told(text: str | None) -> str | None:
    """A text that a model gave; None for what stands where it gave none."""
    plain = (text or "").strip()
    return plain if plain and not plain.lower().startswith(_SENTINELS) else None


def _thought(response: str | None) -> str | None:
    """What a model said, without the action between ``` marks that it ends in."""
    text = (_told(response) or "").strip()
    if not text.endswith("```") or text.count("```") < 2:
        return text or None
    return thought_before(text[: text[:-3].rindex("```")])


def _step(done: Done, index: int, size: Size | None, conventions: Conventions, record: str) -> Step:
    call = done.new_action_grounded or done.action_grounded or ""
    words = _told(done.step_action_nl)

    def scrolled(way: str) -> Action:
        return conventions.scroll(way, axis="y", unit="page", record=record, step=index, words=words)

    try:
        meant = read_element_call(call, scrolled=scrolled, enter=False)
    except UnreadableError as error:
        error.args = (f"Step {index}: {error}",)
        raise
    actions, flags, box = list(meant.actions), ["unsupported_action"] if meant.unsupported else [], None
    if done.bounding_box_coord is not None and meant.element_id is not None:
        at = done.bounding_box_coord
        box = at.x - at.width / 2, at.y - at.height / 2, at.x + at.width / 2, at.y + at.height / 2
        placed = conventions.point(
            (at.x, at.y), record=record, step=index, picture=size, box=box, box_space="picture_pixel"
        )
        raw = UNSET if placed.raw_point is None else placed.raw_point
        actions = [
            msgspec.structs.replace(action, x=placed.x, y=placed.y, raw_point=raw, element_id=UNSET)
            if isinstance(action, POINTED) else action for action in actions
        ]  # fmt: skip
        flags += [placed.flag] if placed.flag else []
    named = element_of(_tree(done), meant.element_id) if meant.element_id else None
    seen = target(
        box, size, actions, role=named.role if named else None, name=named.name if named else None
    )  # fmt: skip
    return Step(
        index=index,
        thought=_thought(done.step_reasoning_response),
        action=words or meant.unsupported,
        low_level=words,
        actions=actions,
        code=code_of(actions),
        element=seen.element,
        raw_box=seen.raw_box,
        flags=flags,
    )


_STATUS = re.compile(r"Status:[\s\"'*`]*(success|failure)\b", re.IGNORECASE)


def _outcome(judged: str | None) -> Outcome:
    found = list(_STATUS.finditer(judged or ""))
    if not found:
        return Outcome()
    reason = (judged or "")[: found[-1].start()].strip().removeprefix("Thoughts:").strip()
    return Outcome(completed=found[-1][1].lower() == "success", by="model", reason=reason or None)


SOURCE = Explorer()
