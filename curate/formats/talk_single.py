"""Single steps as talks, each with one picture, one question and one answer.

    low_level  the step's words -> its code
    point      the step's words, or its element's name -> the point it acts at
    box        its element's name, or the step's words -> the element's box

Words that were generated from the action are no question where they hold its point, as they do without an element.
Nothing is told of earlier steps, so there is no place for a reflection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from curate.formats import base, told
from curate.formats.conversation import Talk, images_of, resize_of, system_prompt, written_codes
from curate.formats.languages.phrases import FRACTIONS
from curate.model import actions as act
from curate.model.trajectory import Step, Trajectory

Kind = Literal["low_level", "point", "box"]
_AT_A_POINT = frozenset(
    (act.Click, act.DoubleClick, act.TripleClick, act.RightClick, act.MiddleClick, act.LongPress, act.SelectOption)
)


class Told(NamedTuple):
    """A step as a talk tells it: its question, the answer (both inside JSON strings), and where that points."""

    question: bytes
    answer: bytes
    box: tuple[float, ...] = ()


def talks(
    kind: Kind, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
) -> Iterator[Talk | None]:
    """A talk for each step that was picked; None for one that `why_not` refuses."""
    system, images = system_prompt(options, kind), images_of(trajectory)
    found = tell(kind, trajectory, options)
    for position, _ in picked:
        one = found[position]
        if isinstance(one, str):
            yield None
        else:
            yield Talk(system, [(images[position], one.question)], [one.answer], one.box)


def why_not(kind: Kind, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
    """For each step the reason code why there is no talk of it; None: there is one."""
    return [one if isinstance(one, str) else None for one in tell(kind, trajectory, options)]


def action_of(step: Step) -> act.Action | None:
    """The action of a step that does one thing at a point; None for another."""
    if len(step.actions) != 1:
        return None
    one: Any = step.actions[0]
    return one if type(one) in _AT_A_POINT and one.x is not None else None


def source_words(step: Step) -> str | None:
    """What the step is to do, in words that say which place and do not give its point away; None: there are none."""
    if step.low_level and not step.low_level.isspace():
        return step.low_level
    words = step.action
    if not words or words.isspace():
        return None
    if "words_generated" not in step.flags:
        return words
    named = step.element is not None and step.element.name
    at_a_point = any(isinstance(action, act.POINTED) for action in step.actions)
    return None if (at_a_point and not named) or _POINT.search(words) else words  # "Click the edit" may be any


_POINT = re.compile(r"\([01](\.\d+)?, [01](\.\d+)?\)")  # as `model.words` writes one


def tell(kind: Kind, trajectory: Trajectory, options: base.FormatOptions) -> list[Told | str]:
    """Each step as a talk tells it, or the reason code why none does."""
    if kind == "low_level":
        found = _carried_out(trajectory, options)
    elif options.coordinates == "absolute":
        resize = resize_of(options)
        found = [_pointed(kind, step, told.seen(step, resize)) for step in trajectory.steps]
    else:
        found = [_pointed(kind, step, None) for step in trajectory.steps]
    asked = base.json_inside_all([one[0] for one in found if not isinstance(one, str)], base.escape_text)
    questions = iter(asked)
    return [one if isinstance(one, str) else Told(next(questions), one[1], one[2]) for one in found]


_Found = tuple[str, bytes, tuple[float, ...]] | str
"""What `Told` holds, the question still as a text; or a reason code."""


def _carried_out(trajectory: Trajectory, options: base.FormatOptions) -> list[_Found]:
    codes, reasons = written_codes(trajectory, options)
    found: list[_Found] = []
    for step, code, why in zip(trajectory.steps, codes, reasons, strict=True):
        words = source_words(step)
        if step.image is None:
            found.append("unroll.no_picture")
        elif code is None:
            found.append(why or "unroll.not_in_format")
        else:
            found.append("unroll.no_words" if words is None else (words, code, ()))
    return found


def _pointed(kind: Kind, step: Step, seen: tuple[int, int] | str | None) -> _Found:
    """`seen`: the size of the picture whose pixels points are; None for fractions."""
    if step.image is None:
        return "unroll.no_picture"
    if isinstance(seen, str):
        return seen
    action: act.Pointed | None = action_of(step)  # type: ignore[assignment]
    if action is None:
        return "unroll.not_in_format"
    where: tuple[float, ...] = action.x, action.y  # type: ignore[assignment]  # it is at a point that is known
    if kind == "box":
        if step.element is None or step.element.box is None:
            return "unroll.not_in_format"
        where = step.element.box
        question = _element(step) or source_words(step)
    else:
        question = source_words(step) or _element(step)
    if question is None:
        return "unroll.no_words"
    if seen is None:
        numbers = [FRACTIONS[value] for value in where]
    else:
        numbers = [str(round(value * seen[at % 2])) for at, value in enumerate(where)]
    return question, f"({', '.join(numbers)})".encode(), where


def _element(step: Step) -> str | None:
    """The element in words; None where it has no name."""
    element = step.element
    if element is None or not element.name or element.name.isspace():
        return None
    role = (element.role or "").strip()
    return f'The {role} "{element.name}"' if role else f'"{element.name}"'
