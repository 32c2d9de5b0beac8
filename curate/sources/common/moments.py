"""The one picture that a source has for each step, set where it belongs: before the action, or after it."""

from __future__ import annotations

from collections.abc import Sequence

from curate.model.trajectory import Step
from curate.sources.common.conventions import Conventions


def set_moments(steps: Sequence[Step], conventions: Conventions, final: str | None = None) -> str | None:
    """Moves each step's `image`, as the source has it, to where it belongs by the facts in force; the run's final
    picture. `final`: a picture of the end that the source has besides. Where pictures come after the action, a step's
    is its `image_after` and the next one's `image`; the first step then has none."""
    pairs = conventions.before([step.image for step in steps], final=final)
    after = conventions.facts.timing == "after"  # known by now, if only from the data
    for step, (before, later) in zip(steps, pairs, strict=True):
        step.image = before
        step.image_after = later if after else step.image_after
    return pairs[-1][1] if after and pairs else final
