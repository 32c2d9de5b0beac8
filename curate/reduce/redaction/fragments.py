"""The second search in pictures: does half of a secret still show? Other than the first it compares the edges of
letters, not their greys, at every place of every half, and keeps nothing from one picture to the next."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import REDACTION_FRAGMENT_MATCH
from curate.reduce.redaction.drawn import Looks
from curate.reduce.redaction.lettering import Grey

_Edges = NDArray[np.float32]
_STEPS = 4  # halves of a piece, from its left to its right end
_LEAST_WIDTH = 24  # pixels: three letters


class Fragments:
    """Looks for halves of the pieces that a secret was drawn in."""

    def __init__(self, looks: Looks) -> None:
        self._parts: list[_Edges] = []
        for piece in looks.pieces:
            width = piece.shape[1]
            half = max(width // 2 + 1, min(width, _LEAST_WIDTH))
            starts = sorted({(width - half) * step // _STEPS for step in range(_STEPS + 1)})
            self._parts += [_edges(piece[:, start : start + half]) for start in starts]
        self._parts = [part for part in self._parts if part.shape[1] >= _LEAST_WIDTH]
        self._before: Grey | None = None

    def shows(self, grey: Grey) -> bool:
        """Whether the picture has any of them where it is not as the picture before it."""
        before, self._before = self._before, grey
        left, top, right, bottom = 0, 0, grey.shape[1], grey.shape[0]
        if before is not None and before.shape == grey.shape:
            rows, columns = (np.flatnonzero((before != grey).any(axis=axis)) for axis in (1, 0))
            if not len(rows):
                return False
            left, top, right, bottom = int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
        for part in self._parts:
            high, wide = part.shape
            area = grey[max(top - high, 0) : bottom + high, max(left - wide, 0) : right + wide]
            if area.shape[0] > high and area.shape[1] > wide:
                alike = cv2.matchTemplate(_edges(area), part, cv2.TM_CCOEFF_NORMED)
                if np.nanmax(np.where(np.isfinite(alike), alike, 0)) >= REDACTION_FRAGMENT_MATCH:
                    return True
        return False


def _edges(grey: Grey) -> _Edges:
    """How much grey changes from pixel to pixel, either way, across and down."""
    across = np.abs(cv2.Scharr(grey, cv2.CV_32F, 1, 0))
    down = np.abs(cv2.Scharr(grey, cv2.CV_32F, 0, 1))
    return np.ascontiguousarray(across + down, dtype=np.float32)
