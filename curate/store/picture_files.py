"""What the bytes of a picture file say before anything is decoded, and decoding them: whole, or a JPEG's small copy."""

from __future__ import annotations

import io
import re
import struct
import warnings
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import MAX_PICTURE_PIXELS
from curate.store.decoding import decode
from curate.store.late import Image, cv2

_JPEG_SCAN = re.compile(rb"\xff\xda\x00[\x06\x08\x0a\x0c][\x01-\x04]")  # begins one: 1 to 4 components
_JPEG_END = b"\xff\xd9"
_JPEG_TAIL = 1 << 16  # cameras write something behind the end of the picture
_PNG_END = b"IEND\xaeB`\x82"  # the last chunk with its checksum: Pillow does not ask for the latter


class Header(msgspec.Struct, frozen=True):
    """`kind`: PNG, JPEG, WEBP, ... as Pillow names them. `width`, `height`: pixels as they are stored. `turned`: it may
    say that it is to be shown turned, so that its shown size is known when it is decoded."""

    kind: str
    width: int
    height: int
    turned: bool


def sound_header(data: bytes) -> Header | None:
    """The header of a picture that may be decoded: whole (its checksums, its end), and with no more pixels than
    MAX_PICTURE_PIXELS (a few bytes would unpack to gigabytes). None for others: the decoder would write about them to
    the terminal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit stands instead
            with Image.open(io.BytesIO(data)) as picture:
                if not 0 < picture.width * picture.height <= MAX_PICTURE_PIXELS:
                    return None
                turned = "exif" in picture.info
                header = Header(picture.format or "", picture.width, picture.height, turned)
                if header.kind == "JPEG":
                    return header if _jpeg_ends(data) else None
                picture.verify()
        return header if header.kind != "PNG" or _PNG_END in data else None
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError, struct.error):
        return None


def _jpeg_ends(data: bytes) -> bool:
    """Whether the end comes behind the last scan: a small picture that its camera put in front has an end too."""
    end = data.rfind(_JPEG_END, max(0, len(data) - _JPEG_TAIL))
    return end >= 0 and _JPEG_SCAN.search(data, end) is None


def decode_small_jpeg(data: bytes, width: int, height: int) -> NDArray[np.uint8] | None:
    """The means of a JPEG's blocks of 8 x 8 pixels (H // 8 x W // 8 x 3, RGB), as its file states them: a tenth of the
    work of decoding it. None when it cannot be decoded."""
    small = decode(data, cv2.IMREAD_REDUCED_COLOR_8)
    if small is None:
        return None
    return np.ascontiguousarray(small[: height // 8, : width // 8, ::-1])


def decode_reduced_jpeg(data: bytes, scale: int) -> NDArray[Any] | None:
    """A JPEG at 1/2, 1/4 or 1/8 of its size (rounded up), BGR. None when it cannot be decoded."""
    flags = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}
    return decode(data, flags[scale])
