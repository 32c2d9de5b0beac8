"""`messages`, our own training format: chat messages in typed parts, one example a line, loss on the target only.

    system     the prompt
    user       task, words of the earlier steps that are not shown, picture of the first shown step
    assistant  its action in words                          } for each earlier step
    user       remark on it if it was wrong, next picture   } whose picture is shown
    assistant  the target: thought, action, code            `train` true, here only

Roles alternate, so trainers that insist on it take every line; each part has only its own key, so chat templates
find the pictures and nothing else. A step's reflection stands behind its words when the step was wrong or redundant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from curate.formats import base
from curate.formats.parts import Part, image_part, section, text_part
from curate.model.constants import HISTORY_STEPS
from curate.model.trajectory import Step, Trajectory

SCHEMA = "example.v1"
_IMAGES = 1


class Message(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One turn. `train`: the loss is on this turn."""

    role: Literal["system", "user", "assistant"]
    content: list[Part]
    train: bool


class Example(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One training example: the step `step` (its index) of the record `trajectory`. `weight`: the run's weight times
    the step's. `train`: whether any turn has a loss (false only for steps kept with `untrained: keep`)."""

    schema: Literal["example.v1"] = "example.v1"
    id: str
    trajectory: str
    step: int
    split: str
    source: str
    weight: float
    train: bool
    messages: list[Message]


class _Messages:
    name = "messages"
    version = 1
    needs_code = True
    row = Example

    def examples(
        self, trajectory: Trajectory, targets: Sequence[int], options: base.FormatOptions
    ) -> Iterator[base.Row]:
        for position, trained in base.chosen(trajectory, targets, options):
            step = trajectory.steps[position]
            example = Example(
                **base.head(trajectory, step, options),
                source=trajectory.source.name,
                train=trained,
                messages=_turns(trajectory, position, trained, options),
            )
            yield msgspec.to_builtins(example)


def _turns(trajectory: Trajectory, position: int, trained: bool, options: base.FormatOptions) -> list[Message]:
    window = base.history_window(position, HISTORY_STEPS if options.history is None else options.history)
    first_shown = base.picture_window(trajectory, window, options.images or _IMAGES)
    steps = trajectory.steps
    prompt = options.system_prompt or _prompt(base.level_of(steps[position], options))
    turns = [Message(role="system", content=[text_part(prompt)], train=False)]
    before: str | None = _task_text(trajectory, range(window.start, first_shown))
    for shown in range(first_shown, position):
        turns.append(_user(before, steps[shown]))
        words = section("Action", base.escape_text(base.action_words(steps[shown])))
        turns.append(Message(role="assistant", content=[text_part(words)], train=False))
        before = base.remark(steps[shown])
    turns.append(_user(before, steps[position]))
    turns.append(Message(role="assistant", content=[text_part(target_text(steps[position], options))], train=trained))
    return turns


def _prompt(level: base.Level) -> str:
    """The prompt asks for what the target holds, no more."""
    ask = {"L1": "Name", "L2": "Say what you think, name", "L3": "Say what you see and what you think, name"}[level]
    return base.template("messages").replace("{ask}", ask)


def _user(text: str | None, step: Step) -> Message:
    parts = [] if text is None else [text_part(base.escape_text(text))]
    if step.image is not None:
        parts.append(image_part(step.image))
    elif text is None:
        parts.append(text_part("There is no picture of the screen at this step."))
    return Message(role="user", content=parts, train=False)


def _task_text(trajectory: Trajectory, told: range) -> str:
    lines = [f"Task: {trajectory.instruction}"]
    if told:
        lines += ["", "Earlier steps:", *(_history_line(trajectory.steps[at], at + 1) for at in told)]
    return "\n".join(lines)


def _history_line(step: Step, number: int) -> str:
    remark = base.remark(step)
    return f"Step {number}: {base.action_words(step)}" + (f" ({remark})" if remark else "")


def target_text(step: Step, options: base.FormatOptions) -> str:
    """What the model is to answer; sections the record does not know are left out."""
    parts = []
    if options.level == "L3" and step.observation:
        parts.append(section("Observation", base.escape_text(step.observation)))
    if options.level != "L1" and step.thought:
        parts.append(section("Thought", base.escape_text(step.thought)))
    parts.append(section("Action", base.escape_text(base.action_words(step))))
    code = base.target_code(step)
    if code:
        parts.append(section("Code", f"```python\n{base.escape_code(code)}\n```"))
    return "\n".join(parts)


FORMAT = _Messages()
