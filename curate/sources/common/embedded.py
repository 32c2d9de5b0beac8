"""Pictures that stand in the records themselves: as the bytes of a file, as base64, or as plain pixels."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from curate.model.trajectory import Step
from curate.sources.common.conventions import Size
from curate.sources.common.facts import ImportOptions
from curate.sources.common.reading import UnreadableError
from curate.store.media import MediaStore
from curate.store.picture_files import sound_header

_EXTENSIONS = {"JPEG": "jpg"}


class Embedded(NamedTuple):
    """A picture brought in: its reference and size in pixels; both None for what is no whole picture or `absent`."""

    reference: str | None
    size: Size | None
    absent: bool = False

    @property
    def flags(self) -> list[str]:
        """What its step is flagged with."""
        if self.reference is not None:
            return []
        return ["picture_missing"] if self.absent else ["picture_damaged", "picture_missing"]


def some_serve(steps: Sequence[Step], options: ImportOptions, final: str | None = None) -> None:
    """Raises UnreadableError (`read.media_damaged`) where no picture of a run can be decoded, as for files."""
    none = final is None and all("picture_damaged" in step.flags for step in steps)
    if none and steps and options.needs_pictures:
        raise UnreadableError("read.media_damaged", f"None of its {len(steps)} pictures can be decoded.")


def embedded(data: bytes, media: MediaStore) -> Embedded:
    """The bytes of a picture file as media, unchanged. Raises StoreError."""
    header = sound_header(data)
    if header is None or not header.kind.isalnum():
        return Embedded(None, None)
    extension = _EXTENSIONS.get(header.kind, header.kind.lower())
    return Embedded(media.add_bytes(data, extension), (header.width, header.height))


def from_base64(text: str, media: MediaStore) -> Embedded:
    """The same for base64, with or without `data:image/png;base64,` before it."""
    try:
        data = base64.b64decode(text.rsplit(",", 1)[-1], validate=True)
    except (binascii.Error, ValueError):
        return Embedded(None, None)
    return embedded(data, media)


def from_pixels(data: bytes, width: int, height: int, channels: int, media: MediaStore) -> Embedded:
    """Rows of 8-bit RGB pixels as a PNG. Raises StoreError."""
    if channels != 3 or width < 1 or height < 1 or len(data) != width * height * channels:
        return Embedded(None, None)
    return Embedded(media.add_png(np.frombuffer(data, np.uint8).reshape(height, width, channels)), (width, height))
