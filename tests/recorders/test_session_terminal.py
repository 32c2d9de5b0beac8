"""`curate record` as a person meets it: in a real terminal, with its questions, its window and its signals."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from curate.model.actions import Click, Terminate, Write
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.recording import open_recording
from curate.store.media import MediaStore
from curate.store.recording import INFO, ButtonRow, KeyRow, RecordingInfo, read_info
from recorders.control.chords import Chords
from recorders.terminal.meanwhile import Meanwhile
from tests.recorders.conftest import ROOT, run

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals here", allow_module_level=True)

pytestmark = pytest.mark.timeout(180)
Start = Callable[..., subprocess.Popen[bytes]]
RECORD = [sys.executable, "-m", "curate", "record", "--no-a11y"]
PATIENCE_S = 60.0


class Console:
    """A program in a pseudo-terminal that is its controlling one, so that Ctrl-C typed there is a signal."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._hand, other = os.openpty()
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, preexec_fn=lambda: os.login_tty(other), close_fds=True
        )
        os.close(other)
        self.said = ""

    def until(self, words: str) -> str:
        """Wait for words that were not waited for yet; all that was said up to them."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.said:
            assert time.monotonic() < end, f"{words!r} was never said: {self.said!r}"
            self._read()
        before, _, self.said = self.said.partition(words)
        return before + words

    def type(self, text: str) -> None:
        os.write(self._hand, text.encode())

    def end(self) -> int:
        """Wait for the program's end; its exit code."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < end:
            self._read()
        self._read()
        return self.process.wait(5)

    def hang_up(self) -> None:
        """Close the terminal, as its window's close button does."""
        os.close(self._hand)
        self._hand = -1

    def _read(self) -> None:
        if self._hand >= 0 and select.select([self._hand], [], [], 0.1)[0]:
            with contextlib.suppress(OSError):  # the program has ended
                self.said += os.read(self._hand, 65536).decode()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._hand >= 0:
            os.close(self._hand)


@pytest.fixture
def console(display: str, tmp_path: Path) -> Iterator[Callable[..., Console]]:
    opened: list[Console] = []
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config"), "TERM": "xterm"}
    environment.pop("WINDOWID", None)

    def start(*more: str) -> Console:
        opened.append(Console([*RECORD, *more], environment))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def recordings(out: Path) -> dict[str, RecordingInfo]:
    return {info.task or "": info for info in map(read_info, (path.parent for path in out.glob(f"*/{INFO}")))}


def test_a_list_of_tasks_from_consent_to_the_next_command(console: Callable[..., Console], tmp_path: Path) -> None:
    tasks, out = tmp_path / "tasks.jsonl", tmp_path / "für später"
    tasks.write_text(
        '{"id": "a", "instruction": "Write a letter"}\n{"id": "b"}\n{"id": "c", "instruction": "Skip me"}\n'
        '{"id": "d", "instruction": "Once more"}\n',
        encoding="utf-8",
    )
    given = ("--tasks", str(tasks), "--out", str(out))
    first = console(*given)
    assert f"{tasks}, line 2" in first.until("records your screen")
    first.until("Do you agree? (yes/no) ")
    first.type("\n")
    first.until("Do you agree? (yes/no) ")
    first.type("yes\n")
    assert "Write a letter" in first.until("q quits: ")
    first.type("\n")
    first.until("recording   ")
    run("xdotool", "key", "x", "ctrl+alt+End")
    summary = first.until("How did it end?")
    assert "Everything arrived" in summary and summary.index("Everything arrived") < summary.index("für")
    first.type("f\n")
    first.until("Why?")
    first.type("the printer was out\n")
    first.until("Keep it?")
    first.type("\n")
    assert "Task 2 of 3" in first.until("q quits: ")
    first.type("s\n")
    assert "Once more" in first.until("q quits: ")
    run("xdotool", "key", "ctrl+alt+Home")  # the start shortcut
    first.until("recording   ")
    first.type("\x03")
    first.type("done\n")  # typed while nothing is asked: answers nothing
    first.until("How did it end?")
    first.type("\n")
    first.until("Keep it?")
    first.type("again\n")
    first.until("q quits: ")
    assert set(recordings(out)) == {"a", "d"}, "it stays until another one is kept"
    (before,) = (folder for folder in out.iterdir() if read_info(folder).task == "d")
    first.type("\x1b[1;7F\n")
    assert "[1;7F" not in first.until("recording   "), "a shortcut pressed in the terminal does not show"
    run("xdotool", "key", "ctrl+alt+End")
    first.until("How did it end?")
    first.type("\n")
    first.until("Keep it?")
    first.type("k\n")
    last = first.until("--out RUN")
    assert f"before is thrown away: {before}" in " ".join(last.split()) and f"'{out}' --recipe desktop" in last
    assert first.end() == 0
    found = recordings(out)
    assert set(found) == {"a", "d"} and not before.exists() and len(list(out.iterdir())) == 2
    outcome, consent = found["a"].outcome, found["a"].consent
    assert outcome is not None and (outcome.status, outcome.reason) == ("failure", "the printer was out")
    assert consent is not None and "records your screen" in consent.text
    assert found["a"].ended and found["a"].faults == []
    again = console(*given)
    assert "2 of 3 tasks are recorded" in again.until("Task 3 of 3"), "agreed to once, not asked again"
    again.until("q quits: ")
    again.type("\x03")
    again.until("Interrupted: nothing was kept. The same command goes on with the tasks that are left.")
    assert again.end() == 130


def test_another_take_that_is_not_kept_leaves_the_one_from_before(
    console: Callable[..., Console], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    one = console("--task", "Type", "--out", str(out), "--outcome", "done")
    one.until("Do you agree?")
    one.type("y\n")
    told = " ".join(one.until("q quits: ").split())
    assert "passwords typed anywhere would be recorded" in told, "without accessibility they cannot be told"
    one.type("\n")
    one.until("recording   ")
    for chord in ("Prior", "Prior", "Home", "End"):
        run("xdotool", "key", f"ctrl+alt+{chord}")
        time.sleep(0.7)
    said = one.until("Keep it?")
    assert "Ended while paused: the last 0:0" in said and "Private for 0:0" in said
    assert "Kept out: once what was private" in said
    one.type("a\n")
    one.until("q quits: ")
    (first,) = out.iterdir()
    one.type("\n")
    one.until("recording   ")
    run("xdotool", "key", "ctrl+alt+shift+End")
    one.until("Throw it away? y yes, n no")
    one.type("y\n")
    assert f"from before stays: {first}" in " ".join(one.until("Next:").split())
    assert one.end() == 0
    assert list(out.iterdir()) == [first]


def test_the_start_is_announced_and_can_be_called_off(console: Callable[..., Console], tmp_path: Path) -> None:
    out = tmp_path / "out"
    one = console("--task", "Type", "--out", str(out), "--keys", "stop=ctrl+shift+f9", "--exclude", "app:nobody")
    one.until("Do you agree?")
    one.type("y\n")
    assert "Kept out: app:nobody (no such window now)." in one.until("q quits: ")
    one.type("\n")
    one.until("recording   ")
    run("xdotool", "key", "ctrl+shift+F9")
    one.until("How did it end? d done")
    one.type("\n")
    one.until("Keep it?")
    one.type("t\n")
    one.until("Thrown away.")
    assert one.end() == 0
    assert list(out.iterdir()) == []


def test_what_came_too_early_is_counted_and_the_stop_shortcut_is_heard() -> None:
    chords = Chords()
    meanwhile = Meanwhile(chords)
    for t, key in ((10, "a"), (20, "shift_l"), (30, "b"), (900, "c")):
        meanwhile.hear(KeyRow(seq=0, t=t, key=key, code=t, pressed=True))
        meanwhile.hear(KeyRow(seq=0, t=t + 1, key=key, code=t, pressed=False))
    meanwhile.hear(ButtonRow(seq=0, t=40, x=1, y=1, button="left", pressed=True))
    assert meanwhile.told(900) == "3 keys and clicks came before recording had begun, and are not in it."
    assert meanwhile.told(11) == "One key or click came before recording had begun, and is not in it."
    assert meanwhile.told(10) is None and not meanwhile.stopped
    for number, key in enumerate(chords.stop):
        meanwhile.hear(KeyRow(seq=0, t=1000 + number, key=key, code=number, pressed=True))
    assert meanwhile.stopped


def test_pause_privacy_and_discard(console: Callable[..., Console], tmp_path: Path) -> None:
    one = console("--task", "Type", "--out", str(tmp_path / "out"), "--outcome", "done")
    one.until("Do you agree?")
    one.type("y\n")
    one.until("q quits: ")
    one.type("\n")
    one.until("recording   ")
    for chord, told, secret in (("ctrl+alt+Home", "PAUSED", "u"), ("ctrl+alt+Prior", "NOT RECORDING", "v")):
        run("xdotool", "key", "a", chord)
        one.until(told)
        run("xdotool", "key", secret, secret, chord)
        one.until("recording   ")
    run("xdotool", "key", "b", "ctrl+alt+shift+End")
    one.until("Throw it away?")
    one.type("keep\n")
    one.until("Next:")
    assert one.end() == 0
    (folder,) = (tmp_path / "out").iterdir()
    recording = open_recording(folder)
    events = list(recording.events())
    assert "".join(e.text or "" for e in events) == "aab"
    kinds = [e.kind for e in events if e.kind in ("pause", "resume", "redaction", "end")]
    assert kinds == ["pause", "resume", "redaction", "redaction", "end"]
    record, _ = reduced(folder, tmp_path)
    assert [s.actions for s in record.steps][-1] == [Terminate(status="success")]
    assert {a.text for s in record.steps for a in s.actions if isinstance(a, Write)} == {"a", "b"}
    assert all(isinstance(a, Write | Terminate) for s in record.steps for a in s.actions)
    times, frames = recording.frame_times or [], list(decoded(folder))
    spans = [e.time for e in events if e.kind == "redaction"]
    shown = [bool(f.any()) for t, f in zip(times, frames, strict=True) if spans[0] < t < spans[1]]
    assert False in shown and True not in shown[shown.index(False) :], "black at once, and until the end of it"
    paused = [e.time for e in events if e.kind in ("pause", "resume")]
    assert not [t for t in times if paused[0] + 0.5 < t < paused[1]], "no picture while paused"


def test_told_to_end_or_left_alone_it_keeps_what_there_is(console: Callable[..., Console], tmp_path: Path) -> None:
    for number, end in enumerate((signal.SIGTERM, None)):
        out = tmp_path / f"out{number}"
        one = console("--task", "Type", "--out", str(out))
        if number == 0:
            one.until("Do you agree?")
            one.type("yes\n")
        one.until("q quits: ")
        one.type("\n")
        one.until("recording   ")
        run("xdotool", "key", "a")
        if end is None:
            one.hang_up()
            one.end()
        else:
            one.process.send_signal(end)
            one.process.send_signal(end)  # a second one does not tear what the first began
            assert one.end() == 0
        (info,) = recordings(out).values()
        assert info.ended and info.faults == [] and info.outcome is None


def decoded(folder: Path) -> Iterator[np.ndarray[Any, Any]]:
    with av.open(str(folder / "screen.mkv")) as video:
        for frame in video.decode(video=0):
            yield frame.to_ndarray(format="rgb24")


def reduced(folder: Path, tmp_path: Path) -> tuple[Any, Any]:
    media = MediaStore(tmp_path / "media")
    return reduce_recording(open_recording(folder), media, ReduceOptions(), KeyframeOptions(pointer="none"))


def wait_for(condition: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)
    return found


def test_the_recorders_window_is_in_no_picture_and_no_action(display: str, tmp_path: Path, program: Start) -> None:
    """A magenta terminal runs the recorder over a green one in which the person works; the person looks at it once,
    comes back, and ends it there. Not one pixel is magenta, and the actions are those of the task."""
    program("xterm", "-geometry", "50x15+250+250", "-bg", "#00a000", "-title", "work", "-e", "cat")
    work = run("xdotool", "search", "--sync", "--onlyvisible", "--name", "^work$").split()[-1]
    log, out = tmp_path / "log", tmp_path / "out"
    command = " ".join([*RECORD, "--task", "Type", "--out", str(out), "--actor", "p1"])
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    look = ("-geometry", "90x20+20+20", "-bg", "#ff00ff", "-title", "own")
    program("xterm", *look, "-e", "script", "-qfc", command, str(log), env=environment, cwd=ROOT)
    own = run("xdotool", "search", "--sync", "--onlyvisible", "--name", "^own$").split()[-1]

    def says(words: str) -> None:
        wait_for(lambda: log.exists() and words in log.read_text(encoding="utf-8", errors="replace"))

    def front(window: str) -> None:
        run("xdotool", "windowmap", "--sync", window, "windowactivate", "--sync", window)

    front(own)
    says("Do you agree?")
    run("xdotool", "type", "yes\n")
    says("q quits: ")
    run("xdotool", "key", "Return")
    says("recording   ")
    assert "own" not in visible(), "the recorder's window has gone"
    front(work)
    run("xdotool", "mousemove", "400", "350", "click", "1", "type", "--delay", "30", "abc")
    time.sleep(1.6)
    run("xdotool", "mousemove", "300", "590", "sleep", "0.1", "keydown", "alt", "key", "Tab", "keyup", "alt")
    front(own)
    time.sleep(1.5)
    run("xdotool", "key", "q", "windowminimize", own)
    front(work)
    time.sleep(1.2)
    run("xdotool", "type", "--delay", "30", "de")
    time.sleep(1.6)
    run("xdotool", "keydown", "alt", "key", "Tab", "keyup", "alt")
    front(own)
    time.sleep(0.5)
    run("xdotool", "key", "ctrl+c")
    says("How did it end?")
    assert "own" in visible(), "and it is back"
    run("xdotool", "type", "--delay", "30", "done\n")
    says("Keep it?")
    run("xdotool", "key", "Return")
    says("Next: ")
    (folder,) = out.iterdir()
    info = read_info(folder)
    assert info.ended and info.faults == [], "Ctrl-C reaches the recorder's other processes too"
    for picture in decoded(folder):
        magenta = (picture[..., 0] > 150) & (picture[..., 2] > 150) & (picture[..., 1] < 90)
        assert not magenta.any()
    record, stretches = reduced(folder, tmp_path)
    actions = [action for step in record.steps for action in step.actions]
    assert [type(a) for a in actions] == [Click, Write, Write, Terminate]
    assert [a.text for a in actions if isinstance(a, Write)] == ["abc", "de"]
    assert "reduce.recorder_window" in {s.reason for s in stretches}
    green = [share_of_green(MediaStore(tmp_path / "media"), step.image) for step in record.steps]
    assert min(green) > 0.1, "every step's picture shows the work, nothing black over it"
    assert re.fullmatch(r"[0-9a-f]{16}", folder.name)


def visible() -> list[str]:
    names = []
    for window in run("xdotool", "search", "--onlyvisible", "--class", "xterm").split():
        names.append(run("xdotool", "getwindowname", window).strip())
    return ["own" if name == "own" or name.startswith(("recording: ", "curate record")) else name for name in names]


def share_of_green(media: MediaStore, image: str | None) -> float:
    from PIL import Image

    assert image is not None
    with media.open(image) as file, Image.open(file) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    return float(((pixels[..., 1] > 120) & (pixels[..., 0] < 60) & (pixels[..., 2] < 60)).mean())
