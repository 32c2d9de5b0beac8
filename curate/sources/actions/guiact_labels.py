"""Actions as GUIAct labels them: `{"name": "click", "element": {"related": "<box>...</box>"}}`, with points and boxes
as numbers in tagged text.

What is decided here:
- An aim is its point, else the middle of its element's box.
- `input` with an aim is a click there and the text, unless the same click came right before it.
- `scroll` tells parts of the view; where they are rounded to 0, its pixels; where those are 0 too, nothing was done.
- `enter` is the phone's enter, or a key.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from curate.model import actions as act
from curate.model.actions import Action, ScrollUnit
from curate.model.finite import finite_number
from curate.sources.common.conventions import Box, Conventions
from curate.sources.common.reading import UnreadableError
from curate.sources.common.targets import Target, target

_NUMBER = r"\s*(-?\d{1,9}(?:\.\d{1,12})?)\s*"
_POINT = re.compile(rf"<point>{_NUMBER},{_NUMBER}</point>")
_BOX = re.compile(rf"<box>{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}</box>")


class Aim(NamedTuple):
    """Where an action is aimed: its point as it stands, and the box of its element."""

    point: tuple[float, float] | None
    box: Box | None


class Acting:
    """The actions of one step, in order; `target`: the element of the first that has one; `words`: what was said where
    there is no action for it."""

    def __init__(
        self, conventions: Conventions, record: str, step: int, size: tuple[int, int] | None, words: str | None,
        phone: bool,
    ) -> None:  # fmt: skip
        self._conventions, self._record, self._step, self._size = conventions, record, step, size
        self._said, self._phone = words, phone
        self.actions: list[Action] = []
        self.flags: set[str] = set()
        self.target = Target()
        self.words: str | None = None

    def label(self, label: dict[str, Any]) -> None:
        """One action more. Raises UnreadableError."""
        name = label.get("name")
        meaning = self._MEANINGS.get(name.strip().lower()) if isinstance(name, str) else None
        if meaning is None:
            why = f"Step {self._step}: the action {str(name)[:60]!r} is not known."
            raise UnreadableError("import.unsupported_action", why)
        meaning(self, label)

    def _pointed(self, kind: type[Any], label: dict[str, Any], **more: Any) -> None:
        aim = self._aim(label)
        if aim.point is None:
            raise self._wrong(label, "has no point and no element")
        self._at(kind, aim.point, aim.box, **more)
        if self.target == Target():
            self.target = target(aim.box, (1, 1), self.actions[-1:])

    def _at(self, kind: type[Any], point: tuple[float, float], box: Box | None = None, **more: Any) -> None:
        placed = self._conventions.point(
            point, record=self._record, step=self._step, picture=self._size, screen=self._size, box=box,
            box_space="fraction" if box else None,
        )  # fmt: skip
        self.flags.update([placed.flag] if placed.flag else [])
        raw = msgspec.UNSET if placed.raw_point is None else placed.raw_point
        self.actions.append(kind(x=placed.x, y=placed.y, raw_point=raw, **more))

    def _aim(self, label: dict[str, Any]) -> Aim:
        point, box = (_related(label.get(name)) for name in ("point", "element"))
        sides = _numbers(_BOX, box) if box is not None else None
        if box is not None and sides is None:
            raise self._wrong(label, f"has no box in {box[:60]!r}")
        whole = (sides[0], sides[1], sides[2], sides[3]) if sides is not None else None
        if point is not None:
            found = _numbers(_POINT, point)
            if found is None:
                raise self._wrong(label, f"has no point in {point[:60]!r}")
            return Aim((found[0], found[1]), whole)
        if whole is None:
            return Aim(None, None)
        if self._conventions.facts.space == "fraction" and not all(0 <= side <= 1 for side in whole):
            why = f"Step {self._step}: a box leaves the picture: {str(box)[:80]!r}."
            raise UnreadableError("validate.coordinate_out_of_range", why)
        return Aim(((whole[0] + whole[2]) / 2, (whole[1] + whole[3]) / 2), whole)

    def _two(self, label: dict[str, Any]) -> tuple[tuple[float, float], tuple[float, float]]:
        both = label.get("dual_point")
        ends = both.get("related") if isinstance(both, dict) else None
        found = [_numbers(_POINT, ends.get(name)) for name in ("from", "to")] if isinstance(ends, dict) else [None]
        if None in found:
            raise self._wrong(label, "has no two points")
        (x, y), (to_x, to_y) = (one for one in found if one is not None)
        return (x, y), (to_x, to_y)

    def _text(self, label: dict[str, Any]) -> str:
        text = label.get("text")
        if not isinstance(text, str):
            raise self._wrong(label, "has no text")
        return text

    def _wrong(self, label: dict[str, Any], what: str) -> UnreadableError:
        return UnreadableError("validate.schema", f"Step {self._step}: {str(label.get('name'))[:60]!r} {what}.")

    def _click(self, label: dict[str, Any]) -> None:
        self._pointed(act.Click, label)

    def _hover(self, label: dict[str, Any]) -> None:
        self._pointed(act.MoveTo, label)

    def _select(self, label: dict[str, Any]) -> None:
        self._pointed(act.SelectOption, label, value=self._text(label))

    def _input(self, label: dict[str, Any]) -> None:
        if self._aim(label).point is not None:
            before = self.actions[-1:]
            self._pointed(act.Click, label)
            if self.actions[-1:] == before:  # the click that puts the focus there, named already
                self.actions.pop()
        text = self._text(label)
        self.actions += [act.Write(text)] if text else []
        self.flags |= set() if text else {"text_unverified"}

    def _enter(self, _label: dict[str, Any]) -> None:
        self.actions.append(act.Enter() if self._phone else act.Press("enter"))

    def _copy(self, _label: dict[str, Any]) -> None:
        self.actions.append(act.Hotkey(("ctrl", "c")))

    def _answer(self, label: dict[str, Any]) -> None:
        self.actions.append(act.Answer(self._text(label)))

    def _swipe(self, label: dict[str, Any]) -> None:
        start, end = self._two(label)
        done = len(self.actions)
        self._at(act.MoveTo, start)
        self._at(act.MoveTo, end)
        one, other = self.actions[done:]
        assert isinstance(one, act.MoveTo) and isinstance(other, act.MoveTo)
        self.actions[done:] = [act.Swipe(one.x, one.y, other.x, other.y)]

    def _select_text(self, label: dict[str, Any]) -> None:
        start, end = self._two(label)
        self._at(act.MoveTo, start)
        self._at(act.DragTo, end)

    def _scroll(self, label: dict[str, Any]) -> None:
        both = label.get("scroll")
        parts, pixels = ((both.get(name) if isinstance(both, dict) else None) or {} for name in ("related", "absolute"))
        if not isinstance(parts, dict) or not isinstance(pixels, dict) or not parts:
            raise self._wrong(label, "has no distance")
        moved = False
        for way, axis in (("down", "y"), ("right", "x")):
            amount, exact = (_distance(one.get(way)) for one in (parts, pixels))
            if amount is None:
                raise self._wrong(label, f"has no number for {way!r}")
            if amount or exact:
                moved = True
                self._scrolled(amount or exact or 0.0, axis, "page" if amount else "pixel")
        if not moved:
            self.flags.add("unsupported_action")
            self.words = "scroll by nothing"

    def _scrolled(self, amount: float, axis: str, unit: ScrollUnit) -> None:
        self.actions.append(
            self._conventions.scroll(
                amount, axis=axis, unit=unit, record=self._record, step=self._step, words=self._said
            )
        )

    _MEANINGS = {
        "click": _click, "tap": _click, "hover": _hover, "select": _select, "input": _input, "enter": _enter,
        "copy": _copy, "answer": _answer, "swipe": _swipe, "select_text": _select_text, "scroll": _scroll,
    }  # fmt: skip


def _related(value: Any) -> str | None:
    found = value.get("related") if isinstance(value, dict) else None
    return found if isinstance(found, str) and found else None


def _numbers(form: re.Pattern[str], text: Any) -> tuple[float, ...] | None:
    found = form.fullmatch(text.strip()) if isinstance(text, str) else None
    return tuple(float(number) for number in found.groups()) if found else None


def _distance(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return finite_number(value)
