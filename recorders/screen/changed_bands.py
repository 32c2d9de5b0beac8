"""Finding what changed by looking, for desktops that do not say (Windows, macOS): the pixels as they were last seen
are compared before anything is converted. 1080p: 1 ms where nothing changed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from recorders.boxes import Box

ROWS = 16
"""Compared at once; so many are converted where one differs."""


class ChangedBands:
    """Keeps the last pixels it was given."""

    def __init__(self) -> None:
        self._last: npt.NDArray[np.uint8] | None = None

    def changed(self, pixels: npt.NDArray[np.uint8]) -> list[Box]:
        """Bands of rows in which these BGRA pixels differ from the ones before; everything the first time and after a
        change of size. The array must not be written to afterwards."""
        last, self._last = self._last, pixels
        height, width = pixels.shape[:2]
        if last is None or last.shape != pixels.shape:
            return [(0, 0, width, height)]
        found: list[Box] = []
        for top in range(0, height, ROWS):
            bottom = min(top + ROWS, height)
            if not np.array_equal(pixels[top:bottom], last[top:bottom]):
                above = found.pop()[1] if found and found[-1][3] == top else top
                found.append((0, above, width, bottom))
        return found
