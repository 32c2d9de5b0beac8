"""Step numbers as sources give them: with gaps where somebody took steps out, repeated where one answer was several
actions, beginning anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

GAP = "step_gap"


def gaps(numbers: Sequence[int | None], first: int | None = None) -> list[bool]:
    """Whether steps are missing right before each step: its number is over one more than that before it. `first`: the
    number that the first step of a whole run has; None: any."""
    found: list[bool] = []
    before = None if first is None else first - 1
    for number in numbers:
        found.append(number is not None and before is not None and number > before + 1)
        before = number
    return found


def rising(numbers: Sequence[int | None]) -> list[int]:
    """The numbers where each is known, from 0 to what 32 bits hold, and larger than the one before it; else the steps'
    places."""
    known = [number for number in numbers if number is not None and 0 <= number < 1 << 31]
    if len(known) == len(numbers) and all(one < other for one, other in pairwise(known)):
        return known
    return list(range(len(numbers)))
