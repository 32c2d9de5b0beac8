"""Text for a terminal. Recorded and given text is hostile: what would move the cursor, turn the reading direction,
break the line or cannot be seen is shown as an escape."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path


def printable(text: str, width: int | None = None) -> str:
    """The text on one line, what does not print as escapes (\\x1b, \\u202e, \\n), cut to a width (None: whole)."""
    shown = text if text.isprintable() else "".join(c if c.isprintable() else escaped(c) for c in text)
    return shown if width is None or len(shown) <= width else shown[: width - 1] + "…"


def printable_lines(text: str) -> str:
    """The same for a message, whose own line ends and tabs stay."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else escaped(c) for c in text)


def escaped(character: str) -> str:
    """A character as Python and most shells write it."""
    return character.encode("unicode_escape").decode("ascii")


def quoted(*paths: Path) -> str:
    """Paths as they are typed into a shell, apart by spaces."""
    given = [str(path) for path in paths]
    if os.name == "nt":
        return printable(subprocess.list2cmdline(given))
    return " ".join(shlex.quote(path) if path.isprintable() else _dollar_quoted(path) for path in given)


def _dollar_quoted(path: str) -> str:
    """A name that cannot be seen as it is, byte by byte in $'...', which bash, zsh and ksh read."""
    shown = (
        {"\\": "\\\\", "'": "\\'"}.get(c, c) if c.isprintable() else "".join(f"\\x{b:02x}" for b in os.fsencode(c))
        for c in path
    )
    return f"$'{''.join(shown)}'"
