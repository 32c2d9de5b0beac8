"""Whether there is room for a recording, looked at before anything is recorded."""

from __future__ import annotations

import shutil
from pathlib import Path

from recorders.control.status import size
from recorders.errors import RecorderError

NEEDED = 50_000_000
"""Bytes without which nothing begins: a few minutes of a busy screen."""
COMFORTABLE = 500_000_000
"""With less, it is said: an hour of a busy screen (12 MB a minute, and the rest for everybody else)."""


def check_room(folder: Path) -> str | None:
    """A sentence where there is little room, None where there is enough. Raises RecorderError where there is none."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return None  # a file system that does not say
    if free < NEEDED:
        raise RecorderError(
            f"The disk of {folder} is full: {size(free)} are free, and a recording needs {size(NEEDED)}."
        )
    if free < COMFORTABLE:
        return f"There is little room on the disk of {folder}: {size(free)} are free."
    return None
