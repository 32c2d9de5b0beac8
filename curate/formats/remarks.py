"""What a row tells of a step that is known to be wrong or not needed: the one place for these words."""

from __future__ import annotations

from collections.abc import Sequence

from curate.model.trajectory import Step


def remarks(steps: Sequence[Step]) -> list[str | None]:
    """What is known to be wrong with each step, with its reflection; None for a step that is not known to be."""
    return [
        _remark(step) if step.correct is False or step.redundant is True else None for step in steps
    ]  # nearly all are right


def remark(step: Step) -> str | None:
    """The same of one step."""
    return remarks([step])[0]


def _remark(step: Step) -> str:
    what = "This step was wrong" if step.correct is False else "This step was not needed"
    reflection = (step.reflection or "").strip()
    return f"{what}: {reflection}" if reflection else f"{what}."
