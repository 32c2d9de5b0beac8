"""What the bytes of a picture file say before anything is decoded."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from curate.store.picture_files import sound_header

PICTURE = Image.fromarray(np.random.default_rng(1).integers(0, 255, (64, 96, 3), dtype=np.uint8))


def encoded(kind: str, picture: Image.Image = PICTURE, **options: object) -> bytes:
    made = io.BytesIO()
    picture.save(made, kind, **options)
    return made.getvalue()


def with_thumbnail(data: bytes) -> bytes:
    """A JPEG with a small one in front of it, as cameras write it."""
    small = encoded("JPEG", PICTURE.resize((16, 16)))
    told = b"Exif\x00\x00" + small
    return data[:2] + b"\xff\xe1" + (len(told) + 2).to_bytes(2, "big") + told + data[2:]


WHOLE = {
    "PNG": encoded("PNG"),
    "JPEG": encoded("JPEG"),
    "progressive": encoded("JPEG", progressive=True),
    "with a thumbnail": with_thumbnail(encoded("JPEG")),
    "WEBP": encoded("WEBP"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_or_with_something_behind_it(name: str) -> None:
    for data in (WHOLE[name], WHOLE[name] + b"behind it"):
        header = sound_header(data)
        assert header is not None and (header.width, header.height) == (96, 64)


@pytest.mark.parametrize("name", WHOLE)
def test_cut_short(name: str) -> None:
    data = WHOLE[name]
    for size in (0, 1, 20, len(data) // 2, len(data) * 9 // 10, len(data) - 3, len(data) - 1):
        assert sound_header(data[:size]) is None, size
