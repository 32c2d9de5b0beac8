"""The recorder on a real X server, with real programs and injected input."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from curate.model.events import RawEvent, RawRecording
from curate.sources.recording import open_recording
from curate.store.recording import Outcome, read_info
from recorders import Options, RecorderError, Session
from tests.recorders.conftest import recorder_process, run, x_server

pytestmark = pytest.mark.timeout(120)
Start = Callable[..., subprocess.Popen[bytes]]


@contextlib.contextmanager
def recorded(out: Path) -> Iterator[dict[str, Any]]:
    """Records what happens in the block; `recording` and `events` of the result are there afterwards."""
    session = Session(out, "try it", Options(name="r", accessibility=False))
    result: dict[str, Any] = {}
    session.start()
    try:
        yield result
    finally:
        info = session.stop("asked", Outcome(status="success"))
    result["info"], result["recording"] = info, open_recording(session.folder)
    result["events"] = list(result["recording"].events())
    assert info.faults == []
    assert result["recording"].unreadable == []


def typed(events: list[RawEvent]) -> str:
    return "".join(e.text for e in events if e.text)


def injector() -> Any:
    import xcffib
    import xcffib.xproto
    import xcffib.xtest as xtest

    connection = xcffib.Connection()
    root = connection.get_setup().roots[0].root
    fake = connection(xtest.key)

    def inject(kind: int, detail: int, x: int = 0, y: int = 0) -> int:
        fake.FakeInput(kind, detail, 0, root, x, y, 0)
        connection.flush()
        return time.monotonic_ns()

    return inject


def frames_of(recording: RawRecording) -> list[np.ndarray[Any, Any]]:
    assert recording.video is not None
    with av.open(str(recording.video)) as video:
        return [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]


def test_nothing_is_lost_and_times_are_the_servers(display: str, tmp_path: Path) -> None:
    inject, sent = injector(), []
    with recorded(tmp_path) as result:
        for i in range(1500):
            if i % 10 == 7:
                sent += [("button", inject(4, 1 + i % 3)), ("button", inject(5, 1 + i % 3))]
            elif i % 10 == 3:
                sent.append(("scroll", inject(4, 4 + i % 4)))
                inject(5, 4 + i % 4)
            else:
                sent.append(("move", inject(6, 0, 100 + i % 500, 50 + i % 400)))
            time.sleep(0.001)
    begun = result["events"][0].time
    got = [e for e in result["events"] if e.kind in ("move", "button", "scroll")][1:]  # the first is where it was
    assert [e.kind for e in got] == [kind for kind, _ in sent]
    moves = [(e.x, e.y) for e in got if e.kind == "move"]
    assert moves == [(100 + i % 500, 50 + i % 400) for i in range(1500) if i % 10 not in (7, 3)]
    zero = _first_t(result["recording"].folder)
    late = [abs(e.time * 1e9 + zero - t) / 1e6 for e, (_, t) in zip(got, sent, strict=True)]
    assert begun == 0.0
    assert float(np.percentile(late, 95)) < 20, "milliseconds between injection and recorded time"


def _first_t(folder: Path) -> int:
    import msgspec

    with (folder / "events.jsonl").open("rb") as file:
        return int(msgspec.json.decode(file.readline())["t"])


def test_buttons_wheel_and_their_directions(display: str, tmp_path: Path) -> None:
    inject = injector()
    with recorded(tmp_path) as result:
        inject(6, 0, 300, 200)
        for button in (1, 2, 3, 8, 9, 4, 5, 6, 7):
            inject(4, button)
            inject(5, button)
    events = result["events"]
    assert [e.button for e in events if e.kind == "button" and e.pressed] == ["left", "middle", "right", "x1", "x2"]
    assert [(e.dx, e.dy) for e in events if e.kind == "scroll"] == [(0, 1), (0, -1), (-1, 0), (1, 0)]
    assert {(e.x, e.y) for e in events if e.kind in ("button", "scroll")} == {(300, 200)}


def test_text_under_caps_shift_altgr_other_layouts_and_unicode(display: str, tmp_path: Path) -> None:
    """xdotool types what the layout lacks by changing the keymap between keys; setxkbmap changes all of it."""
    with recorded(tmp_path) as result:
        run("xdotool", "type", "--delay", "8", "Hello, World! <a@b.c> ñé日€ end")
        run("xdotool", "key", "Caps_Lock", "a", "shift+b", "1", "Caps_Lock", "space")
        run("setxkbmap", "de")
        run("xdotool", "key", "z", "y", "adiaeresis", "ssharp", "at", "EuroSign", "question")
        run("setxkbmap", "us")
        run("xdotool", "key", "z", "y", "KP_1", "Return")
    assert typed(result["events"]) == "Hello, World! <a@b.c> ñé日€ endAb1 zyäß@€?zy1"


def test_text_is_what_a_program_gets(display: str, tmp_path: Path, program: Start) -> None:
    """A terminal writes what it was given to a file; the recorded keys must say the same."""
    given = focused_terminal(tmp_path, program, "cat >")
    inject = injector()
    with recorded(tmp_path) as result:
        for code in (66, 38, 66, 50, 38, 39, 10, 65, 24, 61, 20, 51, 36):  # caps a caps, shift held over some, enter
            inject(2, code)
            if code != 50:
                inject(3, code)
            time.sleep(0.01)
        inject(3, 50)
        time.sleep(0.5)
    assert typed(result["events"]) == given.read_text(encoding="utf-8").rstrip("\n") == "AAS! Q?_|"


def focused_terminal(folder: Path, program: Start, command: str) -> Path:
    """A terminal that has the keyboard and writes all it is given to the file returned."""
    given, ready = folder / "given", folder / "ready"
    program("xterm", "-e", "sh", "-c", f"touch {ready}; {command} {given}")
    end = time.monotonic() + 20
    while not ready.exists() and time.monotonic() < end:
        time.sleep(0.05)
    run("xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm", "windowactivate", "--sync")
    time.sleep(0.3)
    return given


def test_keys_that_type_nothing_dead_keys_and_repeats(display: str, tmp_path: Path) -> None:
    with recorded(tmp_path) as result:
        run("xdotool", "key", "ctrl+c", "alt+Tab", "super+r", "ctrl+shift+t", "shift+Tab")
        run("setxkbmap", "us", "-variant", "intl")
        run("xdotool", "key", "dead_acute", "e")
        run("setxkbmap", "us")
        run("xdotool", "keydown", "k", "sleep", "0.9", "keyup", "k")
    keys = [e for e in result["events"] if e.kind == "key"]
    pressed = [e for e in keys if e.pressed and not e.repeat]
    assert [e.key for e in pressed if e.key in ("c", "r", "t", "tab", "end")] == ["c", "tab", "r", "t", "tab"]
    assert typed([e for e in keys if e.key in ("c", "r", "t", "tab", "ctrl_l", "alt_l")]) == ""
    dead = next(e for e in pressed if e.dead)
    assert (dead.key, dead.text) == ("dead_acute", "")
    assert pressed[pressed.index(dead) + 1].text == "e"
    held = [e for e in keys if e.key == "k"]
    assert [e.pressed for e in held].count(False) == 1
    assert held[0].repeat is False
    assert all(e.repeat for e in held[1:-1]), "presses the keyboard made are marked"
    assert len(held) > 5


def test_frames_have_their_own_times_and_no_pointer(display: str, tmp_path: Path) -> None:
    """The screen turns red at a known moment while the pointer wanders over it."""
    inject, changes = injector(), {}
    with recorded(tmp_path) as result:
        for colour in ("#c00000", "#00c000", "#0000c0"):
            changes[colour] = time.monotonic_ns()
            run("xsetroot", "-solid", colour)
            for i in range(20):
                inject(6, 0, 50 + 30 * i, 60 + 20 * i)
                time.sleep(0.01)
        time.sleep(0.3)
    recording = result["recording"]
    pictures, times = frames_of(recording), recording.frame_times
    assert len(pictures) == len(times) == result["info"].counts.frames
    zero = _first_t(recording.folder)
    for colour, since in changes.items():
        wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
        shown = [i for i, p in enumerate(pictures) if np.abs(p[300, 400].astype(int) - wanted).max() <= 4]
        assert shown, f"{colour} was never recorded"
        delay = (times[shown[0]] * 1e9 + zero - since) / 1e9
        assert 0 <= delay < 0.5, f"{colour} was in the video {delay:.3f} s after it was asked for"
        assert all(int(np.ptp(pictures[i][50:550, 50:750], axis=(0, 1)).max()) <= 4 for i in shown), "a pointer shows"
    assert recording.pointer_in_video is False


def test_moving_pictures_reach_twenty_a_second(display: str, tmp_path: Path, program: Start) -> None:
    program("xterm", "-e", "sh", "-c", "while :; do date +%N; done")
    run("xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm")
    with recorded(tmp_path) as result:
        time.sleep(3)
    times = np.array(result["recording"].frame_times)
    middle = times[(times > times[0] + 0.5) & (times < times[0] + 2.5)]
    assert len(middle) / 2 >= 15, "a busy machine may lack a few of twenty"


def test_pointer_shape_window_and_names(display: str, tmp_path: Path, program: Start) -> None:
    host = socket.gethostname()
    program("xterm", "-geometry", "60x20+100+100", "-title", f"work on {host}", "-xrm", "XTerm*allowTitleOps: true")
    window = run("xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm").split()[-1]
    run("xdotool", "mousemove", "700", "550")
    with recorded(tmp_path) as result:
        run("xdotool", "windowactivate", "--sync", window)
        run("xdotool", "mousemove", "200", "200")
        time.sleep(0.3)
        run("xdotool", "set_window", "--name", "second title", window)
        time.sleep(0.3)
    recording = result["recording"]
    assert recording.windows[-1].app in ("xterm", "uxterm")
    assert [w.title for w in recording.windows][-2:] == ["work on [name]", "second title"]
    assert len({s.image for s in recording.shapes}) >= 2
    for shape in recording.shapes:
        from PIL import Image

        with Image.open(shape.image) as picture:
            assert picture.mode == "RGBA"
            assert 0 <= shape.hot_x < picture.width
            assert 0 <= shape.hot_y < picture.height
    everything = b"".join(p.read_bytes() for p in recording.folder.glob("*.json*"))
    assert host.encode() not in everything


def test_stop_chord_ends_it_and_reaches_no_program(display: str, tmp_path: Path, program: Start) -> None:
    given = focused_terminal(tmp_path, program, "stty raw -echo; cat >")
    process = recorder_process(tmp_path, "r")
    run("xdotool", "key", "x", "ctrl+alt+End")
    assert process.wait(20) == 0
    info = read_info(tmp_path / "r")
    assert info.ended
    assert info.stop_chord == ["ctrl", "alt", "end"]
    recording = open_recording(tmp_path / "r")
    events = list(recording.events())
    assert events[-1].kind == "end"
    assert events[-1].detail == "stop_chord"
    assert not {e.code for e in events if e.pressed} - {e.code for e in events if e.pressed is False}, "all released"
    assert given.read_bytes() == b"x"


def test_killed_in_the_middle_leaves_a_readable_recording(display: str, tmp_path: Path, program: Start) -> None:
    program("xterm", "-e", "sh", "-c", "while :; do date +%N; sleep 0.05; done")
    run("xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm")
    process = recorder_process(tmp_path, "r")
    inject, last = injector(), 0
    end = time.monotonic() + 2.5
    i = 0
    while time.monotonic() < end:
        i += 1
        last = inject(6, 0, 100 + i % 500, 80 + i % 300)
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    assert not read_info(tmp_path / "r").ended, "nothing is claimed to be complete"
    recording = open_recording(tmp_path / "r")
    events = list(recording.events())
    zero = _first_t(recording.folder)
    lost = (last - (events[-1].time * 1e9 + zero)) / 1e9
    assert lost < 0.5, f"{lost:.2f} s of events lost"
    pictures = frames_of(recording)
    assert recording.frame_times is not None
    assert abs(len(pictures) - len(recording.frame_times)) <= 8
    seen = recording.frame_times[min(len(pictures), len(recording.frame_times)) - 1]
    assert events[-1].time - seen < 1.0, "the video was cut more than a second before the end"


def test_full_disk_is_said_and_what_was_written_stays(display: str, tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: writing fails in the middle of the recording."""
    import resource

    process = recorder_process(tmp_path, "r")
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (60_000, 60_000))
    inject = injector()
    end = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < end:
        for i in range(200):
            inject(6, 0, i, i)
        time.sleep(0.02)
    assert process.wait(10) == 1
    assert process.stderr is not None
    said = process.stderr.read()
    assert "Cannot write" in said
    assert "Traceback" not in said
    recording = open_recording(tmp_path / "r")
    assert len(list(recording.events())) > 500


def resize_screen(width: int, height: int) -> None:
    """What a change of the display's resolution does, without a monitor whose modes would limit it."""
    import xcffib
    import xcffib.randr as randr
    import xcffib.xproto

    connection = xcffib.Connection()
    root, extension = connection.get_setup().roots[0].root, connection(randr.key)
    resources = extension.GetScreenResources(root).reply()
    for crtc in resources.crtcs:
        extension.SetCrtcConfig(crtc, 0, resources.config_timestamp, 0, 0, 0, randr.Rotation.Rotate_0, 0, []).reply()
    extension.SetScreenSizeChecked(root, width, height, 200, 150).check()
    connection.disconnect()


def test_a_screen_that_shrinks_is_told_and_the_video_goes_on(tmp_path: Path) -> None:
    with x_server(tmp_path):
        with recorded(tmp_path) as result:
            for width, height in ((640, 480), (800, 600)):
                resize_screen(width, height)
                time.sleep(1.3)
        screens = [e.screen for e in result["events"] if e.kind == "screen"]
        assert [(s.width, s.height) for s in screens if s][-2:] == [(640, 480), (800, 600)]
        assert {p.shape for p in frames_of(result["recording"])} == {(600, 800, 3)}


def test_by_seconds_into_any_folder_and_never_over_another(display: str, tmp_path: Path) -> None:
    out = tmp_path / "Aufnahmen für später" / "日本"
    process = recorder_process(out, "r", "--seconds", "0.5")
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert printed.strip() == str(out / "r")
    assert list(open_recording(out / "r").events())[-1].detail == "seconds"
    before = (out / "r" / "events.jsonl").read_bytes()
    session = Session(out, "again", Options(name="r"))
    with pytest.raises(RecorderError, match="never writes over"):
        session.start()
    assert (out / "r" / "events.jsonl").read_bytes() == before


def test_two_recorders_at_once_see_the_same(display: str, tmp_path: Path) -> None:
    inject = injector()
    with recorded(tmp_path / "a") as first, recorded(tmp_path / "b") as second:
        for i in range(50):
            inject(6, 0, 200 + i, 100)
        time.sleep(0.1)
    places = [[(e.x, e.y) for e in r["events"] if e.kind == "move"][1:] for r in (first, second)]
    assert places[0] == places[1] == [(200 + i, 100) for i in range(50)]


def test_the_server_going_away_ends_the_recording_with_what_there_is(tmp_path: Path) -> None:
    with x_server(tmp_path) as _:
        process = recorder_process(tmp_path, "r")
        inject = injector()
        for i in range(100):
            inject(6, 0, i, i)
        time.sleep(0.3)
    assert process.wait(40) == 1
    assert process.stderr is not None
    said = process.stderr.read()
    assert "X server" in said
    assert "Traceback" not in said
    assert sum(e.kind == "move" for e in open_recording(tmp_path / "r").events()) >= 100


def test_without_a_display_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", "")
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(RecorderError, match="Wayland"):
        Session(tmp_path / "x", "t")
    monkeypatch.delenv("WAYLAND_DISPLAY")
    with pytest.raises(RecorderError, match="DISPLAY is not set"):
        Session(tmp_path / "x", "t")
    assert not (tmp_path / "x").exists()
