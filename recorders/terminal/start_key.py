"""The start shortcut: heard from whichever window is in front while the recorder waits to begin."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence

from curate.store.recording import KeyRow
from recorders.backends import event_source
from recorders.control.chords import ChordWatch
from recorders.errors import RecorderError
from recorders.rows import Row


@contextlib.contextmanager
def start_key(chord: Sequence[str]) -> Iterator[threading.Event]:
    """An event that is set once the keys were pressed and let go of. Nothing that is heard here is kept; where nothing
    can be heard, it is never set."""
    pressed = threading.Event()
    watch = ChordWatch({"start": chord})

    def sink(row: Row) -> None:
        if isinstance(row, KeyRow) and any(heard.released for heard in watch.feed(row)):
            pressed.set()

    try:
        source = event_source()
        source.start(sink)
    except RecorderError:
        yield pressed
        return
    try:
        source.reserve(chord)
        yield pressed
    finally:
        source.stop()
