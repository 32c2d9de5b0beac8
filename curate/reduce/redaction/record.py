"""A record without the secrets: its texts, what its actions typed, its trees, and its pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from curate.model.actions import Action, Hotkey, Press, Write
from curate.model.errors import GateError, InputError
from curate.model.render import code_of
from curate.model.trajectory import Step, Trajectory, convert, encode
from curate.model.tree import Node
from curate.reduce.redaction.pictures import AFTER, STEP, StepPictures
from curate.reduce.redaction.places import PixelBox, ShownBox
from curate.reduce.redaction.scan import texts_of
from curate.reduce.redaction.secrets import DEFAULT_NAME
from curate.reduce.redaction.spellings import Spellings
from curate.reduce.redaction.typed import Press as Key
from curate.reduce.redaction.typed import typed_spans
from curate.store.media import MediaStore
from curate.store.paths import PathError
from curate.store.trees import add_tree, read_tree

FLAG = "redacted"
_KEPT = frozenset(
    "schema type kind platform unit button status rule flags modifiers key keys image image_after final_image tree"
    " video trace".split()
)
"""Fields with words of the schema, or names of files by their content."""
_EDGE = 2  # pixels around an element


def redact_record(
    record: Trajectory, spellings: Spellings, media: MediaStore, pictures: Literal["box", "drop"] = "box"
) -> Trajectory:
    """The record without the secrets; the one given is not changed. Steps that lost something have the flag
    `redacted`. New pictures and trees go into `media`. Raises GateError where a secret is left in it."""
    spans = _typing(record.steps, spellings)
    shown = StepPictures(record, media)
    trees = {number: _tree(step, spellings, media) for number, step in enumerate(record.steps) if step.tree}
    boxes = list(_boxes(record, spellings, shown, trees))
    black = shown.without(((first[0], last[0]) for first, last in spans), boxes, pictures)
    steps = [_masked_step(step, spellings) for step in record.steps]
    steps = _without_typing(steps, spellings)
    for number, step in enumerate(steps):
        step.image = black.get((number, "image"), step.image)
        step.image_after = black.get((number, "image_after"), step.image_after)
        step.tree = trees[number][0] if number in trees else step.tree
        typed = any(first[0] <= number <= last[0] for first, last in spans)
        if (typed or step != record.steps[number]) and FLAG not in step.flags:
            step.flags = sorted([*step.flags, FLAG])
    rest = msgspec.structs.replace(record, steps=[])
    cleaned = convert(_masked(msgspec.to_builtins(rest), spellings))
    changed = sum(FLAG in step.flags for step in steps)
    if changed or cleaned != rest or black:
        cleaned.lineage = [*cleaned.lineage, f"redact: {changed} steps, {len(black)} pictures"]
        cleaned.video = cleaned.trace = None  # nobody looked into them
    cleaned.steps = steps
    cleaned.final_image = black.get((len(steps), "final_image"), record.final_image)
    _check(cleaned, spellings)
    return cleaned


def _masked(value: Any, spellings: Spellings, field: str = "") -> Any:
    if isinstance(value, dict):
        return {
            name if name in _KEPT else spellings.mask(name): item if name in _KEPT else _masked(item, spellings, name)
            for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_masked(item, spellings, field) for item in value]
    return spellings.mask(value) if isinstance(value, str) else value


def _masked_step(step: Step, spellings: Spellings) -> Step:
    plain = msgspec.to_builtins(step)
    masked = msgspec.convert(_masked(plain, spellings), Step)
    if masked.actions != step.actions or masked.code != step.code:
        masked.code = code_of(masked.actions) if step.code is not None else None
    return masked


# --- what actions typed -------------------------------------------------------------------------------------------

_Unit = tuple[int, int, int]  # step, action, character of a `write` (or how often the key was pressed)


def _units(steps: Iterable[Step]) -> Iterator[tuple[_Unit, str, str]]:
    """Everything pressed, one by one: where it stands, what it typed, the key's name."""
    for number, step in enumerate(steps):
        for position, action in enumerate(step.actions):
            if isinstance(action, Write):
                for at, char in enumerate(action.text):
                    yield (number, position, at), char, ""
            elif isinstance(action, Press):
                text = " " if action.key == "space" else action.key if len(action.key) == 1 else ""
                for at in range(min(action.presses, 1000)):
                    yield (number, position, at), text, action.key
            elif isinstance(action, Hotkey) and len(action.keys) == 2 and action.keys[0] == "shift":
                yield (number, position, 0), action.keys[1] if len(action.keys[1]) == 1 else "", action.keys[1]


def _typing(steps: Iterable[Step], spellings: Spellings) -> list[tuple[_Unit, _Unit]]:
    """First and last of what typed a secret."""
    units = list(_units(steps))
    presses = [
        Key(line=line, t=unit[0], text=text if text.isprintable() else "", name=name)
        for line, (unit, text, name) in enumerate(units)
    ]
    return [(units[span.first][0], units[span.last][0]) for span in typed_spans(presses, spellings)]


def _without_typing(steps: list[Step], spellings: Spellings) -> list[Step]:
    """The same steps with what is still typed of a secret, across actions or in another case, replaced."""
    for first, last in reversed(_typing(steps, spellings)):
        for number in range(first[0], last[0] + 1):
            actions: list[Action] = []
            for position, action in enumerate(steps[number].actions):
                here = (number, position)
                if not first[:2] <= here <= last[:2]:
                    actions.append(action)
                    continue
                stands = f"[{DEFAULT_NAME}]" if here == first[:2] else ""
                if isinstance(action, Write):
                    start = first[2] if here == first[:2] else 0
                    end = last[2] + 1 if here == last[:2] else len(action.text)
                    stands = action.text[:start] + stands + action.text[end:]
                elif not isinstance(action, Press | Hotkey):
                    actions.append(action)
                if stands:
                    actions.append(Write(stands))
            steps[number].actions = actions
            steps[number].code = code_of(actions)
    return steps


# --- where it shows -----------------------------------------------------------------------------------------------


def _tree(step: Step, spellings: Spellings, media: MediaStore) -> tuple[str | None, list[Node]]:
    """The step's tree without the secrets, and the nodes that held one. A tree that cannot be read is left out."""
    try:
        tree = read_tree(media, step.tree or "")
    except (InputError, PathError, OSError):
        return None, []
    masked = msgspec.convert(_masked_tree(msgspec.to_builtins(tree), spellings), type(tree))
    holding = [node for node in tree.nodes if any(map(spellings.holds, (node.name, node.value, node.description)))]
    return (step.tree if masked == tree else add_tree(media, masked)), holding


def _masked_tree(plain: dict[str, Any], spellings: Spellings) -> dict[str, Any]:
    nodes = [{**spellings.mask_all(node), "states": node["states"]} if "states" in node else spellings.mask_all(node)
             for node in plain["nodes"]]  # fmt: skip
    return {**spellings.mask_all({**plain, "nodes": []}), "schema": plain["schema"], "nodes": nodes}


def _boxes(
    record: Trajectory, spellings: Spellings, shown: StepPictures, trees: dict[int, tuple[str | None, list[Node]]]
) -> Iterator[ShownBox]:
    for number, step in enumerate(record.steps):
        found = [(node.box, node.name or node.value or "") for node in trees.get(number, (None, []))[1]]
        if step.element is not None and spellings.holds(step.element.name):
            found.append((step.element.box, step.element.name or ""))
        size = shown.size(number) if found else None
        for box, text in found:
            if box is not None and size is not None:
                yield ShownBox(
                    since=STEP * number - AFTER + 1, until=STEP * number + AFTER, at=STEP * number,
                    box=_pixels(box, size), alone=2 * len(spellings.without(text)) <= len(text),
                )  # fmt: skip


def _pixels(box: tuple[float, float, float, float], size: tuple[int, int]) -> PixelBox:
    width, height = size
    left, top, right, bottom = box
    return (
        int(left * width) - _EDGE, int(top * height) - _EDGE,
        int(right * width + 1) + _EDGE, int(bottom * height + 1) + _EDGE,
    )  # fmt: skip


def _check(record: Trajectory, spellings: Spellings) -> None:
    """Everything once more, as it would be written."""
    texts = "\n".join(texts_of(msgspec.json.decode(encode(record))))
    if spellings.holds(texts) or any(spellings.found_in(texts.encode("utf-8", errors="replace"))):
        raise GateError("A secret is left in a text of the record.")
    if _typing(record.steps, spellings):
        raise GateError("A secret is still typed by the record's actions.")
