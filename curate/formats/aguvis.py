"""`aguvis`: rows of Aguvis' second stage, one a step.

    system  the prompt (of our own wording; `--prompts` takes the upstream file)
    human   picture, task, words of the earlier steps
    gpt     L1 the action, L2 thought and action, L3 observation too    recipient all, no end of turn
    gpt     the code                                                    recipient os, end of turn

The trainer has a loss on both gpt turns of every row, so a step that is no target has no row, whatever `untrained`
says. One picture a row. There is no place for a reflection.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from curate.formats import base, rows, told
from curate.formats.languages import pyautogui_code
from curate.formats.languages.phrases import is_phone
from curate.formats.prompts import prompt
from curate.model.trajectory import Step, Trajectory

_ASK = "Please generate the next move according to the UI screenshot, instruction and previous actions."


class Turn(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """One turn; `recipient` and `end_turn` are those of gpt."""

    from_: Literal["system", "human", "gpt"] = msgspec.field(name="from")
    value: str
    recipient: Literal["all", "os"] | None = None
    end_turn: bool | None = None


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One row."""

    image: str
    conversations: list[Turn]
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class _Aguvis(base.Plain):
    name = "aguvis"
    writes_all = False
    row = Example
    options = frozenset(("history", "level", "system_prompt", "prompts"))
    prompts = {
        "desktop": ("grounding_system_message",),
        "phone": ("agent_system_message",),
    }
    about = base.About(
        trains="Aguvis, stage 2",
        loss="both gpt turns",
        history="every earlier step, its action in words",
        pictures="1: the step's own",
        coordinates="fractions",
        reflection="no place",
        weights="`weight` in the row",
        prompt_file="`src/aguvis/constants.py` of xlang-ai/aguvis (`grounding_system_message`; its text for phones is "
        "put together in code: print it into a file of its own)",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        steps = trajectory.steps
        words = told.words_of(steps)
        lines = told.Lines([b"Step %d: %b" % pair for pair in enumerate(words, 1)])
        codes, _ = _codes(trajectory)
        answers = _answers(steps, words, codes, options)
        task = told.inside(f"\n{_ASK}\n\nInstruction: {trajectory.instruction}\n\nPrevious actions:\n")
        before = _system(prompt(options, self.name, "phone" if is_phone(trajectory) else "desktop")) + task
        history = base.ALL if options.history is None else options.history
        for position, trained in picked:
            image = steps[position].image
            if codes[position] is None or image is None or not trained:
                yield base.NO_ROW
                continue
            previous = lines.before(position, history)
            yield b"".join((b'"image":', base.json_text(image), before, previous, *answers[position]))

    def line(self, head: base.Head, body: bytes) -> bytes:
        return b"{%b,%b}" % (body, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        return _codes(trajectory)[1]


@lru_cache(8)
def _system(text: str) -> bytes:
    turn = b'{"from":"system","value":%b}' % base.json_text(text)
    return b',"conversations":[%b,{"from":"human","value":"<image>' % turn


def _codes(trajectory: Trajectory) -> tuple[list[str | None], list[str | None]]:
    """The code of each step as the format writes it, or why there is none."""
    phone = is_phone(trajectory)
    codes: list[str | None] = []
    reasons: list[str | None] = []
    for step in trajectory.steps:
        code = pyautogui_code.aguvis(base.target_code(step), phone) if step.image is not None else None
        codes.append(code or None)
        reasons.append("unroll.no_picture" if step.image is None else None if code else "unroll.not_in_format")
    return codes, reasons


_SPOKEN = b'"},{"from":"gpt","value":"'
_TO_ALL = b'\\n","recipient":"all","end_turn":false},{"from":"gpt","value":"'
_TO_OS = b'","recipient":"os","end_turn":true}]'


def _answers(
    steps: Sequence[Step], words: Sequence[bytes], codes: Sequence[str | None], options: base.FormatOptions
) -> list[tuple[bytes, ...]]:
    """Both gpt turns of each step, in pieces."""
    inside = base.json_inside_all([code or "" for code in codes], base.escape_code)
    said: list[tuple[bytes, ...]] = [(b"Action: ", one) for one in words]
    if options.level != "L1":
        said = _with(b"Thought: ", told.thoughts_of(steps), said)
    if options.level == "L3":
        said = _with(b"Observation: ", told.observations_of(steps), said)
    return [(_SPOKEN, *one, _TO_ALL, code, _TO_OS) for one, code in zip(said, inside, strict=True)]


def _with(title: bytes, texts: Sequence[bytes], said: Sequence[tuple[bytes, ...]]) -> list[tuple[bytes, ...]]:
    return [(title, text, b"\\n", *one) if text else one for text, one in zip(texts, said, strict=True)]


FORMAT = _Aguvis()
