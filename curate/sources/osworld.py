"""Runs of agents on OSWorld (and on benchmarks made from it): a folder `<action space>/<observations>/<model>/<domain>/
<task>/` with `traj.jsonl`, one picture an action, `result.txt`.

The picture of a line shows what its action led to: it is written after the action, so it is the picture before the
next one, and the first step has none unless the run kept one (`initial_state.png`, `step_0.png`). Points are pixels of
the screen, which the pictures show whole. What the task was is in its task file: in the run's folder, or in the
folders above it (`evaluation_examples/examples/<domain>/<task>.json`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Terminate
from curate.model.finite import finite_number
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Outcome, Platform, Score, Screen, Step, Task, Trajectory
from curate.sources.actions import computer13
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.heads import head
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.step_numbers import GAP, gaps, rising
from curate.sources.common.task_files import TaskFile, task_of
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine, read_lines
from curate.store.paths import own_file

_FILE = "traj.jsonl"
_FIRST = ("initial_state.png", "step_0.png")
_OBSERVATIONS = frozenset({"screenshot", "a11y_tree", "screenshot_a11y_tree", "som"})
_SPACES = frozenset({"pyautogui", "computer_13", "claude_computer_use", "autoglm_computer_use"})
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


class Row(msgspec.Struct):
    """One action."""

    step_num: int
    action: str | dict[str, Any]
    response: Any = None
    natural_language_action: str | None = None
    screenshot_file: str | None = None


FACTS = Facts(
    title="OSWorld runs",
    card="https://github.com/xlang-ai/OSWorld",
    space="screen_pixel",
    order="xy",
    scroll="plus_up",
    timing="after",
    outcome="`result.txt`, a number from 0 to 1: 1 completed, 0 not, anything between is a score without a verdict.",
    licences={"": "Apache-2.0"},
    faults=(
        "`reward` is always 0 and `done` says only that the agent stopped: neither is read.",
        "`step_num` repeats where one answer of the model was several actions; each is a step of its own.",
        "The screen before the first action is usually not kept: that step has no picture.",
        "`FAIL` says that the task cannot be done; it is the right end where the task is infeasible.",
        "A mouse button that is pressed in one step and released in another has no action in the record: such a run is "
        "refused.",
        "The wording of the task is not in the run: without its task file the run is refused.",
    ),
    companions=("*examples/*.json", "*examples_windows/*.json"),
)


class OSWorld:
    """The source `osworld`."""

    name = "osworld"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """The folder of a run, or its `traj.jsonl`."""
        file = own_file(path, _FILE) if path.is_dir() else path if path.name == _FILE and path.is_file() else None
        return file is not None and any(row.keys() >= {"step_num", "action"} for row in head(file).objects[:1])

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The run of the folder."""
        folder = path if path.is_dir() else path.parent
        run = _Run(folder, context)
        try:
            rows = list(run.rows())
            yield Read(trajectory=run.pictures.carry(run.record(rows)))
        except _LineError as error:
            yield rejected(run.shown, error.reason, str(error), run.id, error.line)
        except TROUBLE as error:
            yield refused(error, run.shown, run.id)


class _LineError(UnreadableError):
    """A line of the run that cannot be read: without it the run is not what happened."""

    def __init__(self, line: BadLine) -> None:
        super().__init__(line.reason, line.detail)
        self.line = line.number


class _Run:
    """One folder."""

    def __init__(self, folder: Path, context: ReadContext) -> None:
        self.folder = folder
        self.shown = context.shown if context.shown.endswith(_FILE) else f"{context.shown}/{_FILE}"
        self.pictures, self.conventions = Carrier(folder, context), Conventions(FACTS, context)
        self.task = folder.name
        self.domain, self.model = _place(folder)
        self.id = "osworld:" + "/".join(part for part in (self.model, self.domain, self.task) if part)

    def rows(self) -> Iterator[Row]:
        """Raises _LineError."""
        decoder = msgspec.json.Decoder(Row)
        for line in read_lines(self.folder / _FILE):
            if isinstance(line, BadLine):
                raise _LineError(line)
            try:
                yield decoder.decode(line.data)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                schema = isinstance(error, msgspec.ValidationError)
                raise _LineError(
                    BadLine(line.number, "validate.schema" if schema else "read.json", f"{error}.")
                ) from error

    def record(self, rows: Sequence[Row]) -> Trajectory:
        found = task_of(self.folder, self.domain or "", self.task)
        if found is None:
            raise UnreadableError(
                "import.no_task", f"There is no {self.task}.json: put the task's file into the run's folder."
            )
        task, file = found
        platform = self.conventions.options.platform or _platform(self.task, task, file)
        steps = self._steps(rows, platform)
        final = set_moments(steps, self.conventions)
        first = next((name for name in _FIRST if own_file(self.folder, name) is not None), None)
        if steps and steps[0].image is None:
            steps[0].image = first
        outcome, scores = _outcome(self.folder)
        return Trajectory(
            id=self.id,
            source=Origin(
                name="osworld", id="/".join(part for part in (self.domain, self.task) if part), file=self.shown,
                license=self.conventions.license(), url=FACTS.card, importer="osworld@1",
            ),
            instruction=task.instruction,
            task=Task(prerequisites=task.prerequisites, expected=task.expected),
            actor=Actor(kind="human" if self.model == "human" else "model", name=self.model),
            platform=platform,
            apps=[app.lower() for app in task.related_apps or []],
            steps=steps,
            final_image=final,
            video="recording.mp4" if own_file(self.folder, "recording.mp4") is not None else None,
            outcome=outcome,
            scores=scores,
        )  # fmt: skip

    def _steps(self, rows: Sequence[Row], platform: Platform | None) -> list[Step]:
        numbers = [row.step_num for row in rows]
        coded = Coded(self.conventions, self.id, platform)
        steps: list[Step] = []
        ended = False
        places = zip(rows, rising(numbers), gaps(numbers, 0 if numbers and numbers[0] == 0 else 1), strict=True)
        names = [beside(self.folder, row.screenshot_file, within=()) for row in rows]
        sizes = [self.pictures.size(name) for name in names]
        known = next((size for size in sizes if size is not None), None)  # one machine, one screen
        for (row, index, gap), image, own in zip(places, names, sizes, strict=True):
            size = own or known
            acted = self._acted(row, index, coded, Around(size, size, words=row.natural_language_action))
            steps.append(
                Step(
                    index=index,
                    image=image,
                    screen=Screen(width=size[0], height=size[1]) if size else None,
                    thought=_thought(row.response),
                    action=row.natural_language_action or None,
                    actions=acted.actions,
                    code=code_of(acted.actions),
                    flags=sorted({*acted.flags, *([GAP] if gap else []), *(["after_end"] if ended else [])}),
                )
            )
            ended = ended or any(isinstance(action, Terminate) for action in acted.actions)
        return steps

    def _acted(self, row: Row, index: int, coded: Coded, around: Around) -> Framed:
        action = row.action
        if isinstance(action, str) and action.strip() in computer13.WORDS:
            action = {"action_type": action.strip()}
        if isinstance(action, dict) and isinstance(action.get("command"), str):
            action = action["command"]  # agents that call a tool keep the code beside the call
        if isinstance(action, str):
            return coded.step(action, index, around)
        try:
            actions = computer13.read_action(action, coded.pointer, coded.platform)
        except UnreadableError as error:
            raise UnreadableError(error.reason, f"Step {index}: {error}") from error
        inferred = coded.pointer is not None and "CLICK" in str(action.get("action_type")) and not _has_point(action)
        acted = coded.acted(actions, index, around)
        return Framed(acted.actions, sorted({*acted.flags, *(["point_inferred"] if inferred else [])}))


def _has_point(action: dict[str, Any]) -> bool:
    inner = action.get("parameters")
    return (inner if isinstance(inner, dict) else action).get("x") is not None


def _place(folder: Path) -> tuple[str | None, str | None]:
    """Domain and model, by the folders above; None where they are not those that OSWorld makes."""
    above = [parent.name for parent in folder.parents[:4]]
    if len(above) == 4 and (above[2] in _OBSERVATIONS or above[3] in _SPACES):
        return above[0], above[1]
    return None, None


def _platform(name: str, task: TaskFile, file: Path) -> Platform:
    """OSWorld's own machine is Ubuntu; its Windows tasks stand in a folder of their own, WindowsAgentArena's ids end in
    `-wos`."""
    windows = name.endswith("-wos") or "examples_windows" in file.parts or (task.id or "").endswith("-wos")
    return "windows" if windows else "linux"


def _thought(response: Any) -> str | None:
    """What the model said around its code."""
    return _FENCED.sub("", response).strip() or None if isinstance(response, str) else None


def _outcome(folder: Path) -> tuple[Outcome, list[Score]]:
    file = own_file(folder, "result.txt")
    if file is None:
        return Outcome(), []
    try:
        with file.open("rb") as content:
            value = finite_number(float(content.read(100)))
    except (OSError, ValueError):
        value = None
    if value is None or not 0 <= value <= 1:
        return Outcome(), []
    score = Score(name="osworld", value=value, min=0, max=1, higher_is_better=True, by="program")
    if value in (0, 1):
        return Outcome(completed=value == 1, by="program"), [score]
    return Outcome(by="program", reason=f"score {value:g} of 1"), [score]


SOURCE = OSWorld()
