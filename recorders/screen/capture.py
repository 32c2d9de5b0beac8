"""Looks at the screen where and when it changed, and hands every changed picture to the video, each with its own time.
The pointer is never in the picture.

One thread does it all: it waits for a sign of change (or a second), asks what changed, grabs that part in one piece,
converts it into the one picture, and has it encoded. What changes meanwhile waits at the X server, so nothing piles up
here, and a screen that changes faster than pictures can be taken is simply seen less often.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from curate.store.atomic import store_error
from recorders.boxes import Box, without
from recorders.desktop.base import Desktop
from recorders.errors import RecorderError, why
from recorders.screen.blackout import Black, Blackout, blacken, nothing_black, uncovered, united
from recorders.screen.changed_bands import ChangedBands
from recorders.screen.grabber import Grabber
from recorders.screen.pace import FramePace
from recorders.screen.picture import ScreenPicture
from recorders.screen.regions import around, clipped, gathered
from recorders.screen.video import VideoWriter

IDLE_POLL_S = 1.0
"""A look at all of the screen without a sign of change, in case the sign was missed."""
SETTLE_S = 0.006
"""Programs draw in several goes: so long after the first sign most have finished (Tk, GTK, xterm: 1 to 4 ms)."""
GRAB_ATTEMPTS, GRAB_AGAIN_S = 8, 0.2
"""A desktop that is just changing its size refuses a grab or two."""
LATE_PICTURES, LATE_SHARE = 10, 0.1
"""So many late pictures, and so large a part of all, are worth a note."""
PAUSE_TIMEOUT_S, STOP_TIMEOUT_S = 2.0, 30.0


Grabbed = tuple[Box, npt.NDArray[np.uint8]]
"""A part of the screen, and its BGRA pixels."""


class ScreenCapture:
    """`changed` is set by whoever knows that the screen, or what must be black, changed. `first_frame` is set once the
    first picture is in the video. `taken` pictures were handed to the video. `late` counts the pictures that took so
    long that the next one was late. `missed` counts changes that nobody reported. `fault` says why it stopped."""

    def __init__(self, desktop: Desktop, video: VideoWriter, fps: float, black: Blackout = nothing_black) -> None:
        self._desktop, self._video, self._excluded = desktop, video, black
        self._pace = FramePace(fps)
        self.changed, self.first_frame = threading.Event(), threading.Event()
        self._stopping, self._running = threading.Event(), threading.Event()
        self._running.set()
        self._busy = threading.Lock()  # held while a picture is taken and written
        self.paused = False
        self.shown: Callable[[int], None] | None = None  # told the time of every picture that is written
        self.late = self.taken = self.missed = 0
        self.fault: str | None = None
        self._picture = ScreenPicture(video.width, video.height)
        self._seen = None if desktop.reports_changes else ChangedBands()
        self._blackened: Black = ()
        self._ahead: list[Box] | None = None  # parts to look at next time, whatever is reported; None: everything
        self._wanted = True  # the next picture is written even if it is the same
        self._thread = threading.Thread(target=self._guarded, name="screen", daemon=True)

    def start(self) -> None:
        """Begin. Whether anything could be grabbed is told by `fault` once `first_frame` is set."""
        self.changed.set()
        self._thread.start()

    def stop(self) -> None:
        """One more picture of the screen as it is (none if paused), then the end of the video."""
        self._stopping.set()
        self.changed.set()
        self._running.set()
        if self._thread.is_alive():
            self._thread.join(STOP_TIMEOUT_S)
        try:
            self._video.close()
        except Exception as error:
            self.fault = self.fault or self._unwritable(error)

    def pause(self) -> None:
        """No picture is written after this returns, until `resume`. One that is being taken is thrown away; one that is
        being written is waited for, but not for ever: whoever pauses may hold what the screen's thread waits for."""
        self.paused = True
        self._running.clear()
        if self._busy.acquire(timeout=PAUSE_TIMEOUT_S):
            self._busy.release()

    def resume(self) -> None:
        """Go on, with a picture of everything as it is now."""
        with self._busy:
            self._ahead, self._wanted, self.paused = None, True, False
        self._running.set()
        self.changed.set()

    @property
    def frames(self) -> int:
        """Pictures in the video."""
        return self._video.frames

    @property
    def notes(self) -> list[str]:
        """What is worth knowing about the pictures and no fault."""
        said = self._pace.notes()
        if self.late >= LATE_PICTURES and self.late >= LATE_SHARE * self.taken:
            said.append(
                f"{self.late} of {self.taken} pictures took longer than {self._pace.gap * 1000:.0f} ms: "
                "the machine was too busy, or the screen is too large, for the rate asked for."
            )
        if self.missed:
            said.append(f"{self.missed} changes of the screen were not reported and seen up to {IDLE_POLL_S:g} s late.")
        return said

    def rate(self) -> float:
        """Pictures a second over the last seconds."""
        return self._pace.rate(time.monotonic())

    def _guarded(self) -> None:
        try:
            self._grabber = Grabber()
            try:
                self._measure()
                self._run()
            finally:
                self._grabber.close()
        except RecorderError as error:
            self.fault = self.fault or str(error)
        except Exception as error:
            self.fault = self.fault or f"The screen could not be recorded any more: {why(error)}."
        finally:
            self.first_frame.set()

    def _run(self) -> None:
        told = self._desktop.reports_changes
        polled, due = float("-inf"), 0.0
        while not self._stopping.is_set():
            signed = self.changed.is_set()  # while the last picture had its time: drawn since, most likely whole
            if not signed and told and (signed := self.changed.wait(IDLE_POLL_S)):
                self._stopping.wait(SETTLE_S)
            self._running.wait()
            begun = time.monotonic()
            self.changed.clear()
            everything = not signed or begun - polled >= IDLE_POLL_S
            polled = begun if everything else polled
            with self._busy:
                if self._running.is_set() and not self._stopping.is_set() and not self._look(everything):
                    return
            self.late += time.monotonic() - begun > self._pace.gap
            # A picture that was a little late does not put off the ones after it.
            gap, behind = self._pace.wait(), begun - due
            due = begun + gap - (min(behind, gap / 2) if behind < gap else 0.0)
            self._stopping.wait(max(0.0, due - time.monotonic()))
        with self._busy:
            if not self.paused:
                self._wanted = True
                self._look(everything=True)

    def _look(self, everything: bool) -> bool:
        """Take a picture and write it if it is another one; False when it could not be written."""
        another = self._take(everything)
        if self.paused or not (another or self._wanted):
            return True
        self._wanted = False
        self.taken += 1
        size = self._video.size
        try:
            self._video.write_picture(self._picture, self._t)
        except Exception as error:
            self.fault = self._unwritable(error)
            return False
        self._pace.taken(time.monotonic(), self._video.size - size)
        if self.shown is not None:
            self.shown(self._t)
        self.first_frame.set()
        return True

    def _unwritable(self, error: Exception) -> str:
        if isinstance(error, OSError):
            return str(store_error("write", self._video.path, error))
        return f"The video could not be written any more: {why(error)}."

    def _take(self, everything: bool) -> bool:
        """Bring the picture up to date; whether it changed. `_t` is then the time it is of: it shows nothing later."""
        for attempt in range(GRAB_ATTEMPTS):
            try:
                return self._take_once(everything)
            except Exception:
                if attempt == GRAB_ATTEMPTS - 1 or self._desktop.fault:
                    raise
                self._ahead = None
                time.sleep(GRAB_AGAIN_S)
                self._grabber.reopen()
                self._measure()
        raise AssertionError("unreachable")

    def _take_once(self, everything: bool) -> bool:
        if self._size != (self._desktop.screen.width, self._desktop.screen.height):
            self._grabber.reopen()
            self._measure()
            self._ahead = None
        whole, told = self._picture.whole, self._desktop.reports_changes
        before = self._black()
        reported = self._reported()
        bared = uncovered(self._blackened, before, whole) if before != self._blackened else []
        boxes = [whole] if everything or reported is None else [*reported, *bared]
        grabbed = None if before == "all" else self._grab(boxes)
        later = self._reported() if grabbed and told else []
        if grabbed and later != []:  # drawn on meanwhile: a second look, so that the picture is of one moment
            boxes = [whole] if later is None else [*boxes, *later]
            grabbed, later = self._grab(boxes), self._reported()
        self._t = time.monotonic_ns()
        black = united(before, self._black())
        changed = self._show(grabbed, boxes, black)
        if changed and everything and told and reported == later == bared == []:
            self.missed += 1
        self._ahead = None if black == "all" else later
        if later != []:
            self.changed.set()
        return changed

    def _measure(self) -> None:
        """The desktop's present size; what the picture has beyond its edge stays black."""
        screen = self._desktop.screen
        self._size = screen.width, screen.height
        self._outside = without(self._picture.whole, self._grabber.bounds)

    def _black(self) -> Black:
        return united(self._excluded(), self._outside)

    def _reported(self) -> list[Box] | None:
        """Where the screen changed since it was last asked, with what was left over from the last picture."""
        ahead, self._ahead = self._ahead, []
        found = self._desktop.take_changes()
        return None if ahead is None or found is None else [*ahead, *found]

    def _grab(self, boxes: list[Box]) -> Grabbed | None:
        """All of the boxes in one piece, so that they are of one moment."""
        there = clipped(clipped(boxes, self._picture.whole), self._grabber.bounds)
        if not there:
            return None
        place = around(there)
        return place, self._grabber.grab(place)

    def _show(self, grabbed: Grabbed | None, boxes: list[Box], black: Black) -> bool:
        """Put what was grabbed into the picture, black where it must be; whether the picture changed."""
        changed = False
        if grabbed is not None:
            place, pixels = grabbed
            blacken(pixels, place, black)
            left, top = place[:2]
            parts = gathered(clipped(boxes, place))
            if self._seen is not None:
                parts = self._seen.changed(pixels)
                parts = [(left + b[0], top + b[1], left + b[2], top + b[3]) for b in parts]
            for box in parts:
                part = pixels[box[1] - top : box[3] - top, box[0] - left : box[2] - left]
                changed |= self._picture.show(part, box[0], box[1])
        if black != self._blackened:
            self._blackened = black
            cover = [self._picture.whole] if black == "all" else clipped(black, self._picture.whole)
            for box in cover:
                changed |= self._picture.blacken(box)
        return changed
