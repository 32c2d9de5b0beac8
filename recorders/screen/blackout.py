"""What must be black in the picture: the windows and monitors that the person excluded, or all of it in private mode.

Whoever knows (a session: excluded areas, the private switch) is asked before a picture is grabbed and again after it.
Whatever is in one of the two answers is black, so that a window that moves while the picture is taken is in none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from recorders.boxes import Box, without
from recorders.screen.regions import clipped

Black = Sequence[Box] | Literal["all"]
"""Boxes in pixels of the recorded region, or the whole picture."""
Blackout = Callable[[], Black]
"""Called from the screen's thread, twice a picture. Its answer must be of the moment it is asked: the two answers
around a grab together must hold everything that the grab can show and nobody is to see."""


def nothing_black() -> Black:
    """The answer of a session in which nothing is excluded."""
    return ()


def united(one: Black, other: Black) -> Black:
    """Black in either."""
    if one == "all" or other == "all":
        return "all"
    return tuple(dict.fromkeys([*one, *other]))


def uncovered(before: Black, now: Black, whole: Box) -> list[Box]:
    """Parts that were black and are not any more: they must be looked at again."""
    if now == "all":
        return []
    left = [whole] if before == "all" else list(before)
    for cover in now:
        left = [part for box in left for part in without(box, cover)]
    return left


def blacken(pixels: npt.NDArray[np.uint8], place: Box, black: Black) -> None:
    """Make the pixels (height x width x 4, of this place of the picture) black where they must be."""
    if black == "all":
        pixels[:] = 0
        return
    for left, top, right, bottom in clipped(black, place):
        pixels[top - place[1] : bottom - place[1], left - place[0] : right - place[0]] = 0
