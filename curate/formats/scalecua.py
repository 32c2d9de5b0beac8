"""`scalecua`: rows as ScaleCUA's trainer reads them, one a step, with the picture's size.

    human  picture, task, words of the earlier steps
    gpt    <think> the thought (not at level L1) </think>, <operation> the action in words </operation>, <action> the
           calls </action>

The trainer has a loss on every gpt turn, so a step that is no target has no row, whatever `untrained` says. One picture
a row. There is no place for a reflection or an observation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from curate.formats import base, rows, told
from curate.formats.languages.phrases import is_phone
from curate.formats.languages.scalecua_calls import calls, same
from curate.formats.prompts import given_prompt
from curate.model.trajectory import Step, Trajectory

_ASK = "Please generate the next move according to the UI screenshot, task and previous operations."


class Turn(msgspec.Struct, kw_only=True, frozen=True):
    from_: Literal["system", "human", "gpt"] = msgspec.field(name="from")
    value: str


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One row. `width`, `height`: of the picture, in pixels."""

    image: str
    conversations: list[Turn]
    width: int
    height: int
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class _ScaleCua(base.Plain):
    name = "scalecua"
    writes_all = False
    needs_sizes = True
    row = Example
    options = frozenset(("history", "level", "system_prompt", "prompts"))
    prompts = {"desktop": (), "phone": ()}
    about = base.About(
        trains="ScaleCUA",
        loss="the gpt turn",
        history="every earlier step, its action in words",
        pictures="1: the step's own",
        coordinates="fractions; a wheel's clicks, more than 0 is up",
        reflection="no place",
        weights="`weight` in the row",
        prompt_file="none is needed: the trainer's conversation style has its own (a system turn is written where one "
        "is given)",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        steps = trajectory.steps
        words = told.words_of(steps)
        lines = told.Lines([b'Step %d: \\"%b\\"' % pair for pair in enumerate(words, 1)])
        said = _said(trajectory)
        inside = base.json_inside_all([text or "" for text in said])
        thoughts = [b""] * len(steps) if options.level == "L1" else told.thoughts_of(steps)
        thinks = [b"<think>\\n%b\\n</think>\\n" % thought if thought else b"" for thought in thoughts]
        system = given_prompt(options, "phone" if is_phone(trajectory) else "desktop")
        turn = b"" if system is None else b'{"from":"system","value":%b},' % base.json_text(system)
        task = told.inside(f"{_ASK}\n\nTask: {trajectory.instruction}\n\nPrevious operations:\n")
        images = base.json_inside_all([step.image or "" for step in steps])
        before = b'","conversations":[%b{"from":"human","value":"<image>\\n%b' % (turn, task)
        history = base.ALL if options.history is None else options.history
        for position, trained in picked:
            if said[position] is None or not trained:
                yield base.NO_ROW
                continue
            previous = lines.before(position, history)
            width, height = steps[position].image_size  # type: ignore[misc]  # what has a text has a size
            about = thinks[position], words[position], inside[position], width, height
            yield _ROW % (images[position], before, previous, *about)

    def line(self, head: base.Head, body: bytes) -> bytes:
        return b"{%b,%b}" % (body, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        said = zip(trajectory.steps, _said(trajectory), strict=True)
        return [None if text is not None else _why_not(step) for step, text in said]


_ROW = (
    b'"image":"%b%b%b"},{"from":"gpt","value":"%b<operation>\\n%b\\n</operation>\\n<action>\\n%b\\n</action>"}]'
    b',"width":%d,"height":%d'
)


def _said(trajectory: Trajectory) -> list[str | None]:
    """The calls of each step; None where `_why_not` tells why there are none."""
    phone = is_phone(trajectory)
    return [
        None
        if step.image is None or step.image_size is None
        else same(step.code or "", phone) or calls(step.actions, phone)
        for step in trajectory.steps
    ]


def _why_not(step: Step) -> str:
    """Why there is no text of a step."""
    seen = told.seen(step, None)
    return seen if isinstance(seen, str) else "unroll.not_in_format"


FORMAT = _ScaleCua()
