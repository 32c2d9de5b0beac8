"""Keys: keysyms against X11's own header, levels against what layouts define, pynput's characters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorders.events.keymap import CONTROL, LOCK, SHIFT, Keymap
from recorders.events.keysyms import DEAD, name_of, text_of

HEADER = Path("/usr/include/X11/keysymdef.h")
ALT, NUM, LEVEL3 = 0x08, 0x10, 0x80


def test_keysyms_type_what_x11_says_they_do() -> None:
    """keysymdef.h names the character of each keysym; `(U+..)` in brackets are only likenesses."""
    if not HEADER.exists():
        pytest.skip("X11's keysymdef.h is not here")
    line = re.compile(r"#define XK_\w+\s+0x([0-9a-f]+)\s*/\* U\+([0-9A-F]{4,6})")
    pairs = [(int(m[1], 16), chr(int(m[2], 16))) for m in map(line.match, HEADER.open(encoding="utf-8")) if m]
    assert len(pairs) > 1000
    technical = (0x08, 0x09, 0x0A, 0x0B)  # of symbol sets no keyboard has; those that matter are tested below
    finals = range(0xED4, 0xEFB)  # Hangul final and archaic letters, which input methods compose, no key types
    pairs = [(k, c) for k, c in pairs if k >> 8 not in technical and k not in finals]
    wrong = [(hex(k), c, text_of(k)) for k, c in pairs if text_of(k) != c]
    assert wrong == []
    assert [text_of(k) for k in (0xAA9, 0xAAA, 0xAAE, 0xAD2, 0x8FB, 0x20AC)] == list("—–…“←€")


@given(st.characters(min_codepoint=0x20, exclude_categories=["Cs", "Cc"]))
def test_unicode_keysyms_are_their_code_points(char: str) -> None:
    assert text_of(0x01000000 + ord(char)) == char


def test_names_are_those_of_recorded_rows() -> None:
    named = {0xFF0D: "enter", 0xFF8D: "enter", 0xFF1B: "esc", 0xFFE1: "shift", 0xFFE4: "ctrl_r", 0xFE03: "alt_gr",
             0xFFBE: "f1", 0xFFC9: "f12", 0x20: "space", 0x61: "a", 0xE4: "ä", 0xFFB7: "num7", 0xFFAB: "add",
             0xFE51: "dead_acute", 0xFE53: "dead_tilde", 0xFF20: "multi_key",
             0x1FFFFFFF: "unknown", 0: "unknown"}  # fmt: skip
    assert {k: name_of(k) for k in named} == named
    assert all(text_of(k) == "" for k in DEAD)


@pytest.fixture
def german() -> Keymap:
    """Some keys of the de layout as GetKeyboardMapping gives them, and its modifiers."""
    keymap = Keymap()
    for code, row in {
        38: [0x61, 0x41, 0x61, 0x41, 0xE6, 0xC6],  # a A, AltGr æ Æ
        24: [0x71, 0x51, 0x71, 0x51, 0x40, 0x7D9],  # q Q, AltGr @
        48: [0xE4, 0xC4, 0xE4, 0xC4, 0xFE52, 0xFE5A],  # ä Ä, AltGr dead circumflex
        20: [0xDF, 0x3F, 0xDF, 0x3F, 0x5C, 0xBF],  # ß ?
        21: [0xFE51, 0xFE50, 0xFE51, 0xFE50],  # dead acute, dead grave
        87: [0xFF9C, 0xFFB1, 0xFF9C, 0xFFB1],  # keypad: End 1
        86: [0xFFAB, 0xFFAB],
        9: [0xFF1B], 36: [0xFF0D], 65: [0x20],
        64: [0xFFE9, 0xFFE7], 108: [0xFE03], 77: [0xFF7F], 133: [0xFFEB], 50: [0xFFE1], 37: [0xFFE3], 66: [0xFFE5],
        200: [0x6C1], 201: [0x61, 0x41, 0x6C6, 0x6E6],  # Cyrillic: alone, and as the second group
    }.items():  # fmt: skip
        keymap.load(code, len(row), row)
    keymap.load_modifiers(1, [50, 66, 37, 64, 77, 0, 133, 108])
    return keymap


@pytest.mark.parametrize(
    ("code", "state", "name", "text", "dead"),
    [
        (38, 0, "a", "a", False),
        (38, SHIFT, "a", "A", False),
        (38, LOCK, "a", "A", False),
        (38, LOCK | SHIFT, "a", "a", False),
        (38, LEVEL3, "a", "æ", False),
        (38, CONTROL, "a", "", False),
        (38, ALT | SHIFT, "a", "", False),
        (38, 0x40, "a", "", False),
        (24, LEVEL3, "q", "@", False),
        (20, LOCK, "ß", "ß", False),
        (20, SHIFT, "ß", "?", False),
        (48, LOCK, "ä", "Ä", False),
        (48, LEVEL3, "dead_circumflex", "", True),
        (21, 0, "dead_acute", "", True),
        (21, SHIFT, "dead_grave", "", True),
        (87, 0, "end", "", False),
        (87, NUM, "num1", "1", False),
        (87, NUM | SHIFT, "end", "", False),
        (87, SHIFT, "num1", "1", False),
        (86, SHIFT, "add", "+", False),
        (36, SHIFT, "enter", "", False),
        (65, 0, "space", " ", False),
        (200, 0, "а", "а", False),
        (200, SHIFT, "а", "А", False),
        (201, 1 << 13, "ф", "ф", False),
        (201, 1 << 13 | SHIFT, "ф", "Ф", False),
        (250, 0, "unknown", "", False),
    ],
)
def test_levels_locks_and_groups(german: Keymap, code: int, state: int, name: str, text: str, dead: bool) -> None:
    meaning = german.meaning(code, state)
    assert (meaning.name, meaning.text, meaning.dead) == (name, text, dead)


def test_a_key_given_a_new_meaning_has_it_at_once(german: Keymap) -> None:
    german.load(250, 2, [0x010065E5, 0x010065E5])
    assert german.meaning(250, 0).text == "日"
    german.load(250, 2, [0, 0])
    assert german.meaning(250, 0).text == ""
