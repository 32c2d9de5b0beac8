"""What a person sees while nothing is recorded, and that no picture shows it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from curate.store.recording import read_info
from recorders import Options, Session
from recorders.banner.x11_banner import X11Banner
from recorders.control.switches import Switches
from recorders.privacy.gate import Gate
from tests.recorders.conftest import run

if not sys.platform.startswith("linux"):
    pytest.skip("the banner is X11's", allow_module_level=True)

pytestmark = pytest.mark.timeout(120)
GROUNDS = {"paused": (255, 179, 0), "private": (179, 0, 30), "waiting": (29, 78, 216)}
Picture = np.ndarray[Any, Any]


def screenshot() -> Picture:
    import mss

    with mss.MSS() as screen:
        return np.asarray(screen.grab(screen.monitors[0]))[..., 2::-1]


def shows(picture: Picture, look: str) -> bool:
    """Whether more than a stroke of it has the banner's ground."""
    apart = np.abs(picture.astype(int) - np.array(GROUNDS[look])).max(axis=-1)
    return int((apart <= 6).sum()) > 200


def frames(folder: Path) -> Iterator[Picture]:
    with av.open(str(folder / "screen.mkv")) as video:
        for frame in video.decode(video=0):
            yield frame.to_ndarray(format="rgb24")


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_it_is_on_the_screen_while_nothing_is_recorded_and_in_no_picture(
    display: str, tmp_path: Path, program: Callable[..., Any]
) -> None:
    run("xsetroot", "-solid", "#305030")
    busy = "while :; do date +%N; sleep 0.02; done"
    program("xterm", "-geometry", "60x20+0+0", "-bg", "#101010", "-fg", "#20c020", "-e", "sh", "-c", busy)
    time.sleep(0.5)
    session = Session(tmp_path, "Watch", Options(accessibility=False))
    session.announce("Recording begins when this goes away")
    assert shows(screenshot(), "waiting")
    session.start()
    assert not shows(screenshot(), "waiting"), "recording has begun"
    for chord, look in [("ctrl+alt+Home", "paused"), ("ctrl+alt+Prior", "private")] * 4:
        run("xdotool", "key", "a", chord)
        wait_for(lambda look=look: shows(screenshot(), look))  # type: ignore[misc]
        run("xdotool", "key", "u", chord)
        wait_for(lambda look=look: not shows(screenshot(), look))  # type: ignore[misc]
        time.sleep(0.3)
    run("xdotool", "key", "ctrl+alt+Home")
    wait_for(lambda: shows(screenshot(), "paused"))
    over = X11Banner([])
    over.show("W" * 80, "waiting")
    assert not shows(screenshot(), "paused")
    waiting = threading.Thread(target=session.wait)
    waiting.start()
    wait_for(lambda: shows(screenshot(), "paused"))  # above what was opened over it
    over.close()
    session.interrupt()
    waiting.join()
    info = session.stop("interrupt")
    assert not shows(screenshot(), "paused"), "and it has gone with the recording"
    seen = list(frames(session.folder))
    assert len(seen) > 10 and any(picture.any() for picture in seen)
    for look in GROUNDS:
        assert not any(shows(picture, look) for picture in seen), look
    assert any("Ended while paused" in note for note in info.notes)
    assert any(note.startswith("Private for") for note in read_info(session.folder).notes)


class Told:
    """A banner that notes what it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def show(self, text: str, look: str) -> None:
        self.said.append(look)

    def keep_on_top(self) -> None: ...

    def hide(self) -> None:
        self.said.append("gone")

    def close(self) -> None: ...


def test_it_follows_the_two_switches_and_their_times_are_told() -> None:
    banner = Told()
    switches = Switches(lambda row: None, Gate(), banner)
    assert switches.told(0) == []
    second, now = 1_000_000_000, time.monotonic_ns()
    switches.pause(now - 9 * second)
    switches.hide(now - 8 * second)
    switches.go_on(now - 7 * second)
    assert banner.said == ["paused", "paused", "private"] and switches.private
    assert switches.told(now) == [
        "Paused for 0:02 in all, which is not recorded.",
        "Ended while private: the last 0:08 are not recorded.",
    ]
    began = time.monotonic_ns()
    switches.show(now - 6 * second)
    assert banner.said[-1] == "gone" and not switches.private
    assert (switches._private_spans[-1][1] or 0) >= began, "what was done before it had gone is not recorded"
