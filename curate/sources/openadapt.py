"""OpenAdapt: episodes as JSON in the `Episode` schema (`episode_id`, `instruction`, `steps` with `step_index`) or the
older internal form (`id`, `goal`, `steps` with `t`), one or a list of them; and recordings as a folder with
`recording.db`, whose raw events the reducer makes actions of.

A point is a fraction where the episode says so (`normalized_coordinates`, and all of the internal form), else pixels of
the screen (`screen_size`, or the picture's size)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Action, MoveTo
from curate.model.finite import finite_number
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Outcome, Platform, Screen, Span, Step, Trajectory
from curate.sources.actions.openadapt import Point, read_action, scroll_of
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Framed, framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.embedded import from_base64
from curate.sources.common.facts import Facts
from curate.sources.common.json_stream import beginning, elements, first_object, is_json, whole
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.raw import read_raw
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.step_numbers import GAP, gaps, rising
from curate.sources.common.step_rows import scratch
from curate.sources.common.targets import target
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.parts.openadapt_database import (
    FILE,
    Shots,
    is_database,
    moment_of,
    opened,
    raw_recording,
    recordings,
)  # fmt: skip
from curate.store.jsonl import BadLine
from curate.store.trees import add_text_tree

_SYSTEMS: tuple[tuple[str, Platform], ...] = (
    ("windows", "windows"), ("macos", "macos"), ("darwin", "macos"), ("ubuntu", "linux"), ("linux", "linux"),
)  # fmt: skip
_FOLDERS = ("images", "screenshots")

FACTS = Facts(
    title="OpenAdapt",
    card="https://github.com/OpenAdaptAI/openadapt-ml",
    space="screen_pixel",
    order="xy",
    scroll="view",
    timing="before",
    outcome="`success`; a recording's is not told.",
    licences={"": None},
    faults=(
        "Points are fractions where they stand in `normalized_coordinates` and in the internal form, else pixels.",
        "Recorded points are logical pixels, as the monitor's size is; pictures have `pixel_ratio` as many.",
        "A scroll's amount is pixels; one without an amount is a page.",
        "Going forward, reloading, windows and monitors have no action in a record: the step is flagged "
        "`unsupported_action`.",
        "Merged actions of a recording show the picture of their last event: its raw events are read instead.",
    ),
)


class OpenAdapt:
    """The source `openadapt`."""

    name = "openadapt"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A JSON file of episodes, or a folder with a recording's database."""
        if path.is_dir():
            return is_database(path / FILE)
        steps = first_object(path).get("steps") if is_json(path) else None
        first = steps[0] if isinstance(steps, list) and steps else None
        if not isinstance(first, dict) or not isinstance(first.get("action"), dict):
            return False
        return isinstance(first.get("observation"), dict) and "type" in first["action"]

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every episode, or the recordings of the folder."""
        if path.is_dir():
            yield from _recorded(path, context)
            return
        episodes = _Episodes(path, context)
        if not isinstance(beginning(path), list):
            yield episodes.read(None, None)
            return
        for item in elements(path):
            if isinstance(item, BadLine):
                yield rejected(context.shown, item.reason, item.detail, None, item.number)
            else:
                yield episodes.read(item.value, item.number)


def _recorded(folder: Path, context: ReadContext) -> Iterator[Read | Rejected]:
    try:
        with (folder / FILE).open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()[:16]
        with opened(folder / FILE, scratch(context)) as table:
            for number, row in enumerate(recordings(table)):
                identity = f"openadapt:{digest}" + (f"/{row['id']}" if number else "")
                raw = raw_recording(table, row, folder, identity)
                shots, first = Shots(table, row["id"]), next(iter(raw.events()), None)
                for item in read_raw(lambda raw=raw: raw, "openadapt@1", context):  # type: ignore[misc]
                    if isinstance(item, Read):
                        _fill(item.trajectory, shots, table, first.time if first else 0.0, context)
                    yield item
    except (OSError, UnreadableError) as error:
        reason = error.reason if isinstance(error, UnreadableError) else "read.error"
        yield rejected(context.shown, reason, str(error) if isinstance(error, UnreadableError) else str(error.strerror))


def _fill(record: Trajectory, shots: Shots, table: Any, zero: float, context: ReadContext) -> None:
    """Pictures of the database for steps that no video serves, addresses for all."""
    for step in record.steps:
        taken = moment_of(table, step.events[0]) if step.events else None
        if taken is None:
            taken = zero + step.time.start if step.time is not None else zero
        step.url = step.url or shots.url(taken)
        data = shots.before(taken) if step.events else shots.last()  # the end is seen after all that was done
        if step.image is None and data is not None:
            step.image = context.media.add_bytes(data, "png")
            step.flags = [flag for flag in step.flags if flag != "keyframe_missing"]
    if record.final_image is None and (data := shots.last()) is not None:
        record.final_image = context.media.add_bytes(data, "png")
    record.source.license = Conventions(FACTS, context).license()
    record.source.url = FACTS.card


class _Episodes:
    """Episodes of one file."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._path, self._context, self._pictures = path, context, Carrier(path.parent, context)
        self._pixels = Conventions(FACTS, context)
        said = {name: value for name, value in context.options.get("import", {}).items() if name != "space"}
        others = msgspec.structs.replace(context, options={**context.options, "import": said})
        self._fractions = Conventions(msgspec.structs.replace(FACTS, space="fraction"), others)

    def read(self, value: Any, number: int | None) -> Read | Rejected:
        """One episode; None: the one that the file is."""
        identity: str | None = None
        try:
            value = whole(self._path, dict[str, Any]) if value is None else value
            if not isinstance(value, dict):
                raise UnreadableError("validate.schema", "An episode is an object.")
            name = value.get("episode_id") or value.get("id") or self._path.stem
            identity = f"openadapt:{name}"
            trees: list[str | None] = []
            record = self._record(value, identity, number, trees)
            record = self._pictures.carry(record)
            for step, tree, inline in zip(record.steps, trees, self._inline(value), strict=True):
                step.tree = tree
                step.image = step.image or inline
            return Read(trajectory=record)
        except TROUBLE as error:
            return refused(error, self._context.shown, identity, number)

    def _record(
        self, value: Mapping[str, Any], identity: str, number: int | None, trees: list[str | None]
    ) -> Trajectory:
        instruction = value.get("instruction") or value.get("goal")
        if not isinstance(instruction, str):
            raise UnreadableError("import.no_task", "The episode has no instruction.")
        goal = value.get("goal")
        listed = value.get("steps")
        if not isinstance(listed, list) or not all(isinstance(step, dict) for step in listed):
            raise UnreadableError("validate.schema", "The steps of an episode are a list of objects.")
        platform = self._pixels.options.platform or _platform(value.get("environment"))
        steps = self._steps(listed, identity, platform)
        trees += [self._tree(_part(step, "observation")) for step in listed]
        final = set_moments(steps, self._pixels)
        human = value.get("source") == "human"
        model = value.get("agent_model")
        success = value.get("success")
        task = value.get("task_id")
        return Trajectory(
            id=identity,
            source=Origin(
                name="openadapt", id=str(task) if task else identity.removeprefix("openadapt:"),
                file=self._context.shown, line=number, license=self._pixels.license(), url=FACTS.card,
                importer="openadapt@1",
            ),
            instruction=instruction,
            wordings={"goal": goal} if isinstance(goal, str) and goal and goal != instruction else {},
            actor=Actor(kind="human" if human else "model" if model else None, name=str(model) if model else None),
            platform=platform,
            apps=list(dict.fromkeys(step.app.lower() for step in steps if step.app)),
            steps=steps,
            final_image=final,
            outcome=Outcome(completed=success if isinstance(success, bool) else None),
        )  # fmt: skip

    def _steps(self, listed: Sequence[Mapping[str, Any]], identity: str, platform: Platform | None) -> list[Step]:
        numbers = [one if isinstance(one := step.get("step_index"), int) else None for step in listed]
        times = [finite_number(step.get("timestamp", step.get("t"))) for step in listed]
        zero = next((time for time in times if time is not None), 0.0)
        steps = []
        for step, index, gap, time in zip(listed, rising(numbers), gaps(numbers, 0), times, strict=True):
            seen = _part(step, "observation")
            action = _part(step, "action")
            image = beside(
                self._path.parent, _text(seen.get("screenshot_path")) or _text(seen.get("image_path")), _FOLDERS
            )
            size = self._pictures.size(image)
            screen = _size(seen.get("screen_size")) or size
            acted = self._acted(action, index, size, screen, identity, platform)
            believed = _believed(action, screen, acted.actions)
            lasts = finite_number(step.get("duration_ms")) or 0.0
            begun = None if time is None else time - zero
            steps.append(
                Step(
                    index=index,
                    image=image,
                    image_size=size,
                    screen=Screen(width=screen[0], height=screen[1]) if screen else None,
                    app=_text(seen.get("app_name")),
                    window=_text(seen.get("window_title")),
                    thought=_text(step.get("reasoning")) or _text(step.get("thought")),
                    actions=acted.actions,
                    code=code_of(acted.actions),
                    element=believed.element,
                    raw_box=believed.raw_box,
                    time=None if begun is None else Span(start=begun, end=begun + max(lasts, 0.0) / 1000),
                    flags=sorted({*acted.flags, *([GAP] if gap else [])}),
                )
            )
        return steps

    def _acted(
        self, action: Mapping[str, Any], index: int, size: Size | None, screen: Size | None, identity: str,
        platform: Platform | None,
    ) -> Framed:  # fmt: skip
        (at, fraction), (start, _), (end, ends) = _points(action)
        conventions = self._fractions if fraction or ends else self._pixels
        around = Around(picture=size, screen=screen)
        scroll = scroll_of(action)
        if scroll is None:
            actions = read_action(action, at, start, end, platform)
            if actions is None:
                return Framed([], ["unsupported_action"])
            return framed(actions, conventions, record=identity, step=index, around=around)
        way, amount = scroll
        where: list[Action] = [MoveTo(*at)] if at[0] is not None else []
        placed = framed(where, conventions, record=identity, step=index, around=around)
        unit: Any = "pixel" if amount else "page"
        scrolled = conventions.scroll(way, axis="y", unit=unit, amount=amount or 1.0, record=identity, step=index)
        return Framed([*placed.actions, scrolled], placed.flags)

    def _tree(self, seen: Mapping[str, Any]) -> str | None:
        """The tree in OpenAdapt's own words, or the page's source."""
        tree, page = seen.get("a11y_tree"), seen.get("dom")
        if tree:
            return add_text_tree(self._context.media, msgspec.json.encode(tree).decode())
        return add_text_tree(self._context.media, page, "html.zst") if isinstance(page, str) and page else None

    def _inline(self, value: Mapping[str, Any]) -> Iterator[str | None]:
        """Pictures that stand in the episode itself."""
        for step in value.get("steps") or []:
            text = _part(step, "observation").get("screenshot_base64")
            yield from_base64(text, self._context.media).reference if isinstance(text, str) else None


def _part(step: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = step.get(name)
    return part if isinstance(part, Mapping) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _size(value: Any) -> Size | None:
    sides = [finite_number(side) for side in value] if isinstance(value, list) and len(value) == 2 else []
    known = [side for side in sides if side is not None and side >= 1]
    return (round(known[0]), round(known[1])) if len(known) == 2 else None


def _platform(environment: Any) -> Platform | None:
    text = environment.lower() if isinstance(environment, str) else ""
    return next((platform for word, platform in _SYSTEMS if word in text), None)


def _points(action: Mapping[str, Any]) -> tuple[tuple[Point, bool], tuple[Point, bool], tuple[Point, bool]]:
    """The points of an action (where, from, to), and whether each is a fraction."""
    found = []
    for normal, pixels, internal in (
        ("normalized_coordinates", "coordinates", ("x", "y")),
        ("normalized_start", "start_coordinates", ("x", "y")),
        ("normalized_end", "end_coordinates", ("end_x", "end_y")),
    ):
        pair, place = action.get(normal), action.get(pixels)
        if isinstance(pair, list) and len(pair) == 2:
            found.append(((finite_number(pair[0]), finite_number(pair[1])), True))
        elif isinstance(place, Mapping):
            found.append(((finite_number(place.get("x")), finite_number(place.get("y"))), False))
        else:
            found.append(((finite_number(action.get(internal[0])), finite_number(action.get(internal[1]))), True))
    known = [(point, fraction) if None not in point else ((None, None), False) for point, fraction in found]
    return known[0], known[1], known[2]


def _believed(action: Mapping[str, Any], screen: Size | None, actions: Sequence[Action]) -> Any:
    """The element that an action names."""
    element = _part(action, "element")
    bounds = _part(element, "bounds")
    sides = [finite_number(bounds.get(name)) for name in ("x", "y", "width", "height")]
    known = [side for side in sides if side is not None]
    box = [known[0], known[1], known[0] + known[2], known[1] + known[3]] if len(known) == 4 else None
    role = element.get("role") or action.get("target_role")
    name = element.get("name") or action.get("target_name")
    return target(box, screen, actions, role=_text(role), name=_text(name))


SOURCE = OpenAdapt()
