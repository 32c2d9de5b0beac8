"""OS-Genesis' own files: runs of its agent on a phone (`gpt_traj`), and walks without a task, whose steps are triples
of the screen before, an action and the screen after.

What is decided here:
- The agent names elements by the numbers of the list that it was shown (`ui_elements_before_text`); the saved list has
  only those that were in sight, so that its own places are others. A walk saves all, and there the number is the place.
- What is done on an element is done at its centre, as AndroidWorld and WebArena carry it out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from curate.model.finite import finite_number
from curate.model.trajectory import RawBox


class Turn(msgspec.Struct):
    """One step of the agent."""

    screen_before: str | None = None
    ui_elements_before: list[Any] = []
    ui_elements_before_text: str | None = None
    action_json: str | None = None
    action_output: str | None = None
    action_reason: str | None = None
    summary: str | None = None


class Item(msgspec.Struct):
    """One task, with the agent's run of it where it was run. `refine_task`: the name of its instruction in the files
    that the runs are written into."""

    instruction: str | None = None
    refine_task: str | None = None
    task_id: str | None = None
    episode_id: str | None = None
    step_id: int | None = None
    task_name: str | None = None
    app_name: str | None = None
    gpt_traj: list[Turn] | None = None
    task_fail: str | None = None


class Triple(msgspec.Struct):
    """One step of a walk: on the web `[call, element number, element]`, on a phone JSON on an element's number."""

    screen_before: str
    screen_after: str
    action: list[Any] | dict[str, Any]
    website_name: str | None = None
    url: str | None = None
    a11y_before: str | None = None
    app: str | None = None
    task: str | None = None
    task_uuid: str | None = None
    ui_elements_before: list[Any] = []
    action_element: dict[str, Any] | None = None


class Spot(NamedTuple):
    """An element: its box in pixels, role and name."""

    box: RawBox
    role: str | None = None
    name: str | None = None


_SIDES = ("x_min", "y_min", "x_max", "y_max")


def listed(text: str, number: Any) -> Spot | None:
    """The element of a number in the list that the agent was shown; None where it is not there or has no box."""
    found = re.search(rf"^UI element {number}:(.*?)(?=^UI element \d+:|\Z)", text, re.MULTILINE | re.DOTALL)
    pixels = re.search(r"bbox_pixels=\w*\(([^()]*)\)", found[1]) if found else None
    if found is None or pixels is None:
        return None
    sides = {name: float(value) for name, value in re.findall(r"(\w+)=(-?\d+(?:\.\d+)?)", pixels[1])}
    if not set(_SIDES) <= sides.keys():
        return None
    values = {name: _repr(found[1], name) for name in ("text", "content_description", "class_name")}
    name = values["text"] or values["content_description"]
    return Spot(_box([sides[side] for side in _SIDES]), values["class_name"], name)


def _repr(text: str, name: str) -> str | None:
    found = re.search(rf"\b{name}=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", text)
    return found[1][1:-1] or None if found else None


def placed(elements: Sequence[Any], number: Any) -> Spot | None:
    """The element at a place of a list that is whole."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(elements):
        return None
    return spot(elements[number])


def spot(element: Any) -> Spot | None:
    """An element of a phone's list."""
    box = element.get("bbox_pixels") if isinstance(element, Mapping) else None
    sides = [finite_number(box.get(side)) for side in _SIDES] if isinstance(box, Mapping) else []
    known = [side for side in sides if side is not None]
    if len(known) != 4:
        return None
    name = next((str(element[key]) for key in ("text", "content_description") if element.get(key)), None)
    kind = element.get("class_name")
    return Spot(_box(known), kind if isinstance(kind, str) and kind else None, name)


def bound(element: Any) -> Spot | None:
    """An element of a web page: `union_bound` is x, y, width, height in pixels of the window."""
    held = element.get("union_bound") if isinstance(element, Mapping) else None
    sides = [finite_number(side) for side in held] if isinstance(held, list) else []
    known = [side for side in sides if side is not None]
    if len(known) != 4:
        return None
    x, y, width, height = known
    return Spot((x, y, x + width, y + height))


def _box(sides: Sequence[float]) -> RawBox:
    return sides[0], sides[1], sides[2], sides[3]
