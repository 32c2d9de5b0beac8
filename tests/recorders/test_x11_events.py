"""Input on a real X server: layouts, groups, locks, grabs, floods, devices, and exactly what lies between start and
stop. The event source alone, without a screen recording."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from curate.store.recording import ButtonRow, KeyRow, MoveRow, ScrollRow
from recorders.events.x11_events import X11Events
from recorders.rows import Row
from tests.recorders.conftest import run, x_server

pytestmark = [pytest.mark.timeout(120), pytest.mark.xdist_group("x11_events")]

PRESS, RELEASE, BUTTON, BUTTON_UP, MOTION = 2, 3, 4, 5, 6
A, B, C, Z, Q, SHIFT, ALT, CTRL, CAPS, NUM, KEYPAD_1, SPACE = 38, 56, 54, 52, 24, 50, 64, 37, 66, 77, 87, 65
CURRENT = 0x100  # XkbUseCoreKbd


@contextlib.contextmanager
def listening() -> Iterator[list[Row]]:
    """The rows of what happens in the block; they are all there when it ends."""
    source, rows = X11Events(), []
    source.start(rows.append)
    try:
        yield rows
    finally:
        source.stop()
    assert source.fault is None


class Hand:
    """Injects, through XTEST or, with `device`, as if that device had been used (which a server without any hardware
    allows)."""

    def __init__(self) -> None:
        import xcffib
        import xcffib.xinput as xinput
        import xcffib.xkb as xkb
        import xcffib.xproto
        import xcffib.xtest as xtest

        self.connection = xcffib.Connection()
        self.root = self.connection.get_setup().roots[0].root
        self.fake = self.connection(xtest.key)
        self.xkb = self.connection(xkb.key)
        self.xkb.UseExtension(1, 0).reply()
        query = self.connection.core.QueryExtension(15, "XInputExtension").reply()
        self.first_device_event = query.first_event
        devices = self.connection(xinput.key)
        devices.XIQueryVersion(2, 2).reply()
        names = {info.name.to_string(): info.deviceid for info in devices.XIQueryDevice(0).reply().infos}
        self.keyboard = names["Xvfb keyboard"]

    def event(self, kind: int, detail: int, x: int = 0, y: int = 0, device: int = 0) -> None:
        if device:
            self.fake.FakeInput(self.first_device_event + kind - 1, detail, 0, 0, 0, 0, device)
        else:
            self.fake.FakeInput(kind, detail, 0, self.root, x, y, 0)

    def tap(self, *codes: int, device: int = 0) -> None:
        """Press keys in this order, release them in the other."""
        for code in codes:
            self.event(PRESS, code, device=device)
        for code in reversed(codes):
            self.event(RELEASE, code, device=device)
        self.done()

    def lock_group(self, group: int) -> None:
        self.xkb.LatchLockState(CURRENT, 0, 0, True, group, 0, False, 0)
        self.done()

    def done(self) -> None:
        """Returns when the server has done all of it."""
        self.connection.core.GetInputFocus().reply()


@pytest.fixture
def hand(display: str) -> Iterator[Hand]:
    made = Hand()
    yield made
    made.lock_group(0)
    run("setxkbmap", "-option", "", "us")
    made.connection.disconnect()


def keys(rows: list[Row]) -> list[KeyRow]:
    return [row for row in rows if isinstance(row, KeyRow)]


def typed(rows: list[Row]) -> str:
    return "".join(row.text or "" for row in keys(rows))


def test_two_layouts_switched_by_the_server_and_by_a_shortcut(hand: Hand) -> None:
    """The second layout's letters, from the group bits of every key; the shortcut is the layout's own."""
    run("setxkbmap", "us,ru", "-option", "grp:alt_shift_toggle")
    with listening() as rows:
        hand.tap(A)
        hand.lock_group(1)
        hand.tap(A)
        hand.tap(SHIFT, A)
        hand.lock_group(0)
        hand.tap(A)
        hand.tap(ALT, SHIFT)
        hand.tap(A)
        hand.tap(ALT, SHIFT)
        hand.tap(A)
    assert typed(rows) == "aфФaфa"


def test_a_shortcut_in_a_layout_without_latin_letters_has_their_name(hand: Hand) -> None:
    """What GTK, Qt and browsers do: ctrl and the key that is C elsewhere is ctrl+c."""
    run("setxkbmap", "us,ru")
    with listening() as rows:
        hand.lock_group(1)
        hand.tap(CTRL, C)
        hand.tap(C)
    pressed = [(row.key, row.text) for row in keys(rows) if row.pressed]
    assert pressed == [("ctrl_l", ""), ("c", ""), ("с", "с")]  # the last one is Cyrillic


def test_locks_and_levels(hand: Hand) -> None:
    run("setxkbmap", "de")
    with listening() as rows:
        hand.tap(CAPS)
        hand.tap(A)
        hand.tap(SHIFT, A)
        hand.tap(20)  # ß has no capital on this key
        hand.tap(CAPS)
        hand.tap(KEYPAD_1)
        hand.tap(NUM)
        hand.tap(KEYPAD_1)
        hand.tap(NUM)
        hand.tap(108, Q)  # AltGr
        hand.tap(A)
    assert typed(rows) in ("Aaß1@a", "Aaẞ1@a"), "newer layout data give ß its capital under caps lock"
    assert [row.key for row in keys(rows) if row.code == KEYPAD_1 and row.pressed] == ["end", "num1"]


def test_dead_and_compose_keys_are_marked(hand: Hand) -> None:
    run("setxkbmap", "us", "-variant", "intl", "-option", "compose:ralt")
    with listening() as rows:
        hand.tap(48)  # dead acute
        hand.tap(26)
        hand.tap(108)
        hand.tap(26)
    found = [(row.key, row.text, row.dead) for row in keys(rows) if row.pressed]
    assert found == [("dead_acute", "", True), ("e", "e", False), ("multi_key", "", False), ("e", "e", False)]


def test_keys_that_were_given_other_jobs(hand: Hand) -> None:
    run("setxkbmap", "us", "-option", "ctrl:swapcaps")
    with listening() as rows:
        hand.tap(CAPS, C)
        run("setxkbmap", "-option", "", "us")
        hand.tap(CAPS)
        hand.tap(C)
        hand.tap(CAPS)
        run("xdotool", "type", "--delay", "5", "日ñ")  # changes single keys, in the middle of the stream
        hand.tap(C)
    assert [(row.key, row.text) for row in keys(rows) if row.pressed] == [
        ("ctrl_l", ""), ("c", ""), ("caps_lock", ""), ("c", "C"), ("caps_lock", ""),
        ("日", "日"), ("ñ", "ñ"), ("c", "c"),
    ]  # fmt: skip
    assert all(row.key in ("日", "ñ") for row in keys(rows) if row.code not in (CAPS, C, SHIFT)), "releases as pressed"


def test_two_keyboards_with_layouts_of_their_own(hand: Hand) -> None:
    run("setxkbmap", "-device", str(hand.keyboard), "de")
    with listening() as rows:
        for device in (0, hand.keyboard, 0, hand.keyboard):
            hand.tap(Z, device=device)
    assert typed(rows) == "zyzy"


def test_injected_keys_are_told_from_a_keyboards(hand: Hand) -> None:
    with listening() as rows:
        for device in (0, hand.keyboard, hand.keyboard, 0):
            hand.tap(A, device=device)
        hand.event(BUTTON, 3)
        hand.event(BUTTON_UP, 3)
        hand.done()
    assert [row.injected for row in keys(rows) if row.pressed] == [True, False, False, True]
    assert [row.injected for row in rows if isinstance(row, ButtonRow)] == [None, None], "of buttons it is not known"


def test_repeats_are_the_held_keys_also_of_one_held_before(hand: Hand) -> None:
    run("xset", "r", "rate", "200", "40")
    hand.event(PRESS, A, device=hand.keyboard)
    hand.done()
    with listening() as rows:
        wait_for(lambda: len(keys(rows)) >= 3)
        hand.event(RELEASE, A, device=hand.keyboard)
        hand.event(PRESS, B)
        hand.done()
        wait_for(lambda: sum(row.code == B for row in keys(rows)) >= 3)
        hand.event(RELEASE, B)
        hand.done()
    held = [row for row in keys(rows) if row.code == A]
    assert all(row.repeat for row in held[:-1]), "it was down before: every press is the keyboard's"
    then = [row for row in keys(rows) if row.code == B]
    assert [row.repeat for row in then] == [False, *[True] * (len(then) - 2), False]
    assert {row.injected for row in then} == {True}


def wait_for(condition: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


FLOOD = """
import time, xcffib, xcffib.xtest
from xcffib import xproto
program, hand = xcffib.Connection(), xcffib.Connection()
root, window = hand.get_setup().roots[0].root, program.generate_id()
program.core.CreateWindow(
    0, window, root, 0, 0, 700, 500, 0, xproto.WindowClass.InputOutput, 0,
    xproto.CW.OverrideRedirect | xproto.CW.EventMask, [1, xproto.EventMask.ButtonPress])
program.core.MapWindowChecked(window).check()
fake = hand(xcffib.xtest.key)
fake.FakeInput(6, 0, 0, root, 300, 300, 0)
begun = time.monotonic()
for i in range(10_000):
    if i % 50 == 0:
        hand.flush()
        time.sleep(max(0, begun + i / 2500 - time.monotonic()))
    for kind in (4, 5):
        fake.FakeInput(kind, 4 + i % 2, 0, root, 0, 0, 0)
hand.core.GetInputFocus().reply()
"""


def test_ten_thousand_wheel_events_at_once(hand: Hand) -> None:
    """In four seconds, several times what a free-spinning wheel does. A program is given them too: the server then
    writes an answer for each, and loses what is not read in time (events/x11_record.py)."""
    with listening() as rows:
        subprocess.run([sys.executable, "-c", FLOOD], check=True, timeout=60)
    turns = [row for row in rows if isinstance(row, ScrollRow)]
    assert len(turns) == 10_000
    assert [row.dy for row in turns] == [1.0, -1.0] * 5000
    assert [row.t for row in turns] == sorted(row.t for row in turns)


@pytest.mark.parametrize("frozen", [False, True])
def test_a_window_that_grabs_keyboard_and_pointer_hides_nothing(hand: Hand, frozen: bool) -> None:
    """Menus, screen lockers and games grab; `frozen`: they let the events wait until they have looked at each."""
    import xcffib
    from xcffib import xproto

    mode = xproto.GrabMode.Sync if frozen else xproto.GrabMode.Async
    program = xcffib.Connection()
    window = program.generate_id()
    program.core.CreateWindow(
        0, window, hand.root, 0, 0, 50, 50, 0, xproto.WindowClass.InputOutput, 0,
        xproto.CW.OverrideRedirect | xproto.CW.EventMask, [1, xproto.EventMask.KeyPress | xproto.EventMask.ButtonPress],
    )  # fmt: skip
    program.core.MapWindowChecked(window).check()
    mask = xproto.EventMask.ButtonPress | xproto.EventMask.ButtonRelease | xproto.EventMask.PointerMotion
    assert program.core.GrabPointer(False, window, mask, mode, mode, 0, 0, 0).reply().status == 0
    assert program.core.GrabKeyboard(False, window, 0, mode, mode).reply().status == 0
    with listening() as rows:
        for i in range(20):
            hand.tap(A)
            hand.event(MOTION, 0, 200 + i, 90)
            hand.event(BUTTON, 1)
            hand.event(BUTTON_UP, 1)
            hand.done()
            if frozen:
                for allow in (xproto.Allow.AsyncPointer, xproto.Allow.AsyncKeyboard):
                    program.core.AllowEventsChecked(allow, 0).check()
        program.core.UngrabPointerChecked(0).check()
        program.core.UngrabKeyboardChecked(0).check()
    program.disconnect()
    assert [row.pressed for row in keys(rows)] == [True, False] * 20
    assert [row.pressed for row in rows if isinstance(row, ButtonRow)] == [True, False] * 20
    assert [row.x for row in rows if isinstance(row, MoveRow)][-20:] == list(range(200, 220))


def test_exactly_what_lies_between_start_and_stop(hand: Hand) -> None:
    """Events right before the start, right after it, right before the stop and right after it, ten times over."""
    for n in range(10):
        hand.event(MOTION, 0, 10, 10)
        hand.done()
        with listening() as rows:
            for i in range(50):
                hand.event(MOTION, 0, 100 + i, 100 + n)
            hand.done()
        hand.event(MOTION, 0, 11, 11)
        hand.done()
        places = [(row.x, row.y) for row in rows if isinstance(row, MoveRow)]
        assert places == [(10, 10), *((100 + i, 100 + n) for i in range(50))]


def test_the_pointer_moved_to_where_it_is_makes_no_row(hand: Hand) -> None:
    hand.event(MOTION, 0, 50, 50)
    hand.done()
    with listening() as rows:
        for x in (60, 60, 60, 61, 60):
            hand.event(MOTION, 0, x, 50)
        hand.done()
    assert [row.x for row in rows if isinstance(row, MoveRow)] == [50, 60, 61, 60]


def test_a_left_handed_mouse_clicks_what_its_buttons_mean(hand: Hand) -> None:
    """Programs are given the buttons as the person arranged them; so is the recording."""
    setup = hand.connection.core.GetPointerMapping().reply()
    usual = list(setup.map)
    hand.connection.core.SetPointerMapping(len(usual), [3, 2, 1, *usual[3:]]).reply()
    try:
        with listening() as rows:
            hand.event(BUTTON, 1)
            hand.event(BUTTON_UP, 1)
            hand.done()
    finally:
        hand.connection.core.SetPointerMapping(len(usual), usual).reply()
    found = [row for row in rows if isinstance(row, ButtonRow)]
    assert [row.button for row in found] == ["right", "right"]


def test_events_that_a_program_only_sends_to_another_are_no_input(hand: Hand) -> None:
    from xcffib import xproto

    with listening() as rows:
        event = xproto.KeyPressEvent.synthetic(A, 0, hand.root, hand.root, 0, 0, 0, 0, 0, 0, True)
        hand.connection.core.SendEventChecked(False, hand.root, xproto.EventMask.KeyPress, event.pack()).check()
        hand.tap(B)
    assert [row.key for row in keys(rows)] == ["b", "b"]


def test_a_server_that_goes_away_is_told_and_stopping_still_works(tmp_path: Path) -> None:
    source, rows = X11Events(), list[Row]()
    with x_server(tmp_path):
        source.start(rows.append)
        gone = Hand()
        for i in range(100):
            gone.event(MOTION, 0, 10 + i, 20)
        gone.done()
        wait_for(lambda: len(rows) >= 101)
    wait_for(lambda: source.fault is not None)
    source.stop()
    assert source.fault is not None
    assert "X server" in source.fault
    assert len(rows) == 101


def test_text_of_two_layouts_is_what_a_program_gets(hand: Hand, tmp_path: Path, program: Any) -> None:
    """A terminal writes down what it was given while layouts, locks and levels change."""
    given, ready = tmp_path / "given", tmp_path / "ready"
    run("setxkbmap", "us,ru", "-option", "lv3:ralt_switch")
    started: subprocess.Popen[bytes] = program(
        "xterm", "-u8", "-e", "sh", "-c", f"touch {ready}; cat > {given}", env=_utf8()
    )
    wait_for(ready.exists)
    run("xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm", "windowactivate", "--sync")
    with listening() as rows:
        for group in (0, 1, 0):
            hand.lock_group(group)
            for code in (A, B, 47, 20, SPACE):
                hand.tap(code)
                hand.tap(SHIFT, code)
            hand.tap(CAPS)
            hand.tap(A)
            hand.tap(SHIFT, A)
            hand.tap(CAPS)
        hand.lock_group(0)
        hand.tap(36)
        wait_for(lambda: given.read_text(encoding="utf-8").endswith("\n"))
    assert started.poll() is None
    assert typed(rows) == given.read_text(encoding="utf-8").rstrip("\n")
    assert "фФ" in typed(rows)


def _utf8() -> dict[str, str]:
    import os

    return {**os.environ, "LC_ALL": "C.UTF-8"}
