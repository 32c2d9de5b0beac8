"""Facts about one picture, and the difference between two. Pictures are decoded once each as far as memory allows."""

from __future__ import annotations

import hashlib
import io
import warnings
from collections import OrderedDict
from pathlib import Path

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from curate.model.constants import (
    DHASH_BITS,
    MAX_PICTURE_PIXELS,
    NEAR_WHITE,
    PICTURE_CACHE_BYTES,
    PIXEL_DIFFERS,
    THUMBNAIL,
)
from curate.store.media import MediaStore, read_rgb
from curate.store.paths import PathError

Picture = NDArray[np.uint8]
"""H x W x 3, RGB."""


class Facts(msgspec.Struct, frozen=True):
    """What is known of a picture file. `state`: `ok`, `missing` (no such file, or no media reference) or `unreadable`.
    The rest is null unless it is ok. `sha256`: of the file. `white`: share of near-white pixels. `dhash`: difference
    hash, 16 hexadecimal digits. `thumbnail`: THUMBNAIL grey cells, row by row."""

    state: str
    sha256: str | None = None
    width: int | None = None
    height: int | None = None
    white: float | None = None
    dhash: str | None = None
    thumbnail: bytes | None = None


class Look(msgspec.Struct, frozen=True):
    """What a screen looks like, small enough to be kept: `dhash` as a number, and the thumbnail."""

    dhash: int
    thumbnail: bytes


def white_share(picture: Picture) -> float:
    """The share of pixels whose every channel is above NEAR_WHITE."""
    return float((picture.min(axis=2) > NEAR_WHITE).mean())


def mean_squared_difference(one: Picture, other: Picture) -> float | None:
    """Over RGB, in squared grey levels (0 to 65,025); None for pictures of different sizes. An alpha channel never
    takes part: it would dilute the difference."""
    if one.shape != other.shape:
        return None
    difference = cv2.absdiff(one, other)
    return float(np.square(difference, dtype=np.float32).mean(dtype=np.float64))


def difference_hash(picture: Picture) -> str:
    """64 bits: whether each of 8 x 9 grey cells is lighter than its left neighbour. Few bits differ between two
    pictures of one screen."""
    cells = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (9, 8), interpolation=cv2.INTER_AREA)
    bits = (cells[:, 1:] > cells[:, :-1]).flatten()
    return f"{int.from_bytes(np.packbits(bits).tobytes(), 'big'):016x}"


def thumbnail(picture: Picture) -> bytes:
    """The mean grey level of each of 32 x 18 cells."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    return bytes(cv2.resize(grey, THUMBNAIL, interpolation=cv2.INTER_AREA).tobytes())


def look_alike(one: Look, other: Look) -> bool:
    """Whether two pictures show the same screen: few bits of the hash differ, and no cell of the thumbnail by more
    than PIXEL_DIFFERS. The hash alone calls flat screens alike (on a real recording: 3 bits for pictures that differ
    in three quarters of their pixels), and a mean over the picture would not see an opened menu."""
    if (one.dhash ^ other.dhash).bit_count() > DHASH_BITS:
        return False
    a, b = (np.frombuffer(look.thumbnail, np.uint8).astype(np.int16) for look in (one, other))
    return bool(np.abs(a - b).max(initial=0) <= PIXEL_DIFFERS)


class PictureReader:
    """Reads the pictures of a media store: each file once, equal bytes decoded once. Decoded pictures are kept, the
    oldest given up first, within PICTURE_CACHE_BYTES: neighbouring steps are compared without a second decoding."""

    def __init__(self, media_root: Path) -> None:
        self._store = MediaStore(media_root)
        self._facts: dict[str, Facts] = {}
        self._by_content: dict[str, Facts] = {}
        self._decoded: OrderedDict[str, Picture] = OrderedDict()
        self._bytes = 0
        self.decodings = 0

    def facts(self, reference: str) -> Facts:
        """What is known of the picture."""
        if reference not in self._facts:
            self._facts[reference] = self._read(reference)
        return self._facts[reference]

    def difference(self, one: str, other: str) -> float | None:
        """Mean squared difference of two pictures; None unless both are readable and of one size."""
        a, b = self.facts(one), self.facts(other)
        if a.state != "ok" or b.state != "ok" or (a.width, a.height) != (b.width, b.height):
            return None
        if a.sha256 == b.sha256:
            return 0.0
        first, second = self._pixels(one, a), self._pixels(other, b)
        return None if first is None or second is None else mean_squared_difference(first, second)

    def _read(self, reference: str) -> Facts:
        try:
            data = self._store.read(reference)
        except (PathError, OSError):
            return Facts("missing")
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._by_content:
            picture = self._decode(digest, data)
            self._by_content[digest] = Facts("unreadable", digest) if picture is None else _facts(digest, picture)
        return self._by_content[digest]

    def _pixels(self, reference: str, facts: Facts) -> Picture | None:
        digest = facts.sha256 or ""
        if digest in self._decoded:
            self._decoded.move_to_end(digest)
            return self._decoded[digest]
        try:
            return self._decode(digest, self._store.read(reference))
        except (PathError, OSError):  # taken away since
            return None

    def _decode(self, digest: str, data: bytes) -> Picture | None:
        if not is_sound(data):
            return None
        self.decodings += 1
        picture = read_rgb(data)
        if picture is None:
            return None
        self._decoded[digest] = picture
        self._bytes += picture.nbytes
        while self._bytes > PICTURE_CACHE_BYTES and len(self._decoded) > 2:
            self._bytes -= self._decoded.popitem(last=False)[1].nbytes
        return picture


def _facts(digest: str, picture: Picture) -> Facts:
    height, width = picture.shape[:2]
    return Facts("ok", digest, width, height, white_share(picture), difference_hash(picture), thumbnail(picture))


def is_sound(data: bytes) -> bool:
    """Whether the bytes are a picture that may be decoded: whole (Pillow verifies it), and its header states no more
    than MAX_PICTURE_PIXELS (a few bytes would unpack to gigabytes). The decoder writes about others to the terminal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit stands instead
            with Image.open(io.BytesIO(data)) as picture:
                if not 0 < picture.width * picture.height <= MAX_PICTURE_PIXELS:
                    return False
                picture.verify()
        return True
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return False
