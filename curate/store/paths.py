"""Paths that stand in data. Recorded text is hostile: a path in a record may only lead to a file inside the folder
it belongs to, whatever it says and whatever links lie on its way."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

_DRIVE_OR_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


class PathError(Exception):
    """A path in data that is absolute or leads out of its folder; the message says which of the two."""


def inside(root: Path, relative: str) -> Path:
    """The file that `relative` names under `root`; it need not exist.

    Raises PathError for an absolute path (also a drive, a network share or a URL), for `..`, and for a link
    on the way that leads out of `root`.
    """
    text = relative.replace("\\", "/")
    if not text or "\x00" in text:
        raise PathError("The path is empty or holds a zero byte.")
    if text.startswith("/") or _DRIVE_OR_SCHEME.match(text):
        raise PathError("The path is absolute.")
    parts = PurePosixPath(text).parts
    if ".." in parts:
        raise PathError("The path leads upwards with '..'.")
    path = root.joinpath(*parts)
    if not is_inside(root, path):
        raise PathError("The path leads through a link out of its folder.")
    return path


def own_file(folder: Path, name: str) -> Path | None:
    """The regular file `name` of a folder; None where there is none, or where it leads out of the folder. What waits
    for a writer or never ends (a pipe, a device) is no file."""
    path = folder / name
    try:
        return path if path.is_file() and is_inside(folder, path) else None
    except OSError:
        return None


def is_inside(root: Path, path: Path) -> bool:
    """Whether `path`, with every link followed, still lies in `root`."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a link that leads to itself
        return False
