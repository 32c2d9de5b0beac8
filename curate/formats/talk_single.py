"""Single steps as talks, each with one picture, one question and one answer.

    low_level  the step's words -> its code
    point      the step's words, or its element's name -> the point it acts at
    box        its element's name, or the step's words -> the element's box

Words that were generated from the action are no question where they hold its point, as they do without an element.
Nothing is told of earlier steps, so there is no place for a reflection."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from curate.formats import base, told
from curate.formats.base import escape_text, json_text
from curate.formats.conversation import Talk, images_of, resize_of, system_prompt, written_codes
from curate.formats.languages.phrases import FRACTIONS
from curate.model import actions as act
from curate.model.trajectory import Step, Trajectory

Kind = Literal["low_level", "point", "box"]
AT_A_POINT = frozenset(
    (act.Click, act.DoubleClick, act.TripleClick, act.RightClick, act.MiddleClick, act.LongPress, act.SelectOption)
)
"""What is done at one point."""


Place = tuple[float, ...]
"""What a step acts at, in fractions: a point, or its element's box."""

T = TypeVar("T")


class Sorted(NamedTuple, Generic[T]):
    """Steps by position: what is `told` of those that make a talk; the reason code why the others make none, `why`."""

    told: dict[int, T]
    why: dict[int, str]


Told = tuple[bytes, bytes]
"""A step as a talk tells it: its question and the answer, both inside JSON strings."""
Asked = tuple[bytes, Place]
"""A step as a pair asks for it: the question inside a JSON string, and what it points at."""


def talks(
    kind: Kind, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
) -> Iterator[Talk | None]:
    """A talk for each step that was picked; None for one that `why_not` refuses."""
    system, images = system_prompt(options, kind), images_of(trajectory)
    found = tell(kind, trajectory, options).told
    for position, _ in picked:
        one = found.get(position)
        yield None if one is None else Talk(system, [(images[position], one[0])], [one[1]])


def why_not(kind: Kind, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
    """For each step the reason code why there is no talk of it; None: there is one."""
    why = tell(kind, trajectory, options).why
    return [why.get(at) for at in range(len(trajectory.steps))]


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


def tell(kind: Kind, trajectory: Trajectory, options: base.FormatOptions) -> Sorted[Told]:
    """The steps as talks tell them."""
    steps = trajectory.steps
    if kind == "low_level":
        return _carried_out(trajectory, options)
    asked = ask(kind, steps)
    if options.coordinates != "absolute":
        return Sorted({at: (question, _place(where)) for at, (question, where) in asked.told.items()}, asked.why)
    resize, told_of, why = resize_of(options), dict[int, Told](), asked.why
    for at, (question, where) in asked.told.items():
        frame = told.seen(steps[at], resize)
        if isinstance(frame, str):
            why[at] = frame
        else:
            pixels = [str(round(value * frame[axis % 2])) for axis, value in enumerate(where)]
            told_of[at] = question, f"({', '.join(pixels)})".encode()
    return Sorted(told_of, why)


def ask(kind: Kind, steps: Sequence[Step], acts: Container[type] = AT_A_POINT, sized: bool = False) -> Sorted[Asked]:
    """The steps that do one thing at a point (one of `acts`) as pairs ask for them. `sized`: the size of the picture is
    to be known. Most steps of a corpus are looked at for nothing, so it is one loop."""
    found: dict[int, Asked] = {}
    why: dict[int, str] = {}
    for at, step in enumerate(steps):
        actions: Any = step.actions
        if step.image is None:
            why[at] = "unroll.no_picture"
            continue
        if len(actions) != 1 or type(action := actions[0]) not in acts or action.x is None:
            why[at] = "unroll.not_in_format"
            continue
        if kind == "point":
            where: Place = action.x, action.y
            question = source_words(step) or _element(step)
        elif step.element is None or step.element.box is None:
            why[at] = "unroll.not_in_format"
            continue
        else:
            where, question = step.element.box, _element(step) or source_words(step)
        if question is None:
            why[at] = "unroll.no_words"
        elif sized and step.image_size is None:
            why[at] = "unroll.picture_size_unknown"
        else:
            found[at] = json_text(escape_text(question))[1:-1], where
    return Sorted(found, why)


def _place(where: Place) -> bytes:
    """As an answer says it, in fractions."""
    return b"(%b)" % ", ".join([FRACTIONS[value] for value in where]).encode()


def _carried_out(trajectory: Trajectory, options: base.FormatOptions) -> Sorted[Told]:
    codes, reasons = written_codes(trajectory, options)
    asked = [source_words(step) for step in trajectory.steps]
    questions = base.json_inside_all([words or "" for words in asked], base.escape_text)
    found, why = dict[int, Told](), dict[int, str]()
    for at, (step, code) in enumerate(zip(trajectory.steps, codes, strict=True)):
        if step.image is None:
            why[at] = "unroll.no_picture"
        elif code is None:
            why[at] = reasons[at] or "unroll.not_in_format"
        elif asked[at] is None:
            why[at] = "unroll.no_words"
        else:
            found[at] = questions[at], code
    return Sorted(found, why)


def _element(step: Step) -> str | None:
    """The element in words; None where it has no name."""
    element = step.element
    if element is None or not element.name or element.name.isspace():
        return None
    role = (element.role or "").strip()
    return f'The {role} "{element.name}"' if role else f'"{element.name}"'
