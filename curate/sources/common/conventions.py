"""From a source's own numbers to the record's: points to fractions, scrolls to the wheel's sign, pictures to before the
action. The one place where a frame, an order or a sign is applied.

A fraction or a thousandth that lies outside its frame refuses the record (`validate.coordinate_out_of_range`). A pixel
that lies off the picture is a point that is off it (`model.coordinates.place`): null, its pixels kept. Nothing is
clamped. A frame or sign that nobody states is asked of the data (`sources.detector.settle`); where that does not
decide, the record is refused (`import.undecided`), with the setting that states it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from curate.model.actions import HScroll, Modifier, Scroll, ScrollUnit
from curate.model.coordinates import Placed, place, round_fraction
from curate.sources.base import ReadContext
from curate.sources.common.facts import Facts, ImportOptions, Space, stated
from curate.sources.common.facts import Scroll as Meaning
from curate.sources.common.reading import UnreadableError
from curate.sources.common.sightings import PointSeen, ScrollSeen

Size = tuple[int, int]
Box = tuple[float, float, float, float]

_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
_SIGN = {"up": 1, "right": 1, "down": -1, "left": -1}


class Conventions:
    """The facts in force while one input is read: the source's own, with what the user states."""

    def __init__(self, facts: Facts, context: ReadContext) -> None:
        self.options = msgspec.convert(context.options.get("import", {}), ImportOptions)
        self.facts = stated(facts, self.options)
        self._seen, self._survey, self._decide = context.sightings, context.survey, context.decide
        if self._seen is not None:
            self._seen.uses(self.facts)

    def license(self, part: str = "") -> str | None:
        """The licence of a part of the source: what the user states, else what the source does."""
        return self.options.license or self.facts.licences.get(part, self.facts.licences.get(""))

    def point(
        self, raw: Sequence[Any], *, record: str, step: int, picture: Size | None = None, screen: Size | None = None,
        box: Box | None = None, box_space: Space | None = None,
    ) -> Placed:  # fmt: skip
        """A raw point, two numbers in the source's order, as fractions of the picture: `x`, `y`, and where it is off
        the picture `raw_point` and the `flag` of its step. `picture`, `screen`: width and height in pixels, as far as
        the source tells; `box`: the target's (left, top, right, bottom in `box_space`), for the detector."""
        one, other = _number(raw[0], step), _number(raw[1], step)
        if self._seen is not None:
            self._seen.point(PointSeen(record, step, (one, other), picture, screen, box, box_space))
        if self._survey:
            return self._surveyed(one, other, picture, screen)
        x, y = (one, other) if self._known("order", step) == "xy" else (other, one)
        return self._placed(x, y, picture, screen, step)

    def _placed(self, x: float, y: float, picture: Size | None, screen: Size | None, step: int) -> Placed:
        space = self._known("space", step)
        if space in ("fraction", "permille"):
            whole = 1.0 if space == "fraction" else 1000.0
            return Placed(_fraction(x, whole, step), _fraction(y, whole, step))
        return place(x, y, *_size(space, picture, screen, step))

    def _surveyed(self, one: float, other: float, picture: Size | None, screen: Size | None) -> Placed:
        """The same for a survey, in which a point that does not fit is off the picture, and the next one is met too."""
        x, y = (other, one) if self.facts.order == "yx" else (one, other)
        try:
            if self.facts.space is not None:
                return self._placed(x, y, picture, screen, 0)
        except UnreadableError:
            pass
        return Placed(None, None, (x, y), "off_screen")

    def scroll(
        self, raw: float | str, *, axis: str, unit: ScrollUnit, record: str, step: int, amount: float = 1.0,
        words: str | None = None, modifiers: Sequence[Modifier] = (), meaning: Meaning | None = None,
        way: str | None = None,
    ) -> Scroll | HScroll:  # fmt: skip
        """A raw scroll as an action. `raw`: a signed number of `unit` along `axis` ("x" or "y"), or a word (up, down,
        left, right), which is then worth `amount`. `words`: what the step says of itself, for the detector.

        `meaning`: what this one call means, in a source whose calls differ (a swipe names the finger's way, a scroll
        has a sign); what the user states is about the others. `way`: the direction of view that is known of this step
        besides (its words), in a source whose own sign is in doubt: it counts, unless the user states the sign."""
        if self._seen is not None:
            self._seen.scroll(ScrollSeen(record, step, raw, axis, words, meaning))
        if way is not None and not isinstance(raw, str) and self.options.scroll is None:
            raw, amount, meaning = way, abs(_number(raw, step)), "view"
        meaning = meaning or self._known("scroll", step)
        if isinstance(raw, str):
            way = raw.strip().lower()
            if way not in _SIGN:
                raise UnreadableError("validate.schema", f"Step {step}: {raw!r} is no direction to scroll in.")
            value = amount * _SIGN[_OPPOSITE[way] if meaning == "finger" else way]
            axis = "y" if way in ("up", "down") else "x"
        else:
            turned = meaning == "plus_down" and axis == "y"
            value = -_number(raw, step) if turned else _number(raw, step)
        kind = Scroll if axis == "y" else HScroll
        return kind(amount=value, unit=unit, modifiers=tuple(modifiers))

    def before(
        self, pictures: Sequence[str | None], *, final: str | None = None
    ) -> list[tuple[str | None, str | None]]:
        """(before, after) of each step, of the one picture that the source has for each. `final`: a picture of the
        end, where it has one more. Pictures that come after the action are those before the next one."""
        if not pictures:
            return []
        if self._known("timing", 0) == "before":
            return list(zip(pictures, [*pictures[1:], final], strict=True))
        return list(zip([None, *pictures[:-1]], pictures, strict=True))

    def _known(self, name: str, step: int) -> Any:
        value = getattr(self.facts, name)
        if value is None and self._survey:
            return _UNKNOWN[name]
        if value is None and self._decide is not None and (value := self._decide(name)) is not None:
            self.facts = msgspec.structs.replace(self.facts, **{name: value})
        if value is None:
            raise UnreadableError(
                "import.undecided",
                f"Step {step}: {self.facts.title} does not document its {_WORDS[name]}, and the data does not decide "
                f"it. State it with --set import.{name}={_CHOICES[name]}; `curate import auto PATH --explain` shows "
                "the evidence.",
            )
        return value


_UNKNOWN = {"order": "xy", "scroll": "plus_up", "timing": "before"}
"""What a survey goes by while nobody knows: what it reads is thrown away, its sightings are what stands in the data."""
_CHOICES = {
    "space": "fraction|permille|picture_pixel",
    "order": "xy|yx",
    "scroll": "plus_up|plus_down|view|finger",
    "timing": "before|after",
}
_WORDS = {
    "space": "coordinate frame",
    "order": "order of x and y",
    "scroll": "scroll direction",
    "timing": "pictures' moment (before or after the action)",
}


def _size(space: Space, picture: Size | None, screen: Size | None, step: int) -> Size:
    size = screen if space == "screen_pixel" else picture
    if space == "none" or size is None:
        what = "screen" if space == "screen_pixel" else "picture"
        raise UnreadableError("import.size_unknown", f"Step {step}: the size of the {what} is not known.")
    return size


def _number(raw: Any, step: int) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        raise UnreadableError("validate.coordinate_out_of_range", f"Step {step}: {str(raw)[:60]!r} is no number.")
    return float(raw)


def _fraction(value: float, whole: float, step: int) -> float:
    if not 0.0 <= value <= whole:
        raise UnreadableError(
            "validate.coordinate_out_of_range", f"Step {step}: {value:g} is no number from 0 to {whole:g}."
        )
    return round_fraction(value / whole)
