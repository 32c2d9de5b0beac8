"""What tells a person in front of all windows that nothing is recorded. Where there is none (Windows and macOS), the
terminal's bell and title say it."""

from __future__ import annotations

from typing import Literal, Protocol

Look = Literal["paused", "private", "waiting"]
REPAINT_S = 0.15
"""How long what was behind the banner may take to be painted again: programs, and a compositor's next frame or two."""


class Banner(Protocol):
    """May be called from any thread. None of its pixels may be in a picture: it is shown after pictures have stopped
    (or are black), and they begin again after `hide` returned."""

    def show(self, text: str, look: Look) -> None:
        """Show this in place of whatever it says."""
        ...

    def keep_on_top(self) -> None:
        """Come to the front again where another window has covered it."""
        ...

    def hide(self) -> None:
        """Go away; returns when the screen shows what was behind it."""
        ...

    def close(self) -> None:
        """Hide, for good."""
        ...
