"""Names of pictures as other people's files give them: with backslashes, absolute on the machine of whoever wrote
them, or in a folder that was left out when the pictures were packed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from curate.store.paths import PathError, inside

_FOREIGN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/|~")


def local_name(reference: str) -> str:
    """A name with `/`; of an absolute one (or an URL) the base name alone, so that nobody's home folder stands in a
    record. One that leads upwards stays so, and is refused where it is looked up."""
    text = reference.strip().replace("\\", "/")
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if _FOREIGN.match(text):
        return parts[-1] if parts and parts[-1] != ".." else ""
    return "/".join(parts)


def beside(folder: Path, reference: str | None, within: Sequence[str] = ("images",)) -> str | None:
    """The name, below `folder`, of the picture that a record calls `reference`: as it stands, in one of the folders
    `within`, or by its base name in either; the first that is there. Where none is, the name as it stands (an archive
    may hold it). None where there is no name."""
    name = local_name(reference) if reference else ""
    if not name:
        return None
    if ".." in name.split("/"):
        return name
    base = name.rsplit("/", 1)[-1]
    spellings = dict.fromkeys([name, *(f"{one}/{name}" for one in within), base, *(f"{one}/{base}" for one in within)])
    return next((spelling for spelling in spellings if _is_there(folder, spelling)), name)


def _is_there(folder: Path, name: str) -> bool:
    try:
        return inside(folder, name).is_file()
    except (PathError, OSError, ValueError):
        return False
