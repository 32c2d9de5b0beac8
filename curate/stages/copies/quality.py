"""What makes one of two copies the better one: its score, its pictures."""

from __future__ import annotations

from collections.abc import Sequence

from curate.model.scores import share_of_range
from curate.model.trajectory import Score, Step

WORSE_PICTURE = frozenset({"pointer_near", "pointer_inherited", "late_change", "keyframe_missing", "acted_blind"})
"""Flags of steps whose picture shows, or may show, more or less than the person acted on."""


def mean_score(scores: Sequence[Score]) -> float | None:
    """The mean of the scores as shares of their ranges, None without any that says something. Rounded, so that it does
    not depend on their order."""
    known = [share for score in scores if (share := share_of_range(score)) is not None]
    return round(sum(known) / len(known), 9) if known else None


def keyframe_quality(steps: Sequence[Step]) -> float | None:
    """The share of pictures about which nothing is flagged; None for a run without pictures."""
    shown = [step for step in steps if step.image]
    if not shown:
        return None
    clean = sum(
        not WORSE_PICTURE.intersection(step.flags) and not (step.keyframe and step.keyframe.erased) for step in shown
    )
    return round(clean / len(shown), 9)


def pixels(steps: Sequence[Step]) -> int | None:
    """The area of the largest picture, None where no size is known."""
    return max((step.image_size[0] * step.image_size[1] for step in steps if step.image_size), default=None)
