"""How sure a share is: the Wilson interval (1927), which is honest for few answers and for shares near 0 and 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

Z95 = 1.959964  # quantile of the normal distribution for 95 % intervals


def wilson(yes: float, known: float) -> tuple[float, float]:
    """Low and high end of the 95 % interval of the share `yes` of `known`; (0, 1) where nothing is known."""
    if known <= 0:
        return 0.0, 1.0
    p, z2 = yes / known, Z95**2 / known
    middle, half = (p + z2 / 2) / (1 + z2), math.sqrt(p * (1 - p) * z2 + z2**2 / 4) / (1 + z2)
    return (0.0 if yes <= 0 else max(0.0, middle - half)), (1.0 if yes >= known else min(1.0, middle + half))


def wilson_difference(yes: float, known: float, other_yes: float, other_known: float) -> tuple[float, float]:
    """Low and high end of the 95 % interval of one share less another, from their Wilson intervals (Newcombe 1998,
    method 10); (-1, 1) where nothing is known of either."""
    if known <= 0 or other_known <= 0:
        return -1.0, 1.0
    one, other = yes / known, other_yes / other_known
    low, high = wilson(yes, known)
    other_low, other_high = wilson(other_yes, other_known)
    below = math.hypot(one - low, other_high - other)
    above = math.hypot(high - one, other - other_low)
    return one - other - below, one - other + above


class Estimate(msgspec.Struct, frozen=True):
    """A share and its 95 % interval; null where nothing is known."""

    share: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return "unknown" if self.share is None else f"{self.share:.3f} ({self.low:.3f} to {self.high:.3f})"


def estimate(said: Sequence[tuple[float, bool]]) -> Estimate:
    """The weighted share of yes with its Wilson interval, counted as so many equally weighted answers as have the same
    variance (Kish: (sum w)^2 / sum w^2)."""
    total = math.fsum(weight for weight, _ in said)
    if not total:
        return Estimate()
    share = math.fsum(weight for weight, yes in said if yes) / total
    known = total**2 / math.fsum(weight**2 for weight, _ in said)
    low, high = wilson(share * known, known)
    return Estimate(round(share, 4), round(low, 4), round(high, 4))
