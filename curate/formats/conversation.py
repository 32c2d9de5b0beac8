"""Chat rows whose turns alternate: what the trainers' formats (`llamafactory`, `ms-swift`, `trl`) and the formats of
single steps (`low_level`, `grounding`) have in common. A step becomes a `Talk`; each format writes it in its own JSON.

Kinds of talks, which are the trainers' dialects:

    steps      task, earlier steps, pictures; the answer is thought, action in words and code (`talk_steps`)
    low_level  the step's words are the task; the answer is its code                          (`talk_single`)
    point      the step's words, or its element's name; the answer is the point to act at     (`talk_single`)
    box        the element's name, or the step's words; the answer is the element's box       (`talk_single`)

The first turn is always the user's, so no row is skipped by a trainer that insists on that: what was done before the
pictures begin stands in that turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curate.formats import base, told
from curate.formats.languages import pyautogui_code
from curate.formats.prompts import given_prompt, template
from curate.formats.smart_resize import QWEN2_VL, Resize
from curate.model.trajectory import Trajectory

NAME = "conversation"
"""What the prompt templates are called."""

KINDS = ("steps", "low_level", "point", "box")

Given = tuple[bytes | None, bytes]
"""A user's turn: its picture as a JSON string (None: none), and its text as it stands inside one."""


class Talk(NamedTuple):
    """A row: texts as they stand inside JSON strings. `asked` and `said` take turns; the last said is the target."""

    system: bytes
    asked: list[Given]
    said: list[bytes]


class Written(NamedTuple):
    """Of each step: its code as rows say it, inside a JSON string; None where `reasons` tells why there is none."""

    codes: list[bytes | None]
    reasons: list[str | None]


def resize_of(options: base.FormatOptions) -> Resize | None:
    """How the pictures are resized that points are pixels of; None where points are fractions."""
    if options.coordinates != "absolute":
        return None
    return QWEN2_VL.limited(options.min_pixels, options.max_pixels)


def written_codes(trajectory: Trajectory, options: base.FormatOptions) -> Written:
    """The code of each step as rows say it: ours, with points as the options want them."""
    resize, steps = resize_of(options), trajectory.steps
    codes = [step.code or base.target_code(step) for step in steps]
    reasons: list[str | None] = [None if code else "unroll.no_action" for code in codes]
    if resize is not None:
        for at, (step, code) in enumerate(zip(steps, codes, strict=True)):
            seen = told.seen(step, resize) if reasons[at] is None else "unroll.no_action"
            if isinstance(seen, str):
                reasons[at] = seen
            elif "_coord=" in code and any(name == "mobile.swipe" for name in pyautogui_code.calls_of(code)):
                reasons[at] = "unroll.not_in_format"
            else:
                codes[at] = pyautogui_code.in_pixels(code, *seen)
    inside = base.json_inside_all(codes, base.escape_code)
    return Written([text if why is None else None for text, why in zip(inside, reasons, strict=True)], reasons)


def system_prompt(options: base.FormatOptions, kind: str, ask: str = "") -> bytes:
    """The system turn: what the options give, else our own text."""
    given = given_prompt(options, kind)
    if given is None:
        points = _PIXELS if options.coordinates == "absolute" else _FRACTIONS
        given = template(NAME, kind).replace("{ask}", ask).replace("{points}", points)
    return base.json_inside(given)


_FRACTIONS = "fractions of the picture: x from the left edge, y from the top edge, both from 0 to 1"
_PIXELS = "pixels of the picture: x from the left edge, y from the top edge"


def images_of(trajectory: Trajectory) -> list[bytes | None]:
    """The picture of each step as a JSON string."""
    return [None if step.image is None else base.json_text(step.image) for step in trajectory.steps]


def pictures(talk: Talk) -> bytes:
    """The pictures of a talk in order, as the inside of a JSON list."""
    return b",".join([image for image, _ in talk.asked if image is not None])


def with_tags(talk: Talk) -> Sequence[tuple[bytes, bytes]]:
    """Each question, its picture a tag before the text, with its answer."""
    return [
        (text if image is None else b"<image>" + text, said)
        for (image, text), said in zip(talk.asked, talk.said, strict=True)
    ]
