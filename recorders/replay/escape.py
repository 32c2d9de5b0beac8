"""The person's Escape, which ends a replay at once, told from those that the replay presses itself.

By counting: every Escape of ours is announced before it is pressed, and the one that was not announced is the
person's. The device that a key came from would tell as well, but not where the person's own keys are injected
(remote desktops), and not on every system.
"""

from __future__ import annotations

import contextlib
import threading
import time

from curate.store.recording import KeyRow
from recorders.events.base import EventSource
from recorders.replay.errors import StoppedError
from recorders.rows import Row


class EscapeWatch:
    """`start`, `ours` before each Escape of our own, `stop`. `wait` raises StoppedError once the person pressed one."""

    def __init__(self, source: EventSource | None) -> None:
        """`source`: what hears the keys; None where nothing can, and then only Ctrl-C stops a replay."""
        self._source = source
        self._pressed = threading.Event()
        self._lock = threading.Lock()
        self._announced = 0

    def start(self) -> None:
        """Hear keys from now on. Raises CurateError where they cannot be heard."""
        if self._source is not None:
            self._source.start(self._hear)

    def ours(self) -> None:
        """The next Escape is ours."""
        with self._lock:
            self._announced += 1

    def wait(self, seconds: float) -> None:
        """Let time pass. Raises StoppedError at the person's Escape."""
        if self._pressed.wait(max(0.0, seconds)):
            raise StoppedError

    def wait_until(self, moment: float) -> None:
        """Let time pass until `time.monotonic()` is `moment`."""
        self.wait(moment - time.monotonic())

    def stop(self) -> None:
        """Hear no more."""
        if self._source is not None:
            with contextlib.suppress(Exception):
                self._source.stop()

    def _hear(self, row: Row) -> None:
        if not isinstance(row, KeyRow) or not row.pressed or row.repeat or row.key != "esc":
            return
        with self._lock:
            if self._announced:
                self._announced -= 1
            else:
                self._pressed.set()
