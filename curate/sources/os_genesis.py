"""OS-Genesis: training rows of steps (JSONL: phones in JSON actions, the web in calls), its agent's runs on phones and
walks without a task (JSON), and lists of tasks, which are no runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import OS_GENESIS_SCREEN
from curate.model.privacy import Masker
from curate.model.rejected import Rejected
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.heads import head, is_jsonl
from curate.sources.common.json_stream import Numbered, elements, first_object, is_json
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import rejected
from curate.sources.common.row_files import rows_of
from curate.sources.common.step_rows import drained, mark_gaps
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts import os_genesis_rows as genesis_rows
from curate.sources.parts.os_genesis_raw import Item, Triple
from curate.sources.parts.os_genesis_steps import agent_step, row_step, walk_step
from curate.store.jsonl import BadLine

_TASK = frozenset({"task_name", "app_name"})
_TRIPLE = frozenset({"screen_before", "screen_after", "action"})
_FOLDERS = ("images", "screenshots", "os_genesis_mobile_screenshots", "os_genesis_web_screenshots")

FACTS = Facts(
    title="OS-Genesis",
    card="https://huggingface.co/datasets/OS-Copilot/OS-Genesis-mobile-data",
    space="picture_pixel",
    scroll="view",
    outcome="Not told: the reward that its runs were sampled by is not published with them.",
    licences={"": "MIT"},
    faults=(
        "Rows are steps: those of one instruction that follow each other are a run.",
        "The web rows' histories are numbered from 2: past actions are counted, whatever their numbers.",
        f"Points on phones are pixels of a screen of {OS_GENESIS_SCREEN[0]} x {OS_GENESIS_SCREEN[1]}; where there is a "
        "picture, of that.",
        "The agent's runs name elements by numbers of the list in `ui_elements_before_text`, not of the saved list.",
        "Runs stop at the third equal action: two equal ones are no fault.",
        "Walks have no task: their instruction is empty.",
        "`aw_instructions.json` lists tasks, not runs; their `task_name` is the class of a test task of AndroidWorld "
        "(114 of its 116), though no instruction is worded like one. Runs keep it as `template`, which `leaks` reads.",
    ),
)


class OSGenesis:
    """The source `os_genesis`."""

    name = "os_genesis"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """Rows with its prompt, tasks of its agent, or triples."""
        if is_jsonl(path):
            return any(_is_row(row) for row in head(path).objects[:1])
        return is_json(path) and _kind(first_object(path)) is not None

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run, or why a row, an item or the file is none."""
        reading = _Reading(path, context)
        kind = None if is_jsonl(path) else _kind(first_object(path))
        if kind == "triple":
            yield from reading.walk(path)
        elif kind == "task":
            yield from reading.tasks(path)
        else:
            yield from reading.rows(path)


def _is_row(row: dict[str, Any]) -> bool:
    turns = row.get("conversations")
    first = turns[0] if isinstance(turns, list) and turns else None
    return isinstance(first, dict) and genesis_rows.is_prompt(first.get("value"))


def _kind(first: dict[str, Any]) -> str | None:
    if _is_row(first):
        return "row"
    if first.keys() >= _TRIPLE:
        return "triple"
    return "task" if first.keys() >= _TASK and ({"instruction", "refine_task", "gpt_traj"} & first.keys()) else None


class _Reading:
    """One file while it is read."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._folder, self._context = path.parent, context
        self._conventions = Conventions(FACTS, context)
        self._pictures = Carrier(path.parent, context)

    def rows(self, path: Path) -> Iterator[Read | Rejected]:
        """Runs of a file of rows."""
        trouble: list[Rejected] = []

        def read() -> Iterator[genesis_rows.Read]:
            for item in rows_of(path, self._context):
                if isinstance(item, BadLine):
                    trouble.append(self._bad(item))
                    continue
                try:
                    yield genesis_rows.read_row(item.value, item.number)
                except TROUBLE as error:
                    trouble.append(refused(error, self._context.shown, None, item.number))

        for run in genesis_rows.runs(read()):
            yield from drained(trouble)
            first = run[0]
            identity = f"os_genesis:{first.number if first.row.id is None else first.row.id}"
            try:
                steps, trees = [], []
                for row in run:
                    image = beside(self._folder, row.row.image, _FOLDERS)
                    step, tree = row_step(row, self._pictures.size(image), identity, self._conventions)
                    step.image = image
                    steps.append(step)
                    trees.append(tree)
                record = self._record(
                    identity, first.number, first.instruction, steps, "web" if first.web else "android"
                )
                yield Read(trajectory=self._finished(record, trees))
            except TROUBLE as error:
                yield refused(error, self._context.shown, identity, first.number)
        yield from drained(trouble)

    def tasks(self, path: Path) -> Iterator[Read | Rejected]:
        """Runs of a file of tasks; those that nobody ran are counted in one line."""
        waiting = 0
        for item in elements(path):
            if isinstance(item, BadLine):
                yield self._bad(item)
                continue
            identity = None
            try:
                task = msgspec.convert(item.value, Item)
                identity = f"os_genesis:{task.task_id or task.episode_id or item.number}"
                if task.gpt_traj is None and task.task_fail is None:
                    waiting += 1
                elif not task.gpt_traj:
                    yield rejected(
                        self._context.shown, "validate.no_steps", "Its run failed before a step.", identity, item.number
                    )  # fmt: skip
                else:
                    yield Read(trajectory=self._agent(task, identity, item))
            except TROUBLE as error:
                yield refused(error, self._context.shown, identity, item.number)
        if waiting:
            why = f"It lists {waiting} tasks without a run; `curate tests add` keeps such a list to check data against."
            yield rejected(self._context.shown, "import.task_list", why)

    def _agent(self, task: Item, identity: str, item: Numbered) -> Trajectory:
        steps, trees = [], []
        for index, turn in enumerate(task.gpt_traj or []):
            image = beside(self._folder, turn.screen_before, _FOLDERS)
            step, tree = agent_step(turn, index, self._pictures.size(image), identity, self._conventions)
            step.image = image
            steps.append(step)
            trees.append(tree)
        instruction = task.refine_task or task.instruction or ""
        record = self._record(identity, item.number, instruction, steps, "android")
        record.template, record.apps = task.task_name, [task.app_name] if task.app_name else []
        return self._finished(record, trees)

    def walk(self, path: Path) -> Iterator[Read | Rejected]:
        """The walk of a file of triples."""
        identity = f"os_genesis:{Masker()(path.stem)}"
        steps: list[Step] = []
        trees: list[Any] = []
        triples: list[Triple] = []
        try:
            for item in elements(path):
                if isinstance(item, BadLine):
                    yield self._bad(item)
                    continue
                triple = msgspec.convert(item.value, Triple)
                image = beside(self._folder, triple.screen_before, _FOLDERS)
                index = len(steps)
                step, tree = walk_step(triple, index, self._pictures.size(image), identity, self._conventions)
                step.image, step.image_after = image, beside(self._folder, triple.screen_after, _FOLDERS)
                step.url = triple.url if not steps else None  # where the walk began; later pages are not told
                steps.append(step)
                trees.append(tree)
                triples.append(triple)
            if not triples:
                return
            web = isinstance(triples[0].action, list)
            record = self._record(identity, 1, "", steps, "web" if web else "android")
            record.actor = Actor(kind="program")
            record.final_image = steps[-1].image_after
            record.sites = list(dict.fromkeys(one.website_name for one in triples if one.website_name))
            record.apps = list(dict.fromkeys(one.app for one in triples if one.app))
            record.template = next((one.task for one in triples if one.task), None)
            yield Read(trajectory=self._finished(record, trees))
        except TROUBLE as error:
            yield refused(error, self._context.shown, identity, len(steps) + 1)

    def _record(self, identity: str, number: int, instruction: str, steps: list[Step], platform: Any) -> Trajectory:
        return Trajectory(
            id=identity,
            source=Origin(
                name="os_genesis", id=identity.removeprefix("os_genesis:"), file=self._context.shown, line=number,
                license=self._conventions.license(), url=FACTS.card, importer="os_genesis@1",
            ),
            instruction=instruction, actor=Actor(kind="model"), platform=platform, steps=steps,
        )  # fmt: skip

    def _finished(self, record: Trajectory, trees: list[Any]) -> Trajectory:
        mark_gaps(record.steps)
        self._pictures.carry(record)
        for step, tree in zip(record.steps, trees, strict=True):
            step.tree = tree(self._context.media) if tree else None
        return record

    def _bad(self, line: BadLine) -> Rejected:
        return rejected(self._context.shown, line.reason, line.detail, None, line.number)


SOURCE = OSGenesis()
