"""Writes event rows: several threads hand them over, one thread puts them in the order of their times, numbers them
and appends them to events.jsonl."""

from __future__ import annotations

import heapq
import queue
import threading
import time
from pathlib import Path

import msgspec

from curate.store.atomic import store_error
from curate.store.recording import EndRow
from recorders.events.base import Row

HOLD_NS = 120_000_000
"""How long a row waits for earlier ones of slower sources. X11 input may come 50 ms late (see events.x11), window and
pointer changes come at once."""
TICK_S = 0.04
"""Rows are on their way to the disk (out of this process) this soon after their hold: a kill loses hold + tick."""


class EventWriter:
    """Append-only events.jsonl. `put` may be called from any thread and returns at once. `fault` says why writing
    stopped; nothing that came after it is kept, and the session ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("xb", buffering=1 << 16)
        self._incoming: queue.SimpleQueue[Row] = queue.SimpleQueue()
        self._heap: list[tuple[int, int, Row | EndRow]] = []
        self._arrived = 0
        self._closing = threading.Event()
        self._encoder = msgspec.json.Encoder()
        self.written = 0
        self.fault: str | None = None
        self._thread = threading.Thread(target=self._run, name="event-writer", daemon=True)
        self._thread.start()

    def put(self, row: Row) -> None:
        """Hand a row over; its `seq` is given here."""
        self._incoming.put(row)

    @property
    def taken(self) -> int:
        """Rows handed over so far that the writer has seen."""
        return self._arrived

    def close(self, reason: str) -> None:
        """Write all that was handed over and the end row. Sources must have stopped. Sets `fault` where that fails."""
        self._closing.set()
        self._thread.join()
        self._take()
        last = max([time.monotonic_ns(), *(t for t, _, _ in self._heap)])
        self._push(EndRow(seq=0, t=last, reason=reason))
        try:
            self._write(until=None)
            self._file.close()
        except OSError as error:
            self._fail(error)

    def _run(self) -> None:
        while not self._closing.wait(TICK_S) and self.fault is None:
            self._take()
            try:
                self._write(until=time.monotonic_ns() - HOLD_NS)
            except OSError as error:
                self._fail(error)

    def _take(self) -> None:
        while True:
            try:
                self._push(self._incoming.get_nowait())
            except queue.Empty:
                return

    def _push(self, row: Row | EndRow) -> None:
        heapq.heappush(self._heap, (row.t, self._arrived, row))  # equal times: as they came
        self._arrived += 1

    def _write(self, until: int | None) -> None:
        rows: list[bytes] = []
        while self._heap and (until is None or self._heap[0][0] <= until):
            row = heapq.heappop(self._heap)[2]
            rows.append(self._encoder.encode(msgspec.structs.replace(row, seq=self.written + len(rows))))
        if rows:
            self._file.write(b"\n".join(rows) + b"\n")
            self._file.flush()
            self.written += len(rows)

    def _fail(self, error: OSError) -> None:
        self.fault = str(store_error("write", self._path, error))
