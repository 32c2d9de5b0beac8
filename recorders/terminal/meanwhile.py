"""What the person does between the start and the first row of a recording: counted, so that it can be said, and the
stop shortcut calls the start off."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from curate.store.recording import ButtonRow, KeyRow
from recorders.backends import event_source
from recorders.control.chords import MODIFIERS, Chords, ChordWatch, without_side
from recorders.errors import RecorderError
from recorders.rows import Row


class Meanwhile:
    """`stopped`: the stop (or discard) shortcut was pressed. Nothing else that is heard here is kept."""

    def __init__(self, chords: Chords) -> None:
        self.stopped = False
        self._watch = ChordWatch({"stop": chords.stop, "discard": chords.discard})
        self._times: list[int] = []

    def hear(self, row: Row) -> None:
        """A row of input, from the source's thread."""
        if isinstance(row, KeyRow):
            self.stopped = self.stopped or any(not heard.released for heard in self._watch.feed(row))
            if row.pressed and not row.repeat and without_side(row.key) not in MODIFIERS:
                self._times.append(row.t)
        elif isinstance(row, ButtonRow) and row.pressed:
            self._times.append(row.t)

    def told(self, began: int) -> str | None:
        """A sentence where keys or clicks came before `began` (monotonic ns), since when they are recorded."""
        count = sum(t < began for t in self._times)
        if not count:
            return None
        what = "One key or click came" if count == 1 else f"{count} keys and clicks came"
        return f"{what} before recording had begun, and {'is' if count == 1 else 'are'} not in it."


@contextlib.contextmanager
def heard_meanwhile(chords: Chords) -> Iterator[Meanwhile]:
    """While this lasts, input is heard; where none can be, nothing is counted."""
    meanwhile = Meanwhile(chords)
    try:
        source = event_source()
        source.start(meanwhile.hear)
    except RecorderError:
        yield meanwhile
        return
    try:
        yield meanwhile
    finally:
        source.stop()
