"""What a desktop back end is: everything beside input that a recording says about the desktop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from curate.model.trajectory import Screen
from curate.store.atomic import store_error
from curate.store.recording import Monitor
from recorders.boxes import Box
from recorders.rows import Sink

Keep = Callable[[bytes], str]
"""Stores a pointer's picture (PNG) and returns its name in the recording's folder."""


class Desktop(Protocol):
    """Window in front, pointer shape, screens, and a sign whenever something on the screen changed."""

    screen: Screen
    monitors: list[Monitor]
    origin: tuple[int, int]
    """Where the recorded region begins on the system's own desktop."""

    def start(self, sink: Sink, keep_pointer: Keep, changed: threading.Event | None) -> None:
        """Begin to report; the present window and pointer come first. `changed` is set whenever the screen did."""
        ...

    def take_changes(self) -> list[Box] | None:
        """Where the screen changed since the last call, in pixels of the recorded region (boxes may reach beyond it);
        None: not known, so anywhere. What changes later sets `changed` again; a grab after this call shows all that
        it names."""
        ...

    def stop(self) -> None:
        """End reporting and close what was open; started or not, once or twice."""
        ...

    @property
    def fault(self) -> str | None:
        """Why reporting stopped; None while all is well."""
        ...

    @property
    def reports_changes(self) -> bool:
        """Whether `changed` is ever set; else the screen must be looked at again and again."""
        ...


class PointerFiles:
    """Pictures of the pointer in `pointers/`, each shape once, named by its content."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder / name, name
        self._known: set[str] = set()

    def keep(self, png: bytes) -> str:
        """Store one picture; its name in the recording."""
        import hashlib

        name = f"{hashlib.sha256(png).hexdigest()[:16]}.png"
        if name not in self._known:
            self._folder.mkdir(exist_ok=True)
            try:
                (self._folder / name).write_bytes(png)
            except OSError as error:
                raise store_error("write", self._folder / name, error) from error
            self._known.add(name)
        return f"{self._name}/{name}"
