"""How sure a share is: the Wilson interval (1927), which is honest for few answers and for shares near 0 and 1."""

from __future__ import annotations

import math

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
