"""What goes from whoever sees something of the desktop to the file of events: rows, on their way."""

from __future__ import annotations

from collections.abc import Callable

from curate.store.recording import (
    ButtonRow,
    ClipboardRow,
    KeyRow,
    MoveRow,
    PauseRow,
    PointerRow,
    ResumeRow,
    ScreenRow,
    ScrollRow,
    WindowRow,
)

UNNUMBERED = 0
"""`seq` of a row on its way: the writer numbers rows in the order of their times."""

Row = (
    MoveRow | ButtonRow | ScrollRow | KeyRow | ScreenRow | WindowRow | PointerRow | ClipboardRow | PauseRow | ResumeRow
)  # fmt: skip
Sink = Callable[[Row], None]
"""Takes a row and returns at once; called from a back end's own threads."""
