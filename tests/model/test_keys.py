"""The key table is PyAutoGUI's, and other spellings lead to it."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.keys import PYAUTOGUI_KEYS, hotkey_order, key_name, modifier_of, split_keys


def _installed_key_names() -> set[str]:
    """KEY_NAMES from the installed package's source: importing it asks for a display."""
    spec = find_spec("pyautogui")
    assert spec is not None and spec.origin is not None
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "KEY_NAMES" for t in node.targets):
            return set(ast.literal_eval(node.value))
    raise AssertionError("no KEY_NAMES in the installed pyautogui")


def test_table_is_that_of_the_installed_pyautogui() -> None:
    assert _installed_key_names() == PYAUTOGUI_KEYS


@pytest.mark.parametrize("name", sorted(PYAUTOGUI_KEYS))
def test_every_pyautogui_name_has_one_canonical_pyautogui_name(name: str) -> None:
    canonical = key_name(name)
    assert canonical in PYAUTOGUI_KEYS
    assert key_name(canonical) == canonical


PYNPUT = [
    "alt",
    "alt_gr",
    "alt_l",
    "alt_r",
    "backspace",
    "caps_lock",
    "cmd",
    "cmd_l",
    "cmd_r",
    "ctrl",
    "ctrl_l",
    "ctrl_r",
    "delete",
    "down",
    "end",
    "enter",
    "esc",
    "f1",
    "f20",
    "home",
    "insert",
    "left",
    "media_next",
    "media_play_pause",
    "media_previous",
    "media_stop",
    "media_volume_down",
    "media_volume_mute",
    "media_volume_up",
    "menu",
    "num_lock",
    "page_down",
    "page_up",
    "pause",
    "print_screen",
    "right",
    "scroll_lock",
    "shift",
    "shift_l",
    "shift_r",
    "space",
    "tab",
    "up",
]


@pytest.mark.parametrize("name", PYNPUT)
def test_every_pynput_key_is_known(name: str) -> None:
    assert key_name(name) in PYAUTOGUI_KEYS
    assert key_name(f"Key.{name}") == key_name(name)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("ctrl_l", "ctrl"), ("Control_R", "ctrl"), ("VK_CONTROL", "ctrl"), ("VK_MENU", "alt"), ("menu", "apps"),
        ("alt_gr", "altright"), ("ISO_Level3_Shift", "altright"), ("page_down", "pagedown"), ("Next", "pagedown"),
        ("Prior", "pageup"), ("caps_lock", "capslock"), ("VK_CAPITAL", "capslock"), ("F", "f"), ("F5", "f5"),
        ("ArrowUp", "up"), ("Return", "enter"), ("\n", "enter"), ("\t", "tab"), (" ", "space"), ("Escape", "esc"),
        ("KP_7", "num7"), ("KP_Enter", "enter"), ("Super_L", "win"), ("bracketleft", "["), ("VK_OEM_PLUS", "="),
        ("VK_A", "a"), ("é", "é"), ("Ж", "ж"), ("option", "alt"), ("_", "_"), ("-", "-"),
    ],
)  # fmt: skip
def test_other_spellings(spelling: str, name: str) -> None:
    assert key_name(spelling) == name


@pytest.mark.parametrize("text", ["8000", "Click the button", "", "\x00", "\x03", "$Unknown (255)$", "<65437>", "ab"])
def test_what_is_no_key_has_no_name(text: str) -> None:
    assert key_name(text) is None


def test_command_key_depends_on_the_platform() -> None:
    assert key_name("cmd", "macos") == key_name("Meta_L", "macos") == "command"
    assert key_name("cmd_r", "windows") == key_name("Meta_L", "linux") == "win"


def test_hotkeys_name_modifiers_first() -> None:
    assert hotkey_order(["c", "shift", "ctrl", "ctrl"]) == ("ctrl", "shift", "c")
    assert hotkey_order(["command", "alt", "esc"]) == ("alt", "command", "esc")
    assert modifier_of("altright") is None and modifier_of("win") == "win"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ctrl+s", ["ctrl", "s"]), ("ctrl c", ["ctrl", "c"]), ("ctrl++", ["ctrl", "+"]), ("+", ["+"]),
        ("{VK_CONTROL}c", ["ctrl", "c"]), ("ctrl-shift-t", ["ctrl", "shift", "t"]), ("ctrl + Page_Down",
        ["ctrl", "pagedown"]), ("hello world", None), ("ctrl+", None), ("", None),
    ],
)  # fmt: skip
def test_keys_in_one_text(text: str, names: list[str] | None) -> None:
    assert split_keys(text) == names


@given(st.text(max_size=20))
def test_any_text_is_a_known_key_or_none_and_stays_so(text: str) -> None:
    name = key_name(text)
    assert name is None or (key_name(name) == name and (name in PYAUTOGUI_KEYS or len(name) == 1))
