"""Six of the scripted sessions on real programs (all of them: tools/soak_replay.py): what our recorder recorded and the
reducer made of it, replayed after a reset, ends in the same state, and is what the script did."""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.trajectory import Trajectory, encode
from tests.replay.conform import open_stage, run_session
from tests.replay.desk import missing, wait_for
from tests.replay.dump_tools import ROOT, Hand
from tests.replay.machine import record
from tests.replay.sessions.table import QUICK
from tests.replay.stage import Mousepad, Session, Stage, Tk

pytestmark = [pytest.mark.timeout(400), pytest.mark.xdist_group("replay")]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    if lacking := missing():
        pytest.skip(f"replay was not tested on a display: {', '.join(lacking)} not installed")
    with open_stage() as opened:
        yield opened


@pytest.mark.parametrize("session", QUICK, ids=lambda session: session.name)
def test_a_replay_ends_as_the_recording_did(session: Session, stage: Stage, tmp_path: Path) -> None:
    """At half again the recorded pace where nothing loads; at the recorded pace in tools/soak_replay.py."""
    assert run_session(session, stage, tmp_path, seed=1, speed=1.5).wrong == []


def test_the_persons_escape_stops_it_and_nothing_stays_down(stage: Stage, tmp_path: Path) -> None:
    """In the middle of a text under held keys; the replay's own Escapes before that have stopped nothing."""
    form = Tk(stage)
    form.reset()
    pad, hand = form.box("pad"), Hand(1)
    x, y = (pad.x + pad.width / 2) / 1280, (pad.y + pad.height / 2) / 720
    long = record(
        [act.Click(x, y)], [act.Press("esc", 2)], [act.KeyDown("shift"), act.Write("x" * 5000), act.KeyUp("shift")],
        size=(1280, 720),
    )  # fmt: skip
    (tmp_path / "long.jsonl").write_bytes(encode(long) + b"\n")
    command = [sys.executable, "-m", "curate", "replay", str(tmp_path / "long.jsonl"), "--yes", "--countdown", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for("text in the form", lambda: len(form.state().get("keys", [])) > 8)
        hand.press("esc")
        assert process.wait(30) == 130
        assert process.stderr is not None
        assert "Stopped by Escape: 2 of 3" in process.stderr.read()
        count = len(form.state()["keys"])
        hand.press("a")
        wait_for("the last key", lambda: len(form.state()["keys"]) > count or form.state()["keys"][-1][0] == "a")
        keys = [key for key, *_ in form.state()["keys"]]
        assert keys[:3] == ["Escape", "Escape", "X"]
        assert form.state()["keys"][-1] == ["a", "a"], "shift is up"
    finally:
        process.kill()
        process.communicate()
        form.close()


@pytest.mark.skipif(not shutil.which("xclip"), reason="xclip is not installed")
def test_more_characters_than_free_keys_go_through_the_clipboard(stage: Stage, tmp_path: Path) -> None:
    form = Tk(stage)
    form.reset()
    notes = form.box("notes")
    text = "a" + "".join(chr(0x4E00 + i) for i in range(200)) + "z"
    typed = record([act.Click((notes.x + 60) / 1280, (notes.y + 30) / 720)], [act.Write(text)], size=(1280, 720))
    (tmp_path / "typed.jsonl").write_bytes(encode(typed) + b"\n")
    clipboard = ["xclip", "-selection", "clipboard"]
    subprocess.run([*clipboard, "-i"], input=b"mine", check=True, timeout=30)
    try:
        subprocess.run(
            [sys.executable, "-m", "curate", "replay", str(tmp_path / "typed.jsonl"), "--yes", "--countdown", "0"],
            cwd=ROOT, check=True, capture_output=True, timeout=200,
        )  # fmt: skip
        wait_for("the text", lambda: form.state()["notes"] == text, 20)
        held = subprocess.run([*clipboard, "-o"], capture_output=True, check=True, timeout=30)
        assert held.stdout == b"mine"
    finally:
        form.close()


def test_characters_lent_a_key_are_gone_afterwards(stage: Stage) -> None:
    from recorders.replay.x11_keyboard import X11Keyboard

    class Gui:
        class platformModule:  # noqa: N801
            keyboardMapping: dict[str, int | None] = {}  # noqa: N815

    before = stage.desk.run("xmodmap", "-pke")
    keyboard = X11Keyboard(Gui)
    assert keyboard.character("日") is None
    assert keyboard.lend("日x語日") == {"日", "語"}
    assert keyboard.character("日") != keyboard.character("語")
    assert "U65E5" in stage.desk.run("xmodmap", "-pke")
    keyboard.give_back()
    assert stage.desk.run("xmodmap", "-pke") == before


_ESCAPE_WHILE_IT_PREPARES = """
import subprocess, sys
from pathlib import Path
from curate.engine.pick import pick_record
import importlib; performing = importlib.import_module("recorders.replay.perform")
opened = performing.open_machine
def and_the_person_presses_escape():
    subprocess.run(["xdotool", "key", "Escape"], check=True)
    return opened()
performing.open_machine = and_the_person_presses_escape
done = performing.perform(pick_record(Path(sys.argv[1]), None), performing.Options(countdown=2))
assert (done.ended, done.steps) == ("escape", 0), done
"""


def test_escape_before_it_begins_stops_it_too(stage: Stage, tmp_path: Path) -> None:
    """Pressed on a real keyboard's way while the replay still opens what it acts with."""
    (tmp_path / "one.jsonl").write_bytes(encode(record([act.Press("f7")], size=(1280, 720))) + b"\n")
    command = [sys.executable, "-c", _ESCAPE_WHILE_IT_PREPARES, str(tmp_path / "one.jsonl")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


_KILLED = """
import os, signal
from recorders.replay.x11_keyboard import X11Keyboard
class Gui:
    class platformModule:
        keyboardMapping = {}
keyboard = X11Keyboard(Gui)
assert keyboard.lend("日x語") == {"日", "語"}
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_replay_lent_is_given_back_by_the_next_one_and_by_the_doctor(stage: Stage) -> None:
    from recorders.checks.desktop import keyboard as doctors
    from recorders.replay.x11_keyboard import X11Keyboard

    class Gui:
        class platformModule:  # noqa: N801
            keyboardMapping: dict[str, int | None] = {}  # noqa: N815

    before = stage.desk.run("xmodmap", "-pke")
    for give_back in (lambda: X11Keyboard(Gui), doctors):
        assert subprocess.run([sys.executable, "-c", _KILLED]).returncode == -signal.SIGKILL
        assert "U65E5" in stage.desk.run("xmodmap", "-pke")
        give_back()
        assert stage.desk.run("xmodmap", "-pke") == before
    assert "lent" not in (doctors().said or "")
    lender = X11Keyboard(Gui)
    lender.lend("日")
    X11Keyboard(Gui), doctors()  # while the one that lent it is there it stays
    assert "U65E5" in stage.desk.run("xmodmap", "-pke")
    lender.give_back()
    assert stage.desk.run("xmodmap", "-pke") == before


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (("us",), "<>|~^`@{}[]\\\"'#$%&*()_+-=/?:;,. aZ09"),
        (("de",), "<>|~{}[]\\@€äÖß?/=:;'\"#*+"),
        (("es",), "¿¡ñÑ@#[]{}|<>"),
    ],
    ids=["us", "de", "es"],
)
def test_every_character_of_a_layout_has_the_key_that_types_it(
    stage: Stage, layout: tuple[str, ...], text: str
) -> None:
    """By the server's own word: the keysym at the key's level."""
    import xcffib
    import xcffib.xproto

    from recorders.events.keysyms import text_of
    from recorders.replay.x11_keyboard import X11Keyboard

    class Gui:
        class platformModule:  # noqa: N801
            keyboardMapping: dict[str, int | None] = {}  # noqa: N815

    stage.desk.layout(*layout)
    try:
        keyboard = X11Keyboard(Gui)
        server = xcffib.Connection()
        columns = {(): 0, ("shift",): 1, ("altright",): 4, ("altright", "shift"): 5}
        for character in text:
            stroke = keyboard.character(character)
            assert stroke is not None, character
            code = Gui.platformModule.keyboardMapping[stroke.key]
            symbols = server.core.GetKeyboardMapping(code, 1).reply().keysyms
            assert text_of(symbols[columns[stroke.held]]) == character
        server.disconnect()
    finally:
        stage.desk.layout()


def test_an_interrupt_ends_it_too(stage: Stage, tmp_path: Path) -> None:
    wait = record([act.KeyDown("shift"), act.Wait(600.0), act.KeyUp("shift")], size=(1280, 720))
    (tmp_path / "wait.jsonl").write_bytes(encode(wait) + b"\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "curate", "replay", str(tmp_path / "wait.jsonl"), "--yes", "--countdown", "0"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    timer = threading.Timer(60, process.kill)
    timer.start()
    try:
        wait_for("shift to be down", lambda: shift_is_down() or process.poll() is not None)
        process.terminate()
        _, said = process.communicate(timeout=60)
    finally:
        timer.cancel()
        process.kill()
    assert process.returncode == 130, said
    end = time.monotonic() + 10
    while shift_is_down() and time.monotonic() < end:
        time.sleep(0.05)
    assert not shift_is_down()


def in_a_terminal(stage: Stage, folder: Path, steps: Trajectory, *options: str) -> tuple[int, str, str]:
    """`curate replay` in an xterm: its exit code, what a shell would then have read from the terminal, and what it said
    there."""
    (folder / "steps.jsonl").write_bytes(encode(steps) + b"\n")
    script = folder / "run.sh"
    script.write_text(
        f"""cd {shlex.quote(str(ROOT))}
{shlex.quote(sys.executable)} -m curate replay {folder}/steps.jsonl --yes --countdown 0 {" ".join(options)} \
    > {folder}/said 2>&1
code=$?
cat {folder}/said
read -r -t 2 typed
printf '%s' "$typed" > {folder}/typed
echo $code > {folder}/code
sleep 60
""",
        encoding="utf-8",
    )
    terminal = stage.desk.start(["xterm", "-geometry", "60x10+0+400", "-e", "sh", str(script)])
    try:
        code = wait_for("the end of the replay", lambda: (folder / "code").exists() and (folder / "code").read_text())
        assert stage.desk.window("xterm")[1].width > 100, "the terminal is back"
    finally:
        stage.desk.end(terminal)
    return int(code), (folder / "typed").read_text(), (folder / "said").read_text()


def in_app(app: str | None, *actions: list[Action]) -> Trajectory:
    steps = record(*actions, size=(1280, 720))
    for step in steps.steps:
        step.app = app
    return steps


LINE = "echo typed\n"


def test_nothing_is_typed_into_the_terminal_that_runs_it(stage: Stage, tmp_path: Path) -> None:
    """Where the record names no program, its terminal being the only window there is."""
    code, typed, said = in_a_terminal(stage, tmp_path, in_app(None, [act.Write(LINE)]))
    assert (code, typed) == (0, ""), said
    assert "Xlib.xauth" not in said


def test_without_its_program_nothing_is_typed_anywhere(stage: Stage, tmp_path: Path) -> None:
    form = Tk(stage)
    form.reset()
    try:
        steps = in_app("Mousepad", [act.Wait(0.1)], [act.Write(LINE)])
        code, typed, said = in_a_terminal(stage, tmp_path, steps)
        assert (code, typed, form.state()["keys"]) == (1, "", []), said
        assert "Step 1 was recorded in 'Mousepad', and 'form' is in front" in said
        assert len([line for line in said.splitlines() if line.startswith("Error:")]) == 1
    finally:
        form.close()


def test_its_program_is_brought_forward_from_behind_another(stage: Stage, tmp_path: Path) -> None:
    pad, form = Mousepad(stage), Tk(stage)
    pad.reset()
    form.reset()
    try:
        steps = in_app("Mousepad", [act.Hotkey(("ctrl", "end"))], [act.Write("more")], [act.Hotkey(("ctrl", "s"))])
        code, typed, said = in_a_terminal(stage, tmp_path, steps)
        assert (code, typed) == (0, ""), said
        wait_for("the text in the editor", lambda: pad.state() == pad.TEXT + "more", 10)
        assert form.state()["keys"] == []
    finally:
        form.close()
        pad.close()


def shift_is_down() -> bool:
    import xcffib
    import xcffib.xproto

    server = xcffib.Connection()
    state = server.core.QueryPointer(server.get_setup().roots[0].root).reply().mask
    server.disconnect()
    return bool(state & 1)
