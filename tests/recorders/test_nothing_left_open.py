"""What listens or looks for a moment closes all that it opened: descriptors, connections, processes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recorders.backends import event_source, open_desktop
from recorders.desktop.plain import PlainDesktop
from recorders.errors import RecorderError
from recorders.events.pynput_source import PynputEvents
from recorders.options import Options
from recorders.session import Session, check_ready
from recorders.terminal.start_key import start_key

FILES = Path("/proc/self/fd")
pytestmark = pytest.mark.skipif(not FILES.exists(), reason="open files are counted in /proc")


def open_files() -> list[str]:
    """What the descriptors of this process are of."""
    found = []
    for one in FILES.iterdir():
        with contextlib.suppress(FileNotFoundError):  # the one that lists them
            found.append(str(one.readlink()))
    return sorted(found)


@pytest.fixture
def as_before(display: str) -> Iterator[None]:
    with start_key(["ctrl", "alt", "shift", "home"]):
        pass  # what is opened once for a process is open
    before = open_files()
    yield
    assert open_files() == before


def test_waiting_for_the_start_key(as_before: None) -> None:
    for _ in range(20):
        with start_key(["ctrl", "alt", "shift", "home"]) as pressed:
            assert not pressed.is_set()


def test_looking_whether_a_recording_can_be_made(as_before: None, tmp_path: Path) -> None:
    for number in range(20):
        check_ready(tmp_path / "out")
        Session(tmp_path / "out", "never started", Options(name=str(number)))


@pytest.mark.parametrize("make", [event_source, open_desktop, lambda: PynputEvents((0, 0)), PlainDesktop])
def test_what_never_began_can_be_ended_twice(as_before: None, make: Callable[[], Any]) -> None:
    one = make()
    one.stop()
    one.stop()
    assert one.fault is None


def test_events_that_cannot_begin(as_before: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(connection: Any, name: str) -> None:
        raise RecorderError(f"The X server has no {name} extension.")

    monkeypatch.setattr("recorders.events.x11_events.need", refused)
    monkeypatch.setattr("recorders.desktop.x11_desktop.need", refused)
    for _ in range(5):
        with pytest.raises(RecorderError, match="extension"):
            event_source().start(lambda row: None)
        with pytest.raises(RecorderError, match="extension"):
            open_desktop()


def test_a_recording_and_one_that_cannot_begin(
    as_before: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(tmp_path, "a short one", Options(accessibility=False, clipboard=True))
    session.start()
    assert session.stop("asked").faults == []

    def refused(*_: object) -> None:
        raise RecorderError("The X server did not begin to report events.")

    monkeypatch.setattr("recorders.events.x11_events.RecordStream", refused)
    with pytest.raises(RecorderError, match="did not begin"):
        Session(tmp_path, "none", Options(accessibility=False, clipboard=True)).start()
