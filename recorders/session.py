"""One recording from its first picture to its last row: starts everything, waits until it is ready, watches for the
end, stops in an order that loses nothing, and says what was written."""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from curate.store.atomic import make_folder, store_error
from curate.store.recording import (
    EVENTS,
    POINTERS,
    VIDEO,
    Counts,
    KeyRow,
    Outcome,
    RecordingInfo,
    write_info,
)
from recorders.backends import backends, platform_here
from recorders.chord import STOP_CHORD, ChordWatch
from recorders.desktop.base import Desktop, PointerFiles
from recorders.events.base import EventSource, RecorderError, Row
from recorders.lock import FolderLock
from recorders.screen.capture import ScreenCapture
from recorders.screen.video import VideoWriter
from recorders.writer import EventWriter

VERSION = 1
FIRST_FRAME_TIMEOUT_S = 15.0
CHORD_RELEASE_S = 1.5  # how long the stop chord's releases are waited for
WATCH_S = 0.05


class Options(msgspec.Struct, kw_only=True, frozen=True):
    """`fps`: most pictures a second. `seconds`: when to stop by itself. `name`: the folder's name (its random id where
    None). `actor`: a pseudonym."""

    fps: float = 25.0
    seconds: float | None = None
    name: str | None = None
    actor: str | None = None
    stop_chord: tuple[str, ...] = STOP_CHORD


class Session:
    """`start`, `wait`, `stop`; `folder` is the recording. Raises RecorderError and StoreError where it cannot begin;
    what goes wrong later is in the recording's `faults`."""

    def __init__(self, out: Path, instruction: str, options: Options | None = None) -> None:
        self.options = options or Options()
        self._source: EventSource
        self._desktop: Desktop
        self._source, self._desktop = backends()
        identity = secrets.token_hex(8)
        self.folder = make_folder(out) / (self.options.name or identity)
        self._chord = ChordWatch(self.options.stop_chord)
        self._interrupted = threading.Event()
        self._handed = itertools.count()
        self.info = RecordingInfo(
            id=identity,
            recorder=f"{self._source.name}@{VERSION}",
            platform=platform_here(),
            instruction=instruction,
            started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            screen=self._desktop.screen,
            monitors=self._desktop.monitors,
            stop_chord=list(self.options.stop_chord),
            actor=self.options.actor,
        )

    def start(self) -> None:
        """Returns when pictures and events are being recorded. The screen comes first, so that no event is without a
        picture of what was there before it."""
        self._make_folder()
        write_info(self.folder, self.info)
        try:
            self._start_all()
        except BaseException:
            self._abandon()
            raise
        self._began = time.monotonic()

    def _start_all(self) -> None:
        self._writer = EventWriter(self.folder / EVENTS)
        self._video = self._open_video()
        self._capture = ScreenCapture(self._desktop, self._video, self.options.fps)
        self._desktop.start(self._put, PointerFiles(self.folder, POINTERS).keep, self._capture.changed)
        self._capture.start()
        if not self._capture.first_frame.wait(FIRST_FRAME_TIMEOUT_S) or self._capture.fault:
            raise RecorderError(self._capture.fault or "No picture of the screen could be taken.")
        self._source.start(self._put)
        self._source.reserve(self.options.stop_chord)

    def wait(self) -> str:
        """Until something ends the recording; which: stop_chord, interrupt, seconds or fault."""
        while True:
            if self._chord.complete:
                self._wait_for_releases()
                return "stop_chord"
            if self._interrupted.wait(WATCH_S):
                return "interrupt"
            if self.options.seconds is not None and time.monotonic() - self._began >= self.options.seconds:
                return "seconds"
            if self._faults():
                return "fault"

    def interrupt(self) -> None:
        """End the recording; may be called from a signal handler."""
        self._interrupted.set()

    def stop(self, reason: str, outcome: Outcome | None = None) -> RecordingInfo:
        """Stop sources, then the screen, then the writer, and write recording.json with what there is."""
        self._source.stop()
        self._capture.stop()
        self._desktop.stop()
        self._writer.close(reason)
        self.info.outcome = outcome or self.info.outcome
        self.info.faults = [*self._faults(), *self._missing()]
        self.info.counts = Counts(
            events=self._writer.written, frames=self._video.frames, late_frames=self._capture.late
        )
        self.info.ended = True
        write_info(self.folder, self.info)
        self._lock.release()
        return self.info

    def _abandon(self) -> None:
        """End whatever had begun; the folder stays, not `ended`, with what there is."""
        for part in ("_source", "_capture", "_desktop"):
            with contextlib.suppress(Exception):
                getattr(self, part).stop()
        self._lock.release()

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir()
        except FileExistsError as error:
            raise RecorderError(f"{self.folder} is there already: a recording never writes over another.") from error
        except OSError as error:
            raise RecorderError(f"Cannot make the folder {self.folder}: {error.strerror}.") from error
        self._lock = FolderLock(self.folder)

    def _open_video(self) -> VideoWriter:
        try:
            return VideoWriter(self.folder, self._desktop.screen.width, self._desktop.screen.height)
        except OSError as error:
            raise store_error("write", self.folder / VIDEO, error) from error

    def _put(self, row: Row) -> None:
        if isinstance(row, KeyRow):
            self._chord.feed(row)
        next(self._handed)  # atomic: several threads hand rows over
        self._writer.put(row)

    def _wait_for_releases(self) -> None:
        until = time.monotonic() + CHORD_RELEASE_S
        while not self._chord.released and time.monotonic() < until:
            time.sleep(0.02)

    def _faults(self) -> list[str]:
        found = (self._source.fault, self._desktop.fault, self._capture.fault, self._writer.fault)
        return [fault for fault in found if fault]

    def _missing(self) -> list[str]:
        """The reckoning: everything handed over must have been written."""
        said = []
        taken = next(self._handed) + 1  # and the end row
        if self._writer.written != taken:
            said.append(f"{taken} events were taken and {self._writer.written} written.")
        if self._capture.taken != self._video.frames:
            said.append(f"{self._capture.taken} pictures were taken and {self._video.frames} written.")
        return said


def record(
    out: Path,
    instruction: str,
    *,
    seconds: float | None = None,
    fps: float = 25.0,
    actor: str | None = None,
    outcome: Outcome | None = None,
) -> Path:
    """Record the desktop into a new folder of `out` until the stop chord, `seconds`, or Ctrl-C; the folder."""
    session = Session(out, instruction, Options(seconds=seconds, fps=fps, actor=actor))
    session.start()
    try:
        reason = session.wait()
    except KeyboardInterrupt:
        reason = "interrupt"
    session.stop(reason, outcome)
    return session.folder
