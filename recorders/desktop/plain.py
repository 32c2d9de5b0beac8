"""A desktop of which only the screen is known (Windows, macOS): no sign of changes, no window, no pointer shape.
Monitors are asked for once a second. Untested on these systems."""

from __future__ import annotations

import threading
import time
from typing import Any

from curate.store.recording import ScreenRow
from recorders.boxes import Box
from recorders.desktop.base import Keep
from recorders.desktop.monitors import Layout, Place, layout
from recorders.errors import RecorderError
from recorders.events.system_state import see_pixels
from recorders.rows import UNNUMBERED, Sink

POLL_MONITORS_S = 1.0


class PlainDesktop:
    """See Desktop. `origin`: where the recorded region begins on the system's desktop."""

    reports_changes = False
    fault: str | None = None

    def __init__(self) -> None:
        see_pixels()
        found = layout(monitor_places())
        self.origin, self.screen, self.monitors = found
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, sink: Sink, keep_pointer: Keep, changed: threading.Event | None) -> None:
        """Report monitors that come, go or change."""
        self._sink = sink
        self._thread = threading.Thread(target=self._watch, name="desktop", daemon=True)
        self._thread.start()

    def take_changes(self) -> list[Box] | None:
        """Not known."""
        return None

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(5)

    def _watch(self) -> None:
        while not self._stopping.wait(POLL_MONITORS_S):
            try:
                found = layout(monitor_places(), self.origin)
            except RecorderError:
                continue  # in the middle of a change; the next look tells
            self._report(found)

    def _report(self, found: Layout) -> None:
        if (found.screen, found.monitors) == (self.screen, self.monitors):
            return
        self.screen, self.monitors = found.screen, found.monitors
        self._sink(
            ScreenRow(
                seq=UNNUMBERED, t=time.monotonic_ns(), width=self.screen.width, height=self.screen.height,
                scale=self.screen.scale, monitors=self.monitors,
            )
        )  # fmt: skip


def monitor_places() -> list[Place]:
    """What mss says of the monitors, in its own order. Raises RecorderError."""
    import mss

    try:
        with mss.MSS() if hasattr(mss, "MSS") else mss.mss() as grabber:
            whole, *each = grabber.monitors
            return [_place(monitor) for monitor in each or [whole]]
    except Exception as error:  # mss has an error of its own beside the system's
        raise RecorderError(f"The monitors cannot be read: {str(error).rstrip('.')}.") from error


def _place(monitor: Any) -> Place:
    primary = monitor.get("is_primary")  # since mss 10.2
    return Place(monitor["left"], monitor["top"], monitor["width"], monitor["height"], None, primary)
