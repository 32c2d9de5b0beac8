"""Excluded windows on a real display: nothing of them is in any picture, however they come, go and move."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from recorders.boxes import Box
from recorders.desktop.x11_excluded import LINGER_S, X11ExcludedAreas
from recorders.errors import RecorderError
from recorders.privacy.exclusions import Exclusions
from tests.recorders.conftest import run
from tests.tk import tk_python

Start = Callable[..., "subprocess.Popen[bytes]"]
SECRET = (255, 0, 200)
# A window of one colour nobody else has, that obeys lines on its standard input and says when it did.
WINDOW = """
import sys, tkinter as tk
root = tk.Tk(className=sys.argv[1]); root.title(sys.argv[2]); root.configure(bg=sys.argv[3])
root.geometry(sys.argv[4]); root.update()
top = tip = None
def menu():
    global tip
    tip = tk.Toplevel(root, bg=sys.argv[3]); tip.overrideredirect(True); tip.geometry("90x60+600+500")
def dialogue():
    global top
    top = tk.Toplevel(root, bg=sys.argv[3]); top.transient(root); top.geometry("120x80+500+60")
print("ready", flush=True)
for line in sys.stdin:
    exec(line); root.update(); print("done", flush=True)
"""


class Program:
    """A window of its own process."""

    def __init__(self, start: Start, app: str, title: str, colour: str, place: str) -> None:
        self.process = start(
            tk_python(), "-c", WINDOW, app, title, colour, place, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._hear("ready")

    def _hear(self, word: str) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline().decode().strip() == word

    def does(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        self._hear("done")


def blackened(picture: npt.NDArray[np.uint8], boxes: list[Box]) -> npt.NDArray[np.uint8]:
    picture = picture.copy()
    for left, top, right, bottom in boxes:
        picture[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = 0
    return picture


class Watching:
    """Takes pictures as fast as it can, each blackened by the answers before and after it, and counts the pixels of
    the secret colour in what is left; `seen`: pictures in which the screen itself showed it."""

    def __init__(self, windows: X11ExcludedAreas) -> None:
        self.windows, self.taken, self.seen, self.leaked = windows, 0, 0, 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Watching:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(30)

    def _run(self) -> None:
        import mss

        with mss.MSS() if hasattr(mss, "MSS") else mss.mss() as grabber:
            while not self._stop.is_set():
                before = self.windows.boxes()
                shot = grabber.grab(grabber.monitors[0])
                after = self.windows.boxes()
                picture = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
                self.taken += 1
                self.seen += count(picture) > 0
                self.leaked += count(blackened(picture, before + after))


def count(picture: npt.NDArray[np.uint8]) -> int:
    return int((picture[..., 2::-1] == np.array(SECRET, np.uint8)).all(axis=-1).sum())


@pytest.fixture
def watch(display: str) -> Iterator[Callable[[Exclusions], X11ExcludedAreas]]:
    opened: list[X11ExcludedAreas] = []

    def start(exclusions: Exclusions) -> X11ExcludedAreas:
        opened.append(X11ExcludedAreas(exclusions))
        opened[-1].start()
        return opened[-1]

    yield start
    for windows in opened:
        windows.stop()


def until(right: Callable[[], bool], why: str) -> None:
    end = time.monotonic() + 15
    while not right():
        assert time.monotonic() < end, why
        time.sleep(0.02)


def test_not_one_pixel_of_an_excluded_window_is_in_any_picture(
    watch: Callable[[Exclusions], X11ExcludedAreas], program: Start
) -> None:
    windows = watch(Exclusions(apps=("vault",)))
    other = Program(program, "notes", "notes", "#20a0ff", "300x200+80+120")
    with Watching(windows) as watching:
        secret = Program(program, "vault", "keys", "#ff00c8", "260x180+60+60")
        for turn in range(10):
            secret.does(f"root.geometry('+{60 + 37 * turn}+{50 + 23 * turn}')")
            other.does("root.lift()")
            secret.does("root.lift()")
            secret.does("root.withdraw()")
            secret.does("root.deiconify()")
        for _ in range(5):
            secret.does("menu()")
            secret.does("tip.destroy()")
            secret.does("dialogue()")
            secret.does("top.destroy()")
        until(lambda: watching.seen > 5, "the window never showed")
        secret.process.terminate()
        secret.process.wait(5)
        taken = watching.taken
        until(lambda: watching.taken > taken + 3, "no pictures")
    assert windows.fault is None
    assert watching.leaked == 0, f"{watching.leaked} pixels in {watching.taken} pictures"
    until(lambda: windows.boxes() == [], "what went stays black for ever")


def test_a_window_is_excluded_by_its_title_with_its_dialogues_and_not_its_sisters(
    watch: Callable[[Exclusions], X11ExcludedAreas], program: Start
) -> None:
    windows = watch(Exclusions(titles=("private",)))
    one = Program(program, "browser", "News", "#20a0ff", "200x100+300+300")
    assert windows.boxes() == []
    one.does("root.title('Bank - Private')")
    until(lambda: len(windows.boxes()) == 1, "a title that changed")
    [(left, top, right, bottom)] = windows.boxes()
    assert left <= 300 and top <= 300 and right >= 500 and bottom >= 400
    assert windows.hides_point(400, 350) and not windows.hides_point(700, 20)
    one.does("dialogue()")
    until(lambda: len(windows.boxes()) == 2, "its dialogue")
    one.does("root.title('News'); top.title('x')")
    until(lambda: windows.boxes() == [], "it is no secret any more")


def test_a_window_above_saves_what_it_covers_once_it_has_settled(
    watch: Callable[[Exclusions], X11ExcludedAreas], program: Start
) -> None:
    windows = watch(Exclusions(apps=("vault",)))
    Program(program, "vault", "keys", "#ff00c8", "260x180+60+60")
    assert windows.hides_point(150, 150)
    cover = Program(program, "notes", "notes", "#20a0ff", "500x400+20+20")
    assert windows.boxes() and windows.hides_point(150, 150), "not before it has been painted for certain"
    until(lambda: windows.boxes() == [], "covered as a whole")
    with Watching(windows) as watching:
        cover.does("root.withdraw()")
        until(lambda: watching.seen > 0, "uncovered")
    assert watching.leaked == 0


def test_what_is_in_front_is_told_with_a_time(display: str, program: Start) -> None:
    told: list[tuple[int, bool]] = []
    windows = X11ExcludedAreas(Exclusions(apps=("vault",)))
    windows.start(lambda t: told.append((t, windows.hides_front())))
    try:
        secret = Program(program, "vault", "keys", "#ff00c8", "260x180+60+60")
        until(lambda: windows.hides_front(), "the new window has the keys")
        until(lambda: bool(told) and told[-1][1], "it is told")
        assert told[-1][0] < time.monotonic_ns()
        Program(program, "notes", "notes", "#20a0ff", "200x100+400+300")
        until(lambda: not windows.hides_front(), "another window has them")
        secret.does("root.focus_force()")
        until(lambda: windows.hides_front(), "it took them")
    finally:
        windows.stop()


def test_an_excluded_monitor_is_black_and_one_that_is_not_there_is_refused(display: str) -> None:
    run("xrandr", "--setmonitor", "left", "300/100x600/200+0+0", "screen")
    run("xrandr", "--setmonitor", "right", "500/100x600/200+300+0", "none")
    try:
        windows = X11ExcludedAreas(Exclusions(monitors=(2,)))
        windows.start()
        assert windows.boxes() == [(300, 0, 800, 600)]
        assert windows.hides_point(300, 10) and not windows.hides_point(299, 10)
        windows.stop()
        with pytest.raises(RecorderError, match="Monitor 3 cannot be excluded"):
            X11ExcludedAreas(Exclusions(monitors=(3,)))
    finally:
        run("xrandr", "--delmonitor", "left")
        run("xrandr", "--delmonitor", "right")


def test_nothing_is_asked_of_the_server_while_nothing_changes(
    watch: Callable[[Exclusions], X11ExcludedAreas], program: Start
) -> None:
    windows = watch(Exclusions(apps=("vault",)))
    Program(program, "vault", "keys", "#ff00c8", "260x180+60+60")
    until(lambda: len(windows.boxes()) == 1, "it shows")
    time.sleep(LINGER_S)
    first, started = windows.boxes(), time.process_time()
    for _ in range(200):
        assert windows.boxes() is first
    assert (time.process_time() - started) / 200 < 0.002
