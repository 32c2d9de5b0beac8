"""The reader as the recorder sees it: a process of its own, so that nothing that a program's accessibility does (it has
crashed readers, and hung them) reaches the recording. While it cannot tell where keys go, the recorder is told just
that: see `liveness.py`, and `reader.Reader`."""

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

from recorders.a11y.last_words import LastWords
from recorders.a11y.liveness import HUNG_NS, PATIENCE_NS, Liveness
from recorders.a11y.messages import (
    Acted,
    Ask,
    Changed,
    FromReader,
    Front,
    Heard,
    Lost,
    Note,
    Opened,
    Pressed,
    Remember,
    Stop,
    Suspend,
    ToReader,
    Wrote,
)
from recorders.a11y.reader import Focus, Setup, Told
from recorders.privacy.names import Scrub
from recorders.writer import HOLD_NS

COMMAND = (sys.executable, "-m", "recorders.a11y")
STARTS = 11  # of the process, in one recording
PAUSE_S, PAUSE_MAX_S = 0.1, 5.0  # before it is started again: longer each time
START_NS = 20_000_000_000  # a new process may take to open the interface, on a machine that starts programs slowly
STOP_S = 4.0  # a tree that is being read is given up at once; the limit is for a reader that hangs
CHANGED_NS = 50_000_000  # changes of the screen are told this often at most
WAITING = 2000  # messages that a reader which hangs has not taken: then it is told only what it must know
FAULT = "The reader of accessibility ended; passwords could no longer be told from other keys."
_AGAIN = "The reader of accessibility ended unexpectedly{} and was started again; keys were left out meanwhile."
_LATE = "The reader of accessibility did not answer in time; keys were left out until it did."
_NO_END = "The reader of accessibility did not end when asked to; its rows are kept."


class AccessibilityProcess:
    """See `reader.Reader`."""

    def __init__(self, setup: Setup, command: tuple[str, ...] = COMMAND) -> None:
        self.name: str | None = None
        self.notes: list[str] = []
        self.fault: str | None = None
        self._setup, self._command = setup, command
        self._counts: list[Wrote] = [Wrote(0, 0)]  # of each process
        self._lock = threading.RLock()
        self._alive = Liveness()
        self._ready = threading.Event()
        self._recording = False  # from `wait_ready` on: before it there is nothing to hide
        self._opened = self._off = False  # this process serves; nothing ever did, and nothing will
        self._stopping = threading.Event()
        self._changed = 0
        self._front: Front | None = None
        self._secrets = setup.secrets
        self._suspended = False
        self._outgoing: queue.SimpleQueue[ToReader | None] | None = None  # to the process of the moment
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
        ready = self._ready.wait(timeout)
        with self._lock:
            self._recording = True
            if self._alive.question or not ready:
                self._lose()
        return ready

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
        with self._lock:
            self._front = Front(t, app, title, own, hidden)
            self._send(self._front)

    def suspend(self) -> None:
        self._suspend(True)

    def resume(self) -> None:
        self._suspend(False)

    def unanswered(self) -> int | None:
        now = time.monotonic_ns()
        with self._lock:
            if self._off:
                return None
            waited = self._alive.waited(now)
            if waited > (HUNG_NS if self._opened else START_NS) and self._process is not None:
                self._process.kill()  # the thread that reads from it finds out, and starts another
            if self._alive.question:
                return None  # all keys are left out
            if waited <= PATIENCE_NS:
                return self._alive.first_unanswered
            self._note(_LATE)
            self._lose()
            return None

    def stop(self) -> None:
        self._stopping.set()
        self._send(Stop())
        if self._thread.ident is None:
            return
        self._thread.join(STOP_S)
        if self._thread.is_alive() and self._process is not None:
            self._process.kill()
            self._thread.join(1.0)
            self._note(_NO_END)
        with self._lock:
            if self._alive.first_unanswered is not None and not self._off:
                self._lose()  # the last keys were never heard of

    def _suspend(self, on: bool) -> None:
        with self._lock:
            self._suspended = on
            self._send(Suspend(on))

    def _send(self, message: ToReader) -> None:
        with self._lock:
            if self._outgoing is None:
                return
            if self._outgoing.qsize() >= WAITING and not isinstance(message, Front | Suspend | Ask | Stop):
                return
            if isinstance(message, Pressed | Acted) and message.is_answered and not self._off:
                self._alive.told(message.t, time.monotonic_ns())
            elif isinstance(message, Ask):
                self._alive.told(now := time.monotonic_ns(), now)
            self._outgoing.put(message)

    def _lose(self) -> None:
        """From now on, and as far back as rows are not written yet, nobody knows where keys go."""
        with self._lock:
            now = time.monotonic_ns()
            first = self._alive.first_unanswered
            since = now - HOLD_NS if first is None else min(first, now - HOLD_NS)
            number = self._alive.lose()
            if self._recording:
                self._told(Focus(t=now, since=since, password=False, known=False))
            self._send(Ask(number))

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    # --- the process ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        for start in range(STARTS):
            if start and self._stopping.wait(min(PAUSE_S * 2 ** (start - 1), PAUSE_MAX_S)):
                break
            try:
                self._one_process()
            except OSError as error:
                self._note(f"The reader of accessibility could not be started: {error.strerror}.")
            if self._off or self._stopping.is_set():
                break
        else:
            self.fault = FAULT
        self._ready.set()

    def _one_process(self) -> None:
        """Run one reader to its end."""
        words = LastWords()
        try:
            self._process = process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=_ROOT,
                start_new_session=True,  # Ctrl-C in the terminal is for the recorder, which stops its reader itself
            )
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            outgoing, first = self._begin()
            listener = threading.Thread(target=words.listen, args=(process.stderr,), name="last-words", daemon=True)
            listener.start()
            given = (process.stdin, outgoing, first)
            feeder = threading.Thread(target=self._feed, args=given, name="to-accessibility", daemon=True)
            feeder.start()
            decoder = msgspec.json.Decoder(FromReader)
            for line in process.stdout:
                with contextlib.suppress(msgspec.DecodeError):
                    self._hear(decoder.decode(line))
        finally:
            with self._lock:
                self._outgoing = None
                if not self._stopping.is_set() and not self._off:
                    self._lose()  # at once: its status and last words can wait
        outgoing.put(None)
        feeder.join()
        process.stdout.close()
        process.wait()
        listener.join(1.0)
        if not self._stopping.is_set() and not self._off:
            self._note(Scrub(self._setup.names)(_AGAIN.format(words.sentence)) or "")

    def _begin(self) -> tuple[queue.SimpleQueue[ToReader | None], list[ToReader | Setup]]:
        """What a new process is told, and what it is told first."""
        with self._lock:
            self._counts.append(Wrote(0, 0))
            self._opened = False
            self._alive.begin()
            outgoing = self._outgoing = queue.SimpleQueue[ToReader | None]()
            first: list[ToReader | Setup] = [msgspec.structs.replace(self._setup, secrets=self._secrets)]
            if self._front is not None:
                first.append(self._front)
            if self._suspended:
                first.append(Suspend(True))
            if self._alive.question:
                self._send(Ask(self._alive.question))
            if self._stopping.is_set():
                self._send(Stop())
            return outgoing, first

    def _feed(
        self, pipe: BinaryIO, outgoing: queue.SimpleQueue[ToReader | None], first: list[ToReader | Setup]
    ) -> None:
        encoder = msgspec.json.Encoder()
        with contextlib.suppress(OSError):  # the reader is gone: the thread that reads from it finds out
            pipe.write(b"".join(encoder.encode(message) + b"\n" for message in first))
            pipe.flush()
            while (message := outgoing.get()) is not None:
                pipe.write(encoder.encode(message) + b"\n")
                if outgoing.empty():
                    pipe.flush()
        with contextlib.suppress(OSError):
            pipe.close()

    def _hear(self, message: FromReader) -> None:
        match message:
            case Focus():
                with self._lock:
                    found = self._alive.find(message.answers)
                    self._told(message if found else msgspec.structs.replace(message, answers=0))
            case Heard():
                with self._lock:
                    self._alive.answered(message.count)
            case Lost():
                if not self._off:
                    self._lose()
            case Opened():
                self._open(message.backend)
            case Wrote():
                self._counts[-1] = message
            case Remember():
                self._secrets = tuple(message.fields)
            case Note():
                self._note(message.text)

    def _open(self, backend: str | None) -> None:
        with self._lock:
            self._opened = True
            if backend is None and self.name is not None and self._process is not None:
                self._process.kill()  # it served before: another may find the interface again
            elif backend is None:
                self._off = True
                if self._alive.question and self._recording:  # it took long to find out that there is none
                    now = time.monotonic_ns()
                    self._told(Focus(t=now, since=now, password=False, answers=self._alive.question))
                self._alive = Liveness()
            self.name = backend or self.name
        self._ready.set()


_ROOT = str(Path(__file__).resolve().parents[2])  # where `recorders` is found, whatever the working directory is
