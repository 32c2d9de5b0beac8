"""Which characters of a text go by keys and which through the clipboard.

PyAutoGUI's own write drops characters that it has no key for, without a word, and types others than it says on most
layouts: nothing is handed to it that this has not found a key for.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Literal

import msgspec

from curate.model.trajectory import Platform
from recorders.replay.errors import NotPerformableError

KEYS_OF = {"\n": "enter", "\r": "enter", "\t": "tab"}
"""Characters of a text that are keys."""
_TERMINALS_CTRL_SHIFT = ("gnome-terminal", "konsole", "terminator", "tilix", "alacritty", "kitty", "xfce4-terminal")
_TERMINALS_INSERT = ("xterm", "uxterm", "urxvt", "rxvt")

By = Literal["keys", "clipboard"]


class Run(msgspec.Struct, frozen=True):
    """A piece of a text, and how it is entered."""

    text: str
    by: By


def plan_text(text: str, has_key: Callable[[str], bool]) -> list[Run]:
    """The text as runs, in order. `has_key`: whether a character can be typed by keys here. Raises NotPerformableError
    for control characters, which no key types and no clipboard should carry into a terminal."""
    for character in text:
        if character not in KEYS_OF and (ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0):
            raise NotPerformableError(f"the text holds the control character U+{ord(character):04X}")
        if 0xD800 <= ord(character) < 0xE000:
            raise NotPerformableError("the text holds half of a character")
    whole = text.replace("\r\n", "\n")

    def by(character: str) -> By:
        return "keys" if character in KEYS_OF or has_key(character) else "clipboard"

    return [Run("".join(characters), how) for how, characters in groupby(whole, by)]


def paste_keys(app: str | None, platform: Platform) -> tuple[str, ...]:
    """The keys that paste in a program. In terminals ctrl+v is a character."""
    if platform == "macos":
        return ("command", "v")
    name = (app or "").lower()
    if platform == "linux" and any(name.startswith(terminal) for terminal in _TERMINALS_CTRL_SHIFT):
        return ("ctrl", "shift", "v")
    if platform == "linux" and any(name.startswith(terminal) for terminal in _TERMINALS_INSERT):
        return ("shift", "insert")
    return ("ctrl", "v")
