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


class _Lesson:
    name = "lesson"
    version = 1
    needs_code = False
    row = Example

    def examples(
        self, trajectory: Trajectory, targets: Sequence[int], options: base.FormatOptions
    ) -> Iterator[base.Row]:
        history = base.ALL if options.history is None else options.history
        words = [base.action_words(step) for step in trajectory.steps]
        for position, trained in base.chosen(trajectory, targets, options):
            step = trajectory.steps[position]
            window = base.history_window(position, history)
            row = Example(
                **base.head(trajectory, step, options),
                input=Input(task=trajectory.instruction, previous=words[window.start : window.stop], image=step.image),
                target=_target(step),
                train_on_this=trained,
            )
            yield msgspec.to_builtins(row)


def _target(step: Step) -> str:
    sections = (("Thought", step.thought), ("Action", base.action_words(step)), ("Code", base.target_code(step)))
    return "\n".join(f"## {title}: {text}" for title, text in sections if text)


FORMAT = _Lesson()
