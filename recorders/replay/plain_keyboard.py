"""The keyboard on Windows and macOS, as PyAutoGUI has it. Untested on these systems."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from recorders.replay.keyboard import Stroke


class PlainKeyboard:
    """See Keyboard. Windows: PyAutoGUI asks the system for the key of a character, and gets -1 for none. macOS: its
    table is of the US layout; everything outside ASCII goes through the clipboard."""

    trouble: str | None = None

    def __init__(self, pyautogui: Any) -> None:
        self._codes: dict[str, Any] = pyautogui.platformModule.keyboardMapping

    def character(self, character: str) -> Stroke | None:
        """PyAutoGUI's own key of an ASCII character: it holds shift by itself."""
        return self.key(character) if character.isascii() else None

    def key(self, name: str) -> Stroke | None:
        """PyAutoGUI's own."""
        return Stroke(name) if self._codes.get(name) not in (None, -1) else None

    def lend(self, characters: Iterable[str]) -> set[str]:
        """Keys of these systems cannot be given characters."""
        return set()

    def give_back(self) -> None:
        """Nothing was lent."""
