"""Names of the machine and of who uses it, taken out of recorded text before it is written."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable

# Names everybody's machine has say nothing about anybody, and are words too.
_ANYBODYS = {"root", "user", "admin", "guest", "home", "localhost", "desktop", "ubuntu", "debian"}
_HIDDEN = "[name]"


def names_here() -> list[str]:
    """This machine's and this user's names, as they may turn up in window titles."""
    import getpass
    import socket

    names = [socket.gethostname(), socket.gethostname().split(".")[0]]
    with contextlib.suppress(OSError, KeyError, ImportError):  # there may be no such user, as in some containers
        names.append(getpass.getuser())
    return names


class Scrub:
    """Replaces whole words that are one of the names. Names of one letter stay: they would be found
    everywhere."""

    def __init__(self, names: Iterable[str]) -> None:
        wanted = sorted({n for n in names if len(n) > 1 and n.lower() not in _ANYBODYS}, key=len, reverse=True)
        self._pattern = (
            re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, wanted)) + r")(?!\w)", re.IGNORECASE) if wanted else None
        )

    def __call__(self, text: str | None) -> str | None:
        return self._pattern.sub(_HIDDEN, text) if text and self._pattern else text
