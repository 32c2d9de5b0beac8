"""One recording from its first picture to its last row: starts its parts (parts.py), watches for the end, stops them
in an order that loses nothing, and says what was written.

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

from curate.model.constants import RECORDING_FPS
from curate.model.errors import StoreError
from curate.store.atomic import make_folder, store_error
from curate.store.recording import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    VIDEO,
    HiddenReason,
    KeyRow,
    Outcome,
    RecordingInfo,
    write_info,
)
from recorders.backends import open_banner, open_desktop, platform_here
from recorders.banner.base import Banner
from recorders.control.chords import ChordWatch, Heard
from recorders.control.room import check_room
from recorders.control.signals import stop_signals
from recorders.control.status import Progress
from recorders.errors import RecorderError
from recorders.frames_missing import frames_missing
from recorders.lock import FolderLock
from recorders.options import Options, check_options
from recorders.own_window.base import OwnWindow
from recorders.parts import Parts
from recorders.rows import Row

VERSION = 2
CHORD_RELEASE_S = 1.5  # how long the stop chord's releases are waited for
DISCARD_AGAIN_S = 3.0  # within which the discard shortcut is pressed a second time where nobody can be asked
WATCH_S = 0.05
FREED_S = 1.0  # after which recording.json is tried once more where the disk was full
BANNER_S = 0.5  # how often the banner comes to the front again, while there is one


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
        check_options(instruction, self.options)
        self._own = own
        self._instruction = instruction
        self._identity = secrets.token_hex(8)
        self.warning = check_ready(out)
        self.folder = out / (self.options.name or self._identity)
        self._interrupted = False
        self._lock = threading.RLock()
        self._ending: str | None = None
        self._discard_pressed: int | None = None
        self._banner: Banner | None = None
        self._watch = ChordWatch(self.options.chords.while_recording())
        self.info: RecordingInfo

    def announce(self, text: str) -> None:
        """Show this in front of all windows until recording has begun (or `call_off`)."""
        if self._banner is None:
            desktop = open_desktop()
            desktop.stop()
            self._banner = open_banner(desktop.monitors)
        if self._banner is not None:
            self._banner.show(text, "waiting")

    def call_off(self) -> None:
        """It was announced and is not going to start."""
        if self._banner is not None:
            self._banner.close()

    def start(self) -> None:
        """Returns when pictures and events are being recorded. Once the recorder's window has gone the screen begins,
        then events: none is without a picture of what was there before it."""
        own = self._own.ids if self._own is not None else ()
        with contextlib.ExitStack() as undo:  # where it cannot begin, nothing is left behind
            undo.callback(self._show_window)
            undo.callback(self.call_off)
            self._make_folder()
            undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self._folder_lock = FolderLock(self.folder)
            undo.callback(self._folder_lock.release)
            self._folder_lock.reserve()
            self._parts = Parts(self.folder, self.options, own)
            undo.callback(self._parts.stop, "fault")
            self.info = self._about()
            write_info(self.folder, self.info)
            self._banner = self._banner or open_banner(self._parts.desktop.monitors)
            self._parts.open(self._banner)
            if self._own is not None and not self._own.hide():
                self.info.notes.append("The recorder's window could not be put away: it is black in the pictures.")
            self._parts.start(self._put)
            self.info.accessibility = self._accessibility()
            self.info.notes += self._parts.notes_at_start
            write_info(self.folder, self.info)  # by which the recording is known should it be killed
            undo.pop_all()
        self._began = time.monotonic()

    def _about(self) -> RecordingInfo:
        chords = self.options.chords
        return RecordingInfo(
            id=self._identity,
            started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            recorder=f"{self._parts.source.name}@{VERSION}",
            platform=platform_here(),
            instruction=self._instruction,
            task=self.options.task,
            screen=self._parts.desktop.screen,
            monitors=self._parts.desktop.monitors,
            start_chord=list(chords.start),
            stop_chord=list(chords.stop),
            control_chords=[list(chords.pause), list(chords.private), list(chords.discard)],
            excluded=self.options.exclusions.as_given(),
            actor=self.options.actor,
            consent=self.options.consent,
        )

    def wait(self, each_second: Callable[[Progress], None] | None = None) -> str:
        """Until something ends the recording; which: stop_chord, discard, interrupt, seconds or fault."""
        told = raised = 0.0
        while True:
            if self._ending is not None:
                return self._ending
            if self._interrupted:
                return "interrupt"
            if self.options.seconds is not None and time.monotonic() - self._began >= self.options.seconds:
                return "seconds"
            if self._parts.faults:
                return "fault"
            if each_second is not None and time.monotonic() - told >= 1.0:
                told = time.monotonic()
                each_second(self.status())
            if self._banner is not None and time.monotonic() - raised >= BANNER_S:
                raised = time.monotonic()
                self._banner.keep_on_top()
            time.sleep(WATCH_S)

    def interrupt(self) -> None:
        """End the recording; may be called from a signal handler (where waiting for a lock could last for ever)."""
        self._interrupted = True

    @property
    def interrupted(self) -> bool:
        """Whether it was told to end."""
        return self._interrupted

    def status(self) -> Progress:
        """How it is going."""
        parts = self._parts
        with self._lock:
            paused, private = parts.switches.paused, parts.switches.private
        return Progress(
            seconds=time.monotonic() - self._began,
            events=parts.writer.written,
            frames=parts.capture.frames,
            rate=parts.capture.rate(),
            size=self.size(),
            paused=paused,
            private=private,
        )

    @property
    def hidden(self) -> dict[HiddenReason, int]:
        """How often something was kept out, by reason."""
        return dict(self._parts.gate.episodes)

    @property
    def listening_since(self) -> int:
        """Since when input is recorded (monotonic ns)."""
        return self._parts.listening_since

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
        ending = time.monotonic_ns()
        if reason in ("stop_chord", "discard"):
            self._wait_for_releases()
        parts = self._parts
        parts.stop("asked" if reason == "discard" else reason)
        self.info.outcome = outcome or self.info.outcome
        missing = frames_missing(self.folder, parts.capture.taken)
        told = (*parts.faults, *parts.troubles, parts.writer.reckon(), missing)
        self.info.faults = [said for s in told if (said := parts.scrub(s))]  # they name files, and whose they are
        self.info.counts = parts.counts
        self.info.accessibility = self._accessibility()
        self.info.notes += [*parts.switches.told(ending), *parts.notes]
        self.info.ended = parts.writer.fault is None and missing is None
        self._folder_lock.give_room()
        try:
            self._write_info()
        finally:
            self._folder_lock.release()
            self._show_window()
        return self.info

    def _write_info(self) -> None:
        """Twice, if need be: some file systems free in their own time what was given back."""
        try:
            write_info(self.folder, self.info)
        except StoreError:
            time.sleep(FREED_S)
            write_info(self.folder, self.info)

    def _accessibility(self) -> str | None:
        """Which reader of it serves."""
        return self._parts.reader.name if self._parts.reader is not None else None

    def _show_window(self) -> None:
        if self._own is not None:
            self._own.show()

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

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir()
        except FileExistsError as error:
            raise RecorderError(f"{self.folder} is there already: a recording never writes over another.") from error
        except OSError as error:
            raise store_error("make the folder", self.folder, error) from error

    def _put(self, row: Row) -> None:
        """Every row, from whichever thread sees it."""
        with self._lock:
            heard = self._watch.feed(row) if isinstance(row, KeyRow) else []
            row = self._parts.listeners.row(row)
            if self._parts.switches.pauses.keeps(row):
                self._parts.writer.put(row)
            for one in heard:
                self._obey(one)

    def _obey(self, heard: Heard) -> None:
        self._parts.switches.hear(heard)
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


def record(
    out: Path,
    instruction: str,
    *,
    seconds: float | None = None,
    fps: float = RECORDING_FPS,
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
