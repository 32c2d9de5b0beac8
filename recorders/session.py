"""One recording from its first picture to its last row: starts everything, waits until it is ready, watches for the
end, stops in an order that loses nothing, and says what was written.

    events  -> _put -> listeners (names, accessibility, excluded areas) -> shortcuts, pauses -> writer (gate) -> file
    screen  -> capture (black where excluded, or private) -> video
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from curate.store.atomic import make_folder, store_error
from curate.store.recording import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    POINTERS,
    VIDEO,
    Consent,
    Counts,
    KeyRow,
    Outcome,
    RecordingInfo,
    write_info,
)
from recorders.a11y.process import AccessibilityProcess
from recorders.a11y.reader import Setup
from recorders.backends import clipboard_watch, event_source, excluded_areas, open_desktop, platform_here
from recorders.control.chords import Chords, ChordWatch, Heard
from recorders.control.room import check_room
from recorders.control.signals import stop_signals
from recorders.control.status import Status
from recorders.control.switches import Switches
from recorders.desktop.base import Desktop, PointerFiles
from recorders.errors import RecorderError
from recorders.events.base import EventSource
from recorders.frames_missing import frames_missing
from recorders.listeners import Listeners
from recorders.lock import FolderLock
from recorders.own_window.base import OwnWindow
from recorders.privacy.exclusions import Exclusions
from recorders.privacy.gate import Gate
from recorders.privacy.hidden_input import HiddenInput
from recorders.privacy.names import Scrub, names_here
from recorders.rows import Row
from recorders.screen.blackout import Black
from recorders.screen.capture import ScreenCapture
from recorders.screen.video import VideoWriter
from recorders.writer import EventWriter

VERSION = 2
FIRST_FRAME_TIMEOUT_S = 15.0
CHORD_RELEASE_S = 1.5  # how long the stop chord's releases are waited for
DISCARD_AGAIN_S = 3.0  # within which the discard shortcut is pressed a second time where nobody can be asked
WATCH_S = 0.05


class Options(msgspec.Struct, kw_only=True, frozen=True):
    """`fps`: most pictures a second. `seconds`: when to stop by itself. `name`: the folder's name (its random id where
    None). `actor`: a pseudonym. `task`: the task's id in its list. `discard_at_once`: the discard shortcut ends the
    recording when pressed once (somebody is asked then), else it must be pressed twice."""

    fps: float = 25.0
    seconds: float | None = None
    name: str | None = None
    actor: str | None = None
    task: str | None = None
    chords: Chords = Chords()
    exclusions: Exclusions = Exclusions()
    clipboard: bool = False
    accessibility: bool = True
    consent: Consent | None = None
    discard_at_once: bool = False


def check_ready(out: Path) -> str | None:
    """Whether a recording can be made in `out`, which is made where it is not there: a sentence where room is short.
    Raises RecorderError and StoreError with what to do."""
    open_desktop().stop()
    return check_room(make_folder(out))


class Session:
    """`start`, `wait`, `stop`; `folder` is the recording. Raises RecorderError and StoreError where it cannot begin;
    what goes wrong later is in the recording's `faults`. `own`: the terminal's window, put away meanwhile."""

    def __init__(
        self, out: Path, instruction: str, options: Options | None = None, own: OwnWindow | None = None
    ) -> None:
        self.options = options or Options()
        self._own = own
        self._instruction = instruction
        self._identity = secrets.token_hex(8)
        self.warning = check_ready(out)
        self.folder = out / (self.options.name or self._identity)
        self._interrupted = False
        self._lock = threading.RLock()
        self._ending: str | None = None
        self._troubles: list[str] = []
        self._discard_pressed: int | None = None
        chords = self.options.chords
        self._watch = ChordWatch(chords.while_recording())
        self.info: RecordingInfo

    def start(self) -> None:
        """Returns when pictures and events are being recorded. Once the recorder's window has gone the screen begins,
        then events: none is without a picture of what was there before it."""
        self._make_folder()
        try:
            self._folder_lock = FolderLock(self.folder)
            self._desktop: Desktop = open_desktop(self._own.ids if self._own is not None else ())
            self._source: EventSource = event_source(self._desktop.origin)
            self.info = self._about()
            write_info(self.folder, self.info)
            self._open_parts()
            if self._own is not None and not self._own.hide():
                self.info.notes.append("The recorder's window could not be put away: it is black in the pictures.")
            self._start_parts()
            write_info(self.folder, self.info)  # by which the recording is known should it be killed
        except BaseException:
            self._abandon()
            raise
        self._began = time.monotonic()

    def _about(self) -> RecordingInfo:
        chords = self.options.chords
        return RecordingInfo(
            id=self._identity,
            started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            recorder=f"{self._source.name}@{VERSION}",
            platform=platform_here(),
            instruction=self._instruction,
            task=self.options.task,
            screen=self._desktop.screen,
            monitors=self._desktop.monitors,
            start_chord=list(chords.start),
            stop_chord=list(chords.stop),
            control_chords=[list(chords.pause), list(chords.private), list(chords.discard)],
            excluded=self.options.exclusions.as_given(),
            actor=self.options.actor,
            consent=self.options.consent,
        )

    def _open_parts(self) -> None:
        options = self.options
        self._gate, self._scrub = Gate(), Scrub(names_here())
        self._writer = EventWriter(self.folder / EVENTS, self._gate)
        self._switches = Switches(self._writer.put, self._gate)
        here, monitors = platform_here(), self._desktop.monitors
        self._excluded = excluded_areas(options.exclusions, here, monitors)
        own = self._own.ids if self._own is not None else ()
        self._own_areas = excluded_areas(Exclusions(), here, monitors, own)  # black; what is done there is trimmed
        self._areas = [areas for areas in (self._excluded, self._own_areas) if areas is not None]
        self._hidden = HiddenInput(self._excluded, self._gate) if self._excluded is not None else None
        self._clipboard = clipboard_watch() if options.clipboard else None
        self._reader = self._open_reader()
        self._listeners = Listeners(self._reader, self._hidden, options.exclusions, self._scrub, self._gate)
        self._video = self._open_video()
        self._capture = ScreenCapture(self._desktop, self._video, options.fps, self._black)
        look = self._capture.changed.set
        self._switches.add(self._capture.pause, self._capture.resume, private=False)
        self._switches.add(look, look, private=True)  # what is black has changed
        if self._reader is not None:
            self._switches.add(self._reader.suspend, self._reader.resume, private=True)
            self._capture.shown = self._reader.changed
            self._reader.start(self._listeners.focus)

    def _start_parts(self) -> None:
        for areas in self._areas:
            areas.start(self._excluded_changed)
        if self._excluded is not None and self._excluded.note is not None:
            self.info.notes.append(self._excluded.note)
        self._desktop.start(self._put, PointerFiles(self.folder, POINTERS).keep, self._capture.changed)
        self._capture.start()
        if not self._capture.first_frame.wait(FIRST_FRAME_TIMEOUT_S) or self._capture.fault:
            raise RecorderError(self._capture.fault or "No picture of the screen could be taken.")
        if self._reader is not None:
            self._reader.wait_ready()  # whether keys go to a password field already
            self.info.accessibility = self._reader.name
        if self._clipboard is not None:
            self._clipboard.start(self._put)
        self._source.start(self._put)
        for chord in dict.fromkeys(self.options.chords.while_recording().values()):
            self._source.reserve(chord)

    def wait(self, each_second: Callable[[Status], None] | None = None) -> str:
        """Until something ends the recording; which: stop_chord, discard, interrupt, seconds or fault."""
        told = 0.0
        while True:
            if self._ending is not None:
                return self._ending
            if self._interrupted:
                return "interrupt"
            if self.options.seconds is not None and time.monotonic() - self._began >= self.options.seconds:
                return "seconds"
            if self._faults():
                return "fault"
            if each_second is not None and time.monotonic() - told >= 1.0:
                told = time.monotonic()
                each_second(self.status())
            time.sleep(WATCH_S)

    def interrupt(self) -> None:
        """End the recording; may be called from a signal handler (where waiting for a lock could last for ever)."""
        self._interrupted = True

    def status(self) -> Status:
        """How it is going."""
        with self._lock:
            paused, private = self._switches.paused, self._switches.private
        return Status(
            seconds=time.monotonic() - self._began,
            events=self._writer.written,
            frames=self._capture.frames,
            rate=self._capture.rate(),
            size=self.size(),
            paused=paused,
            private=private,
        )

    def size(self) -> int:
        """Bytes of the recording on the disk."""
        total = 0
        for name in (EVENTS, VIDEO, FRAMES, ACCESSIBILITY):
            with contextlib.suppress(OSError):
                total += (self.folder / name).stat().st_size
        return total

    def stop(self, reason: str, outcome: Outcome | None = None) -> RecordingInfo:
        """Stop sources, then the screen, then the writer, and write recording.json with what there is: everything
        handed over must have been written. `ended` is true only where all was closed."""
        if reason in ("stop_chord", "discard"):
            self._wait_for_releases()
        self._close(self._source.stop)
        if self._clipboard is not None:
            self._close(self._clipboard.stop)
        self._close(self._capture.stop)
        self._close(self._desktop.stop)
        for areas in self._areas:
            self._close(areas.stop)
        if self._reader is not None:
            self._close(self._reader.stop)
        self._close(lambda: self._writer.close("asked" if reason == "discard" else reason))
        self.info.outcome = outcome or self.info.outcome
        missing = frames_missing(self.folder, self._capture.taken)
        told = (*self._faults(), *self._troubles, self._writer.reckon(), missing)
        self.info.faults = [said for s in told if (said := self._scrub(s))]  # they name files, and whose they are
        self.info.counts = Counts(
            events=self._writer.written,
            frames=self._video.frames,
            late_frames=self._capture.late,
            trees=self._reader.trees if self._reader is not None else 0,
            elements=self._reader.elements if self._reader is not None else 0,
        )
        self.info.accessibility = self._reader.name if self._reader is not None else None
        self.info.notes += self._notes()
        self.info.ended = self._writer.fault is None and missing is None
        try:
            write_info(self.folder, self.info)
        finally:
            self._folder_lock.release()
            if self._own is not None:
                self._own.show()
        return self.info

    def _close(self, close: Callable[[], None]) -> None:
        """Whatever one part does when it is closed, the others are closed too."""
        try:
            close()
        except Exception as error:
            self._troubles.append(f"Part of the recorder did not end well ({type(error).__name__}: {error}).")

    def judge(self, outcome: Outcome) -> None:
        """Say afterwards how the task ended. Raises StoreError."""
        self.info.outcome = outcome
        write_info(self.folder, self.info)

    def throw_away(self) -> None:
        """Remove the recording; it must have been stopped. Raises StoreError."""
        try:
            shutil.rmtree(self.folder)
        except OSError as error:
            raise store_error("remove", self.folder, error) from error

    def _abandon(self) -> None:
        """Nothing could be recorded: end whatever had begun, and leave nothing behind."""
        for part in ("_source", "_capture", "_desktop", "_excluded", "_own_areas", "_reader", "_clipboard"):
            with contextlib.suppress(Exception):
                getattr(self, part).stop()
        with contextlib.suppress(Exception):
            self._writer.close("fault")
        with contextlib.suppress(Exception):
            self._folder_lock.release()
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._own is not None:
            self._own.show()

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir()
        except FileExistsError as error:
            raise RecorderError(f"{self.folder} is there already: a recording never writes over another.") from error
        except OSError as error:
            raise store_error("make the folder", self.folder, error) from error

    def _open_reader(self) -> AccessibilityProcess | None:
        if not self.options.accessibility:
            return None
        return AccessibilityProcess(
            Setup(
                file=str((self.folder / ACCESSIBILITY).absolute()),  # the reader works elsewhere
                screen=self._desktop.screen,
                origin=self._desktop.origin,
                names=tuple(names_here()),
                excluded=self.options.exclusions,
            )
        )

    def _open_video(self) -> VideoWriter:
        try:
            return VideoWriter(self.folder, self._desktop.screen.width, self._desktop.screen.height)
        except OSError as error:
            raise store_error("write", self.folder / VIDEO, error) from error

    def _excluded_changed(self, t: int) -> None:
        """Other places are excluded, or another window is in front, since `t` at the earliest."""
        if self._hidden is not None:
            self._hidden.changed(t)
        self._capture.changed.set()

    def _black(self) -> Black:
        """What must be black right now; asked by the screen's thread."""
        if self._switches.private:
            return "all"
        return [box for areas in self._areas for box in areas.boxes()]

    def _put(self, row: Row) -> None:
        """Every row, from whichever thread sees it."""
        with self._lock:
            heard = self._watch.feed(row) if isinstance(row, KeyRow) else []
            row = self._listeners.row(row)
            if self._switches.pauses.keeps(row):
                self._writer.put(row)
            for one in heard:
                self._obey(one)

    def _obey(self, heard: Heard) -> None:
        self._switches.hear(heard)
        if heard.command == "stop" and not heard.released:
            self._ending = self._ending or "stop_chord"
        elif heard.command == "discard" and not heard.released:
            before, self._discard_pressed = self._discard_pressed, heard.t
            twice = before is not None and heard.t - before <= DISCARD_AGAIN_S * 1e9
            if twice or self.options.discard_at_once:
                self._ending = self._ending or "discard"

    def _wait_for_releases(self) -> None:
        until = time.monotonic() + CHORD_RELEASE_S
        while self._watch.pressed and time.monotonic() < until:
            time.sleep(0.02)

    def _faults(self) -> list[str]:
        areas = [areas.fault for areas in self._areas]
        found = (self._source.fault, self._desktop.fault, self._capture.fault, self._writer.fault, *areas)
        return [fault for fault in found if fault]

    def _notes(self) -> list[str]:
        """What is worth knowing, and no fault."""
        told_late = f"{self._gate.late} times it was known late that input is nobody's business: look at what was kept."
        return [
            *self._capture.notes,
            *(self._reader.notes if self._reader is not None else []),
            *([told_late] if self._gate.late else []),
            *([self._source.doubt] if self._source.doubt else []),
        ]


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
    main = threading.current_thread() is threading.main_thread()  # signals are heard there alone
    with stop_signals(session.interrupt) if main else contextlib.nullcontext():
        session.start()
        session.stop(session.wait(), outcome)
    return session.folder
