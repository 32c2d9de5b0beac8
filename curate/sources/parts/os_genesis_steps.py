"""OS-Genesis' steps in the record's frame, and their trees: as nodes where it has lists of elements, else in its own
text, whose numbers the actions name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from curate.model.actions import POINTED, Action
from curate.model.constants import OS_GENESIS_SCREEN
from curate.model.finite import finite_number
from curate.model.render import code_of
from curate.model.trajectory import Element, Step
from curate.sources.actions.android_json import android_actions
from curate.sources.actions.element_calls import read_element_call
from curate.sources.common.android_tree import from_elements, role_of_class
from curate.sources.common.coded import Around, Framed
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.page_trees import element_of
from curate.sources.common.reading import UnreadableError
from curate.sources.common.targets import point_of, target
from curate.sources.parts.os_genesis_raw import Spot, Triple, Turn, bound, listed, placed, spot
from curate.sources.parts.os_genesis_rows import Read
from curate.store.media import MediaStore
from curate.store.trees import add_text_tree, add_tree

StoresTree = Callable[[MediaStore], str]
"""Stores a step's tree and gives its reference; called once the record is known to be sound."""

_NOT_MATCHED = "action_not_match"  # the agent's answer held no action, and nothing was done


def row_step(row: Read, size: Size | None, record: str, conventions: Conventions) -> tuple[Step, StoresTree | None]:
    """The step of a training row."""
    step = Step(
        index=row.place, image_size=size, thought=row.thought, action=row.low_level, low_level=row.low_level, actions=[]
    )
    text = row.tree
    if row.web:
        _call(step, row.action, text, None, size, record, conventions)
    else:
        done = _json(row.action, step, size or OS_GENESIS_SCREEN, record, conventions)
        _take(step, done)
        named = _named_at(text, row.action)
        step.element = Element(name=named) if named and point_of(step.actions) else None
    return step, (lambda media: add_text_tree(media, text)) if text else None


def agent_step(
    turn: Turn, index: int, size: Size | None, record: str, conventions: Conventions
) -> tuple[Step, StoresTree | None]:
    """The step of the agent on a phone. What it says of the step after it is a reflection on it."""
    step = Step(
        index=index, image_size=size, thought=turn.action_reason or None, actions=[], reflection=turn.summary or None
    )
    if turn.action_json in (None, "", _NOT_MATCHED):
        step.action, step.flags = turn.action_output or _NOT_MATCHED, ["unsupported_action"]
    else:
        known = _decoded(turn.action_json or "", index)
        number = known.pop("index", None)
        at = listed(turn.ui_elements_before_text or "", number) if number is not None else None
        _touch(step, known, number, at, size, record, conventions)
    held = turn.ui_elements_before
    return step, (lambda media: add_tree(media, from_elements(held, size))) if held else None


def walk_step(
    triple: Triple, index: int, size: Size | None, record: str, conventions: Conventions
) -> tuple[Step, StoresTree | None]:
    """The step of a walk."""
    step = Step(index=index, image_size=size, app=triple.app, actions=[])
    if isinstance(triple.action, list):
        call, _, element, *_ = [*triple.action, None, None, None]
        text = triple.a11y_before
        _call(step, call if isinstance(call, str) else "", text, bound(element), size, record, conventions)
        return step, (lambda media: add_text_tree(media, text)) if text else None
    known = dict(triple.action)
    number = known.pop("index", None)
    at = spot(triple.action_element) or placed(triple.ui_elements_before, number)
    _touch(step, known, number, at, size, record, conventions)
    held = triple.ui_elements_before
    return step, (lambda media: add_tree(media, from_elements(held, size))) if held else None


def _call(
    step: Step, call: str, tree: str | None, at: Spot | None, size: Size | None, record: str, conventions: Conventions
) -> None:
    """Takes a call on a numbered element into the step; `at`: where that element is, if it is told."""

    def scrolled(way: str) -> Action:
        return conventions.scroll(way, axis="y", unit="page", record=record, step=step.index, words=step.thought)

    try:
        meant = read_element_call(call, scrolled=scrolled)
    except UnreadableError as error:
        error.args = (f"Step {step.index}: {error}",)
        raise
    actions, flags = list(meant.actions), ["unsupported_action"] if meant.unsupported else []
    if at is not None and meant.element_id is not None:
        point = conventions.point(
            _centre(at), record=record, step=step.index, picture=size, box=at.box, box_space="picture_pixel"
        )  # fmt: skip
        raw = UNSET if point.raw_point is None else point.raw_point
        actions = [
            msgspec.structs.replace(action, x=point.x, y=point.y, raw_point=raw, element_id=UNSET)
            if isinstance(action, POINTED) else action for action in actions
        ]  # fmt: skip
        flags += [point.flag] if point.flag else []
    named = element_of(tree, meant.element_id) if tree and meant.element_id else None
    seen = target(
        at.box if at else None, size, actions, role=named.role if named else None, name=named.name if named else None
    )
    step.element, step.raw_box = seen.element, seen.raw_box
    step.action = step.action or meant.unsupported
    _take(step, Framed(actions, flags))


def _touch(
    step: Step, known: dict[str, Any], number: Any, at: Spot | None, size: Size | None, record: str,
    conventions: Conventions,
) -> None:  # fmt: skip
    """Takes JSON on the element of a number into the step."""
    if at is not None and known.get("action_type") != "scroll":
        known["x"], known["y"] = _centre(at)
    elif number is not None and known.get("action_type") not in ("scroll", "input_text"):
        step.action, step.flags = f"{known.get('action_type')} on element {number}", ["no_target"]
        return
    box = at.box if at else None
    around = Around(picture=size, words=step.thought, box=box, box_space="picture_pixel" if at else None)
    done = android_actions(known, conventions, record=record, step=step.index, around=around)
    seen = target(box, size, done.actions, role=_role(at), name=at.name if at else None)
    step.element, step.raw_box = seen.element, seen.raw_box
    _take(step, done)


def _take(step: Step, done: Framed) -> None:
    step.actions, step.code = done.actions, code_of(done.actions)
    step.flags = sorted({*step.flags, *done.flags})


def _json(action: str, step: Step, size: Size, record: str, conventions: Conventions) -> Framed:
    around = Around(picture=size, words=step.low_level or step.thought)
    return android_actions(_decoded(action, step.index), conventions, record=record, step=step.index, around=around)


def _decoded(text: str, step: int) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise UnreadableError("read.code", f"Step {step}: {text[:80]!r} is no JSON action.") from error


def _centre(at: Spot) -> tuple[float, float]:
    left, top, right, bottom = at.box
    return (left + right) / 2, (top + bottom) / 2


def _role(at: Spot | None) -> str | None:
    return None if at is None or not at.role else role_of_class(at.role) or at.role.rsplit(".", 1)[-1]


_POINT = re.compile(r"\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\)")


def _named_at(tree: str | None, action: str) -> str | None:
    """The name of the element whose centre a JSON action names, in a tree that is `{"name": "(x, y)", ...}`."""
    try:
        names = msgspec.json.decode(tree or "", type=dict[str, str])
        known = msgspec.json.decode(action, type=dict[str, Any])
    except msgspec.MsgspecError:
        return None
    at = finite_number(known.get("x")), finite_number(known.get("y"))
    for name, place in names.items():
        found = _POINT.fullmatch(place.strip())
        if found and None not in at and (float(found[1]), float(found[2])) == at:
            return name
    return None
