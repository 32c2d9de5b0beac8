"""Finds things on the screen by looking, as the hand's scripts need them in programs that do not say where they are:
rows of text, words in a row, what changed. So the scripts do not depend on fonts or themes."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt
from hand import Box

Picture = npt.NDArray[np.int16]


class Look:
    """The screen of DISPLAY, in grey levels."""

    def __init__(self) -> None:
        import mss

        self._grabber: Any = mss.MSS() if hasattr(mss, "MSS") else mss.mss()

    def see(self) -> Picture:
        """The whole screen now."""
        shot = self._grabber.grab(self._grabber.monitors[0])
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        return pixels[..., :3].astype(np.int16).mean(axis=2).astype(np.int16)

    def settled(self, seconds: float = 0.4, limit: float = 10.0) -> Picture:
        """The screen once nothing changed for a while."""
        last, since, end = self.see(), time.monotonic(), time.monotonic() + limit
        while time.monotonic() < min(since + seconds, end):
            time.sleep(0.05)
            now = self.see()
            if not np.array_equal(now, last):
                last, since = now, time.monotonic()
        return last


def changed(before: Picture, after: Picture) -> Box:
    """The smallest box around all that differs."""
    rows, columns = np.nonzero(np.abs(before - after) > 8)
    if not len(rows):
        raise RuntimeError("Nothing changed on the screen where a script expected it to.")
    x, y = int(columns.min()), int(rows.min())
    return Box(x, y, int(columns.max()) - x + 1, int(rows.max()) - y + 1)


def _runs(marks: npt.NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Start and length of runs of true marks; runs closer than `gap` are one."""
    found: list[tuple[int, int]] = []
    for i in np.nonzero(marks)[0]:
        if found and i - sum(found[-1]) < gap:
            found[-1] = (found[-1][0], int(i) - found[-1][0] + 1)
        else:
            found.append((int(i), 1))
    return found


def paper(picture: Picture, window: Box) -> Box:
    """The largest white area of a window that is as wide as it: where an editor's text stands."""
    left, right = window.x + 6, window.x + window.width - 30
    part = picture[:, left:right]
    y, height = max(_runs((part == 255).mean(axis=1) > 0.5, 2), key=lambda run: run[1])
    return Box(left, y, right - left, height)


def rows(picture: Picture, box: Box, gap: int = 3) -> list[Box]:
    """Rows of text in a box on an even ground, from the top."""
    ink = _ink(picture, box)
    return [Box(box.x, box.y + y, box.width, height) for y, height in _runs(ink.any(axis=1), gap) if height > 4]


def words(picture: Picture, row: Box, gap: int = 5) -> list[Box]:
    """Words of a row of text, from the left."""
    ink = _ink(picture, row)
    return [Box(row.x + x, row.y, width, row.height) for x, width in _runs(ink.any(axis=0), gap)]


def _ink(picture: Picture, box: Box) -> npt.NDArray[np.bool_]:
    part = picture[box.y : box.y + box.height, box.x : box.x + box.width]
    values, counts = np.unique(part, return_counts=True)
    return np.abs(part - values[counts.argmax()]) > 60
