"""Rows of the Qwen models that use a computer or a phone through tool calls, as their released agents show them:

system     the prompt with the tool's description
user       picture of the first shown step; the ask, the task, words of the steps before it
assistant  `Action: ` its words, and its tool calls   } for each earlier step
user       the next picture                           } whose picture is shown
assistant  the target, written the same way           loss here only
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from curate.formats import base, rows, told
from curate.formats.parts import image_part
from curate.model.trajectory import Trajectory

_ASK = "Please generate the next move according to the UI screenshot, instruction and previous actions."
THINKING = "thinking"
"""The dialect of models that think aloud: a target begins with the step's thought, between think marks."""

OPTIONS = frozenset(("history", "images", "untrained", "system_prompt", "prompts", "dialect", "notch_pixels"))
"""What rows of all Qwen models read."""


class Said(NamedTuple):
    """A step's tool calls, and the prompt that goes with them; or the reason why there are none."""

    calls: str | None
    prompt: str
    reason: str | None = None


def bodies(
    trajectory: Trajectory,
    picked: Sequence[base.Picked],
    options: base.FormatOptions,
    said: Sequence[Said],
    images: int,
    frames: Sequence[told.Frame],
) -> Iterator[bytes]:
    """`said`, `frames`: by step. `images`: how many pictures are shown, unless the options say so."""
    steps = trajectory.steps
    words = told.words_of(steps, frames)
    lines = told.Lines([b"Step %d: %b" % pair for pair in enumerate(words, 1)])
    calls = base.json_inside_all([one.calls or "" for one in said])
    answers = [b"Action: %b\\n%b" % pair for pair in zip(words, calls, strict=True)]
    thoughts = told.thoughts_of(steps) if options.dialect == THINKING else [b""] * len(steps)
    pictures = [
        None if step.image is None or one.calls is None else image_part(step.image)
        for step, one in zip(steps, said, strict=True)
    ]
    task = told.inside(f"\n{_ASK}\n\nInstruction: {trajectory.instruction}\n\nPrevious actions:\n")
    before = b',{"type":"text","text":"%b' % task
    history = base.ALL if options.history is None else options.history
    for position, _ in picked:
        if pictures[position] is None:
            yield base.NO_ROW
            continue
        first = base.first_told(position, history)
        shown = base.first_shown(pictures, range(first, position), options.images or images)  # type: ignore[arg-type]
        previous = lines.between(first, shown, b"None")
        pieces = [_system(said[position].prompt), pictures[shown] or b"", before, previous, _ASKED]
        for at in range(shown, position):
            pieces += (answers[at], _SHOWN, pictures[at + 1] or b"", _SEEN)
        if thoughts[position]:
            pieces.append(b"<think>\\n%b\\n</think>\\n\\n" % thoughts[position])
        pieces += (answers[position], b'"}]')
        yield b"".join(pieces)


def line(head: base.Head, body: bytes) -> bytes:
    loss = rows.LOSS if head.trained else rows.NO_LOSS
    return b'{"messages":%b,"loss_on":%b,%b}' % (body, loss, rows.origin(head))


_ASKED = b'"}]},{"role":"assistant","content":"'
_SHOWN = b'"},{"role":"user","content":['
_SEEN = b']},{"role":"assistant","content":"'


@lru_cache(64)
def _system(text: str) -> bytes:
    """How a row begins, as far as its first picture."""
    return b'[{"role":"system","content":%b},{"role":"user","content":[' % base.json_text(text)


def sized(text: str, width: int, height: int) -> str:
    """A prompt that tells the screen's size."""
    return text.replace("{width}", str(width)).replace("{height}", str(height))
