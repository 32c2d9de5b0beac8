"""A step as Mind2Web and Multimodal-Mind2Web write it: an operation and the elements it may have been done on, with
JSON in strings in JSON, whose boxes are `x,y,width,height` in pixels of the whole page.

What is decided here:
- TYPE is a click on the element, then the text; HOVER moves the pointer there; ENTER is the key. `original_op` says
  these; `op` calls HOVER and ENTER clicks.
- `-1,-1,-1,-1` is the box of an element that is not shown: it has no place.
- A picture of another shape than the page shows a part of it: which part is not told, so that no point is placed.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from curate.model import actions as act
from curate.model.actions import POINTED, Action
from curate.model.render import code_of
from curate.model.roles import role_of
from curate.model.trajectory import RawBox, Step
from curate.sources.common.conventions import Conventions, Size
from curate.sources.common.reading import UnreadableError
from curate.sources.common.targets import target

SAME_WIDTH_PX = 2  # a page's width is a fraction of a pixel now and then
CROPPED_BELOW = 0.9  # of the page's height: browsers leave bars and sticky parts out of a picture of the whole page
SAME_SHAPE = 0.01  # two shapes are one: a picture at another scale
_MOST_STEPS = 1_000_000


class Operation(msgspec.Struct):
    """What was done. `value`: the text typed or the option chosen."""

    op: str = ""
    original_op: str = ""
    value: str = ""


class Candidate(msgspec.Struct):
    """An element. `attributes`: JSON in a string; its `bounding_box_rect` is a string again."""

    tag: str | None = None
    attributes: str | dict[str, Any] | None = None
    backend_node_id: str | int | None = None


class Chosen(NamedTuple):
    """The element that the step acts on: its number in the page's text, name of its tag, and box (left, top, right,
    bottom in pixels of the page), as far as each is told."""

    node: str | None = None
    tag: str | None = None
    box: RawBox | None = None


def from_json(value: Any, kind: Any) -> Any:
    """A value that may stand as JSON in a string. Raises msgspec.ValidationError, msgspec.DecodeError."""
    if isinstance(value, str):
        return msgspec.json.decode(value, type=kind)
    return msgspec.convert(value, kind)


def chosen(candidates: Any) -> Chosen | None:
    """The first of a step's elements; None where there is none. Raises msgspec.MsgspecError, UnreadableError."""
    if not candidates:
        return None
    if not isinstance(candidates, list):
        raise UnreadableError("validate.schema", "pos_candidates is no list.")
    first: Candidate = from_json(candidates[0], Candidate)
    node = None if first.backend_node_id in (None, "") else str(first.backend_node_id)
    return Chosen(node, first.tag, _box(first.attributes))


def _box(attributes: str | dict[str, Any] | None) -> RawBox | None:
    try:
        held = from_json(attributes, dict[str, Any]) if attributes else {}
    except msgspec.MsgspecError:
        return None
    return rect(held.get("bounding_box_rect"))


def rect(text: Any) -> RawBox | None:
    """`x,y,width,height` as left, top, right, bottom; None for what is no place."""
    parts = re.fullmatch(r"\s*" + r"\s*,\s*".join([r"(-?\d+(?:\.\d+)?)"] * 4) + r"\s*", str(text or ""))
    if parts is None:
        return None
    x, y, width, height = (float(part) for part in parts.groups())
    return (x, y, x + width, y + height) if width >= 0 and height >= 0 else None


_ROOT = re.compile(r"<html\b[^<>]*?bounding_box_rect=[\"']([^\"']*)[\"']", re.IGNORECASE)


def page_size(page: str | None) -> tuple[float, float] | None:
    """Width and height of a page in its own pixels, by the box of its root; None where its text does not tell."""
    found = _ROOT.search(page[:65536]) if page else None
    box = rect(found[1]) if found else None
    return (box[2] - box[0], box[3] - box[1]) if box and box[2] > box[0] and box[3] > box[1] else None


class Shown(NamedTuple):
    """What a picture shows: the size that the page's pixels are parts of, None where it shows only a part of it."""

    size: Size | None
    cropped: bool = False


def shown(picture: Size | None, page: tuple[float, float] | None) -> Shown:
    """How a picture and a page fit together."""
    if picture is None or page is None:
        return Shown(picture)
    (width, height), (page_width, page_height) = picture, page
    if abs(width - page_width) <= SAME_WIDTH_PX:
        return Shown(None, True) if height < CROPPED_BELOW * page_height else Shown(picture)
    if abs(height / width - page_height / page_width) <= SAME_SHAPE * page_height / page_width:
        return Shown((round(page_width), round(page_height)))
    return Shown(None, True)


def step_of(
    operation: Operation, element: Chosen | None, *, index: int, words: str | None, picture: Shown,
    conventions: Conventions, record: str, has_page: bool, box: RawBox | None = None,
) -> Step:  # fmt: skip
    """The step without its picture and page. `box`: the element's in pixels of the picture, where the source has
    measured it there; else the page's own box. `has_page`: whether the step comes with the text that numbers its
    elements."""
    name = (operation.original_op or operation.op).strip().upper()
    make = _MEANINGS.get(name)
    flags = [] if element else ["no_target"]
    flags += ["picture_cropped"] if picture.cropped else []
    if make is None:
        unsupported = f"{name} {operation.value}".strip() or "no operation"
        return Step(index=index, action=words or unsupported, actions=[], flags=sorted([*flags, "unsupported_action"]))
    actions = make(operation.value)
    box = box or (element.box if element else None)
    node = element.node if element and has_page else None
    if box is not None and picture.size is not None:
        point = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        at = conventions.point(
            point, record=record, step=index, picture=picture.size, box=box, box_space="page_pixel"
        )  # fmt: skip
        raw = UNSET if at.raw_point is None else at.raw_point
        actions = [_placed(action, at.x, at.y, raw, UNSET) for action in actions]
        flags += [at.flag] if at.flag else []
    elif node is not None:
        actions = [_placed(action, None, None, UNSET, node) for action in actions]
    role, label = _in_words(words)
    tag = element.tag if element else None
    seen = target(box, picture.size, actions, role=role or role_of(tag) or tag, name=label)
    return Step(
        index=index, action=words, actions=actions, code=code_of(actions), element=seen.element, raw_box=seen.raw_box,
        flags=sorted(set(flags)),
    )  # fmt: skip


def _placed(action: Action, x: Any, y: Any, raw: Any, node: Any) -> Action:
    if not isinstance(action, POINTED):
        return action
    return msgspec.structs.replace(action, x=x, y=y, raw_point=raw, element_id=node)


def _typed(value: str) -> list[Action]:
    return [act.Click(), *([act.Write(value)] if value else [])]


_MEANINGS: dict[str, Any] = {
    "CLICK": lambda value: [act.Click()],
    "TYPE": _typed,
    "SELECT": lambda value: [act.SelectOption(value=value)],
    "HOVER": lambda value: [act.MoveTo()],
    "ENTER": lambda value: [act.Press("enter")],
}
_DONE = re.compile(r"-> ?(?:" + "|".join(_MEANINGS) + r")\b")


def _in_words(words: str | None) -> tuple[str | None, str | None]:
    """Role and name of the element in words such as `[button]  Search -> CLICK`."""
    role, closed, rest = (words or "").strip().removeprefix("[").partition("]")
    done = _DONE.search(rest)
    if not closed or done is None:
        return None, None
    return role_of(role) or role.strip() or None, rest[: done.start()].strip() or None


_SPLIT = re.compile(r"(?:.*/)?(train|test_task|test_website|test_domain)[-_]\d.*", re.DOTALL)


def split_told(title: str, file: str) -> list[str]:
    """A line of lineage with the official split that a file is named after (`test_task-00000-of-00003.parquet`)."""
    found = _SPLIT.fullmatch(file)
    return [f"{title}: official split {found[1]}"] if found else []


def index_of(text: Any) -> int:
    """The place of a step, a number in a string. Raises UnreadableError."""
    if isinstance(text, int) and not isinstance(text, bool) and 0 <= text < _MOST_STEPS:
        return text
    if isinstance(text, str) and re.fullmatch(r"\s*[0-9]{1,6}\s*", text):
        return int(text)
    raise UnreadableError("validate.schema", f"target_action_index is {str(text)[:40]!r}, which is no number.")
