"""GUI-Odyssey: an episode a file, `annotations/<episode_id>.json`, with pictures in `screenshots/` beside that folder
(or in its archives there); older releases have all episodes in one list. Points are thousandths of the screen,
scrolls are two points of the finger."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.constants import JSONL_LINE_LIMIT
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Screen, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Framed, framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.json_stream import Numbered, beginning, elements, first_object
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.step_rows import mark_gaps, missing_end, size_of, told_by_the_end
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine

FACTS = Facts(
    title="GUI-Odyssey",
    card="https://huggingface.co/datasets/hflqf88888/GUIOdyssey",
    space="permille",
    order="xy",
    scroll="finger",
    timing="before",
    outcome="The last action: COMPLETE, or INCOMPLETE with the person's reason in `ps`.",
    licences={"": "CC-BY-4.0"},
    faults=(
        "Points are thousandths, though they look like pixels.",
        "The key of recent apps (KEY_APPSELECT) has no action in a record: the step keeps its words, flagged "
        "`unsupported_action`.",
        "Four episodes type an empty text: what was typed is not known, the step is flagged `text_unverified`.",
        "Some `description` and `intention` are those of another episode; the words of the step are its "
        "`low_level_instruction`.",
        "One download lacks 23,252 of 118,791 pictures: told by step, and an episode without any is refused.",
        "`context` (what was done so far, in a model's words) and `sam2_bbox` (of no documented shape) are not kept.",
    ),
)
_KEYS = frozenset({"episode_id", "device_info", "task_info", "steps"})
_KEY_ACTIONS: dict[str, Action | None] = {"KEY_HOME": act.Home(), "KEY_BACK": act.Back(), "KEY_APPSELECT": None}
_FOLDERS = ("screenshots", "images")


class Device(msgspec.Struct):
    """The device; `w`, `h` in pixels."""

    w: int | None = None
    h: int | None = None


class TaskInfo(msgspec.Struct):
    """What was to be done: `meta_task` with slots, `task`, and `instruction`, its rewording."""

    instruction: str
    task: str | None = None
    meta_task: str | None = None
    app: list[str] = []


class Entry(msgspec.Struct):
    """One step."""

    action: str
    step: Annotated[int, Meta(ge=0, lt=1 << 31)]
    info: Any = None
    screenshot: str | None = None
    ps: Any = None
    description: str | None = None
    intention: str | None = None
    low_level_instruction: str | None = None


class Episode(msgspec.Struct):
    """One episode."""

    episode_id: str
    task_info: TaskInfo
    steps: list[Entry]
    device_info: Device = msgspec.field(default_factory=Device)
    step_length: int | None = None


class GuiOdyssey:
    """The source `gui_odyssey`."""

    name = "gui_odyssey"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A JSON file of such an episode, or of a list of them."""
        return first_object(path).keys() >= _KEYS

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every episode, or why it is none."""
        folder = path.parent.parent if path.parent.name == "annotations" else path.parent
        conventions, carrier = Conventions(FACTS, context), Carrier(folder, context)
        for item in _episodes(path):
            if isinstance(item, BadLine):
                yield rejected(context.shown, item.reason, item.detail, None, item.number)
                continue
            identity = None
            try:
                episode = msgspec.convert(item.value, Episode)
                identity = f"gui_odyssey:{episode.episode_id}"
                record = _record(episode, identity, folder, conventions)
                record.source.file, record.source.line = context.shown, item.number
                yield Read(trajectory=carrier.carry(record))
            except TROUBLE as error:
                yield refused(error, context.shown, identity, item.number)


def _episodes(path: Path) -> Iterator[Numbered | BadLine]:
    if isinstance(beginning(path), list):
        yield from elements(path)
        return
    try:
        with path.open("rb") as file:
            data = file.read(JSONL_LINE_LIMIT + 1)
        if len(data) > JSONL_LINE_LIMIT:
            yield BadLine(1, "read.too_long", f"The episode holds over {JSONL_LINE_LIMIT:,} bytes.")
        else:
            yield Numbered(1, msgspec.json.decode(data))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        yield BadLine(1, "read.json", f"{error}.")
    except OSError as error:
        yield BadLine(None, "read.error", f"It cannot be read: {error.strerror or error}.")


def _record(episode: Episode, identity: str, folder: Path, conventions: Conventions) -> Trajectory:
    entries = sorted(episode.steps, key=lambda entry: entry.step)
    for one, other in pairwise(entries):
        if one.step == other.step:
            raise UnreadableError("validate.schema", f"Step {one.step} is there twice.")
    steps = [_step(entry, episode.device_info, identity, folder, conventions) for entry in entries]
    mark_gaps(steps)
    task, outcome = episode.task_info, told_by_the_end(steps, "human")
    if outcome.completed is False:
        outcome.reason = _text(entries[-1].ps)
    record = Trajectory(
        id=identity,
        source=Origin(
            name="gui_odyssey", id=episode.episode_id, url=FACTS.card, importer="gui_odyssey@1",
            license=conventions.license(),
        ),
        instruction=task.instruction, wordings={"task": task.task} if task.task else {},
        template=task.meta_task or None, actor=Actor(kind="human"), platform="android",
        apps=list(dict.fromkeys(task.app)), steps=steps, outcome=outcome,
        lineage=missing_end(steps, episode.step_length),
    )  # fmt: skip
    record.final_image = set_moments(steps, conventions)
    return record


def _step(entry: Entry, device: Device, identity: str, folder: Path, conventions: Conventions) -> Step:
    size = size_of(device.w, device.h)
    screen = Screen(width=size[0], height=size[1]) if size else None
    meant = _meant(entry)
    around = Around(picture=size, screen=size, words=entry.low_level_instruction)
    done = framed(meant.actions, conventions, record=identity, step=entry.step, around=around)
    return Step(
        index=entry.step, image=beside(folder, entry.screenshot, _FOLDERS), screen=screen,
        observation=entry.description or None, thought=entry.intention or None,
        low_level=entry.low_level_instruction or None, actions=done.actions, code=code_of(done.actions),
        action=entry.info if "unsupported_action" in meant.flags else None, flags=sorted({*done.flags, *meant.flags}),
    )  # fmt: skip


def _meant(entry: Entry) -> Framed:
    """An action with its points as they stand."""
    kind, info = entry.action.strip().upper(), entry.info
    if kind == "CLICK" and isinstance(info, str):
        if info not in _KEY_ACTIONS:
            raise UnreadableError("import.unsupported_action", f"Step {entry.step}: {info[:60]!r} is no known key.")
        action = _KEY_ACTIONS[info]
        return Framed([action], []) if action is not None else Framed([], ["unsupported_action"])
    if kind in ("CLICK", "LONG_PRESS"):
        (x, y), _ = _points(info, entry.step)
        return Framed([act.Click(x=x, y=y) if kind == "CLICK" else act.LongPress(x=x, y=y)], [])
    if kind == "SCROLL":
        (x, y), (to_x, to_y) = _points(info, entry.step)
        return Framed([act.Swipe(x, y, to_x, to_y)], [])
    if kind in ("TEXT", "TYPE"):
        return Framed([act.Write(info)], []) if isinstance(info, str) and info else Framed([], ["text_unverified"])
    if kind in ("COMPLETE", "INCOMPLETE"):
        return Framed([act.Terminate("success" if kind == "COMPLETE" else "failure")], [])
    raise UnreadableError("import.unsupported_action", f"Step {entry.step}: the action {kind[:60]!r} is not known.")


def _points(info: Any, step: int) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    points = [tuple(one) for one in info if isinstance(one, list) and len(one) == 2] if isinstance(info, list) else []
    numbers = all(isinstance(n, int | float) and not isinstance(n, bool) for one in points for n in one)
    if len(points) != 2 or not numbers:
        raise UnreadableError("validate.coordinate_out_of_range", f"Step {step}: {str(info)[:60]!r} is no two points.")
    return points[0], points[1]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


SOURCE = GuiOdyssey()
