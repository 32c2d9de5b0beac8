"""Numbers out of data that may hold anything."""

from __future__ import annotations

import math


def finite_number(value: object) -> float | None:
    """The value as a float if it is a finite number and no bool (Python takes True for 1), else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
