"""Looks at the screen when it changed and hands every changed picture to the video, each with its own time. The
pointer is never in the picture."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any

from curate.store.atomic import store_error
from recorders.desktop.base import Desktop
from recorders.screen.video import VideoWriter

IDLE_POLL_S = 1.0  # a look without a sign of change, in case the sign was missed
GRAB_ATTEMPTS = 8
BACKLOG = 6  # pictures waiting for the encoder: bounds memory (8 MB each at 1080p)

Picture = tuple[bytes, int]


class ScreenCapture:
    """Two threads: one looks, one encodes. `late` counts the times looking had to wait for the encoder. `fault` says
    why it stopped."""

    def __init__(self, desktop: Desktop, video: VideoWriter, fps: float) -> None:
        self._desktop, self._video = desktop, video
        self._gap = 1 / fps
        self.changed = threading.Event()
        self.first_frame = threading.Event()
        self._stopping = threading.Event()
        self._pictures: queue.Queue[Picture | None] = queue.Queue(BACKLOG)
        self.late = self.taken = 0
        self.fault: str | None = None
        self._threads = [
            threading.Thread(target=self._guarded, args=(step,), name=f"screen-{step.__name__}", daemon=True)
            for step in (self._look, self._encode)
        ]

    def start(self) -> None:
        """Begin; `first_frame` is set once the first picture is in the video."""
        self.changed.set()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """One more picture of the screen as it is, then the end of the video."""
        self._stopping.set()
        self.changed.set()
        for thread in self._threads:
            thread.join(30)
        try:
            self._video.close()
        except OSError as error:
            self.fault = self.fault or str(store_error("write", self._video.path, error))

    def _guarded(self, step: Any) -> None:
        try:
            step()
        except Exception as error:
            if isinstance(error, OSError) and step == self._encode:
                said = str(store_error("write", self._video.path, error))
            else:
                said = f"The screen could not be recorded any more: {type(error).__name__}: {error}."
            if step == self._look:  # the encoder must not wait for ever
                self._hand_over(None)
            self.fault = self.fault or said
            self._stopping.set()
            self.first_frame.set()

    def _look(self) -> None:
        previous = b""
        wait = IDLE_POLL_S if self._desktop.reports_changes else self._gap
        self._grabber = _screen_grabber()
        while not self._stopping.is_set():
            self.changed.wait(wait)
            self.changed.clear()
            begun = time.monotonic()
            self._desktop.rearm()
            previous = self._take(previous)
            self._stopping.wait(max(0.0, begun + self._gap - time.monotonic()))
        self._take(b"")
        self._hand_over(None)
        self._grabber.close()

    def _take(self, previous: bytes) -> bytes:
        """A picture goes to the encoder only if it differs from the previous one."""
        data = self._grab_patiently()
        t = time.monotonic_ns()  # after the grab: the picture shows nothing later than this
        if data != previous:
            self.taken += 1
            self._hand_over((data, t))
        return data

    def _grab_patiently(self) -> bytes:
        """A screen that is just changing its size refuses a grab or two; then it is asked again from the start."""
        for attempt in range(GRAB_ATTEMPTS):
            try:
                return self._grab()
            except Exception:
                if attempt == GRAB_ATTEMPTS - 1:
                    raise
                time.sleep(0.2)
                self._grabber.close()
                self._grabber = _screen_grabber()
        raise AssertionError("unreachable")

    def _grab(self) -> bytes:
        """The recorded region; where the screen has become smaller, black beyond its edge."""
        screen, width, height = self._desktop.screen, self._video.width, self._video.height
        shown = min(screen.width, width), min(screen.height, height)
        whole = self._grabber.monitors[0]
        region = {"left": whole["left"], "top": whole["top"], "width": shown[0], "height": shown[1]}
        shot = self._grabber.grab(region)
        if (shot.width, shot.height) != shown:
            raise ValueError(f"asked for {shown[0]}x{shown[1]} pixels, the system gave {shot.width}x{shot.height}")
        raw = bytes(shot.raw)
        if shown == (width, height):
            return raw
        import numpy as np

        padded = np.zeros((height, width, 4), np.uint8)
        padded[: shown[1], : shown[0]] = np.frombuffer(raw, np.uint8).reshape(shown[1], shown[0], 4)
        return padded.tobytes()

    def _hand_over(self, picture: Picture | None) -> None:
        if self._pictures.full():
            self.late += 1
        while True:
            try:
                self._pictures.put(picture, timeout=0.5)
                return
            except queue.Full:
                if self.fault:  # nobody takes it any more
                    return

    def _encode(self) -> None:
        while (picture := self._pictures.get()) is not None:
            self._video.write(*picture)
            self.first_frame.set()


def _screen_grabber() -> Any:
    import mss

    return mss.MSS() if hasattr(mss, "MSS") else mss.mss()  # its name before 10.2
