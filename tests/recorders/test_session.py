"""A session without anybody at the terminal, and places where none can begin."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from curate.model.errors import StoreError
from curate.sources.recording import open_recording
from curate.store.recording import read_info
from recorders import Options, RecorderError, Session
from tests.recorders.conftest import ROOT, run
from tests.tk import tk_python

pytestmark = pytest.mark.timeout(120)
QUIET = Options(accessibility=False)


def unattended(out: Path, *more: str, **settings: Any) -> subprocess.Popen[str]:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(out.parent / "config")}
    return subprocess.Popen(
        [sys.executable, "-m", "curate", "record", "--no-a11y", "--out", str(out), *more],
        cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        **settings,
    )  # fmt: skip


def is_recording(out: Path) -> bool:
    """Input is being recorded: its first row says where the pointer is."""
    return any(b'"move"' in path.read_bytes() for path in out.glob("*/events.jsonl"))


def wait_until_recording(out: Path) -> None:
    end = time.monotonic() + 60
    while not is_recording(out):
        assert time.monotonic() < end, "it never began"
        time.sleep(0.05)
    time.sleep(0.3)  # the shortcuts are reserved next


def test_without_a_terminal_nothing_is_asked(display: str, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.txt"
    tasks.write_text("One\nTwo\n", encoding="utf-8")
    out = tmp_path / "out"
    printed, said = unattended(out, "--tasks", str(tasks), "--seconds", "0.3", "--json").communicate(timeout=90)
    first, second = (json.loads(line) for line in printed.splitlines())
    assert [first["instruction"], second["instruction"]] == ["One", "Two"]
    assert first["ended"] and first["kept"] and first["faults"] == [] and first["outcome"] is None
    assert read_info(Path(first["folder"])).consent is None, "nobody agreed to anything"
    assert said.count("Everything arrived") == 2 and "Next: " in said and "?" not in said and "\x07" not in said
    again, said = unattended(out, "--tasks", str(tasks), "--seconds", "0.3", "--json").communicate(timeout=90)
    assert again == "" and "2 of 2 tasks are recorded" in said


def test_the_outcome_can_be_said_beforehand(display: str, tmp_path: Path) -> None:
    one = unattended(tmp_path / "out", "--task", "x", "--outcome", "impossible", "--reason", "no such page")
    wait_until_recording(tmp_path / "out")
    one.send_signal(signal.SIGINT)
    printed, _ = one.communicate(timeout=60)
    assert one.returncode == 0
    outcome = read_info(Path(printed.strip())).outcome
    assert outcome is not None and (outcome.status, outcome.reason) == ("impossible", "no such page")
    assert list(open_recording(Path(printed.strip())).events())[-1].detail == "interrupt"


def test_discarding_needs_the_shortcut_twice_where_nobody_can_be_asked(display: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    one = unattended(out, "--task", "x")
    wait_until_recording(out)
    run("xdotool", "key", "ctrl+alt+shift+End")
    time.sleep(0.3)
    assert one.poll() is None and is_recording(out)
    run("xdotool", "key", "ctrl+alt+shift+End")
    printed, said = one.communicate(timeout=60)
    assert (one.returncode, printed) == (0, "") and "Thrown away" in said
    assert list(out.iterdir()) == []


def test_where_nothing_can_be_written_it_says_so_first(
    display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    for out in (file, file / "below"):
        with pytest.raises(StoreError, match="file"):
            Session(out, "x", QUIET)
    if os.geteuid() != 0:  # root may write anywhere
        (tmp_path / "locked").mkdir(mode=0o500)
        with pytest.raises(StoreError, match="permission"):
            Session(tmp_path / "locked", "x", QUIET).start()
    monkeypatch.setattr("recorders.control.room.NEEDED", 1 << 62)
    with pytest.raises(RecorderError, match="is full"):
        Session(tmp_path / "out", "x", QUIET)
    assert list((tmp_path / "out").iterdir()) == []


def test_how_it_is_going_can_be_asked(display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session(Path("a b ü"), "x", Options())  # the reader of accessibility has another working directory
    session.start()
    run("xdotool", "key", "a", "b")
    end = time.monotonic() + 20
    while session.status().events < 6 and time.monotonic() < end:
        time.sleep(0.05)
    status = session.status()
    assert status.events >= 6 and status.frames >= 1 and status.seconds > 0 and status.size > 0
    assert not status.paused and not status.private
    info = session.stop("asked")
    assert info.counts is not None and info.counts.events > status.events, "the end row too"
    assert not any("unexpectedly" in note for note in info.notes)
    assert info.ended and info.faults == []


def test_a_program_under_exclusion_has_no_name_and_takes_no_input(display: str, tmp_path: Path, program: Any) -> None:
    from recorders.privacy.exclusions import read_exclusions

    for name, place in (("safe", "40x10+20+20"), ("open", "40x10+420+320")):
        program("xterm", "-class", name, "-title", f"{name} secret title", "-geometry", place, "-e", "cat")

    def window(name: str) -> str:
        return run("xdotool", "search", "--sync", "--onlyvisible", "--class", name).split()[-1]

    safe, other = window("safe"), window("open")
    run("xdotool", "windowactivate", "--sync", other)
    session = Session(tmp_path, "x", Options(accessibility=False, exclusions=read_exclusions(["app:safe"])))
    session.start()
    run("xdotool", "type", "ab")
    time.sleep(0.5)
    run("xdotool", "windowactivate", "--sync", safe)
    time.sleep(0.5)
    run("xdotool", "type", "xyz")
    time.sleep(0.5)
    run("xdotool", "windowactivate", "--sync", other)
    time.sleep(0.5)
    run("xdotool", "type", "cd")
    info = session.stop("asked")
    assert info.faults == [] and info.excluded == ["app:safe"]
    events = list(open_recording(session.folder).events())
    assert "".join(e.text or "" for e in events) == "abcd"
    text = (session.folder / "events.jsonl").read_text(encoding="utf-8")
    assert "safe" not in text and '"hidden":true' in text and "open secret title" in text


def test_the_reader_of_accessibility_knows_where_the_recorded_region_begins(tmp_path: Path) -> None:
    """A monitor left of the main one: points of the recording are not points of the system."""
    from types import SimpleNamespace

    from curate.model.trajectory import Screen
    from recorders.parts import reader_setup
    from recorders.privacy.exclusions import Exclusions

    desktop: Any = SimpleNamespace(screen=Screen(width=3840, height=1080), origin=(-1920, 0))
    setup = reader_setup(tmp_path, desktop, Exclusions(apps=("vault",)))
    assert (setup.origin, setup.screen, setup.excluded.apps) == ((-1920, 0), desktop.screen, ("vault",))
    assert Path(setup.file).is_absolute() and Path(setup.file).name == "a11y.jsonl"


def test_a_start_that_fails_leaves_nothing_behind(
    display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recorders.events.x11_events import X11Events

    def refused(self: X11Events, sink: Any) -> None:
        raise RecorderError("The X server did not begin to report events.")

    monkeypatch.setattr(X11Events, "start", refused)
    with pytest.raises(RecorderError, match="did not begin"):
        Session(tmp_path, "x", QUIET).start()
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_ends_badly_is_told_and_the_others_are_closed(
    display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recorders.desktop.x11_desktop import X11Desktop

    session = Session(tmp_path, "x", QUIET)
    monkeypatch.setattr(X11Desktop, "stop", lambda self: [][0])
    session.start()
    info = session.stop("asked")
    assert "did not end well" in info.faults[0] and info.ended
    assert list(open_recording(session.folder).events())[-1].kind == "end"


@pytest.mark.parametrize("asked", [True, False])
def test_what_is_copied_is_recorded_only_where_asked_for(
    display: str, tmp_path: Path, asked: bool, program: Any
) -> None:
    session = Session(tmp_path, "x", Options(accessibility=False, clipboard=asked))
    session.start()
    owner = "import tkinter as t; r = t.Tk(); r.clipboard_append('copied ü'); r.after(30000, r.destroy); r.mainloop()"
    program(tk_python(), "-c", owner)

    def told() -> bool:
        return "copied ü" in (session.folder / "events.jsonl").read_text(encoding="utf-8")

    end = time.monotonic() + (20 if asked else 3)
    while not told() and time.monotonic() < end:
        time.sleep(0.05)
    assert session.stop("asked").faults == []
    assert told() == asked
