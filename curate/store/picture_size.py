"""The size of a picture from its first bytes, without decoding it: pictures of whole pages have 100 million pixels."""

from __future__ import annotations

import io
import struct
from typing import BinaryIO

from curate.store.late import Image

_PNG = b"\x89PNG\r\n\x1a\n"


def picture_size(file: BinaryIO | bytes) -> tuple[int, int] | None:
    """Width and height in pixels; None for what is no picture (or one so large that Pillow refuses it)."""
    if isinstance(file, bytes):
        file = io.BytesIO(file)
    head = file.read(24)
    if head.startswith(_PNG) and len(head) == 24:
        width, height = struct.unpack(">II", head[16:24])
        return (width, height) if width and height else None
    file.seek(0)
    try:
        with Image.open(file) as picture:
            width, height = picture.size
    except (Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return None
    return (width, height) if width > 0 and height > 0 else None
