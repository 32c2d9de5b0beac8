"""What the page is told of a picture: where it is, and its size."""

from __future__ import annotations

from typing import Any

from curate.store.paths import PathError
from curate.store.picture_files import sound_header
from curate.view.review.data import ReviewData


def picture(data: ReviewData, reference: str | None, size: tuple[int, int] | None = None) -> dict[str, Any] | None:
    """`{src, width, height}` of a picture that is there; its header is read only where `size` is not known (null: it
    cannot be read). None where there is none."""
    if reference is None or not data.media.has(reference):
        return None
    if size is None:
        try:
            header = sound_header(data.media.read(reference))
        except (OSError, PathError):
            return None
        size = None if header is None else (header.width, header.height)
    return {"src": reference, "width": size[0] if size else None, "height": size[1] if size else None}
