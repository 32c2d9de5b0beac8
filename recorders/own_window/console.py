"""The recorder's own window on Windows. Untested there."""

from __future__ import annotations

import time
from typing import Any

from recorders.own_window.base import GONE_TIMEOUT_S, REPAINT_S, OwnWindow


def find_console() -> OwnWindow | None:
    """The console's, or the terminal's that shows it; None where there is none."""
    import ctypes

    windll = ctypes.windll  # type: ignore[attr-defined]
    console = windll.kernel32.GetConsoleWindow()
    window = windll.user32.GetAncestor(console, 3) if console else 0  # GA_ROOTOWNER: the terminal of a pseudo console
    return ConsoleWindow(window) if window else None


class ConsoleWindow:
    """See OwnWindow."""

    def __init__(self, window: int) -> None:
        import ctypes

        self._user32: Any = ctypes.windll.user32  # type: ignore[attr-defined]
        self._window = window
        self.ids = (window,)

    @property
    def title(self) -> str | None:
        return None

    def hide(self) -> bool:
        self._user32.ShowWindow(self._window, 6)  # SW_MINIMIZE
        until = time.monotonic() + GONE_TIMEOUT_S
        while time.monotonic() < until:
            if self._user32.IsIconic(self._window):
                time.sleep(REPAINT_S)
                return True
            time.sleep(0.03)
        return False

    def show(self) -> None:
        self._user32.ShowWindow(self._window, 9)  # SW_RESTORE
        self._user32.SetForegroundWindow(self._window)
