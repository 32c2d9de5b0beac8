"""Pictures inside the page: small, few, and never more bytes than the page may have."""

from __future__ import annotations

import base64
import io
import warnings

from curate.model.constants import REPORT_PICTURE_BYTES, REPORT_PICTURE_WIDTH
from curate.store.late import Image
from curate.store.media import MediaStore
from curate.store.paths import PathError

_JPEG_QUALITY = 72


class Pictures:
    """Makes data URIs of pictures until REPORT_PICTURE_BYTES are used."""

    def __init__(self, media: MediaStore) -> None:
        self._media = media
        self._left = REPORT_PICTURE_BYTES

    def data_uri(self, reference: str) -> tuple[str, tuple[int, int]] | None:
        """(data URI, size in pixels) of a small copy; None where the picture cannot be shown or the page is full."""
        try:
            encoded, size = _small(self._media.read(reference))
        except (PathError, OSError, ValueError, SyntaxError, Image.DecompressionBombError, Warning):
            return None
        if len(encoded) > self._left:
            return None
        self._left -= len(encoded)
        return f"data:image/jpeg;base64,{encoded}", size


def _small(data: bytes) -> tuple[str, tuple[int, int]]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(io.BytesIO(data)) as picture:
            picture.draft("RGB", (REPORT_PICTURE_WIDTH, REPORT_PICTURE_WIDTH))
            small = picture.convert("RGB")
            small.thumbnail((REPORT_PICTURE_WIDTH, REPORT_PICTURE_WIDTH), Image.Resampling.LANCZOS)
            copy = io.BytesIO()
            small.save(copy, "JPEG", quality=_JPEG_QUALITY, optimize=True)
            return base64.b64encode(copy.getvalue()).decode(), small.size
