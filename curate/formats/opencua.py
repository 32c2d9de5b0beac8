"""`opencua`: the message order and texts that OpenCUA's released agent was trained with.

    system     the prompt (of our own wording; `system_prompt` replaces it with the upstream text)
    assistant  words of the steps before the shown ones, in one turn
    user       picture of an earlier step        } the last two
    assistant  its action in words               } earlier steps
    user       picture of this step, task instruction
    assistant  the target (loss here only): L1 action and code, L2 thought too, L3 observation too

The history carries actions only: the format has no place for a reflection. Trainers that insist on alternating roles
refuse the assistant turn that follows the system turn; the `messages` format is made for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from curate.formats import base
from curate.formats.parts import Part, image_part, section, text_part
from curate.model.trajectory import Step, Trajectory

_IMAGES = 3  # OpenCUA's max_image_history_length: two earlier pictures and the current one
_OTHER_FENCE = ("computer.terminate", "computer.wait", "browser.select_option", "browser.clear")
_NEXT_MOVE = (
    "Please generate the next move according to the screenshot, task instruction and previous steps (if provided).\n"
)
_SECTIONS = {
    "L1": "Answer with the action in words and its code.",
    "L2": "Answer with your thought, the action in words and its code.",
    "L3": "Answer with what you observe on the screen, your thought, the action in words and its code.",
}


class Turn(msgspec.Struct, kw_only=True, frozen=True):
    """One turn: the content is text, or typed parts for a user turn."""

    role: Literal["system", "user", "assistant"]
    content: str | list[Part]


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One row. `loss_on` is `nothing` only for steps kept with `untrained: keep`."""

    messages: list[Turn]
    loss_on: Literal["last assistant message only", "nothing"]
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class _OpenCua(base.Plain):
    name = "opencua"
    version = 1
    needs_code = True
    row = Example

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        for position, _ in picked:
            yield b"[%b]" % b",".join(_turns(trajectory, position, options))

    def line(self, head: base.Head, body: bytes) -> bytes:
        loss = b"last assistant message only" if head.trained else b"nothing"
        id = base.json_text(head.trajectory)
        numbers = id[:-1], head.step, id, head.step, base.json_of_few(head.split), base.json_text(head.weight)
        end = b'"id":%b/%d","trajectory":%b,"step":%d,"split":%b,"weight":%b}' % numbers
        return b'{"messages":%b,"loss_on":"%b",%b' % (body, loss, end)


def _turns(trajectory: Trajectory, position: int, options: base.FormatOptions) -> list[bytes]:
    steps = trajectory.steps
    window = base.history_window(position, base.ALL if options.history is None else options.history)
    first_shown = base.picture_window(trajectory, window, options.images or _IMAGES)
    turns = [_turn(b"system", _prompt(steps[position], options))]
    told = [_history_text(steps[at], at + 1, options) for at in range(window.start, first_shown)]
    if told:
        turns.append(_turn(b"assistant", "\n".join(told)))
    for shown in range(first_shown, position):
        image = steps[shown].image
        assert image is not None  # the picture window holds steps with pictures only
        turns.append(_user([image_part(image)]))
        turns.append(_turn(b"assistant", _history_text(steps[shown], shown + 1, options)))
    step = steps[position]
    now = [] if step.image is None else [image_part(step.image)]
    task = f"# Task Instruction:\n{base.escape_text(trajectory.instruction)}\n\n{_NEXT_MOVE}"
    turns.append(_user([*now, text_part(base.json_inside(task))]))
    turns.append(_turn(b"assistant", _target(step, position + 1, options)))
    return turns


def _turn(role: bytes, text: str) -> bytes:
    return b'{"role":"%b","content":%b}' % (role, base.json_text(text))


def _user(parts: Sequence[bytes]) -> bytes:
    return b'{"role":"user","content":[%b]}' % b",".join(parts)


def _prompt(step: Step, options: base.FormatOptions) -> str:
    """The prompt asks for what the target holds, no more."""
    if options.system_prompt is not None:
        return options.system_prompt
    return base.template("opencua").replace("{sections}", _SECTIONS[base.level_of(step, options)])


def _heading(number: int, options: base.FormatOptions) -> str:
    return f"# Step {number}{':' if options.colon else ''}\n"


def _history_text(step: Step, number: int, options: base.FormatOptions) -> str:
    return _heading(number, options) + section("Action", base.escape_text(base.action_words(step)))


def _target(step: Step, number: int, options: base.FormatOptions) -> str:
    parts = []
    if options.level == "L3" and step.observation:
        parts.append(section("Observation", base.escape_text(step.observation)))
    if options.level != "L1" and step.thought:
        parts.append(section("Thought", base.escape_text(step.thought)))
    parts.append(section("Action", base.escape_text(base.action_words(step))))
    code = base.target_code(step)
    if code:
        calls = [line.split("(", 1)[0] for line in code.split("\n")]
        fence = "code" if any(call in _OTHER_FENCE for call in calls) else "python"
        parts.append(section("Code", f"```{fence}\n{base.escape_code(code)}\n```"))
    return _heading(number, options) + "\n".join(parts)


FORMAT = _OpenCua()
