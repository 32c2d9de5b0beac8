"""Files that are answered with: those of the page's own bundle by name, and media by reference. Nothing else has a
path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from curate.store.media import MediaStore
from curate.store.paths import PathError, own_file

BUNDLE = Path(__file__).with_name("static")
INDEX = "index.html"

_TYPES = {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    "gif": "image/gif", "mp4": "video/mp4", "webm": "video/webm",
}  # fmt: skip
_SHOWN = ("png", "jpg", "jpeg", "webp", "gif", "mp4", "webm")  # media that a page shows; others are downloads


@cache
def bundle_names() -> frozenset[str]:
    """The files of the bundle."""
    return frozenset(path.name for path in BUNDLE.iterdir() if path.is_file() and path.suffix[1:] in _TYPES)


def bundle_file(name: str) -> Path | None:
    """A file of the bundle by its name; None for any other name."""
    return BUNDLE / name if name in bundle_names() else None


def media_file(media: MediaStore, reference: str) -> Path | None:
    """The regular file of a media reference, inside the folder whatever links lie there; None where there is none."""
    try:
        path = media.path(reference)
        return own_file(media.root, reference) and path
    except (PathError, OSError, ValueError):
        return None


def content_headers(path: Path) -> dict[str, str]:
    """What a browser is told of a file. What it could take for a page of this server is a download."""
    kind = path.name.rpartition(".")[2]
    headers = {"Content-Type": _TYPES.get(kind, "application/octet-stream")}
    if path.parent != BUNDLE and kind not in _SHOWN:
        headers = {"Content-Type": "application/octet-stream", "Content-Disposition": "attachment"}
    return headers


_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def asked_range(headers: Mapping[str, str], size: int) -> tuple[int, int] | None:
    """(first byte, behind the last) of the one range that a request asks for; None for the whole file, which also
    answers a header that asks for several or for none that can be read. Raises ValueError for one beyond the file."""
    match = _RANGE.fullmatch(headers.get("Range", "").strip())
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        last = int(match[2])
        first, stop = max(0, size - last), size
        if not last:
            raise ValueError("no bytes at the end")
    else:
        first, stop = int(match[1]), min(size, int(match[2]) + 1 if match[2] else size)
        if match[2] and int(match[2]) < first:
            return None
    if first >= size:
        raise ValueError("beyond the end")
    return first, stop
