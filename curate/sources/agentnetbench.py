"""AgentNetBench, the offline benchmark of AgentNet: one JSON file a task, with the expected action of each step, its
target's boxes and other actions that would do. Pictures lie in `images/` beside the files.

The code of a step is taken from `action`, and only where that is missing from `ground_truth_actions`, whose typed text
ends in a line break where Enter is pressed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.finite import finite_number
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Platform, Screen, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.alternatives import told
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.json_stream import first_object, is_json, whole
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.step_numbers import GAP, gaps, rising
from curate.sources.common.targets import target
from curate.sources.common.trouble import TROUBLE, refused

_SYSTEMS: dict[str, Platform] = {"windows": "windows", "darwin": "macos", "ubuntu": "linux", "linux": "linux"}


class Monologue(msgspec.Struct):
    observation: str | None = None
    thought: str | None = None
    low_level_instruction: str | None = None


class Expected(msgspec.Struct):
    """One of the actions that are expected."""

    type: str
    params: dict[str, Any] = {}
    metadata: dict[str, Any] | None = None


class Entry(msgspec.Struct):
    """One step."""

    step_num: int | None = None
    image: str | None = None
    action: str | None = None
    inner_monologue: Monologue | None = None
    ground_truth_actions: list[Expected] = []
    alternative_options: list[list[Expected]] | None = None
    milestone: bool | None = None


class MetaInfo(msgspec.Struct):
    applications: list[str] | None = None
    websites: list[str] | None = None
    system: str | None = None
    screen_resolution: dict[str, int] | None = None


class Task(msgspec.Struct):
    """One file."""

    task_id: str
    user_task_description: str
    steps: list[Entry]
    high_level_task_description: str | None = None
    meta_info: MetaInfo | None = None


FACTS = Facts(
    title="AgentNetBench",
    card="https://github.com/xlang-ai/OpenCUA",
    space="fraction",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="None: a task's steps are the expected ones, and whether the person succeeded is not said.",
    licences={"": "MIT"},
    faults=(
        "It is a benchmark: import it to look at it or to check for leaks, not to train on it.",
        "Step numbers begin anywhere and have gaps: `step_gap`.",
        "Pictures have another size than `meta_info.screen_resolution`; boxes are parts of the picture.",
        "`alternative_options`, other actions that would do as well, stand in `lineage`, and their step is flagged "
        "`alternatives`; so do the steps that are a `milestone`.",
    ),
)


class AgentNetBench:
    """The source `agentnetbench`."""

    name = "agentnetbench"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A JSON file with such a task."""
        start = first_object(path) if is_json(path) else {}
        return "user_task_description" in start and isinstance(start.get("steps"), list)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The task of the file."""
        conventions = Conventions(FACTS, context)
        task: Task | None = None
        try:
            task = whole(path, Task)
            record = _record(task, path.parent, context.shown, conventions)
            yield Read(trajectory=Carrier(path.parent, context).carry(record))
        except TROUBLE as error:
            yield refused(error, context.shown, f"agentnetbench:{task.task_id}" if task else None)


def _record(task: Task, folder: Path, shown: str, conventions: Conventions) -> Trajectory:
    known = task.meta_info or MetaInfo()
    platform = _SYSTEMS.get((known.system or "").lower()) or conventions.options.platform
    coded = Coded(conventions, task.task_id, platform)
    numbers = [entry.step_num for entry in task.steps]
    first = 0 if numbers and numbers[0] == 0 else 1
    places = zip(task.steps, rising(numbers), gaps(numbers, first), strict=True)
    steps = [_step(entry, index, gap, folder, coded) for entry, index, gap in places]
    size = known.screen_resolution or {}
    screen = Screen(width=size["width"], height=size["height"]) if size.keys() >= {"width", "height"} else None
    for step in steps:
        step.screen = screen
    final = set_moments(steps, conventions)
    others = [line for entry, step in zip(task.steps, steps, strict=True) for line in _others(entry, step, coded)]
    milestones = [str(step.index) for entry, step in zip(task.steps, steps, strict=True) if entry.milestone]
    words = task.high_level_task_description
    return Trajectory(
        id=f"agentnetbench:{task.task_id}",
        source=Origin(
            name="agentnetbench", id=task.task_id, file=shown, license=conventions.license(), url=FACTS.card,
            importer="agentnetbench@1",
        ),
        instruction=task.user_task_description,
        wordings={"high_level_task_description": words} if words else {},
        actor=Actor(kind="human"),
        platform=platform,
        apps=[app.lower() for app in known.applications or []],
        sites=[site.lower() for site in known.websites or []],
        steps=steps,
        final_image=final,
        lineage=[
            "agentnetbench: a test task of a benchmark",
            *([f"agentnetbench: milestones are steps {', '.join(milestones)}"] if milestones else []),
            *others,
        ],
    )  # fmt: skip


def _step(entry: Entry, index: int, gap: bool, folder: Path, coded: Coded) -> Step:
    said = entry.inner_monologue or Monologue()
    words = said.low_level_instruction or None
    code = entry.action or "\n".join(_code(one) for one in entry.ground_truth_actions)
    box = _box(entry, "rel_bbox")
    around = Around(box=box, box_space="fraction" if box else None, words=words)
    acted = coded.step(code, index, around) if code else Framed([], [])
    believed = target(box, (1.0, 1.0), acted.actions)
    return Step(
        index=index,
        image=beside(folder, entry.image),
        observation=said.observation or None,
        thought=said.thought or None,
        action=words,
        low_level=words,
        actions=acted.actions,
        code=code_of(acted.actions),
        element=believed.element,
        raw_box=_box(entry, "abs_bbox") if believed.raw_box else None,
        flags=sorted({*acted.flags, *([GAP] if gap else [])}),
    )


def _others(entry: Entry, step: Step, coded: Coded) -> list[str]:
    """Lines about the other actions that would do at a step."""
    texts = []
    for option in entry.alternative_options or []:
        try:
            texts.append("\n".join(_code(one) for one in option))
        except TROUBLE:
            texts.append(" ".join(f"{one.type} {one.params}" for one in option))
    return told("agentnetbench", step, texts, lambda text: coded.aside(text, step.index), "would do as well")


def _code(expected: Expected) -> str:
    """An expected action as a call. Raises ValidationError (of the schema)."""
    params = dict(expected.params)
    position = params.pop("position", None) or {}
    arguments = {**position, **params}
    if expected.type in ("scroll", "hscroll"):
        arguments = {"amount": params.get("amount")}
    elif expected.type == "write":
        arguments = {"message": params.get("text")}
    elif expected.type in ("press", "hotkey"):
        arguments = {"keys": params.get("keys")}
    if not expected.type.isidentifier() or not all(str(name).isidentifier() for name in arguments):
        raise msgspec.ValidationError(f"{expected.type[:40]!r} is no action of the benchmark")
    return f"{expected.type}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"


def _box(entry: Entry, name: str) -> tuple[float, float, float, float] | None:
    """The first box of the expected actions, `rel_bbox` or `abs_bbox` (left, top, width, height), as corners."""
    for one in entry.ground_truth_actions:
        for box in (one.metadata or {}).get("bboxes") or []:
            sides = box.get(name) if isinstance(box, dict) else None
            numbers = [finite_number(side) for side in sides] if isinstance(sides, list) else []
            known = [number for number in numbers if number is not None]
            if len(known) == 4:
                left, top, width, height = known
                return left, top, round(left + width, 6), round(top + height, 6)
    return None


SOURCE = AgentNetBench()
