"""A recorder that dies, in every way that can be had here, and what `recover` makes of it. How much is lost is measured
by benchmarks/recorder_kills.py; here it must be little even on a slow machine."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import av
import pytest

from curate.sources.recording import open_recording
from curate.store.recording import INPUT_ROWS, EndRow, RecordingInfo, read_frames, read_info, read_rows
from recorders.errors import RecorderError
from recorders.recovery.recover import recover, recovered
from tests.recorders.a11y_session import accessible_desktop, needs_accessibility
from tests.recorders.interrupted import decoded
from tests.recorders.kills import Hand, Painter, killed_once, number_in, start_recorder
from tools.xvfb import start_xvfb

pytestmark = [pytest.mark.timeout(120), pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]
A_SLOW_MACHINE_S = 1.5


def until(what: Callable[[], object], seconds: float = 30) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def consistent(folder: Path) -> RecordingInfo:
    """A recording whose counts are what is there, and which opens."""
    info = read_info(folder)
    assert info.ended and info.counts is not None
    unreadable: list[tuple[int, str]] = []
    rows = [row for _, row in read_rows(folder / "events.jsonl", unreadable)]
    assert not unreadable and isinstance(rows[-1], EndRow)
    assert [row.seq for row in rows] == list(range(len(rows)))
    index = read_frames(folder / "frames.jsonl")
    assert [row.pts for row in index] == [pts for pts, _ in decoded(folder / "screen.mkv")]
    assert (info.counts.events, info.counts.frames) == (len(rows), len(index))
    assert len(list(open_recording(folder).events())) == len(rows)
    return info


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_killed_at_a_random_moment_little_is_lost(display: str, tmp_path: Path, seed: int) -> None:
    loss = killed_once(tmp_path, "r", random.Random(seed), longest=1.2)
    info = consistent(tmp_path / "r")
    assert info.recovered and info.faults
    assert max(loss.events, loss.video) < A_SLOW_MACHINE_S
    assert not (tmp_path / "r" / "recorder.lock").exists()


def test_the_last_change_is_there_however_long_ago_it_was(display: str, tmp_path: Path) -> None:
    """Nothing follows that would push it out of a buffer."""
    process = start_recorder(tmp_path, "r")
    painter = Painter()
    painter.paint()
    frames = tmp_path / "r" / "frames.jsonl"
    seen = len(frames.read_bytes().splitlines())
    painter.paint()
    until(lambda: len(frames.read_bytes().splitlines()) > seen)
    time.sleep(0.5)
    process.kill()
    process.wait()
    painter.close()
    recover(tmp_path / "r")
    consistent(tmp_path / "r")
    with av.open(str(tmp_path / "r" / "screen.mkv")) as video:
        assert number_in(list(video.decode(video=0))[-1]) == 2


def test_while_it_is_being_made_it_is_refused(display: str, tmp_path: Path) -> None:
    process = start_recorder(tmp_path, "r")
    try:
        with pytest.raises(RecorderError, match=f"process {process.pid}"):
            recover(tmp_path / "r")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    done = recovered(tmp_path / "r")
    assert not done.changed and done.info.ended and not done.info.faults
    consistent(tmp_path / "r")


def test_stopped_for_a_while_it_goes_on_and_nothing_is_missing(display: str, tmp_path: Path) -> None:
    """A laptop that sleeps, a debugger: what happened meanwhile waits at the X server, with its own time."""
    process, hand, rng = start_recorder(tmp_path, "r"), Hand(), random.Random(4)
    for signals in (signal.SIGSTOP, signal.SIGCONT):
        for _ in range(60):
            hand.act(rng)
            time.sleep(0.005)
        process.send_signal(signals)
        if signals == signal.SIGSTOP:
            time.sleep(0.5)
    for _ in range(20):
        hand.act(rng)
    sent = list(hand.sent)
    rows_file = tmp_path / "r" / "events.jsonl"
    until(lambda: len(rows_file.read_bytes().splitlines()) > len(sent))
    process.send_signal(signal.SIGINT)
    process.wait(60)
    hand.close()
    consistent(tmp_path / "r")
    rows = [row for _, row in read_rows(rows_file, []) if isinstance(row, INPUT_ROWS)][1:]
    assert len(rows) == len(sent)
    late = sorted(abs(row.t - t) / 1e9 for row, t in zip(rows, sent, strict=True))
    assert late[len(late) // 2] < 0.1, "times are when it happened, not when the recorder woke up"


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of a running process are Linux's")
@pytest.mark.parametrize("room", [3_000, 200_000])
def test_a_disk_that_fills_up_ends_it_with_what_there_is(display: str, tmp_path: Path, room: int) -> None:
    """No file may grow beyond the limit: the video meets it first. The recorder says so and ends; what it left is
    valid at once or after recovery."""
    process = start_recorder(tmp_path, "r")
    limit = (tmp_path / "r" / "screen.mkv").stat().st_size + room
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
    painter, hand, rng = Painter(), Hand(), random.Random(5)
    end = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < end:
        painter.paint()
        noise(painter)
        hand.act(rng)
        time.sleep(0.01)
    painter.close()
    hand.close()
    assert process.wait(30) == 1
    assert process.stderr is not None
    said = process.stderr.read()
    assert "larger than the system allows" in said and "Traceback" not in said
    recover(tmp_path / "r")
    info = consistent(tmp_path / "r")
    assert info.faults


def noise(painter: Painter) -> None:
    """Fills the painter's window with what does not compress."""
    data = os.urandom(240 * 12 * 4)
    painter._x.core.PutImage(2, painter._window, painter._white, 240, 12, 0, 0, 0, 24, len(data), data)
    painter._x.flush()


def test_the_x_server_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("Xvfb"):
        pytest.skip("no crash of a display was tried: Xvfb is not installed")
    server, name = start_xvfb("640x480x24")
    monkeypatch.setenv("DISPLAY", name)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    process = start_recorder(tmp_path, "r")
    hand, rng = Hand(), random.Random(6)
    for _ in range(100):
        hand.act(rng)
    sent, rows = len(hand.sent), tmp_path / "r" / "events.jsonl"
    until(lambda: len(rows.read_bytes().splitlines()) > sent)
    server.kill()
    server.wait()
    for left in (f"/tmp/.X{name[1:]}-lock", f"/tmp/.X11-unix/X{name[1:]}"):
        Path(left).unlink(missing_ok=True)
    assert process.wait(60) == 1
    assert process.stderr is not None
    said = process.stderr.read()
    assert not [word for word in ("Traceback", "AssertionError", ": .", "..") if word in said], said
    recover(tmp_path / "r")
    info = consistent(tmp_path / "r")
    assert info.faults and info.counts is not None
    assert info.counts.events >= sent


def children_of(pid: int) -> dict[int, bytes]:
    """The processes that a process has started, with their command lines."""
    each = Path(f"/proc/{pid}/task").glob("*/children")  # of each thread
    children = [child for thread in each for child in thread.read_text(encoding="ascii").split()]
    return {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}


def act_and_wait(folder: Path, hand: Hand, rng: random.Random) -> None:
    """Fifty acts, all of them in the file."""
    rows = folder / "events.jsonl"
    before, sent = len(rows.read_bytes().splitlines()), len(hand.sent)
    for _ in range(50):
        hand.act(rng)
    until(lambda: len(rows.read_bytes().splitlines()) - before >= len(hand.sent) - sent)


@needs_accessibility("mousepad")
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks Linux for a process's children")
def test_what_reads_trees_is_killed_and_the_recording_goes_on(tmp_path: Path) -> None:
    with accessible_desktop(tmp_path) as desk:
        desk.program("mousepad")
        desk.wait_window("Mousepad")
        process, hand, rng = start_recorder(tmp_path, "r"), Hand(), random.Random(7)
        readers = [pid for pid, command in children_of(process.pid).items() if b"recorders.a11y" in command]
        assert readers
        act_and_wait(tmp_path / "r", hand, rng)
        for reader in readers:
            os.kill(reader, signal.SIGKILL)
        events = tmp_path / "r" / "events.jsonl"  # keys are left out until another reader says where they go
        until(lambda: events.read_bytes().count(b'"unknown_focus"') == 2)
        act_and_wait(tmp_path / "r", hand, rng)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        hand.close()
    consistent(tmp_path / "r")
    assert not recovered(tmp_path / "r").changed


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="asks Linux for a process's children")
def test_what_pumps_events_is_killed_and_the_recording_ends_and_says_so(display: str, tmp_path: Path) -> None:
    process, hand, rng = start_recorder(tmp_path, "r"), Hand(), random.Random(8)
    pumps = [pid for pid, command in children_of(process.pid).items() if b"cat" in command.split(b"\0")[0]]
    act_and_wait(tmp_path / "r", hand, rng)
    for pump in pumps:
        os.kill(pump, signal.SIGKILL)
    if not pumps:
        process.send_signal(signal.SIGINT)
    assert process.wait(60) == (1 if pumps else 0)
    hand.close()
    recover(tmp_path / "r")
    info = consistent(tmp_path / "r")
    assert bool(info.faults) == bool(pumps)
    assert info.counts is not None and info.counts.events > len(hand.sent)


def test_the_command_says_what_was_lost(display: str, tmp_path: Path) -> None:
    process = start_recorder(tmp_path, "r")
    process.kill()
    process.wait()
    command = [sys.executable, "-m", "curate", "recover", "--json", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).resolve().parents[2])
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["changed"] and "interrupted" in found["faults"][0]
