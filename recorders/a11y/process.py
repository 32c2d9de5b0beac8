"""The reader as the recorder sees it: a process of its own, so that nothing that a program's accessibility does (it has
crashed readers, and hung them) reaches the recording. See `base.Reader`."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

import msgspec

from recorders.a11y.messages import (
    Acted,
    Changed,
    FromReader,
    Front,
    Note,
    Opened,
    Pressed,
    Stop,
    Suspend,
    ToReader,
    Wrote,
)
from recorders.a11y.reader import Focus, Setup, Told

COMMAND = (sys.executable, "-m", "recorders.a11y")
STARTS = 3  # of the process, in one recording: a program that crashes its reader does so again
STOP_S = 4.0  # a tree that is being read is given up at once; the limit is for a reader that hangs
CHANGED_NS = 50_000_000  # changes of the screen are told this often at most
WAITING = 2000  # messages that a reader which hangs has not taken: then it is not told of changes any more


class AccessibilityProcess:
    """See `base.Reader`."""

    def __init__(self, setup: Setup, command: tuple[str, ...] = COMMAND) -> None:
        self.name: str | None = None
        self.notes: list[str] = []
        self._setup, self._command = setup, command
        self._counts: list[Wrote] = [Wrote(0, 0)]  # of each process
        self._ready = threading.Event()
        self._stopping = False
        self._password = False
        self._changed = 0
        self._front: Front | None = None
        self._suspended = False
        self._outgoing: queue.SimpleQueue[ToReader | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="accessibility", daemon=True)

    @property
    def trees(self) -> int:
        return sum(count.trees for count in self._counts)

    @property
    def elements(self) -> int:
        return sum(count.elements for count in self._counts)

    @property
    def pid(self) -> int | None:
        """Of the process that reads now, or did last; None before the first."""
        return self._process.pid if self._process is not None else None

    def start(self, told: Told) -> None:
        self._told = told
        self._thread.start()

    def wait_ready(self, timeout: float = 8.0) -> bool:
        return self._ready.wait(timeout)

    def pressed(self, t: int, x: float, y: float) -> None:
        self._send(Pressed(t, x, y))

    def typed(self, t: int) -> None:
        self._send(Acted(t, typed=True))

    def moved_focus(self, t: int) -> None:
        self._send(Acted(t, typed=True, moves_focus=True))

    def scrolled(self, t: int) -> None:
        self._send(Acted(t))

    def changed(self, t: int) -> None:
        if t - self._changed >= CHANGED_NS:
            self._changed = t
            self._send(Changed(t))

    def front(self, t: int, app: str | None, title: str | None, *, own: bool = False, hidden: bool = False) -> None:
        self._front = Front(t, app, title, own, hidden)
        self._send(self._front)

    def suspend(self) -> None:
        self._suspended = True
        self._send(Suspend(True))

    def resume(self) -> None:
        self._suspended = False
        self._send(Suspend(False))

    def stop(self) -> None:
        self._stopping = True
        self._send(Stop())
        if self._thread.ident is None:
            return
        self._thread.join(STOP_S)
        if self._thread.is_alive() and self._process is not None:
            self._process.kill()
            self._thread.join(1.0)
            self.notes.append("The reader of accessibility did not end when asked to; its rows are kept.")

    def _send(self, message: ToReader) -> None:
        if self._outgoing.qsize() < WAITING or isinstance(message, Front | Suspend | Stop):
            self._outgoing.put(message)

    # --- the process ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        for start in range(STARTS):
            try:
                ended_well = self._one_process()
            except OSError as error:
                self.notes.append(f"The reader of accessibility could not be started: {error.strerror}.")
                break
            if ended_well or self._stopping:
                break
            again = start + 1 < STARTS
            self.notes.append(
                "The reader of accessibility ended unexpectedly and was started again."
                if again
                else "The reader of accessibility ended unexpectedly again and again: from here on no trees are read, "
                "and password fields are not recognised."
            )
        self._ready.set()
        if self._password and not self._stopping:
            now = time.monotonic_ns()
            self._told(Focus(t=now, since=now, password=False))

    def _one_process(self) -> bool:
        """Run one reader to its end; whether it ended by itself in order."""
        self._counts.append(Wrote(0, 0))
        self._process = process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=_ROOT,
            start_new_session=True,  # Ctrl-C in the terminal is for the recorder, which stops its reader itself
        )
        assert process.stdin is not None and process.stdout is not None
        first: list[ToReader | Setup] = [self._setup]
        if self._front is not None:
            first.append(self._front)
        if self._suspended:
            first.append(Suspend(True))
        feeder = threading.Thread(target=self._feed, args=(process.stdin, first), name="to-accessibility", daemon=True)
        feeder.start()
        decoder = msgspec.json.Decoder(FromReader)
        for line in process.stdout:
            with contextlib.suppress(msgspec.DecodeError):
                self._hear(decoder.decode(line))
        self._outgoing.put(None)
        feeder.join()
        process.stdout.close()
        return process.wait() == 0

    def _feed(self, pipe: BinaryIO, first: list[ToReader | Setup]) -> None:
        encoder = msgspec.json.Encoder()
        with contextlib.suppress(OSError):  # the reader is gone: the thread that reads from it finds out
            pipe.write(b"".join(encoder.encode(message) + b"\n" for message in first))
            pipe.flush()
            while (message := self._outgoing.get()) is not None:
                pipe.write(encoder.encode(message) + b"\n")
                if self._outgoing.empty():
                    pipe.flush()
        with contextlib.suppress(OSError):
            pipe.close()

    def _hear(self, message: FromReader) -> None:
        match message:
            case Focus():
                self._password = message.password
                self._told(message)
            case Opened():
                self.name = message.backend or self.name
                self._ready.set()
            case Wrote():
                self._counts[-1] = message
            case Note():
                if message.text not in self.notes:
                    self.notes.append(message.text)


_ROOT = str(Path(__file__).resolve().parents[2])  # where `recorders` is found, whatever the working directory is
