"""A desktop of which only the screen is known (Windows, macOS, for now): no sign of changes, no window, no pointer
shape. Untested on these systems."""

from __future__ import annotations

import threading

from curate.model.trajectory import Screen
from curate.store.recording import Monitor
from recorders.desktop.base import Keep
from recorders.events.base import Sink


class PlainDesktop:
    """See Desktop."""

    reports_changes = False
    fault: str | None = None

    def __init__(self) -> None:
        import mss

        with mss.MSS() if hasattr(mss, "MSS") else mss.mss() as grabber:
            whole, *each = grabber.monitors
        self.origin = whole["left"], whole["top"]
        self.screen = Screen(width=whole["width"], height=whole["height"], scale=None)
        self.monitors = [
            Monitor(x=m["left"] - whole["left"], y=m["top"] - whole["top"], width=m["width"], height=m["height"])
            for m in each
        ]

    def start(self, sink: Sink, keep_pointer: Keep, changed: threading.Event | None) -> None:
        """Nothing to subscribe to."""

    def rearm(self) -> None:
        """Nothing to arm."""

    def stop(self) -> None:
        """Nothing to stop."""
