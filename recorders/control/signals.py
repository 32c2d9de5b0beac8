"""Ctrl-C, and being told to end, stop a recording and keep it; a second one does not interrupt the stopping."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator

_TOLD_TO_END = ("SIGTERM", "SIGHUP", "SIGBREAK")
"""Whoever sends these is no longer there to be asked anything (SIGHUP: the terminal was closed; SIGBREAK: Windows)."""


class Received:
    """`told_to_end`: the process is to end."""

    def __init__(self) -> None:
        self.told_to_end = False


@contextlib.contextmanager
def stop_signals(stop: Callable[[], None]) -> Iterator[Received]:
    """While this lasts, those signals call `stop`. In the main thread only, as signals are."""
    received = Received()
    ending = {getattr(signal, name) for name in _TOLD_TO_END if hasattr(signal, name)}

    def handle(number: int, _: object) -> None:
        received.told_to_end = received.told_to_end or number in ending
        stop()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, *sorted(ending))}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
