"""What a platform's accessibility interface has to offer. One implementation a platform, each in a file of its own;
they run in the reader's process, on one event loop."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol

import msgspec

from recorders.a11y.prune import Seen
from recorders.a11y.reader import Setup


class WindowSeen(msgspec.Struct, kw_only=True):
    """A window and its elements, parents before children; text as the program says it, not masked."""

    app: str | None
    title: str | None
    seen: list[Seen]
    cut: bool = False


class FocusSeen(msgspec.Struct, kw_only=True):
    """The element that keys go to; `seen` None: none that is known. `sure` false: it is about to get them, or all that
    is known yet is that it is a password field. `failed`: the type of an exception because of which it is not known at
    all."""

    app: str | None = None
    seen: Seen | None = None
    sure: bool = True
    failed: str | None = None

    @property
    def password(self) -> bool:
        """Whether keys go to a password field."""
        return self.seen is not None and "password" in self.seen.states


class UnavailableError(Exception):
    """Accessibility cannot be read here; a sentence."""


class Backend(Protocol):
    """Windows that the setup excludes are never asked for anything but who they are."""

    name: str

    async def open(self, setup: Setup, focus: Callable[[FocusSeen], None]) -> list[str]:
        """Begin; `focus` is called at each change from then on. Returns notes. Raises UnavailableError."""
        ...

    async def window(self) -> WindowSeen | None:
        """The window in front as it is now; None where there is none, or none that may or can be read."""
        ...

    async def element(self, x: float, y: float) -> WindowSeen | None:
        """What lies at a point, topmost: from its window down to it."""
        ...

    async def focused(self) -> FocusSeen:
        """Where keys go now, asked and not waited for."""
        ...

    def untold(self) -> list[str]:
        """Programs that were in front and told nothing."""
        ...

    async def close(self) -> None:
        """Leave everything as it was."""
        ...


def backend_here() -> Backend:
    """The one of this platform. Raises UnavailableError."""
    if sys.platform == "win32":
        from recorders.a11y.uia import WindowsAutomation

        return WindowsAutomation()
    if sys.platform == "darwin":
        from recorders.a11y.ax import MacAccessibility

        return MacAccessibility()
    from recorders.a11y.atspi import Atspi

    return Atspi()
