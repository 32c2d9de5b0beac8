"""DigiRL: transitions of a reinforcement-learning run on Android, `{"observation", "action", "task", "image_path",
"reward", "done", "trajectory_reward", "mc_return", ...}`, as JSON or JSONL: a list of trajectories that are lists of
transitions, a trajectory a line, or transitions one after another.

It is published as `torch.save` files. They are pickles, which run code when they are opened: they are refused here and
never opened; `FACTS` says how they are converted by whoever trusts them.

A picture shows what came after its transition's action. The action is a text that looks like JSON and is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.parse import parse
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Outcome, Score, Step, Trajectory
from curate.sources.actions import dual_point
from curate.sources.actions.dual_point import Gesture, gesture_actions
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.heads import is_jsonl
from curate.sources.common.json_stream import beginning, is_json
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import rows_of
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine, Line, read_lines

FACTS = Facts(
    title="DigiRL",
    card="https://github.com/DigiRL-agent/digirl",
    space="fraction",
    order="yx",
    scroll="finger",
    timing="after",
    outcome="`trajectory_reward`, 1 or 0: the verdict of a model that looked at the last screens.",
    licences={"": "Apache-2.0"},
    faults=(
        "It is published as pickles (`.pt`), which run code when they are opened: they are refused and never opened. "
        "Who trusts one loads it where nothing can be harmed, and writes "
        '`json.dump([[{k: v for k, v in t.items() if "features" not in k} for t in run] for run in torch.load(file, '
        "weights_only=False)], out)`.",
        "The first screen is not saved (the first picture is `..._1.png`): the first step has none, unless a picture "
        "`..._0.png` lies there.",
        "Two points less than sqrt(10) pixels apart are a tap; where the picture's size is not known, equal ones.",
        "Typed text may hold quotes, commas and blanks, at which upstream's own parser breaks: it is read up to the "
        "last quote.",
        "An action that cannot be read (upstream does nothing then) leaves its step without actions, with its text as "
        "words, flagged `unsupported_action`.",
        "`Action Plan: [...]` lists the kinds of the actions to come, in the agent's notation: it is no thought, and "
        "stands in `lineage`. The format `transitions` writes its own.",
        "Rows of this project's format `transitions` are read too; their action may be code.",
        "`observation` says of a task found impossible that it was completed: it is not read, `action` is.",
        "`reward` and `mc_return` of a transition are not kept; `trajectory_reward` is a score.",
        "`image_path` is a path of the author's machine: the base name is looked for beside the file.",
        "Lists of tasks (`general_train.txt`) are no trajectories and are not read.",
    ),
)
_KEYS = frozenset({"observation", "action", "task", "image_path", "done"})
_PICKLES = (".pt", ".pth", ".pkl", ".pickle")
_FOLDERS = ("images", "screenshots")
_PLAN = 400  # characters of a plan that lineage shows: its model writes four kinds
_TAP_PX2 = 10  # squared pixels between touch and lift, below which DigiRL's environment taps
_KINDS = {
    "DUAL_POINT": dual_point.DUAL_POINT, "TYPE": dual_point.TYPE, "PRESS_BACK": dual_point.BACK,
    "PRESS_HOME": dual_point.HOME, "PRESS_ENTER": dual_point.ENTER, "STATUS_TASK_COMPLETE": dual_point.COMPLETE,
    "TASK_IMPOSSIBLE": dual_point.IMPOSSIBLE, "STATUS_TASK_IMPOSSIBLE": dual_point.IMPOSSIBLE,
}  # fmt: skip
_DECISION = re.compile(
    r'^\s*(?P<plan>.*?)\s*;?\s*Action Decision:\s*"action_type": "(?P<kind>[A-Z_]+)", '
    r'"touch_point": "\[(?P<touch>[^\]"]*)\]", "lift_point": "\[(?P<lift>[^\]"]*)\]", "typed_text": "(?P<text>.*)"\s*$',
    re.DOTALL,
)


class Transition(msgspec.Struct):
    """A step."""

    action: str
    task: str
    image_path: str | None = None
    observation: str | None = None
    done: bool | int | None = None
    trajectory_reward: float | None = None
    image: str | None = None  # before the step, of rows that this project wrote
    trajectory: str | None = None


class Digirl:
    """The source `digirl`."""

    name = "digirl"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """Such transitions, or a pickle, which is refused."""
        first = _first(path)
        told = first.keys() >= _KEYS and ("Action Decision:" in str(first.get("action")) or "next_image" in first)
        return told or _is_pickle(path)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every trajectory, or why there is none."""
        if _is_pickle(path):
            why = (
                "It is a pickle, which runs code when it is opened. If you trust it, load it where nothing can be "
                "harmed and write its trajectories as JSON, without the features; docs/sources.md has the line."
            )
            yield rejected(context.shown, "read.pickle", why)
            return
        reading = _Reading(path.parent, context)
        for number, run in _runs(path, context):
            if isinstance(run, BadLine):
                yield rejected(context.shown, run.reason, run.detail, None, run.number)
                continue
            identity = f"digirl:{Path(context.shown).stem}:{number}"
            try:
                yield Read(trajectory=reading.record(msgspec.convert(run, list[Transition]), identity, number))
            except TROUBLE as error:
                yield refused(error, context.shown, identity, number)


def _is_pickle(path: Path) -> bool:
    if path.suffix.lower() not in _PICKLES or not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(256)
    return head.startswith(b"\x80") or (head.startswith(b"PK\x03\x04") and b"data.pkl" in head)


def _first(path: Path) -> dict[str, Any]:
    """The first transition of a file, whatever it lies in."""
    if is_json(path):
        start = beginning(path)
    elif is_jsonl(path):
        line = next(read_lines(path), None)
        try:
            start = msgspec.json.decode(line.data) if isinstance(line, Line) else None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            start = None
    else:
        return {}
    while isinstance(start, list):
        start = start[0] if start else None
    return start if isinstance(start, dict) else {}


def _runs(path: Path, context: ReadContext) -> Iterator[tuple[int, Any]]:
    """Trajectories with the number of their row, or of the first of their rows: one after another, a run ends where it
    is done, where the task changes and where the next one has no action before it."""
    waiting: list[Any] = []
    first = 0
    for item in rows_of(path, context):
        row = None if isinstance(item, BadLine) else item.value
        if waiting and (row is None or isinstance(row, list) or _begins(row, waiting[-1])):
            yield first, waiting
            waiting = []
        if row is None or isinstance(row, list):
            yield item.number or 0, item if row is None else row
            continue
        first = first if waiting else item.number or 0
        waiting.append(row)
    if waiting:
        yield first, waiting


_NOTHING_BEFORE = re.compile(r"\s*Previous Actions:\s*Goal:")


def _begins(row: Any, before: Any) -> bool:
    if not isinstance(row, dict) or not isinstance(before, dict):
        return True
    at_first = _NOTHING_BEFORE.match(str(row.get("observation"))) is not None
    return bool(before.get("done")) or row.get("task") != before.get("task") or at_first


class _Reading:
    """One file while it is read."""

    def __init__(self, folder: Path, context: ReadContext) -> None:
        self._folder, self._context = folder, context
        self._conventions = Conventions(FACTS, context)
        self._carrier = Carrier(folder, context)

    def record(self, run: Sequence[Transition], identity: str, number: int) -> Trajectory:
        """A trajectory as a record. Raises UnreadableError."""
        if not run:
            raise UnreadableError("read.empty", "The trajectory has no transitions.")
        names = [beside(self._folder, one.image_path, _FOLDERS) for one in run]
        size: Size | None = None
        steps = []
        for index, (one, name) in enumerate(zip(run, names, strict=True)):
            size = self._carrier.size(name) or size
            steps.append(self._step(one, index, name, size, identity))
        record = Trajectory(
            id=identity,
            source=Origin(
                name="digirl", file=self._context.shown, line=number or None, importer="digirl@1", url=FACTS.card,
                license=self._conventions.license(),
            ),
            instruction=run[0].task, actor=Actor(kind="model" if run[0].trajectory is None else None),
            platform="android" if run[0].trajectory is None else self._conventions.options.platform, steps=steps,
            outcome=_outcome(run[-1].trajectory_reward), scores=list(_scores(run[-1].trajectory_reward)),
        )  # fmt: skip
        record.lineage = [line for index, one in enumerate(run) for line in _plan(one, index)]
        record.final_image = set_moments(steps, self._conventions)
        if steps[0].image is None:
            own = beside(self._folder, run[0].image, _FOLDERS) if run[0].image else None
            steps[0].image = own or self._beginning(names[0])
        return self._carrier.carry(record)

    def _step(self, one: Transition, index: int, name: str | None, size: Size | None, identity: str) -> Step:
        found = _DECISION.match(one.action)
        kind = _KINDS.get(found["kind"]) if found else None
        if found is None and one.trajectory is not None:  # our own rows say it in code, whatever the system
            actions = parse(one.action)
            return Step(index=index, image=name, actions=actions, code=code_of(actions))
        if found is None or kind is None:
            return Step(index=index, image=name, action=one.action, actions=[], flags=["unsupported_action"])
        touch, lift = (_pair(found[side], index) for side in ("touch", "lift"))
        gesture = Gesture(kind=kind, touch=touch, lift=lift, text=found["text"])
        done = self._acted(gesture, index, size, identity)
        return Step(index=index, image=name, actions=done.actions, code=code_of(done.actions), flags=done.flags)

    def _acted(self, gesture: Gesture, index: int, size: Size | None, identity: str) -> Framed:
        def is_tap(touch: Sequence[Any], lift: Sequence[Any]) -> bool:
            if size is None:
                return list(touch) == list(lift)
            (y, x), (other_y, other_x) = touch, lift
            return float(((x - other_x) * size[0]) ** 2 + ((y - other_y) * size[1]) ** 2) < _TAP_PX2

        around = Around(picture=size, screen=size)
        return gesture_actions(gesture, self._conventions, record=identity, step=index, around=around, is_tap=is_tap)

    def _beginning(self, first: str | None) -> str | None:
        """A picture of the screen before the first action, where somebody saved one."""
        if first is None or not re.search(r"_1\.\w+$", first):
            return None
        name = re.sub(r"_1(\.\w+)$", r"_0\1", first)
        return name if self._carrier.size(name) is not None else None


def _plan(one: Transition, index: int) -> list[str]:
    """A line about the kinds of action that the agent wrote down ahead of a decision."""
    found = _DECISION.match(one.action)
    kinds = found["plan"].removeprefix("Action Plan:").strip() if found else ""
    return [f"digirl: step {index}, plan {kinds[:_PLAN]}"] if kinds else []


def _pair(text: str, step: int) -> list[Any]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise UnreadableError("validate.schema", f"Step {step}: {text[:60]!r} is no point.") from None


def _outcome(reward: float | None) -> Outcome:
    if reward not in (0, 1):
        return Outcome()
    return Outcome(completed=reward == 1, by="model")


def _scores(reward: float | None) -> Iterator[Score]:
    if reward is not None and 0 <= reward <= 1:
        yield Score(name="trajectory_reward", value=reward, min=0, max=1, higher_is_better=True, by="digirl")


SOURCE = Digirl()
