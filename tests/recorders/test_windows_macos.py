"""What pynput reports on Windows and macOS, read as it really gives it (values from its sources, version 1.8.2, and
from its users' reports): characters, codes, modifiers, wheels, points. The systems themselves are not here."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorders.events.pynput_source as source_module
from recorders.events.pynput_keys import KeyReader, Meant, Reported, System
from recorders.events.pynput_pointer import WHEEL, WHEEL_SIDEWAYS, hook_installed, in_pixels, windows_turn
from recorders.events.untested import UNTESTED

CODES = {"ctrl_l": 0xA2, "alt_gr": 0xA5, "alt_l": 0xA4, "shift": 0xA0, "caps_lock": 0x14, "cmd": 0x5B}
MAC_CODES = {"shift": 0x38, "shift_r": 0x3C, "ctrl": 0x3B, "alt": 0x3A, "alt_r": 0x3D, "cmd": 0x37, "caps_lock": 0x39}


class Board:
    """Types on a reader."""

    def __init__(self, system: System, caps: bool = False) -> None:
        self.reader, self.codes = KeyReader(system, caps), CODES if system == "windows" else MAC_CODES

    def special(self, name: str, pressed: bool = True) -> Meant:
        return self.reader.read(Reported(pressed, special=name, vk=self.codes.get(name, 0x100)))

    def key(self, char: str | None, vk: int | None, pressed: bool = True, **more: bool) -> Meant:
        return self.reader.read(Reported(pressed, char=char, vk=vk, **more))


@pytest.mark.parametrize(
    ("system", "held", "char", "vk", "name", "text"),
    [
        ("windows", [], "a", 0x41, "a", "a"),
        ("windows", ["shift"], "A", 0x41, "a", "A"),
        ("windows", ["ctrl_l"], "\x01", 0x41, "a", ""),
        ("windows", ["ctrl_l"], "\x16", 0x56, "v", ""),
        ("windows", ["ctrl_l"], None, 0x31, "1", ""),
        ("windows", ["ctrl_l", "alt_gr"], "@", 0x51, "q", "@"),  # AltGr+q on a German keyboard
        ("windows", ["alt_l"], "q", 0x51, "q", ""),
        ("windows", ["alt_gr"], "q", 0x51, "q", ""),  # right alt on a US keyboard
        ("windows", ["cmd"], "r", 0x52, "r", ""),
        ("windows", [], None, 0x61, "num1", "1"),
        ("windows", [], "*", 0x6A, "multiply", "*"),
        ("windows", [], None, 0x6E, "decimal", None),
        ("windows", [], "é", None, "é", "é"),  # injected as a character
        ("windows", [], None, 0, "unknown", ""),
        ("windows", [], None, None, "unknown", ""),
        ("macos", [], "a", 0, "a", "a"),
        ("macos", ["alt"], "ç", 8, "c", "ç"),
        ("macos", ["cmd", "alt"], "ç", 8, "c", ""),
        ("macos", ["cmd"], "v", 9, "v", ""),
        ("macos", ["ctrl"], "\x16", 9, "v", ""),
        ("macos", [], "\uf746", 0x72, "unknown", ""),  # help
        ("macos", [], "\x03", 76, "enter", ""),
        ("macos", [], "7", 89, "num7", "7"),
        ("macos", ["alt"], None, 14, "e", None),  # option+e is dead: macOS says nothing of it
    ],
)
def test_a_key_is_named_without_modifiers_and_says_what_it_typed(
    system: System, held: list[str], char: str | None, vk: int | None, name: str, text: str | None
) -> None:
    board = Board(system)
    for modifier in held:
        board.special(modifier)
    meant = board.key(char, vk)
    assert (meant.key, meant.text) == (name, text)
    assert meant.code == (vk or None), "the code 0 is no code"


def test_letters_after_ctrl_was_let_go_type_again() -> None:
    board = Board("windows")
    board.special("ctrl_l")
    assert board.key("\x03", 0x43).text == ""
    board.special("ctrl_l", pressed=False)
    board.key("\x03", 0x43, pressed=False)
    assert board.key("d", 0x44).text == "d"


def test_a_release_has_its_presss_name_and_a_held_key_repeats() -> None:
    board = Board("windows")
    board.special("shift")
    first, again = board.key("!", 0xBA), board.key("!", 0xBA)
    board.special("shift", pressed=False)
    up = board.key("1", 0xBA, pressed=False)
    assert (first.key, up.key) == ("!", "!")
    assert (first.repeat, again.repeat, up.repeat) == (False, True, False)
    assert up.text is None


def test_a_sign_is_named_as_without_shift_once_that_was_seen() -> None:
    board = Board("macos")
    board.key(";", 41)
    board.key(";", 41, pressed=False)
    board.special("shift")
    assert board.key(":", 41).key == ";"


@pytest.mark.parametrize("begins_on", [False, True])
def test_caps_lock_counts_on_windows(begins_on: bool) -> None:
    """pynput's characters there are those without it."""
    board = Board("windows", caps=begins_on)
    typed = [board.key("a", 0x41).text, board.key("ß", 0xDB).text, board.key("1", 0x31).text]
    board.special("caps_lock")
    board.special("caps_lock")  # held: the keyboard repeats it
    board.special("caps_lock", pressed=False)
    typed += [board.key("b", 0x42).text]
    assert typed == (["A", "ß", "1", "b"] if begins_on else ["a", "ß", "1", "B"])


def test_caps_lock_is_in_a_macs_characters() -> None:
    board = Board("macos")
    board.special("caps_lock")
    board.special("caps_lock", pressed=False)
    assert board.key("A", 0).text == "A"


def test_text_in_another_layout_than_pynputs_is_not_known() -> None:
    meant = Board("windows").key("y", 0x5A, layout_known=False)
    assert (meant.key, meant.text) == ("z", None)


@given(st.characters(min_codepoint=0x10000))
def test_characters_injected_in_halves_are_one(char: str) -> None:
    halves = char.encode("utf-16-le", "surrogatepass")
    board = Board("windows")
    text = ""
    for at in (0, 2):
        half = halves[at : at + 2].decode("utf-16-le", "surrogatepass")
        for pressed in (True, False):
            meant = board.key(half, None, pressed)
            text += meant.text or ""
            (meant.key + text).encode()  # halves alone could not be written
    assert text == char


def test_dead_keys_wait() -> None:
    board = Board("windows")
    meant = board.key("´", 0xDD, dead=True)
    assert (meant.dead, meant.text) == (True, "")
    assert board.key("e", 0x45).text == "e"


def test_both_shifts_of_a_mac_go_up() -> None:
    """macOS tells that flags changed: with the other shift still down, a release looks like a press."""
    board = Board("macos")
    seen = [board.special("shift"), board.special("shift_r"), board.special("shift_r"), board.special("shift", False)]
    assert [meant.pressed for meant in seen] == [True, True, False, False]
    assert not any(meant.repeat for meant in seen)


def test_parts_of_a_notch_add_up_in_both_directions() -> None:
    turns = [windows_turn(WHEEL, (delta & 0xFFFF) << 16) for delta in (30, 30, 30, 30, -30, -30, -30, -30)]
    assert [turn[1] for turn in turns if turn] == [0.25] * 4 + [-0.25] * 4
    assert windows_turn(WHEEL, (120 << 16) | 0x0008) == (0.0, 1.0)  # the lower bits are keys held
    assert windows_turn(WHEEL_SIDEWAYS, 0x10000 * 0xFF88) == (-1.0, 0.0)
    assert windows_turn(WHEEL, 0) is None
    assert windows_turn(0x0200, 120 << 16) is None


def test_points_become_pixels_of_the_recorded_region() -> None:
    assert in_pixels(100, 50, (-1920, -200), 1.0) == (2020, 250)
    assert in_pixels(100.25, 50.5, (0, 0), 2.0) == (200.5, 101)
    assert in_pixels(-1, 1080, (0, 0), 1.0) == (-1, 1080), "beyond the edge stays beyond the edge"


def test_a_hook_that_is_not_there_yet_or_was_refused_is_told() -> None:
    """pynput's `wait` returns before SetWindowsHookEx was called; its table of hooks says whether it was."""
    assert hook_installed({}, 7) is False
    assert hook_installed({7: SimpleNamespace(_hook=None)}, 7) is False
    assert hook_installed({7: SimpleNamespace(_hook=0)}, 7) is False
    assert hook_installed({7: SimpleNamespace(_hook=0xBEEF)}, 7) is True
    assert hook_installed(None, 7) is None


def test_callbacks_only_put_reports_into_a_queue() -> None:
    """A slow callback delays the person's input: what the listeners call makes no row and calls no sink itself."""
    tree = ast.parse(Path(source_module.__file__).read_text(encoding="utf-8"))
    methods = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for name in ("_moved", "_clicked", "_scrolled", "_pressed", "_released", "_wheel_of_windows", "_key"):
        inner = [n for n in methods[name].body if not isinstance(n, ast.FunctionDef)]
        called = {ast.unparse(n.func) for part in inner for n in ast.walk(part) if isinstance(n, ast.Call)}
        assert not called & {"self._sink", "time.sleep", "self._keys.read", "print"}, name


def test_what_is_untested_is_said_by_name() -> None:
    assert len(UNTESTED) == len(set(UNTESTED)) > 10
    assert all(line.endswith(".") and line.split(":")[0] for line in UNTESTED)
