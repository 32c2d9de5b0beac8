"""What the person who records sees and says, as plain functions: shortcuts, pauses, task lists, consent, windows."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.errors import InputError, UsageError
from curate.model.trajectory import Screen
from curate.store.recording import Counts, KeyRow, MoveRow, PauseRow, RecordingInfo, ResumeRow, WindowRow, write_info
from recorders.control.chords import Chords, ChordWatch, Heard, read_chords
from recorders.control.pauses import Pauses
from recorders.control.room import COMFORTABLE, NEEDED, check_room
from recorders.control.status import Progress, clock, size, status_line
from recorders.control.switches import Switches
from recorders.errors import RecorderError
from recorders.lock import FolderLock
from recorders.own_window.choice import ancestors, choose_window
from recorders.privacy.gate import Gate
from recorders.terminal.consent import is_agreed, load_consent, remember
from recorders.terminal.summary import Taken, summary
from recorders.terminal.tasks import Task, interrupted_in, read_tasks, still_to_do
from recorders.terminal.terminal import NobodyThereError, Terminal

CODES = {"ctrl_l": 37, "alt_l": 64, "alt_r": 108, "shift": 50, "end": 115, "END": 115, "home": 110, "a": 38}


def keys(text: str, watch: ChordWatch) -> list[str]:
    """Feed `+key -key` to a watch; what was heard, as `stop` and `stop released`."""
    heard: list[Heard] = []
    for t, word in enumerate(text.split()):
        row = KeyRow(seq=0, t=t, key=word[1:], code=CODES[word[1:]], pressed=word[0] != "-", repeat=word[0] == "*")
        heard += watch.feed(row)
    return [f"{one.command}{' released' if one.released else ''}" for one in heard]


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("+ctrl_l +alt_r +end -alt_r -ctrl_l -END", ["stop", "stop released"]),
        ("+ctrl_l +end -end +alt_r +shift +end", ["discard"]),
        ("+ctrl_l +alt_l +end *end *end -end", ["stop"]),
        ("+ctrl_l +alt_l +home -home +home -home -ctrl_l -alt_l", ["pause", "pause", "pause released"]),
        ("+end +ctrl_l +alt_l -end -ctrl_l -alt_l", []),
        ("+ctrl_l +alt_l +a -a", []),
        ("+a +ctrl_l +alt_l +end -a -end -ctrl_l -alt_l", ["stop", "stop released"]),
    ],
)
def test_shortcuts_need_exactly_their_modifiers(text: str, heard: list[str]) -> None:
    watch = ChordWatch(Chords().while_recording())
    assert keys(text, watch) == heard
    assert watch.pressed == (bool(heard) and not heard[-1].endswith("released"))


def test_shortcuts_can_be_changed_and_are_checked() -> None:
    chords = read_chords(["stop=Ctrl + Shift + F9", "pause=super+pause"])
    assert (chords.stop, chords.pause, chords.start) == (("ctrl", "shift", "f9"), ("cmd", "pause"), ("cmd", "pause"))
    assert read_chords([]) == Chords()
    assert read_chords(["start=ctrl+f2"]).pause == Chords().pause
    wrong = {"stop": "names no shortcut", "halt=ctrl+f9": "names no shortcut", "stop=f9": "joined by",
             "stop=": "joined by",
             "stop=ctrl+alt": "there is no key", "stop=ctrl+é": "there is no key", "stop=shift+a": "joined by",
             "stop=ctrl+alt+home": "cannot both", "stop=ctrl+alt+f9": "another console",
             "pause=ctrl+alt+shift+F12": "another console", "stop=ctrl+alt+del": "system takes it",
             "stop=ctrl+alt+q": "types text", "stop=alt+7": "types text", "stop=alt+space": "types text",
             "stop=altgr+e": "joined by"}  # fmt: skip
    for word, why in wrong.items():
        with pytest.raises(UsageError, match=why):
            read_chords([word])
    for word in ("stop=ctrl+alt+f13", "stop=ctrl+q", "stop=cmd+f9"):
        assert read_chords([word]).stop[-1] == word.rpartition("+")[2]


def move(t: int, x: int = 0) -> MoveRow:
    return MoveRow(seq=0, t=t, x=x, y=0)


def test_a_pause_keeps_nothing_and_what_is_so_afterwards_is_told() -> None:
    pauses = Pauses()
    assert pauses.keeps(move(10))
    assert pauses.begin(20) == [PauseRow(seq=0, t=20)]
    assert pauses.begin(21) == [] and pauses.paused
    assert [pauses.keeps(move(t)) for t in (19, 20, 21, 30)] == [True, True, False, False], "rows may come late"
    window = WindowRow(seq=0, t=25, app="editor", title="t")
    assert not pauses.keeps(window)
    assert pauses.end(40) == [
        ResumeRow(seq=0, t=40), move(40), msgspec.structs.replace(window, t=40),
    ]  # fmt: skip
    assert pauses.end(41) == [] and not pauses.paused
    assert [pauses.keeps(move(t)) for t in (39, 40, 41)] == [False, True, True]


def test_switches_begin_with_the_press_and_end_with_the_release() -> None:
    rows: list[Any] = []
    suspended: list[bool] = []

    gate = Gate()
    switches = Switches(rows.append, gate)
    switches.add(lambda: suspended.append(True), lambda: suspended.append(False), private=True)
    times = [("pause", 10, False), ("pause", 12, True), ("pause", 30, False), ("pause", 33, True)]
    for command, t, released in times:
        switches.hear(Heard(command, t, released))  # type: ignore[arg-type]
        assert switches.paused == (t < 33)
    assert [(type(row).__name__, row.t) for row in rows] == [("PauseRow", 10), ("ResumeRow", 34)]
    switches.hear(Heard("private", 50, released=False))
    switches.hear(Heard("private", 52, released=True))
    assert switches.private and suspended == [True, False, True]
    assert [row.t for t in (50, 51, 60) for row in gate.passes(move(t)) if isinstance(row, MoveRow)] == [50]
    switches.hear(Heard("private", 70, released=False))
    switches.hear(Heard("private", 80, released=False))  # the first one's release was lost
    assert not switches.private
    assert [row.t for t in (79, 90) for row in gate.passes(move(t)) if isinstance(row, MoveRow)] == [90]


def test_task_lists_in_both_forms(tmp_path: Path) -> None:
    plain = tmp_path / "tasks.txt"
    plain.write_bytes("# for Monday\r\nRename the report\r\n\r\n  Schreibe „Grüße“  \n".encode())
    assert read_tasks(plain).tasks == [Task(instruction="Rename the report"), Task(instruction="Schreibe „Grüße“")]
    assert read_tasks(plain).comments == 1
    listed = tmp_path / "tasks.jsonl"
    lines = ['\ufeff{"id": "a", "instruction": "One"}', '{"id": 2, "instruction": "Two", "apps": ["x"]}', "", "{oops",
             '{"id": "c"}', '{"id": "a", "instruction": "again"}', "[1]", '{"id": true, "instruction": "x"}',
             '{"instruction": "No id"}', '{"id": "d", "instruction": "' + "x" * 20_000 + '"}']  # fmt: skip
    listed.write_text("\n".join(lines), encoding="utf-8")
    found = read_tasks(listed)
    assert found.tasks == [Task(id="a", instruction="One"), Task(id="2", instruction="Two"), Task(instruction="No id")]
    assert [int(line.split("line ")[1].split(":")[0]) for line in found.bad] == [4, 5, 6, 7, 8, 10]
    for name, content in {"empty": b"\n\n", "latin": "Grüße\n".encode("latin-1"), "bad.jsonl": b"[]\n"}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="holds no task"):
            read_tasks(tmp_path / name)
    with pytest.raises(InputError, match="cannot be read"):
        read_tasks(tmp_path / "missing.txt")


def a_recording(folder: Path, instruction: str, task: str | None = None, **more: Any) -> RecordingInfo:
    info = RecordingInfo(
        id=folder.name, recorder="x11@2", platform="linux", instruction=instruction, task=task,
        screen=Screen(width=10, height=10), ended=True,
    )  # fmt: skip
    info = msgspec.structs.replace(info, **more)
    folder.mkdir(parents=True)
    write_info(folder, info)
    return info


def test_tasks_that_are_recorded_are_passed_over(tmp_path: Path) -> None:
    a_recording(tmp_path / "1", "One (reworded since)", "a")
    a_recording(tmp_path / "2", "Same words")
    a_recording(tmp_path / "3", "Killed", "k", ended=False)
    a_recording(tmp_path / "4", "Mended", "m", recovered=True)
    a_recording(tmp_path / "6", "Broken", "f", faults=["The disk was full."])
    a_recording(tmp_path / "7", "Being made", "w", ended=False)
    lock = FolderLock(tmp_path / "7")
    (tmp_path / "5").mkdir()
    (tmp_path / "5" / "recording.json").write_text("{", encoding="utf-8")
    same = Task(instruction="Same words")
    tasks = [Task(id="a", instruction="One"), same, same, Task(id="k", instruction="Killed"),
             Task(id="m", instruction="Mended"), Task(id="z", instruction="Same words"),
             Task(id="f", instruction="Broken"), Task(id="w", instruction="Being made")]  # fmt: skip
    found = still_to_do(tasks, tmp_path)
    assert found.tasks == [same, *tasks[3:]]
    assert [(one.split()[2], one.split("recording ")[1]) for one in found.again] == [
        ("k,", "3 was interrupted."), ("m,", "4 was interrupted (recovered since)."),
        ("f,", "6 had a fault."), ("w,", "7 is being made."),
    ]  # fmt: skip
    assert [folder.name for folder in interrupted_in(tmp_path)] == ["3"]
    lock.release()
    assert [folder.name for folder in interrupted_in(tmp_path)] == ["3", "7"]
    assert still_to_do(tasks, tmp_path / "not there").tasks == tasks


def test_consent_is_remembered_for_its_version_and_text(tmp_path: Path) -> None:
    own = tmp_path / "consent.txt"
    own.write_text("Version: 7\nWe record you.\n", encoding="utf-8")
    first = load_consent(own)
    assert (first.version, first.text) == ("7", "We record you.\n")
    config = tmp_path / "config"
    assert not is_agreed(first, config)
    assert remember(first, config) and is_agreed(first, config)
    own.write_text("Version: 7\nWe record you and your cat.\n", encoding="utf-8")
    assert not is_agreed(load_consent(own), config), "another text under the same version"
    assert not is_agreed(load_consent(None), config)
    remember(load_consent(None), config)
    assert is_agreed(first, config) and is_agreed(load_consent(None), config)
    own.write_text("Without a version.\n", encoding="utf-8")
    assert len(load_consent(own).version) == 12
    (config / "consent.json").write_text("broken", encoding="utf-8")
    assert not is_agreed(first, config)
    for path, content in {
        tmp_path / "e": b"Version: 1\n\n",
        tmp_path / "l": b"\xff",
        tmp_path / "missing": b"",
    }.items():
        if content:
            path.write_bytes(content)
        with pytest.raises(InputError):
            load_consent(path)


@pytest.mark.parametrize(
    ("named", "owners", "active", "multiplexed", "chosen"),
    [
        (7, {7: 50, 8: 99}, 8, False, 7),  # xterm: WINDOWID, and the process is an ancestor
        (7, {7: None, 8: 99}, 8, False, 7),  # a terminal that does not say whose it is
        (7, {7: 99, 8: 50}, 8, False, 8),  # WINDOWID of a terminal that this one was started from
        (None, {7: 99, 8: 50}, 7, False, 8),
        (None, {7: 50, 8: 50}, 8, False, 8),  # one process with many windows: the one in front
        (None, {7: 50, 8: 50}, 9, False, None),
        (None, {7: 99}, 7, False, None),  # ssh: no window here is ours
        (7, {}, None, False, None),
        (7, {7: 99}, 7, True, 7),  # tmux: its server is no child of the terminal; the window in front is meant
        (7, {7: 99, 8: 98}, 8, True, None),  # tmux attached from another terminal than the one it began in
    ],
)
def test_which_window_the_terminals_is(
    named: int | None, owners: dict[int, int | None], active: int | None, multiplexed: bool, chosen: int | None
) -> None:
    assert choose_window(named, owners, [60, 50, 40], active, multiplexed) == chosen


def test_ancestors_end_at_the_system_and_never_loop() -> None:
    assert ancestors(9, {9: 8, 8: 1}.get) == [9, 8]
    assert ancestors(9, {9: 8, 8: 9}.get) == [9, 8]
    assert ancestors(9, {}.get) == [9]


def test_room_is_looked_at_before_anything_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    def free(count: int) -> None:
        usage = shutil.disk_usage(tmp_path)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=count))

    free(COMFORTABLE)
    assert check_room(tmp_path) is None
    free(COMFORTABLE - 1)
    assert "little room" in (check_room(tmp_path) or "")
    free(NEEDED - 1)
    with pytest.raises(RecorderError, match="is full"):
        check_room(tmp_path)


@given(st.floats(0, 10**6), st.integers(0, 10**12))
def test_lengths_and_sizes_read_well(seconds: float, count: int) -> None:
    *_, minutes, rest = clock(seconds).split(":")
    assert len(rest) == 2 and int(rest) == int(seconds) % 60 and int(minutes) == int(seconds) // 60 % 60
    number, unit = size(count).split()
    assert float(number) * {"kB": 1e3, "MB": 1e6, "GB": 1e9}[unit] == pytest.approx(count, rel=0.06, abs=501)


def test_the_status_line_says_when_nothing_is_recorded() -> None:
    status = Progress(seconds=83, events=1204, frames=99, rate=12.3, size=3_400_000)
    assert status_line(status).split("  ")[0].strip() == "recording"
    assert "1:23" in status_line(status) and "1,204 events" in status_line(status) and "3.4 MB" in status_line(status)
    assert status_line(msgspec.structs.replace(status, private=True)).startswith("NOT RECORDING")
    assert status_line(msgspec.structs.replace(status, private=True, paused=True)).startswith("PAUSED")


def test_the_summary_says_first_whether_everything_arrived(tmp_path: Path) -> None:
    info = a_recording(tmp_path / "r", "x", counts=Counts(events=1200, frames=300, late_frames=2), notes=["Busy."])
    lines = summary(Taken(folder=tmp_path / "r", info=info, seconds=61, size=5_000_000))
    assert lines[0] == "Everything arrived: 1,200 events and 300 pictures."
    assert "1:01" in lines[1] and "5.0 MB" in lines[1] and "2 pictures later" in lines[1]
    assert any("Busy." in line for line in lines) and str(tmp_path / "r") in lines[-1]
    info.faults = ["7 events were taken and 5 written."]
    lines = summary(Taken(folder=tmp_path / "r", info=info, seconds=61, size=1))
    assert lines[0].startswith("Something went wrong") and "7 events" in lines[1]


class Screenlike(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_questions_take_first_letters_and_never_guess() -> None:
    def terminal(typed: str) -> Terminal:
        return Terminal(Screenlike(typed), Screenlike())

    answers = {"done": "success", "failed": "failure", "impossible": "impossible"}
    assert terminal("d\n").choose("?", answers, enter="none") == "success"
    assert terminal("what\n IMP \n").choose("?", answers, enter="none") == "impossible"
    assert terminal("\n").choose("?", answers, enter="none") == "none"
    with pytest.raises(NobodyThereError):
        terminal("what\n").choose("?", answers, enter="none")
    quiet = Terminal(io.StringIO("x\n"), io.StringIO())
    assert not quiet.interactive and not quiet.visible


def test_the_status_line_is_rewritten_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    screen = Screenlike()
    terminal = Terminal(Screenlike(), screen)
    terminal.status("a long line " * 9)
    terminal.status("short")
    terminal.say("done")
    shown = ""
    for piece in screen.getvalue().split("\n")[0].split("\r"):
        shown = piece + shown[len(piece) :]
    assert shown.rstrip() == "done"
    assert max(map(len, screen.getvalue().replace("\n", "\r").split("\r"))) < 40, "it never wraps"


def test_a_terminal_that_is_gone_or_cannot_show_a_sign_stops_nothing() -> None:
    class Gone(Screenlike):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    terminal = Terminal(Screenlike(), Gone())
    terminal.say("x")
    terminal.status("y")
    assert not terminal.interactive
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Terminal(None, ascii_only).say("Grüße")
    assert b"Gr??e" in ascii_only.buffer.getvalue()  # type: ignore[attr-defined]
