"""What the recorder does with its own window, whichever system it is on."""

from __future__ import annotations

from typing import Protocol

GONE_TIMEOUT_S = 3.0
REPAINT_S = 0.4
"""How long what was behind the window may take to be painted again, the desktop's animation included."""


class OwnWindow(Protocol):
    """`ids`: windows of the recorder's as the desktop knows them."""

    @property
    def ids(self) -> tuple[int, ...]: ...

    @property
    def title(self) -> str | None:
        """As the desktop shows it; None where that is not known."""
        ...

    def hide(self) -> bool:
        """Put it away; returns when it has gone and the screen shows what was behind it. False: it stays."""
        ...

    def show(self) -> None:
        """Bring it back to the front."""
        ...
