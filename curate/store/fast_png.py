"""Decoding the PNG files that screenshots are (8 bits, RGB or RGBA, not interlaced) in a third of libpng's time, with
the extra `[fast]`: libdeflate unpacks, numba takes the filters back. Only for files in which everything is as the
specification says, checksums too; for all others, and without the extra, the answer is None and OpenCV decodes. Both
give the same pixels."""

from __future__ import annotations

import itertools
import os
import struct
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import MAX_PICTURE_PIXELS, NO_NUMBA
from curate.store.late import cv2

_PAYS_FROM = 100  # pictures: importing numba costs what their faster decoding saves
_seen = itertools.count(1)
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}  # by colour type
_HARMLESS = {b"IHDR", b"IDAT", b"IEND", b"pHYs", b"tEXt", b"zTXt", b"iTXt", b"tIME", b"sRGB", b"bKGD"}
"""Chunks that change no pixel as OpenCV reads them; with another one it decodes."""


def decode_png(data: bytes) -> NDArray[Any] | None:
    """RGB pixels (H x W x 3, uint8), without an alpha channel."""
    header = _header(data)
    if header is None or not (next(_seen) > _PAYS_FROM or "numba" in sys.modules):
        return None
    tools = _tools()
    if tools is None:
        return None
    width, height, channels = header
    inflate, crc32, unfilter = tools
    packed = _packed(data, crc32)
    size = height * (width * channels + 1)
    if packed is None or not 0 < width * height <= MAX_PICTURE_PIXELS:
        return None
    try:
        raw = inflate(packed, size)
    except Exception:  # damaged: what is said about it is OpenCV's
        return None
    out = np.empty((height + 1, width * channels), np.uint8)
    out[0] = 0  # what the filters find above the first row
    if len(raw) != size or not unfilter(np.frombuffer(raw, np.uint8), out, channels):
        return None
    picture = out[1:].reshape(height, width, channels)
    return picture if channels == 3 else cv2.cvtColor(picture, cv2.COLOR_RGBA2RGB)


def _header(data: bytes) -> tuple[int, int, int] | None:
    """Width, height, channels of a kind that is decoded here."""
    if len(data) < 33 or not data.startswith(_SIGNATURE) or data[8:16] != b"\x00\x00\x00\rIHDR":
        return None
    width, height, depth, colour, packing, filters, interlaced = struct.unpack(">2L5B", data[16:29])
    if depth != 8 or colour not in _CHANNELS or packing or filters or interlaced:
        return None
    return width, height, _CHANNELS[colour]


def _packed(data: bytes, crc32: Callable[[bytes | memoryview], int]) -> bytes | None:
    """What the IDAT chunks hold; None unless every chunk is whole, harmless and in its place."""
    at, pieces, ended = 8, [], False
    view = memoryview(data)
    while at + 12 <= len(data) and not ended:
        size = int.from_bytes(data[at : at + 4], "big")
        kind, end = data[at + 4 : at + 8], at + 12 + size
        if kind not in _HARMLESS or end > len(data):
            return None
        if crc32(view[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            return None
        if kind == b"IDAT":
            pieces.append(view[at + 8 : end - 4])
        ended, at = kind == b"IEND", end
    return b"".join(pieces) if ended and pieces else None


@cache
def _tools() -> tuple[Callable[..., Any], Callable[[bytes | memoryview], int], Callable[..., bool]] | None:
    """libdeflate's unpacking and checksum, and the compiled filters; None where one of them is not installed."""
    if os.environ.get(NO_NUMBA) or find_spec("deflate") is None or find_spec("numba") is None:
        return None
    import deflate
    import numba

    from curate.store import png_kernels

    crc32: Any = deflate.crc32  # its stubs know bytes alone
    try:
        return deflate.zlib_decompress, crc32, numba.njit(cache=True, nogil=True)(png_kernels.unfilter)
    except RuntimeError:  # nowhere to keep the machine code
        return deflate.zlib_decompress, crc32, numba.njit(nogil=True)(png_kernels.unfilter)
