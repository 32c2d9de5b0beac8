"""No key of a password is written whatever happens to what tells of password fields: a real page with an eye button,
and a reader that is killed, stopped, or gone for good."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curate.model.tree import Node
from curate.store.accessibility import ElementRow, FocusRow, TreeRow
from curate.store.recording import KeyRow, RecordingInfo, RedactionRow, read_rows
from recorders import Options, Session
from recorders.a11y import process as processes
from recorders.recovery.recover import recovered
from tests.recorders.a11y_session import CHROMIUM, Desk, accessible_desktop, needs_accessibility, rows_of, wait_until

pytestmark = [pytest.mark.timeout(240), needs_accessibility("Xvfb", "openbox", "xdotool", "chromium")]
SECRET, SHOWN, PLAIN = "correcthorse", "chest", "dump"  # no letter of the last is in the others
PAGE = """<!doctype html><title>Eye</title><style>body{margin:40px;font:16px sans-serif}</style>
<p><label>Name <input id=name></label><p><label>Secret <input id=secret type=password></label>
<button id=eye onclick="secret.type = secret.type == 'password' ? 'text' : 'password'; secret.focus()">Show</button>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with accessible_desktop(tmp_path_factory.mktemp("desk")) as desk:
        file = desk.folder / "eye.html"
        file.write_text(PAGE, encoding="utf-8")
        profile = f"--user-data-dir={desk.folder / 'profile'}"
        desk.program(*CHROMIUM, profile, "--test-type", f"--app={file.as_uri()}")
        desk.wait_window("Eye")
        yield desk


class Taking:
    """A recording of the page, and a hand on it."""

    def __init__(self, desk: Desk, out: Path) -> None:
        self.desk = desk
        self.session = Session(out, "sign in", Options(name="r"))
        self.session.start()
        self.folder = self.session.folder
        self.info: RecordingInfo | None = None
        desk.run("xdotool", "mousemove", "400", "500", "click", "1")  # nothing is there
        self.nodes: list[Node] = []
        wait_until(self._seen, "a tree of the page")

    def _seen(self) -> bool:
        for row in rows_of(self.folder / "a11y.jsonl", TreeRow):
            if any(node.name == "Show" for node in row.nodes):
                self.nodes = row.nodes
        return bool(self.nodes)

    def click(self, name: str) -> None:
        box = next(node.box for node in self.nodes if node.name == name and node.role in ("edit", "button"))
        assert box is not None
        x, y = str(round((box[0] + box[2]) / 2)), str(round((box[1] + box[3]) / 2))
        self.desk.run("xdotool", "mousemove", x, y, "mousedown", "1", "sleep", "0.08", "mouseup", "1")

    def type(self, text: str) -> None:
        self.desk.run("xdotool", "type", "--delay", "30", text)

    @property
    def pid(self) -> int:
        reader = self.session._parts.reader
        assert reader is not None and reader.pid is not None
        return reader.pid

    @property
    def typed(self) -> str:
        rows = (row for _, row in read_rows(self.folder / "events.jsonl", []))
        return "".join(row.text or "" for row in rows if isinstance(row, KeyRow) and row.pressed)

    def hidden(self, reason: str) -> list[RedactionRow]:
        rows = (row for _, row in read_rows(self.folder / "events.jsonl", []))
        return [row for row in rows if isinstance(row, RedactionRow) and row.reason == reason]

    def type_in_name_until_written(self) -> None:
        """Keys that are no secret are recorded again, and soon."""

        def written() -> bool:
            self.click("Name")
            time.sleep(0.3)
            self.type(PLAIN)
            time.sleep(0.5)
            return PLAIN in self.typed

        wait_until(written, "keys that are no secret")

    def end(self, reason: str = "asked") -> RecordingInfo:
        self.info = self.session.stop(reason)
        return self.info

    def check(self) -> None:
        """Nothing of the secret is anywhere in the texts of the recording."""
        assert not set(self.typed) & set(SECRET + SHOWN), f"{self.typed!r}: keys of a password"
        rows = rows_of(self.folder / "a11y.jsonl", TreeRow | ElementRow | FocusRow)
        nodes = [n for row in rows for n in ([row.node] if isinstance(row, FocusRow) else row.nodes) if n is not None]
        assert any("password" in node.states for node in nodes)
        for text in (text for node in nodes for text in (node.name, node.value, node.description) if text):
            assert SECRET[:4] not in text and SHOWN not in text


@contextlib.contextmanager
def taking(desk: Desk, out: Path) -> Iterator[Taking]:
    """Ended whatever happens, and checked; the page is as it was."""
    taken = Taking(desk, out)
    try:
        yield taken
    finally:
        if taken.info is None:
            taken.end()
        desk.run("xdotool", "key", "--clearmodifiers", "F5")
        time.sleep(1.0)
    taken.check()


def test_a_password_that_the_eye_shows_stays_one(page: Desk, tmp_path: Path) -> None:
    with taking(page, tmp_path) as taken:
        pid = taken.pid
        taken.click("Secret")
        time.sleep(0.3)
        taken.type(SECRET)
        taken.click("Show")
        before = len(rows_of(taken.folder / "a11y.jsonl", TreeRow))
        wait_until(lambda: len(rows_of(taken.folder / "a11y.jsonl", TreeRow)) > before, "a tree that could show it")
        taken.type(SHOWN)
        time.sleep(2.0)
        taken.type_in_name_until_written()
        info = taken.end()
        assert taken.pid == pid, "the reader has lived through it"
        assert info.faults == [] and not any("could not be read" in note for note in info.notes), info.notes


def test_nothing_is_written_while_a_killed_reader_is_started_again(page: Desk, tmp_path: Path) -> None:
    with taking(page, tmp_path) as taken:
        os.kill(taken.pid, signal.SIGKILL)
        taken.click("Secret")
        time.sleep(0.3)
        taken.type(SECRET)
        wait_until(lambda: len(taken.hidden("unknown_focus")) == 2, "an answer of another reader")
        assert len(taken.hidden("password")) == 1, "it knows that keys go to a password field"
        taken.type(SHOWN)
        taken.type_in_name_until_written()
        info = taken.end()
        assert info.faults == [] and any("started again" in note for note in info.notes)
        assert not any("known late" in note for note in info.notes)
    lines = (taken.folder / "a11y.jsonl").read_bytes().splitlines(keepends=True)
    assert all(line.strip() and line.endswith(b"\n") for line in lines)
    assert not recovered(taken.folder).changed, "it was closed, and nothing of it is damaged"


def test_nothing_is_written_while_the_reader_does_not_answer(page: Desk, tmp_path: Path) -> None:
    with taking(page, tmp_path) as taken:
        pid = taken.pid
        os.kill(pid, signal.SIGSTOP)
        taken.click("Secret")
        time.sleep(0.3)
        taken.type(SECRET)
        time.sleep(1.0)
        assert len(taken.hidden("unknown_focus")) == 1
        os.kill(pid, signal.SIGCONT)
        wait_until(lambda: len(taken.hidden("unknown_focus")) == 2, "an answer")
        taken.type(SHOWN)
        taken.type_in_name_until_written()
        assert taken.pid == pid and taken.end().faults == []


def test_a_shown_password_is_known_to_the_next_reader(page: Desk, tmp_path: Path) -> None:
    with taking(page, tmp_path) as taken:
        taken.click("Secret")
        time.sleep(0.3)
        taken.type(SECRET)
        taken.click("Show")
        time.sleep(1.0)
        os.kill(taken.pid, signal.SIGKILL)
        wait_until(lambda: len(taken.hidden("unknown_focus")) == 2, "an answer of another reader")
        taken.type(SHOWN)
        time.sleep(2.0)
        taken.type_in_name_until_written()


def test_a_reader_that_is_gone_for_good_ends_the_recording(
    page: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "STARTS", 1)
    with taking(page, tmp_path) as taken:
        os.kill(taken.pid, signal.SIGKILL)
        taken.click("Secret")
        taken.type(SECRET)
        assert taken.session.wait() == "fault"
        assert taken.end("fault").faults == [processes.FAULT]


def test_a_reader_that_hangs_is_replaced(page: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "HUNG_NS", 1_500_000_000)
    with taking(page, tmp_path) as taken:
        pid = taken.pid
        os.kill(pid, signal.SIGSTOP)
        taken.click("Secret")
        taken.type(SECRET)
        wait_until(changed(taken, pid), "another reader")
        taken.type_in_name_until_written()
        assert taken.end().faults == []


def changed(taken: Taking, pid: int) -> Callable[[], bool]:
    return lambda: taken.pid != pid
