"""Filming an X screen, and a program that paints at random on it, for the tests of the screen."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import numpy as np

from curate.store.recording import FrameRow, read_frames
from recorders.desktop.base import PointerFiles
from recorders.desktop.x11_desktop import X11Desktop
from recorders.privacy.names import Scrub
from recorders.rows import Row
from recorders.screen.blackout import Black
from recorders.screen.capture import ScreenCapture
from recorders.screen.grabber import Grabber
from recorders.screen.picture import ScreenPicture
from recorders.screen.video import VideoWriter

FPS = 25.0
PATIENCE_S = 20.0


class Filming:
    """A recording of the screen only."""

    def __init__(self, folder: Path, black: Callable[[], Black] = lambda: (), fps: float = FPS) -> None:
        self.folder, self.rows = folder, list[Row]()
        self.desktop = X11Desktop(Scrub([]))
        self.video = VideoWriter(folder, self.desktop.screen.width, self.desktop.screen.height)
        self.capture = ScreenCapture(self.desktop, self.video, fps, black=black)

    def __enter__(self) -> Filming:
        self.desktop.start(self.rows.append, PointerFiles(self.folder, "pointers").keep, self.capture.changed)
        self.capture.start()
        assert self.capture.first_frame.wait(PATIENCE_S)
        assert self.capture.fault is None
        return self

    def __exit__(self, *_: object) -> None:
        self.capture.stop()
        self.desktop.stop()

    def picture(self) -> np.ndarray:
        """The picture as the video has it now."""
        with self.capture._busy:
            return self.capture._picture.rgb()

    def film(self) -> tuple[list[FrameRow], list[np.ndarray]]:
        """All frames, after the end."""
        with av.open(str(self.video.path)) as video:
            frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
        rows = read_frames(self.folder / "frames.jsonl")
        assert len(rows) == len(frames) == self.capture.taken
        return rows, frames


def screen_now() -> np.ndarray:
    """All of the screen, grabbed in one piece and converted as the video's pictures are."""
    grabber = Grabber()
    picture = ScreenPicture(*grabber.bounds[2:])
    picture.show(grabber.grab(grabber.bounds), 0, 0)
    grabber.close()
    return picture.rgb()


def until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.01)


class Painter:
    """A program that paints at random: windows that come, go and move, rectangles, lines, copies, straight on the
    root window too."""

    def __init__(self, seed: int) -> None:
        import xcffib
        from xcffib import xproto

        self.x, self.random = xcffib.Connection(), random.Random(seed)
        self.screen = self.x.get_setup().roots[0]
        self.size = self.screen.width_in_pixels, self.screen.height_in_pixels
        self.pen = self.x.generate_id()
        self.x.core.CreateGC(self.pen, self.screen.root, xproto.GC.SubwindowMode, [1])
        self.windows: list[int] = []

    def close(self) -> None:
        self.x.disconnect()

    def paint(self, strokes: int) -> None:
        for _ in range(strokes):
            self.random.choice((self._window, self._move, self._fill, self._fill, self._line, self._copy, self._end))()
        self.x.core.GetInputFocus().reply()

    def rectangle(self, x: int, y: int, width: int, height: int, colour: int) -> None:
        from xcffib import xproto

        self.x.core.ChangeGC(self.pen, xproto.GC.Foreground, [colour])
        area = [xproto.RECTANGLE.synthetic(x, y, width, height)]
        self.x.core.PolyFillRectangle(self.screen.root, self.pen, 1, area)
        self.x.core.GetInputFocus().reply()

    def _box(self) -> tuple[int, int, int, int]:
        pick = self.random.randrange
        return pick(-50, self.size[0]), pick(-50, self.size[1]), pick(1, 300), pick(1, 200)

    def _window(self) -> None:
        from xcffib import xproto

        window = self.x.generate_id()
        self.x.core.CreateWindow(
            self.screen.root_depth, window, self.screen.root, *self._box(), 0, xproto.WindowClass.InputOutput,
            self.screen.root_visual, xproto.CW.BackPixel | xproto.CW.OverrideRedirect,
            [self.random.randrange(1 << 24), 1],
        )  # fmt: skip
        self.x.core.MapWindow(window)
        self.windows.append(window)

    def _move(self) -> None:
        from xcffib import xproto

        if self.windows:
            mask = xproto.ConfigWindow.X | xproto.ConfigWindow.Y
            self.x.core.ConfigureWindow(self.random.choice(self.windows), mask, list(self._box()[:2]))

    def _end(self) -> None:
        if self.windows:
            self.x.core.DestroyWindow(self.windows.pop(self.random.randrange(len(self.windows))))

    def _fill(self) -> None:
        from xcffib import xproto

        self.x.core.ChangeGC(self.pen, xproto.GC.Foreground, [self.random.randrange(1 << 24)])
        target = self.random.choice([*self.windows, self.screen.root])
        self.x.core.PolyFillRectangle(target, self.pen, 1, [xproto.RECTANGLE.synthetic(*self._box())])

    def _line(self) -> None:
        from xcffib import xproto

        (x, y, w, h) = self._box()
        points = [xproto.POINT.synthetic(x, y), xproto.POINT.synthetic(x + w, y + h)]
        self.x.core.PolyLine(xproto.CoordMode.Origin, self.screen.root, self.pen, 2, points)

    def _copy(self) -> None:
        x, y, width, height = self._box()
        to_x, to_y = self._box()[:2]
        root = self.screen.root
        self.x.core.CopyArea(root, root, self.pen, x, y, to_x, to_y, width, height)


@contextlib.contextmanager
def painter(seed: int = 1) -> Iterator[Painter]:
    made = Painter(seed)
    yield made
    made.close()


def write_bgra(video: VideoWriter, bgra: bytes | np.ndarray, t: int) -> None:
    """Append one frame of BGRA pixels, all of it, captured at `t` (monotonic ns)."""
    picture = ScreenPicture(video.width, video.height)
    picture.show(np.frombuffer(bgra, np.uint8).reshape(video.height, video.width, 4), 0, 0)
    video.write_picture(picture, t)
