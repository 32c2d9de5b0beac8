"""Which earlier steps an example tells of, and of which it shows the picture."""

from __future__ import annotations

from collections.abc import Sequence

ALL = -1
"""As `history`: all earlier steps."""


def history_window(position: int, history: int) -> range:
    """Positions of the earlier steps that the example at `position` tells of."""
    return range(first_told(position, history), position)


def first_told(position: int, history: int) -> int:
    """The first of them."""
    return 0 if history == ALL or position < history else position - history


def first_shown(pictures: Sequence[str | None], window: range, images: int) -> int:
    """The first position of `window` whose picture is shown, given the pictures of the steps: the last `images` - 1
    earlier steps, back to the first that has none."""
    first = window.stop
    while first > window.start and window.stop - first < images - 1 and pictures[first - 1] is not None:
        first -= 1
    return first
