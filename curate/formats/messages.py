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
from functools import lru_cache
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

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        history = HISTORY_STEPS if options.history is None else options.history
        steps = trajectory.steps
        task = _inside(f"Task: {trajectory.instruction}")
        told: dict[int, bytes] = {}  # what the history says of a step, made once for all examples that tell of it
        for position, trained in picked:
            window = base.history_window(position, history)
            shown = base.picture_window(trajectory, window, options.images or _IMAGES)
            earlier = [
                told.get(at) or told.setdefault(at, _inside(_history_line(steps[at], at + 1)))
                for at in range(window.start, shown)
            ]
            text: bytes | None = task + _EARLIER + _NEW_LINE.join(earlier) if earlier else task
            turns = [_system(base.level_of(steps[position], options), options.system_prompt)]
            for step in steps[shown:position]:
                said = section("Action", base.action_words(step))
                turns += [_user(text, step), _assistant(_inside(said), False)]
                remark = base.remark(step)
                text = None if remark is None else _inside(remark)
            step = steps[position]
            turns += [_user(text, step), _assistant(base.json_inside(target_text(step, options)), trained)]
            yield b"[%b]" % b",".join(turns)

    def line(self, head: base.Head, body: bytes) -> bytes:
        id, trajectory, rest = _around(head.trajectory, head.split, head.source)
        weight, train = base.json_text(head.weight), _TRUE if head.trained else _FALSE
        values = id, head.step, trajectory, head.step, rest, weight, train, body
        return b'%b%d%b%d%b%b,"train":%b,"messages":%b}' % values


_NEW_LINE = b"\\n"  # inside a JSON string
_EARLIER = b"\\n\\nEarlier steps:\\n"
_TRUE, _FALSE = b"true", b"false"


@lru_cache(4)
def _around(trajectory: str, split: str, source: str) -> tuple[bytes, bytes, bytes]:
    """What the rows of one run say around the numbers of their heads."""
    id, of_split, of_source = base.json_text(trajectory), base.json_of_few(split), base.json_of_few(source)
    start = b'{"schema":"%b","id":%b/' % (SCHEMA.encode(), id[:-1])
    return start, b'","trajectory":%b,"step":' % id, b',"split":%b,"source":%b,"weight":' % (of_split, of_source)


def _inside(text: str) -> bytes:
    """Recorded text without placeholders, as it stands inside a JSON string."""
    return base.json_inside(base.escape_text(text))


@lru_cache(8)
def _system(level: base.Level, prompt: str | None) -> bytes:
    text = text_part(base.json_inside(prompt or _prompt(level)))
    return b'{"role":"system","content":[%b],"train":false}' % text


def _assistant(text: bytes, trained: bool) -> bytes:
    return b'{"role":"assistant","content":[%b],"train":%b}' % (text_part(text), _TRUE if trained else _FALSE)


def _prompt(level: base.Level) -> str:
    """The prompt asks for what the target holds, no more."""
    ask = {"L1": "Name", "L2": "Say what you think, name", "L3": "Say what you see and what you think, name"}[level]
    return base.template("messages").replace("{ask}", ask)


def _user(text: bytes | None, step: Step) -> bytes:
    parts = [] if text is None else [text_part(text)]
    if step.image is not None:
        parts.append(image_part(step.image))
    elif text is None:
        parts.append(text_part(b"There is no picture of the screen at this step."))
    return b'{"role":"user","content":[%b],"train":false}' % b",".join(parts)


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
