"""The parts of one recording, each opened, started and, in the opposite order, stopped: whatever one of them does, the
others are closed too."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from curate.store.atomic import store_error
from curate.store.recording import ACCESSIBILITY, EVENTS, POINTERS, VIDEO, Counts
from recorders.a11y.process import AccessibilityProcess
from recorders.a11y.reader import Setup
from recorders.backends import clipboard_watch, event_source, excluded_areas, open_desktop, platform_here
from recorders.banner.base import Banner
from recorders.control.switches import Switches
from recorders.desktop.base import Desktop, PointerFiles
from recorders.errors import RecorderError, why
from recorders.listeners import Listeners
from recorders.options import Options
from recorders.privacy.exclusions import Exclusions
from recorders.privacy.gate import Gate
from recorders.privacy.hidden_input import HiddenInput
from recorders.privacy.names import Scrub, names_here
from recorders.rows import Sink
from recorders.screen.blackout import Black
from recorders.screen.capture import ScreenCapture
from recorders.screen.video import VideoWriter
from recorders.writer import EventWriter

FIRST_FRAME_TIMEOUT_S = 15.0


class Parts:
    """A new one has the desktop open, which says what the recording is of; then `open`, `start`, `stop`. `stop` works
    at any time. `own`: windows of the recorder's. `troubles`: what was wrong with stopping. Raises RecorderError and
    StoreError where something cannot begin."""

    def __init__(self, folder: Path, options: Options, own: Sequence[int]) -> None:
        self._folder, self._options, self._own = folder, options, own
        self._opened = contextlib.ExitStack()
        self._reason = "fault"
        self.troubles: list[str] = []
        self.desktop: Desktop = open_desktop(own)
        self._to_close(self.desktop.stop)
        self.source = event_source(self.desktop.origin)
        self.gate, self.scrub = Gate(), Scrub(names_here())

    def open(self, banner: Banner | None = None) -> None:
        """Files, connections, and the process that reads accessibility: it takes a moment, so it is the first to
        start. What is opened first is closed last: rows come from all that follows the writer. `banner`: shown only
        while no picture is taken, or black ones are."""
        self._banner = banner
        if banner is not None:
            self._to_close(banner.close)
        options, here, monitors = self._options, platform_here(), self.desktop.monitors
        self.writer = EventWriter(self._folder / EVENTS, self.gate)
        self._to_close(lambda: self.writer.close(self._reason))
        self.reader = self._open_reader()
        self._excluded = excluded_areas(options.exclusions, here, monitors)
        own_areas = excluded_areas(Exclusions(), here, monitors, self._own)  # black; what is done there is trimmed
        self._areas = [areas for areas in (self._excluded, own_areas) if areas is not None]
        for areas in self._areas:
            self._to_close(areas.stop)
        self._to_close(self.desktop.stop)
        self.video = self._open_video()
        self.capture = ScreenCapture(self.desktop, self.video, options.fps, self._black)
        self._to_close(self.capture.stop)
        self._hidden = HiddenInput(self._excluded, self.gate) if self._excluded is not None else None
        self.listeners = Listeners(self.reader, self._hidden, options.exclusions, self.scrub, self.gate)
        self.switches = Switches(self.writer.put, self.gate, self._banner, options.chords)
        self.switches.add(self.capture.pause, self.capture.resume, private=False)
        look = self.capture.changed.set
        self.switches.add(look, look, private=True)  # what is black has changed
        if self.reader is not None:
            self.switches.add(self.reader.suspend, self.reader.resume, private=True)
            self.capture.shown = self.reader.changed
            self.reader.start(self.listeners.focus)
            self.writer.held_back = self.reader.unanswered

    def start(self, put: Sink) -> None:
        """The screen, then input: no event is without a picture of what was there before it. `put` takes every row."""
        for areas in self._areas:
            areas.start(self._excluded_changed)
        if self.reader is not None:
            self.reader.wait_ready()  # whether keys go to a password field already
        if self._banner is not None:
            self._banner.hide()  # the last thing before the first picture
        self.desktop.start(put, PointerFiles(self._folder, POINTERS).keep, self.capture.changed)
        self.capture.start()
        if not self.capture.first_frame.wait(FIRST_FRAME_TIMEOUT_S) or self.capture.fault:
            raise RecorderError(self.capture.fault or "No picture of the screen could be taken.")
        if self._options.clipboard:
            clipboard = clipboard_watch()
            clipboard.start(put)
            self._to_close(clipboard.stop)
        self._to_close(self.source.stop)
        self.source.start(put)
        self.listening_since = time.monotonic_ns()
        for chord in dict.fromkeys(self._options.chords.while_recording().values()):
            self.source.reserve(chord)

    def stop(self, reason: str) -> None:
        """Sources, then the screen, then the writer: everything handed over is written. `reason`: for its last row."""
        self._reason = reason
        self._opened.close()

    @property
    def faults(self) -> list[str]:
        """Why parts stopped, as sentences; none while all is well."""
        areas = [areas.fault for areas in self._areas]
        reader = self.reader.fault if self.reader is not None else None
        found = (self.source.fault, self.desktop.fault, self.capture.fault, self.writer.fault, reader, *areas)
        return [fault for fault in found if fault]

    @property
    def notes_at_start(self) -> list[str]:
        """What cannot be kept out here, once started."""
        return [self._excluded.note] if self._excluded is not None and self._excluded.note else []

    @property
    def notes(self) -> list[str]:
        """What is worth knowing of how it went, and no fault."""
        late = self.gate.late
        times = "Once" if late == 1 else f"{late} times"
        told_late = f"{times} it was known late that input is nobody's business: look at what was kept."
        return [
            *self.capture.notes,
            *(self.reader.notes if self.reader is not None else []),
            *([told_late] if late else []),
            *([self.source.doubt] if self.source.doubt else []),
        ]

    @property
    def counts(self) -> Counts:
        """What was written, after the end."""
        return Counts(
            events=self.writer.written,
            frames=self.video.frames,
            late_frames=self.capture.late,
            trees=self.reader.trees if self.reader is not None else 0,
            elements=self.reader.elements if self.reader is not None else 0,
        )

    def _to_close(self, close: Callable[[], None]) -> None:
        def closed() -> None:
            try:
                close()
            except Exception as error:
                said = f"Part of the recorder did not end well ({why(error)})."
                self.troubles += [said] if said not in self.troubles else []

        self._opened.callback(closed)

    def _open_reader(self) -> AccessibilityProcess | None:
        if not self._options.accessibility:
            return None
        reader = AccessibilityProcess(reader_setup(self._folder, self.desktop, self._options.exclusions))
        self._to_close(reader.stop)
        return reader

    def _open_video(self) -> VideoWriter:
        try:
            return VideoWriter(self._folder, self.desktop.screen.width, self.desktop.screen.height)
        except OSError as error:
            raise store_error("write", self._folder / VIDEO, error) from error

    def _excluded_changed(self, t: int) -> None:
        """Other places are excluded, or another window is in front, since `t` (monotonic ns) at the earliest."""
        if self._hidden is not None:
            self._hidden.changed(t)
        self.capture.changed.set()

    def _black(self) -> Black:
        """What must be black right now; asked by the screen's thread."""
        if self.switches.private:
            return "all"
        return [box for areas in self._areas for box in areas.boxes()]


def reader_setup(folder: Path, desktop: Desktop, excluded: Exclusions) -> Setup:
    """What the reader of accessibility is told of a recording."""
    return Setup(
        file=str((folder / ACCESSIBILITY).absolute()),  # the reader works elsewhere
        screen=desktop.screen,
        origin=desktop.origin,
        names=tuple(names_here()),
        excluded=excluded,
    )
