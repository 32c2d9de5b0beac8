"""Facts about one picture, and the difference between two: pure functions of pixels.

A picture's *small copy* has one cell for every 8 x 8 pixels, their mean. A JPEG holds these means as they are (the DC
terms of its blocks), so that they cost a tenth of decoding it. What a small copy proves needs no pixels: that a picture
cannot be blank, and that two pictures differ."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import (
    DHASH_BITS,
    NEAR_WHITE,
    PIXEL_DIFFERS,
    SMALL_FROM,
    SMALL_ROUNDING,
    SMALL_SCALE,
    THUMBNAIL,
)
from curate.store.late import cv2

Picture = NDArray[np.uint8]
"""H x W x 3, RGB."""


class Facts(msgspec.Struct, frozen=True):
    """What is known of a picture file. `state`: `ok`, `missing` (no such file, or no media reference) or `unreadable`.
    The rest is null unless it is ok. `sha256`: of the file. `white`: share of near-white pixels; where the small copy
    shows that the picture is not blank, a share that it does not exceed. `dhash`: difference hash, 16 hexadecimal
    digits. `thumbnail`: THUMBNAIL grey cells, row by row."""

    state: str
    sha256: str | None = None
    width: int | None = None
    height: int | None = None
    white: float | None = None
    dhash: str | None = None
    thumbnail: bytes | None = None


def white_share(picture: Picture) -> float:
    """The share of pixels whose every channel is above NEAR_WHITE."""
    above = (NEAR_WHITE + 1,) * 3
    near_white = int(cv2.countNonZero(cv2.inRange(picture, above, (255, 255, 255))))
    return near_white / int(picture.shape[0] * picture.shape[1])


def white_share_at_most(small: Picture, width: int, height: int) -> float:
    """A share of near-white pixels that a picture of this size does not exceed, from its small copy: a cell whose mean
    is m has at most m / (NEAR_WHITE + 1) of them. Pixels at the edges that no cell stands for count as near-white."""
    darkest = small.min(axis=2).astype(np.float64) + SMALL_ROUNDING
    cells = np.minimum(darkest / (NEAR_WHITE + 1), 1.0).sum() * SMALL_SCALE**2
    outside = width * height - small.shape[0] * small.shape[1] * SMALL_SCALE**2
    return min(1.0, float(cells + outside) / (width * height))


def mean_squared_difference(one: Picture, other: Picture) -> float | None:
    """Over RGB, in squared grey levels (0 to 65,025); None for pictures of different sizes. An alpha channel never
    takes part: it would dilute the difference."""
    if one.shape != other.shape:
        return None
    return float(cv2.norm(one, other, cv2.NORM_L2SQR)) / one.size


def difference_at_least(one: Picture, other: Picture, width: int, height: int) -> float:
    """A mean squared difference that two pictures of this size do not fall below, from their small copies: the mean
    of squares is no less than the square of the mean, in every cell."""
    apart = cv2.subtract(cv2.absdiff(one, other), np.full_like(one, SMALL_ROUNDING))
    return float(cv2.norm(apart, cv2.NORM_L2SQR)) * SMALL_SCALE**2 / (3 * width * height)


def has_small_copy(width: int, height: int) -> bool:
    """Whether a picture of this size is large enough for a small copy; else it is one itself."""
    return width >= SMALL_FROM[0] and height >= SMALL_FROM[1]


def small_copy(picture: Picture) -> Picture:
    """The means of 8 x 8 pixels each; what is left over at the right and lower edge (at most 7 pixels) is not in it."""
    height, width = picture.shape[:2]
    if not has_small_copy(width, height):
        return picture
    rows, columns = height // SMALL_SCALE, width // SMALL_SCALE
    whole = picture[: rows * SMALL_SCALE, : columns * SMALL_SCALE]
    return np.asarray(cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def difference_hash(picture: Picture) -> str:
    """64 bits: whether each of 8 x 9 grey cells is lighter than its left neighbour. Few bits differ between two
    pictures of one screen, whether they are small copies or not."""
    cells = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (9, 8), interpolation=cv2.INTER_AREA)
    bits = (cells[:, 1:] > cells[:, :-1]).flatten()
    return f"{int.from_bytes(np.packbits(bits).tobytes(), 'big'):016x}"


def thumbnail(picture: Picture) -> bytes:
    """The mean grey level of each of 32 x 18 cells."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return bytes(cv2.resize(grey, THUMBNAIL, interpolation=cv2.INTER_AREA).tobytes())


def look_alike(
    hashes: NDArray[np.uint64], thumbnails: NDArray[np.uint8], dhash: np.uint64, thumbnail: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Which pictures (difference hashes as numbers, thumbnails a row each) show the screen that the last two are of:
    few bits of the hash differ, and no cell of the thumbnail by more than PIXEL_DIFFERS. The hash alone calls flat
    screens alike (on a real recording: 3 bits for pictures that differ in three quarters of their pixels), and a mean
    over the picture would not see an opened menu."""
    alike: NDArray[np.bool_] = np.bitwise_count(hashes ^ dhash) <= DHASH_BITS
    near = np.flatnonzero(alike)
    cells = thumbnails[near].astype(np.int16) - thumbnail.astype(np.int16)
    alike[near] = np.abs(cells).max(axis=1, initial=0) <= PIXEL_DIFFERS
    return alike
