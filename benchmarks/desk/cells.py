"""The strip of coloured cells in which a program says what it shows, and how it is read from a picture.

Two cells mark its start and two its end; between them ten bits of the state's number, twice five bits of what the
pointer lights up (now, and still fading), and their parity: black is 0, white 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

CELL = 6
STATE_BITS, LIT_BITS = 10, 5
BITS = 2 + STATE_BITS + 2 * LIT_BITS + 1 + 2
MARK, OTHER = "#ff00ff", "#00ffff"
_MARK, _OTHER = np.array([255, 0, 255]), np.array([0, 255, 255])

Rgb = NDArray[np.uint8]


@dataclass(frozen=True)
class Strip:
    """What a strip says: `state`, and what is lit: `lit` under the pointer, `fading` besides (0: nothing)."""

    state: int
    lit: int
    fading: int


def bits(state: int, lit: int, fading: int) -> list[int]:
    """The bits between the marks, the highest of each number first."""
    told = [
        state >> i & 1 for i in reversed(range(STATE_BITS))
    ] + [number >> i & 1 for number in (lit, fading) for i in reversed(range(LIT_BITS))]  # fmt: skip
    return [*told, sum(told) & 1]


def colours(state: int, lit: int, fading: int) -> list[str]:
    """The colours of all cells."""
    return [MARK, OTHER, *("#ffffff" if bit else "#000000" for bit in bits(state, lit, fading)), OTHER, MARK]


def find(picture: Rgb) -> list[tuple[int, int]]:
    """Left and top of every strip in an RGB picture."""
    mark, other = _is(picture, _MARK), _is(picture, _OTHER)
    height, width = mark.shape
    span = BITS * CELL
    if width < span:
        return []
    begins = mark[:, : width - span + 1] & other[:, CELL : width - span + 1 + CELL]
    ends = mark[:, span - CELL : width - CELL + 1] & other[:, span - 2 * CELL : width - 2 * CELL + 1]
    found = np.argwhere(begins[: height - CELL, :] & ends[: height - CELL, :])
    places: list[tuple[int, int]] = []
    for top, left in found:
        if not any(abs(left - x) < CELL and abs(top - y) < CELL for x, y in places):
            places.append((int(left), int(top)))
    return places


def read(picture: Rgb, place: tuple[int, int]) -> Strip | None:
    """What the strip at a place says; None where it is covered or being painted."""
    left, top = place
    middle = top + CELL // 2
    row = picture[middle, left + CELL // 2 : left + BITS * CELL : CELL].astype(int)
    if len(row) != BITS or not (_near(row[0], _MARK) and _near(row[-1], _MARK) and _near(row[1], _OTHER)):
        return None
    levels = row[2:-2].mean(axis=1)
    if ((levels > 60) & (levels < 195)).any():
        return None
    told = [int(level > 127) for level in levels]
    if sum(told[:-1]) & 1 != told[-1]:
        return None
    number = "".join(map(str, told[:-1]))
    cuts = (0, STATE_BITS, STATE_BITS + LIT_BITS, STATE_BITS + 2 * LIT_BITS)
    state, lit, fading = (int(number[a:b], 2) for a, b in pairwise(cuts))
    return Strip(state, lit, fading)


def _is(picture: Rgb, colour: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.asarray((np.abs(picture.astype(np.int16) - colour) < 24).all(axis=2))


def _near(pixel: NDArray[np.int64], colour: NDArray[np.int64]) -> bool:
    return bool((np.abs(pixel - colour) < 24).all())
