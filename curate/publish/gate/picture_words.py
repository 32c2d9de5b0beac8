"""What a picture file says beside its pixels: comments, descriptions, authors, and where on Earth it was taken."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from curate.store.late import Image

_GPS = 0x8825  # the tag of EXIF under which places stand
_MARKS = (b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"Exif\0\0", b"http://ns.adobe.com/xap", b"\xff\xfe", b"EXIF", b"XMP ")
_LONGEST = 100_000


def has_words(data: bytes) -> bool:
    """Whether a picture may say anything: told by the marks of what could, which pixels can hold by chance too."""
    return any(mark in data for mark in _MARKS)


def words_in(data: bytes) -> tuple[list[str], bool]:
    """The texts, and whether there is a place. Empty for what cannot be read."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            texts = list(_texts(dict(picture.info)))
            texts += list(_texts(dict(getattr(picture, "text", {}) or {})))  # behind the pixels of a PNG
            exif = picture.getexif()
            texts += list(_texts(dict(exif)))
            return texts, _GPS in exif
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return [], False


def _texts(values: dict[Any, Any]) -> Iterator[str]:
    for name, value in values.items():
        if name in ("icc_profile", "exif"):
            continue
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, str) and value.strip():
            yield value[:_LONGEST]
