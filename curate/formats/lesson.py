"""`lesson`: the unrolling of the lesson that this project grew from.

Each step gives one example: input are the task, the actions of all earlier steps in words and the step's picture;
the target is `## Thought: ...`, `## Action: ...`, `## Code: ...`. A line the record does not know is left out.
Nothing is escaped: the format has no placeholders. It has no place for reflections.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from curate.formats import base
from curate.model.trajectory import Step, Trajectory


class Input(msgspec.Struct, kw_only=True, frozen=True):
    """What the model is given. `image` is a path relative to the run folder, null for steps without a picture."""

    task: str
    previous: list[str]
    image: str | None


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One row. `train_on_this` is false only for steps kept with `untrained: keep`."""

    id: str
    trajectory: str
    step: int
    split: str
    weight: float
    input: Input
    target: str
    train_on_this: bool


class _Lesson(base.Plain):
    name = "lesson"
    version = 1
    needs_code = False
    row = Example
    options = frozenset(("history", "untrained"))
    about = base.About(
        trains="the lesson's own script",
        loss="`target`, where `train_on_this`",
        history="every earlier step, its action in words",
        pictures="1: the step's own",
        coordinates="fractions",
        reflection="no place",
        weights="`weight` in the row",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        history = base.ALL if options.history is None else options.history
        words = [base.json_text(base.action_words(step)) for step in trajectory.steps]
        task = base.json_text(trajectory.instruction)
        for position, _ in picked:
            step = trajectory.steps[position]
            window = base.history_window(position, history)
            given = (task, b",".join(words[window.start : window.stop]), base.json_text(step.image))
            told = b'"input":{"task":%b,"previous":[%b],"image":%b}' % given
            yield b'%b,"target":%b' % (told, base.json_text(_target(step)))

    def line(self, head: base.Head, body: bytes) -> bytes:
        id = base.json_text(head.trajectory)
        numbers = id[:-1], head.step, id, head.step, base.json_of_few(head.split), base.json_text(head.weight)
        start = b'{"id":%b/%d","trajectory":%b,"step":%d,"split":%b,"weight":%b' % numbers
        return b'%b,%b,"train_on_this":%b}' % (start, body, base.json_of_few(head.trained))


def _target(step: Step) -> str:
    sections = (("Thought", step.thought), ("Action", base.action_words(step)), ("Code", base.target_code(step)))
    return "\n".join(f"## {title}: {text}" for title, text in sections if text)


FORMAT = _Lesson()
