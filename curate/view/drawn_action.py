"""A step's action, drawn on its picture: a ring where it clicks, an arrow where it drags, swipes or scrolls, the box of
the element it is aimed at, and as a line what it types or presses. So a person sees at once whether a frame, an order
or a sign is right.

`marks_of` says what is to be drawn, in pixels, for whoever draws (a page in a browser does it in its own way);
`draw` does it on a Pillow picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from PIL import Image, ImageDraw, ImageFont

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.printed import printable
from curate.model.trajectory import Box, Step

Point = tuple[float, float]

SCROLL_ARROW = 0.18  # of the picture's height: long enough to be seen, short enough to show where
_WORDS = 160  # characters of a line beside the picture


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to draw, in pixels of the picture. `ring`: around `at`; `arrow`: from `at` to `to`; `box`: with the
    corners `at` and `to`. `label`: what it is, in a word. `sure` false: a place that the step does not name itself (a
    scroll somewhere on the picture, a drag from where the pointer was before)."""

    kind: Literal["ring", "arrow", "box"]
    at: Point
    to: Point | None = None
    label: str = ""
    sure: bool = True


def marks_of(step: Step, width: int, height: int, pointer: Point | None = None) -> list[Mark]:
    """What is to be drawn of a step on its picture of that many pixels. `pointer`: where earlier steps left the
    pointer, as fractions of the picture."""
    found: list[Mark] = []
    element = step.element
    if element is not None and element.box is not None:
        found.append(_box(element.box, element.role or "element", width, height))
    following = [*step.actions[1:], None]
    for action, then in zip(step.actions, following, strict=True):
        begins = isinstance(action, act.MoveTo) and isinstance(then, act.DragTo | act.Scroll | act.HScroll)
        found += [] if begins else _marks(action, pointer, width, height)  # the arrow begins where it went
        pointer = pointer_after([action], pointer)
    return found


def pointer_after(actions: Sequence[Action], pointer: Point | None) -> Point | None:
    """Where actions leave the pointer, as fractions of the picture; None where that is not known."""
    for action in actions:
        if isinstance(action, act.Swipe):
            pointer = _point(action.to_x, action.to_y)
        elif isinstance(action, act.POINTED) and action.element_id is msgspec.UNSET:
            pointer = _point(action.x, action.y)
    return pointer


def lines_of(step: Step) -> list[str]:
    """What is written beside the picture: the step's words, what it types, presses or waits for, its code, its flags;
    printable, whatever was recorded."""
    found = [f"{step.index}. {step.action or step.low_level or '(no words)'}"]
    found += [part for action in step.actions if (part := _said(action))]
    found += [f"[{', '.join(step.flags)}]"] if step.flags else []
    return [printable(line, _WORDS) for line in found]


def _said(action: Action) -> str:
    """An action in a line, as a record has it."""
    plain = msgspec.to_builtins(action)
    kind = plain.pop("type")
    shown = (f"{name}={value!r}" for name, value in plain.items() if value not in (None, [], ()))
    return f"{kind}({', '.join(shown)})"


def _marks(action: Action, pointer: Point | None, width: int, height: int) -> Iterator[Mark]:
    def pixels(point: Point) -> Point:
        return point[0] * width, point[1] * height

    kind = act.action_type(action)
    if isinstance(action, act.Swipe):
        start, end = _point(action.x, action.y), _point(action.to_x, action.to_y)
        if start and end:
            yield Mark(kind="arrow", at=pixels(start), to=pixels(end), label=kind)
    elif isinstance(action, act.DragTo):
        end = _point(action.x, action.y)
        if end and pointer:
            yield Mark(kind="arrow", at=pixels(pointer), to=pixels(end), label=kind)
        elif end:
            yield Mark(kind="ring", at=pixels(end), label=kind, sure=False)
    elif isinstance(action, act.Scroll | act.HScroll):
        x, y = pixels(pointer or (0.5, 0.5))
        along = math.copysign(SCROLL_ARROW * min(width, height), action.amount)
        to = (x, y - along) if isinstance(action, act.Scroll) else (x + along, y)
        label = f"{kind} {action.amount:g} {action.unit}"
        yield Mark(kind="arrow", at=(x, y), to=to, label=label, sure=pointer is not None)
    elif isinstance(action, act.POINTED):
        at = _point(action.x, action.y)
        if at:
            yield Mark(kind="ring", at=pixels(at), label=kind)


def _box(box: Box, label: str, width: int, height: int) -> Mark:
    left, top, right, bottom = box
    return Mark(kind="box", at=(left * width, top * height), to=(right * width, bottom * height), label=label)


def _point(x: float | None, y: float | None) -> Point | None:
    return None if x is None or y is None else (x, y)


_COLOURS = {"ring": (230, 0, 90), "arrow": (0, 110, 230), "box": (0, 150, 60)}
_UNSURE = (150, 90, 200)


def draw(picture: Image.Image, step: Step, pointer: Point | None = None) -> Image.Image:
    """A copy of the picture (RGB) with the step drawn on it."""
    copy = picture.convert("RGB")
    brush = ImageDraw.Draw(copy)
    thick = max(2, round(min(copy.size) / 250))
    font = ImageFont.load_default(size=max(11, round(min(copy.size) / 45)))
    for mark in marks_of(step, copy.width, copy.height, pointer):
        colour = _COLOURS[mark.kind] if mark.sure else _UNSURE
        if mark.kind == "ring":
            _ring(brush, mark.at, 7 * thick, thick, colour)
        elif mark.to is not None and mark.kind == "arrow":
            _arrow(brush, mark.at, mark.to, thick, colour)
        elif mark.to is not None:
            corners = (*_ordered(mark.at[0], mark.to[0]), *_ordered(mark.at[1], mark.to[1]))
            brush.rectangle((corners[0], corners[2], corners[1], corners[3]), outline=colour, width=thick)
        _label(brush, mark, copy.size, thick, font, colour)
    return copy


def _ordered(one: float, other: float) -> tuple[float, float]:
    return min(one, other), max(one, other)


Colour = tuple[int, int, int]


def _ring(brush: ImageDraw.ImageDraw, at: Point, radius: int, thick: int, colour: Colour) -> None:
    """A ring with a light edge, seen on any ground, and a dot that does not hide what is pointed at."""
    x, y = at
    for grown, wide, shade in ((thick, 3 * thick, (255, 255, 255)), (0, thick, colour)):
        size = radius + grown
        brush.ellipse((x - size, y - size, x + size, y + size), outline=shade, width=wide)
    brush.ellipse((x - thick, y - thick, x + thick, y + thick), fill=colour)


def _arrow(brush: ImageDraw.ImageDraw, start: Point, end: Point, thick: int, colour: Colour) -> None:
    brush.line((*start, *end), fill=(255, 255, 255), width=3 * thick)
    brush.line((*start, *end), fill=colour, width=thick + 1)
    angle, size = math.atan2(end[1] - start[1], end[0] - start[0]), 7 * thick
    wings = [(end[0] - size * math.cos(angle + turn), end[1] - size * math.sin(angle + turn)) for turn in (-0.45, 0.45)]
    brush.polygon([end, *wings], fill=colour, outline=(255, 255, 255))
    brush.ellipse((start[0] - 2 * thick, start[1] - 2 * thick, start[0] + 2 * thick, start[1] + 2 * thick), fill=colour)


def _label(
    brush: ImageDraw.ImageDraw, mark: Mark, size: tuple[int, int], thick: int, font: ImageFont.FreeTypeFont
    | ImageFont.ImageFont, colour: Colour,
) -> None:  # fmt: skip
    """The mark's word beside it, moved to where it fits on the picture."""
    if not mark.label:
        return
    text = printable(mark.label, 40)
    left, top, right, bottom = brush.textbbox((0, 0), text, font=font)
    wide, high = right - left, bottom - top
    if mark.kind == "box" and mark.to is not None:  # below the box, away from what is done in it
        x, y, other = mark.at[0], mark.to[1] + 2 * thick, mark.at[1] - high - 2 * thick
    else:
        x, y, other = mark.at[0] + 9 * thick, mark.at[1] - high - 3 * thick, mark.at[1] + 9 * thick
    x = min(max(x, 0), max(0, size[0] - wide - 4))
    y = y if 0 <= y <= size[1] - high - 4 else min(max(other, 0), max(0, size[1] - high - 4))
    brush.rectangle((x - 2, y - 2, x + wide + 2, y + high + 2), fill=(255, 255, 255))
    brush.text((x - left, y - top), text, fill=colour, font=font)
