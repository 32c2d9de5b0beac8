"""What is drawn in tiles, whatever ground it is on: whether a region only lit up, or shows other things. Tiles are
luma, n x 16 x 16, signed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import FAINT_LEVELS, LIT_GROUND_SHARE


def same_places_inked(now: NDArray[np.int16], then: NDArray[np.int16], least: float) -> bool:
    """Whether about as much is drawn in the same tiles: the same things, maybe lifted by a pixel or two."""
    one, other = _inked(now), _inked(then)
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return size == 0.0 or float(one @ other) / size >= least


def _inked(tiles: NDArray[np.int16]) -> NDArray[np.float64]:
    """How much is drawn in each tile: steps between neighbouring pixels."""
    steps = np.abs(np.diff(tiles, axis=2)).sum(axis=(1, 2)) + np.abs(np.diff(tiles, axis=1)).sum(axis=(1, 2))
    return np.asarray(steps, dtype=np.float64)


def grounds_differ(now: NDArray[np.int16], then: NDArray[np.int16]) -> bool:
    """Whether many tiles are on another ground: they lit up, and it is not only a text that changed."""
    away = np.median((now - then).reshape(len(now), -1), axis=1)
    return bool((np.abs(away) > FAINT_LEVELS).mean() >= LIT_GROUND_SHARE)


def ink(tiles: np.ndarray[tuple[int, ...], np.dtype[np.int16]]) -> float:
    """How much is drawn in all of them."""
    return float(_inked(tiles).sum())
