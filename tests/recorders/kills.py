"""A recorder that is killed while much happens, and what of it was lost: a painter that writes a number onto the screen
and knows when, and an injector that knows what it sent."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import av
import msgspec

from curate.store.recording import INPUT_ROWS, read_frames, read_rows
from recorders.recovery.recover import recovered

ROOT = Path(__file__).resolve().parents[2]
BITS, CELL, AT = 20, 12, 16
MOTION, PRESS, RELEASE = 6, 2, 3


class Painter:
    """A window above all others that shows a number as black and white squares. `shown`: (when it was certainly on
    the screen, number)."""

    def __init__(self) -> None:
        import xcffib
        from xcffib import xproto

        self._x = xcffib.Connection()
        setup = self._x.get_setup().roots[self._x.pref_screen]
        self._window, self._black, self._white = (self._x.generate_id() for _ in range(3))
        self._x.core.CreateWindow(
            setup.root_depth, self._window, setup.root, AT, AT, BITS * CELL, CELL, 0, xproto.WindowClass.InputOutput,
            setup.root_visual, xproto.CW.BackPixel | xproto.CW.OverrideRedirect, [setup.black_pixel, 1],
        )  # fmt: skip
        for context, pixel in ((self._black, setup.black_pixel), (self._white, setup.white_pixel)):
            self._x.core.CreateGC(context, self._window, xproto.GC.Foreground, [pixel])
        self._x.core.MapWindow(self._window)
        self._x.core.GetInputFocus().reply()
        self.number = 0
        self.shown: list[tuple[int, int]] = []

    def paint(self) -> None:
        """The next number."""
        from xcffib import xproto

        self.number += 1
        for context, value in ((self._black, 0), (self._white, 1)):
            cells = [
                xproto.RECTANGLE.synthetic(bit * CELL, 0, CELL, CELL)
                for bit in range(BITS)
                if self.number >> bit & 1 == value
            ]
            if cells:
                self._x.core.PolyFillRectangle(self._window, context, len(cells), cells)
        self._x.core.GetInputFocus().reply()
        self.shown.append((time.monotonic_ns(), self.number))

    def close(self) -> None:
        self._x.disconnect()


def number_in(frame: av.VideoFrame) -> int:
    """The number that a picture shows."""
    pixels = frame.to_ndarray(format="gray")
    return sum(int(pixels[AT + CELL // 2, AT + bit * CELL + CELL // 2] > 128) << bit for bit in range(BITS))


class Hand:
    """Moves and keys, and when each was sent."""

    def __init__(self) -> None:
        import xcffib
        import xcffib.xproto
        import xcffib.xtest as xtest

        self._x = xcffib.Connection()
        self._root, self._fake = self._x.get_setup().roots[0].root, self._x(xtest.key)
        self.sent: list[int] = []

    def act(self, rng: random.Random) -> None:
        """One move, or a letter pressed and let go."""
        if rng.random() < 0.7:
            number = len(self.sent)
            self._send(MOTION, 0, 100 + number % 300, 100 + number % 200)
        else:
            code = rng.randrange(24, 34)
            self._send(PRESS, code)
            self._send(RELEASE, code)

    def _send(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        self._fake.FakeInput(kind, detail, 0, self._root, x, y, 0)
        self._x.flush()
        self.sent.append(time.monotonic_ns())

    def close(self) -> None:
        self._x.disconnect()


class Loss(msgspec.Struct, kw_only=True):
    """Seconds between the first event, or change of the screen, that was lost and the kill; 0 where none was."""

    events: float
    video: float
    rows: int
    frames: int
    trees: int
    faults: list[str]


def start_recorder(out: Path, name: str, **more: Any) -> subprocess.Popen[str]:
    """A recorder that has said that it records."""
    process = subprocess.Popen(
        [sys.executable, "-m", "recorders", "--task", "try it", "--out", str(out), "--name", name],
        cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, **more,
    )  # fmt: skip
    assert process.stderr is not None
    said = process.stderr.readline()
    assert said.startswith("recording"), said
    return process


def killed_once(out: Path, name: str, rng: random.Random, longest: float = 3.0) -> Loss:
    """Record, kill at a random moment of a busy time or up to a second after it (the screen is quiet then), recover."""
    process = start_recorder(out, name)
    hand, painter = Hand(), Painter()
    stop = threading.Event()

    def paint() -> None:
        while not stop.wait(0.04):
            painter.paint()

    thread = threading.Thread(target=paint, daemon=True)
    thread.start()
    end = time.monotonic() + rng.uniform(0.3, longest)
    while time.monotonic() < end:
        hand.act(rng)
        time.sleep(0.005)
    if rng.random() < 0.4:
        stop.set()
        time.sleep(rng.uniform(0.05, 1.0))
    process.send_signal(signal.SIGKILL)
    killed = time.monotonic_ns()
    process.wait()
    stop.set()
    thread.join()
    hand.close()
    painter.close()
    return loss_of(out / name, killed, hand.sent, painter.shown)


def loss_of(folder: Path, killed: int, sent: list[int], shown: list[tuple[int, int]]) -> Loss:
    """Recover a recording and see what is not in it of what had happened before it was killed."""
    done = recovered(folder)
    assert done.changed and done.info.ended and done.info.counts is not None
    assert not recovered(folder).changed
    unreadable: list[tuple[int, str]] = []
    rows = [row for _, row in read_rows(folder / "events.jsonl", unreadable)]
    assert not unreadable and [row.seq for row in rows] == list(range(len(rows)))
    inputs = [row for row in rows if isinstance(row, INPUT_ROWS)][1:]  # the first is where the pointer was
    before = [t for t in sent if t <= killed]
    events = (killed - before[len(inputs)]) / 1e9 if len(inputs) < len(before) else 0.0
    with av.open(str(folder / "screen.mkv")) as video:
        frames = list(video.decode(video=0))
    index = read_frames(folder / "frames.jsonl")
    assert len(frames) == len(index)
    last = number_in(frames[-1])
    unseen = [t for t, number in shown if number > last and t <= killed]
    return Loss(
        events=events, video=(killed - unseen[0]) / 1e9 if unseen else 0.0, rows=len(rows), frames=len(frames),
        trees=done.info.counts.trees, faults=done.info.faults,
    )  # fmt: skip
