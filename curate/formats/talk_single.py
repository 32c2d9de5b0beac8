"""Single steps as talks, each with one picture, one question and one answer.

    low_level  the step's words -> its code
    point      the step's words, or its element's name -> the point it acts at
    box        its element's name, or the step's words -> the element's box

Words are the source's. Those that were generated from the action are no question: without an element they hold its
coordinates. Nothing is told of earlier steps, so there is no place for a reflection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from curate.formats import base, told
from curate.formats.conversation import Talk, images_of, resize_of, system_prompt, written_codes
from curate.formats.languages.phrases import FRACTIONS
from curate.model import actions as act
from curate.model.trajectory import Step, Trajectory

Kind = Literal["low_level", "point", "box"]
_AT_A_POINT = (
    act.Click, act.DoubleClick, act.TripleClick, act.RightClick, act.MiddleClick, act.LongPress, act.SelectOption,
)  # fmt: skip


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
    found = _all(kind, trajectory, options)
    for position, _ in picked:
        one = found[position]
        if isinstance(one, str):
            yield None
        else:
            yield Talk(system, [(images[position], one.question)], [one.answer], one.box)


def why_not(kind: Kind, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
    """For each step the reason code why there is no talk of it; None: there is one."""
    return [one if isinstance(one, str) else None for one in _all(kind, trajectory, options)]


def action_of(step: Step) -> act.Action | None:
    """The action of a step that does one thing at a point; None for another."""
    one = step.actions[0] if len(step.actions) == 1 else None
    return one if isinstance(one, _AT_A_POINT) and one.x is not None else None


def source_words(step: Step) -> str | None:
    """What the source says the step is to do; None where it says nothing."""
    if step.low_level and step.low_level.strip():
        return step.low_level
    return step.action if step.action and step.action.strip() and "words_generated" not in step.flags else None


def _all(kind: Kind, trajectory: Trajectory, options: base.FormatOptions) -> list[Told | str]:
    """Each step as a talk tells it, or the reason code why none does."""
    steps = trajectory.steps
    if kind != "low_level":
        return [_pointed(kind, step, options) for step in steps]
    found: list[Told | str] = []
    codes, reasons = written_codes(trajectory, options)
    for step, code, why in zip(steps, codes, reasons, strict=True):
        words = source_words(step)
        if step.image is None:
            found.append("unroll.no_picture")
        elif code is None:
            found.append(why or "unroll.not_in_format")
        else:
            found.append("unroll.no_words" if words is None else Told(told.inside(words), code))
    return found


def _pointed(kind: Kind, step: Step, options: base.FormatOptions) -> Told | str:
    seen = told.seen(step, resize_of(options)) if options.coordinates == "absolute" else (1, 1)
    if step.image is None:
        return "unroll.no_picture"
    if isinstance(seen, str):
        return seen
    where = _where(kind, step)
    if where is None:
        return "unroll.not_in_format"
    question = _question(kind, step)
    if question is None:
        return "unroll.no_words"
    numbers = [_number(value, seen[at % 2], options) for at, value in enumerate(where)]
    return Told(told.inside(question), b"(%b)" % ", ".join(numbers).encode(), where)


def _where(kind: Kind, step: Step) -> tuple[float, ...] | None:
    action = action_of(step)
    if action is None:
        return None
    if kind == "box":
        return None if step.element is None else step.element.box
    return action.x, action.y  # type: ignore[union-attr,return-value]  # an action at a point that is known


def _question(kind: Kind, step: Step) -> str | None:
    """For a box the element is asked for first, for a point what is to be done."""
    element, words = _element(step), source_words(step)
    return (element or words) if kind == "box" else (words or element)


def _element(step: Step) -> str | None:
    if step.element is None or not (step.element.name or "").strip():
        return None
    role = (step.element.role or "").strip()
    return f'The {role} "{step.element.name}"' if role else f'"{step.element.name}"'


def _number(value: float, side: int, options: base.FormatOptions) -> str:
    return str(round(value * side)) if options.coordinates == "absolute" else FRACTIONS[value]
