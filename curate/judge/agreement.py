"""How far two people agree beyond chance: Cohen's kappa (1960)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from curate.model.wilson import Z95, Estimate


def cohens_kappa(answers: Sequence[tuple[str, str]]) -> Estimate:
    """(observed - expected) / (1 - expected) of pairs of answers, with its 95 % interval (Cohen's own standard error);
    1: always the same answer, 0: as often as by chance. Null where nothing is known, or where both always gave one and
    the same answer, so that chance alone explains it."""
    n = len(answers)
    if not n:
        return Estimate()
    observed = sum(one == other for one, other in answers) / n
    ones, others = (Counter(pair[side] for pair in answers) for side in (0, 1))
    expected = sum(ones[answer] * others[answer] for answer in ones) / n**2
    if expected >= 1:
        return Estimate()
    kappa = (observed - expected) / (1 - expected)
    half = Z95 * math.sqrt(observed * (1 - observed) / n) / (1 - expected)
    return Estimate(round(kappa, 4), round(max(-1.0, kappa - half), 4), round(min(1.0, kappa + half), 4))
