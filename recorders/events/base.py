"""What an event back end is: the only thing a new platform has to write for input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from recorders.rows import Sink


class EventSource(Protocol):
    """Keys, buttons, wheel and pointer of one desktop."""

    name: str
    doubt: str | None
    """Why some events may be missing although reporting goes on, as a sentence; None while all is well."""

    def start(self, sink: Sink) -> None:
        """Returns when events are arriving for certain: none before this, every one after. Raises RecorderError, and
        leaves nothing open then."""
        ...

    def forget_place(self) -> None:
        """Tell the next move even if it leads to where the pointer is: the doctor's trial moves it by nothing."""
        ...

    def reserve(self, chord: Sequence[str]) -> None:
        """Keep these keys, pressed together, from the programs where the system can: they are the recorder's own.
        After `start`; they are recorded all the same."""
        ...

    def stop(self) -> None:
        """Returns when every event that happened before the call has gone to the sink, and all is closed; started or
        not."""
        ...

    @property
    def fault(self) -> str | None:
        """Why events stopped coming, as a sentence; None while all is well."""
        ...
