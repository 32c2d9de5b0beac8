"""What a score says: the one rule for weights by a score and for which of two copies is the better one."""

from __future__ import annotations

import math

from curate.model.trajectory import Score


def reward(score: Score) -> float | None:
    """The score as a reward, more being better, in its own units: `value`, or mirrored in its range where lower is
    better. None for what is no number or lies outside of the range that is stated: a wrong direction or range would
    favour failures in silence."""
    if not all(map(math.isfinite, (score.value, score.min, score.max))) or not score.min <= score.value <= score.max:
        return None
    return score.value if score.higher_is_better else score.max + score.min - score.value


def share_of_range(score: Score) -> float | None:
    """The score as a share of its range, 0 to 1, 1 best. None where `reward` is, and where the range is empty."""
    known = reward(score)
    return None if known is None or score.max <= score.min else (known - score.min) / (score.max - score.min)
