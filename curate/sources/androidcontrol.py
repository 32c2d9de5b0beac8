"""AndroidControl, one episode a record, in the three forms it is published in: TFRecord files as released
(`android_control-00000-of-00020`: pictures as PNG, accessibility trees as `android_env` messages), JSON lists with
pictures in files (Agent Data Protocol), and parquet tables (`smolagents/android-control`: pictures as base64).

There is one screenshot more than there are actions: the last shows the end. An instruction that covers several actions
is repeated on each. `splits.json` and `test_subsplits.json` beside the file say which episodes are the official test;
other splits (the parquet tables have one) are not the official one.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Click, DoubleClick, Enter, LongPress, OpenApp, Wait, Write
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.actions.android_json import android_actions
from curate.sources.base import Read, ReadContext
from curate.sources.common import tfrecord_rows
from curate.sources.common.android_tree import Screen, acted_at, from_elements, from_forest
from curate.sources.common.coded import Around, Framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.embedded import Embedded, embedded, from_base64, some_serve
from curate.sources.common.facts import Facts
from curate.sources.common.json_stream import elements, first_object
from curate.sources.common.parquet_rows import columns_of, rows
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.step_rows import size_of
from curate.sources.common.targets import point_of
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine
from curate.store.trees import add_tree

_FIELDS = frozenset({"episode_id", "goal", "actions", "step_instructions"})
_FOLDERS = ("android_control_screenshots", "screenshots", "images")

FACTS = Facts(
    title="AndroidControl",
    card="https://github.com/google-research/google-research/tree/master/android_control",
    space="picture_pixel",
    order="xy",
    scroll="view",
    timing="before",
    outcome="Not told: people's demonstrations, of which nobody says that they succeeded; null.",
    licences={"": "Apache-2.0"},
    companions=("splits.json", "*/splits.json", "test_subsplits.json", "*/test_subsplits.json"),
    faults=(
        "A scroll tells its direction and no distance: it counts as one page.",
        "`wait` tells no time: its seconds are null.",
        "The app of an episode is not told: `apps` holds what `open_app` names, and where the tree names a package, it "
        "is the step's `app`.",
        "Text may be typed without a click on a field before (episode 8770): kept, with the flag `no_focus` unless the "
        "tree shows a field with the focus.",
        "No element is named: it is the smallest of the tree that holds the point, flagged `element_from_tree`. Boxes "
        "that leave the screen are null in the tree, and none is made up.",
        "`smolagents/android-control` is split otherwise than the official files: its training part holds official "
        "test episodes. Put `splits.json` beside the data, and `lineage` names the official split of each episode.",
    ),
)  # fmt: skip


class Episode(msgspec.Struct):
    """One episode; `screenshots` and `accessibility_trees` in the form of the file."""

    episode_id: int
    goal: str
    actions: list[dict[str, Any]]
    step_instructions: list[str] = []
    screenshots: list[Any] = []
    screenshot_widths: list[int] = []
    screenshot_heights: list[int] = []
    accessibility_trees: list[Any] = []
    screenshots_b64: list[Any] = []


class AndroidControl:
    """The source `androidcontrol`."""

    name = "androidcontrol"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A file of any of the three forms."""
        start = tfrecord_rows.head(path)
        if start is not None:
            features = start.features
            return features >= _FIELDS | {"screenshots"} or (not features and "android_control" in path.name)
        if columns_of(path) >= _FIELDS | {"screenshots_b64"}:
            return True
        return _FIELDS | {"screenshots"} <= first_object(path).keys()

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every episode, or why a record is none."""
        reading = _Reading(path, context)
        for number, item in _items(path):
            if isinstance(item, Rejected):
                yield msgspec.structs.replace(item, file=context.shown)
                continue
            identity = None
            try:
                episode = item if isinstance(item, Episode) else msgspec.convert(item, Episode)
                identity = f"androidcontrol:{episode.episode_id}"
                yield Read(trajectory=reading.record(episode, identity, number))
            except TROUBLE as error:
                yield refused(error, context.shown, identity, number)


def _items(path: Path) -> Iterator[tuple[int, Any]]:
    """Episodes with their numbers from 1, whatever the form; Rejected for what cannot be read."""
    if tfrecord_rows.head(path) is not None:
        for example in tfrecord_rows.examples(path):
            if isinstance(example, tfrecord_rows.BadExample):
                yield 0, rejected("", example.reason, example.detail, None, example.number)
            else:
                yield example.number, _of(example.features)
        return
    for one in rows(path) if path.suffix.lower() == ".parquet" else elements(path):
        if isinstance(one, BadLine):
            yield 0, rejected("", one.reason, one.detail, None, one.number)
        else:
            yield one.number, one[1]


def _of(features: Mapping[str, list[Any]]) -> Any:
    """A record of a TFRecord file in the shape of the others; what does not decode stays as it is and is refused."""

    made: dict[str, Any] = dict(features)
    try:
        goal, actions, instructions = (
            [text.decode() if isinstance(text, bytes) else text for text in features.get(name, [])]
            for name in ("goal", "actions", "step_instructions")
        )
    except UnicodeDecodeError:
        return made
    made["episode_id"] = next(iter(features.get("episode_id", [])), None)
    made["goal"] = next(iter(goal), None)
    made["step_instructions"] = instructions
    made["actions"] = [_json(text) for text in actions]
    return made


def _json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return text


class _Reading:
    """One file while it is read."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._folder, self._context = path.parent, context
        self._conventions = Conventions(FACTS, context)
        self._carrier = Carrier(path.parent, context)
        self._splits = _splits(path.parent)

    def record(self, episode: Episode, identity: str, number: int) -> Trajectory:
        """The episode as a record. Raises UnreadableError."""
        count = len(episode.actions)
        shots = self._shots(episode)
        instructions = _fitting(episode.step_instructions, count, "step_instructions")
        trees = _fitting(episode.accessibility_trees, count, "accessibility_trees", count + 1)
        pictures = [shot.reference for shot in _fitting(shots, count, "screenshots", count + 1)]
        final = pictures[count] if len(pictures) > count else None
        pairs = self._conventions.before(pictures[:count], final=final) or [(None, None)] * count
        moved = self._conventions.facts.timing == "after"
        steps: list[Step] = []
        seen: list[Screen | None] = []
        for index, (raw, pair) in enumerate(zip(episode.actions, pairs, strict=True)):
            at = index - 1 if moved else index  # of the picture and the tree before the action
            shot = shots[at] if shots and at >= 0 else None
            screen = self._screen(trees[at], shot.size if shot else None) if trees and at >= 0 else None
            words = instructions[index] if instructions else None
            around = Around(picture=shots[index].size if shots else None, words=words)
            done = android_actions(raw, self._conventions, record=identity, step=index, around=around)
            steps.append(_step(index, done, pair, shot, screen, words))
            if any(isinstance(action, Write) for action in done.actions) and not _has_focus(steps, screen):
                steps[-1].flags = sorted({*steps[-1].flags, "no_focus"})
            seen.append(screen)
        opened = [action.app for step in steps for action in step.actions if isinstance(action, OpenApp)]
        record = Trajectory(
            id=identity,
            source=Origin(
                name="androidcontrol", id=str(episode.episode_id), file=self._context.shown, line=number or None,
                license=self._conventions.license(), url=FACTS.card, importer="androidcontrol@1",
            ),
            instruction=episode.goal, actor=Actor(kind="human"), platform="android",
            apps=list(dict.fromkeys(opened)), steps=steps, final_image=final,
            lineage=self._splits.get(episode.episode_id, []),
        )  # fmt: skip
        if _are_files(episode):
            self._carrier.carry(record)
        else:
            some_serve(steps, self._conventions.options, final)
        for step, screen in zip(steps, seen, strict=True):
            step.tree = add_tree(self._context.media, screen.tree) if screen else None
        return record

    def _shots(self, episode: Episode) -> list[Embedded]:
        """Pictures with their sizes: as the record states those, else as the picture has it."""
        sizes = zip(episode.screenshot_widths, episode.screenshot_heights, strict=False)
        stated = [size_of(*size) for size in sizes]
        found: list[Embedded] = []
        for number, raw in enumerate(episode.screenshots_b64 or episode.screenshots):
            shot, size = self._shot(raw, _are_files(episode)), stated[number] if number < len(stated) else None
            if size is None and _are_files(episode):
                size = self._carrier.size(shot.reference)
            found.append(shot._replace(size=size or shot.size))
        return found

    def _shot(self, raw: Any, is_file: bool) -> Embedded:
        if isinstance(raw, bytes):
            return embedded(raw, self._context.media)
        if not isinstance(raw, str):
            return Embedded(None, None)
        return Embedded(beside(self._folder, raw, _FOLDERS), None) if is_file else from_base64(raw, self._context.media)

    def _screen(self, tree: Any, size: Size | None) -> Screen | None:
        if isinstance(tree, bytes):
            return from_forest(tree, size)
        if isinstance(tree, list):
            return Screen(from_elements(tree, size), None, None)
        return None


def _are_files(episode: Episode) -> bool:
    """Whether its pictures are names of files."""
    return not episode.screenshots_b64 and any(isinstance(shot, str) for shot in episode.screenshots)


def _step(
    index: int, done: Framed, pair: tuple[str | None, str | None], shot: Embedded | None, screen: Screen | None,
    words: str | None,
) -> Step:  # fmt: skip
    """One step; `pair`: its pictures before and after."""
    point = point_of(done.actions)
    element = acted_at(screen.tree, *point) if screen is not None and point is not None else None
    flags = {*done.flags, *(shot.flags if shot else []), *(["element_from_tree"] if element else [])}
    return Step(
        index=index, image=pair[0], image_size=shot.size if shot else None, image_after=pair[1],
        low_level=words or None, app=screen.app if screen else None, window=screen.title if screen else None,
        actions=done.actions, code=code_of(done.actions), element=element, flags=sorted(flags),
    )  # fmt: skip


def _fitting(values: list[Any], count: int, name: str, other: int | None = None) -> list[Any]:
    """The values if there is one for each action (or one more, where that may be), or none at all."""
    if values and len(values) not in (count, other):
        raise UnreadableError("validate.schema", f"{len(values)} {name} do not fit {count} actions.")
    return values


def _has_focus(steps: list[Step], screen: Screen | None) -> bool:
    """Whether something before the last step's text put the focus into a field, or the tree shows one that has it."""
    if screen is not None and any({"focused", "editable"} <= set(node.states) for node in screen.tree.nodes):
        return True
    acts = [action for step in steps for action in step.actions]
    before = [action for action in acts if not isinstance(action, Wait | Write | Enter)]
    return bool(before) and isinstance(before[-1], Click | DoubleClick | LongPress)


def _splits(folder: Path) -> dict[int, list[str]]:
    """By episode, which official splits it is in, from the two files beside the data or above it."""
    found: dict[int, list[str]] = {}
    for name, what in (("splits.json", "split"), ("test_subsplits.json", "test sub-split")):
        file = next((f for f in (folder / name, folder.parent / name) if f.is_file()), None)
        if file is None:
            continue
        status = file.stat()
        for split, ids in _ids(file, status.st_mtime_ns, status.st_size).items():
            for episode in ids:
                found.setdefault(episode, []).append(f"AndroidControl: official {what} {split}")
    return found


@functools.lru_cache(maxsize=4)
def _ids(file: Path, changed: int, size: int) -> dict[str, list[int]]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, list[int]])
    except (msgspec.MsgspecError, OSError, UnicodeDecodeError):
        return {}


SOURCE = AndroidControl()
