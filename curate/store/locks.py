"""The system's lock on an open file: it lets go when the process ends, however it ends."""

from __future__ import annotations

import os
from typing import IO, Any

_BYTE = 1 << 30  # Windows locks bytes and keeps others from reading them: one far beyond what is written


def lock(file: IO[Any], *, wait: bool = False) -> bool:
    """Take the lock for this process until the file is closed; whether it is held now. `wait`: until another process
    lets go of it (on Windows ten seconds at most)."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(_BYTE)
            mode = msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK  # type: ignore[attr-defined,unused-ignore]
            msvcrt.locking(file.fileno(), mode, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
