"""Writes event rows: several threads hand them over, one thread puts them in the order of their times, lets each pass
the privacy gate, numbers what comes out and appends it to events.jsonl."""

from __future__ import annotations

import contextlib
import heapq
import itertools
import os
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from curate.store.atomic import store_error
from curate.store.recording import AnyRow, EndRow
from recorders.privacy.gate import Gate
from recorders.rows import Row

HOLD_NS = 120_000_000
"""How long a row waits for earlier ones of slower sources, and for the news that it is nobody's business. X11 input may
come 50 ms late (see events/x11_events.py), window and pointer changes come at once."""
TICK_S = 0.025
"""Rows are out of this process this soon after their hold, so a kill loses what X holds back + hold + tick: less than
the quarter of a second that is promised (measured: 0.14 s, docs/recovery.md)."""
_HALF = re.compile("[\ud800-\udfff]")


class EventWriter:
    """Append-only events.jsonl. `put` may be called from any thread and returns at once. `fault` says why writing
    stopped; nothing that came after it is kept, and the session ends. No row is ever dropped for being late: one that
    comes after its hold stands where it came, with its own time, and is counted in `late` (readers put it back).

    `held_back`, where it is set, gives a time from which on rows are not to be written yet; it is asked before each
    writing, and must not do so for long.

    `handed`: rows that `put` took. `written`: whole rows in the file, `redaction` and `end` rows among them. `clock`:
    what rows' times are measured by. Raises StoreError where the file cannot be made.
    """

    def __init__(self, path: Path, gate: Gate | None = None, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._path, self._clock = path, clock
        self._gate = gate or Gate()
        try:
            self._file = path.open("xb", buffering=0)  # what is written is out of this process
        except OSError as error:
            raise store_error("write", path, error) from error
        self._size = 0  # bytes of whole rows
        self._incoming: queue.SimpleQueue[Row] = queue.SimpleQueue()
        self._heap: list[tuple[int, int, Row]] = []
        self._arrivals = itertools.count()
        self._counting = threading.Lock()
        self._newest = -1
        self._closing = threading.Event()
        self._encoder = msgspec.json.Encoder()
        self._ended = 0
        self.handed = self.written = self.late = 0
        self.fault: str | None = None
        self.held_back: Callable[[], int | None] | None = None
        self._thread = threading.Thread(target=self._run, name="event-writer", daemon=True)
        self._thread.start()

    def put(self, row: Row) -> None:
        """Hand a row over; its `seq` is given here."""
        with self._counting:
            self.handed += 1
        self._incoming.put(row)

    def reckon(self) -> str | None:
        """None where every row handed over was written or hidden by the gate; else the sentence that says so. After
        `close`."""
        return self._gate.reckon(self.handed, self.written - self._ended)

    def close(self, reason: str) -> None:
        """Write all that was handed over and the end row. Sources must have stopped. Sets `fault` where that fails."""
        self._closing.set()
        self._thread.join()
        self._take()
        last = max([self._clock(), self._newest, *(t for t, _, _ in self._heap)])
        with self._faults_told():
            if self.fault is None:
                self._write(until=None)
                self._append(self._gate.end(last))
                self._append([EndRow(seq=0, t=last, reason=reason)])
                self._ended = 1
                os.fsync(self._file.fileno())
        with contextlib.suppress(OSError):
            self._file.close()

    def _run(self) -> None:
        while not self._closing.wait(TICK_S) and self.fault is None:
            with self._faults_told():
                self._take()  # before asking: whatever is there to be written has been told to who is asked
                until = self._clock() - HOLD_NS
                back = self.held_back() if self.held_back is not None else None
                self._write(until if back is None else min(until, back - 1))

    @contextlib.contextmanager
    def _faults_told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.fault = str(store_error("write", self._path, error))
        except Exception as error:  # a row that cannot be written is this program's fault: said, never passed over
            self.fault = f"Writing events stopped ({type(error).__name__}: {error})."

    def _take(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                row = self._incoming.get_nowait()
                heapq.heappush(self._heap, (row.t, next(self._arrivals), row))  # equal times: as they came

    def _write(self, until: int | None) -> None:
        rows: list[AnyRow] = []
        while self._heap and (until is None or self._heap[0][0] <= until):
            row = heapq.heappop(self._heap)[2]
            self.late += row.t < self._newest
            self._newest = max(self._newest, row.t)
            rows += self._gate.passes(row)
        if until is not None:
            rows += self._gate.due(until)
        self._append(rows)

    def _append(self, rows: Sequence[AnyRow]) -> None:
        if not rows:
            return
        numbered = (msgspec.structs.replace(row, seq=self.written + i) for i, row in enumerate(rows))
        data = b"".join(self._encoded(row) + b"\n" for row in numbered)
        done = 0
        try:
            while done < len(data):
                done += self._file.write(data[done:]) or 0
        except OSError:
            self.written += data.count(b"\n", 0, done)
            whole = self._size + data.rfind(b"\n", 0, done) + 1
            with contextlib.suppress(OSError):  # half a row would be read as the mark of a kill
                self._file.truncate(whole)
            raise
        self._size += len(data)
        self.written += len(rows)

    def _encoded(self, row: AnyRow) -> bytes:
        try:
            return self._encoder.encode(row)
        except UnicodeEncodeError:  # half a character, as Windows' titles and injected text may hold
            return self._encoder.encode(_whole_characters(row))


def _whole_characters(row: AnyRow) -> AnyRow:
    """The row with U+FFFD for each half of a surrogate pair in its texts."""
    texts = {name: value for name in row.__struct_fields__ if isinstance(value := getattr(row, name), str)}
    return msgspec.structs.replace(row, **{name: _HALF.sub("\ufffd", text) for name, text in texts.items()})
