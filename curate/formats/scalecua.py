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
from curate.formats.languages.scalecua_calls import calls
from curate.formats.prompts import given_prompt
from curate.model.trajectory import Trajectory

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
    row = Example
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
        lines = told.numbered(words, lambda number, one: b'Step %d: \\"%b\\"' % (number, one))
        said, _ = _said(trajectory)
        inside = base.json_inside_all([text or "" for text in said])
        thoughts = [b""] * len(steps) if options.level == "L1" else told.thoughts_of(steps)
        system = given_prompt(options, "phone" if is_phone(trajectory) else "desktop")
        turn = b"" if system is None else b'{"from":"system","value":%b},' % base.json_text(system)
        task = told.inside(f"{_ASK}\n\nTask: {trajectory.instruction}\n\nPrevious operations:\n")
        before = b',"conversations":[%b{"from":"human","value":"<image>\\n%b' % (turn, task)
        history = base.ALL if options.history is None else options.history
        for position, trained in picked:
            step = steps[position]
            if said[position] is None or not trained:
                yield base.NO_ROW
                continue
            width, height = step.image_size or (0, 0)  # what has a text has a size
            thought = thoughts[position]
            yield b"".join((
                b'"image":', base.json_text(step.image), before,
                lines.between(base.first_told(position, history), position, b"None"), _GPT,
                b"<think>\\n%b\\n</think>\\n" % thought if thought else b"",
                b"<operation>\\n", words[position], b"\\n</operation>\\n<action>\\n", inside[position],
                b'\\n</action>"}],"width":%d,"height":%d' % (width, height),
            ))  # fmt: skip

    def line(self, head: base.Head, body: bytes) -> bytes:
        return b"{%b,%b}" % (body, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        return _said(trajectory)[1]


_GPT = b'"},{"from":"gpt","value":"'


def _said(trajectory: Trajectory) -> tuple[list[str | None], list[str | None]]:
    """The calls of each step, or why there are none."""
    phone = is_phone(trajectory)
    texts: list[str | None] = []
    reasons: list[str | None] = []
    for step in trajectory.steps:
        seen = told.seen(step, None)
        text = None if isinstance(seen, str) else calls(step.actions, phone)
        texts.append(text)
        reasons.append(seen if isinstance(seen, str) else None if text else "unroll.not_in_format")
    return texts, reasons


FORMAT = _ScaleCua()
