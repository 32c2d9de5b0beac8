"""Text through the clipboard, which gets back what it held."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from recorders.replay.errors import ReplayError

TAKEN_S = 0.6
"""How long a program is given to fetch what was pasted: it asks for it after it has handled the keys."""


class Clipboard:
    """The system's clipboard, by pyperclip. On Linux it needs xclip or xsel."""

    def __init__(self) -> None:
        import pyperclip  # type: ignore[import-untyped]

        self._clipboard: Any = pyperclip

    def check(self) -> None:
        """Raises ReplayError where there is no way to the clipboard."""
        try:
            self._clipboard.paste()
        except Exception as error:  # PyperclipException, or whatever its tool raises
            raise ReplayError(
                "The keyboard layout lacks characters of this record, and the clipboard cannot be used in their "
                "place: install xclip."
            ) from error

    def paste(self, text: str, press: Callable[[], None], wait: Callable[[float], None], terminal: bool) -> None:
        """Put `text` into the clipboard (of a terminal: into the selection that it pastes), `press` the keys that
        paste, `wait` for the program to take it, and put back the text that was there."""
        primary = {"primary": True} if terminal else {}
        before = self._clipboard.paste(**primary)
        self._clipboard.copy(text, **primary)
        try:
            press()
            wait(TAKEN_S)
        finally:
            with contextlib.suppress(Exception):
                self._clipboard.copy(before, **primary)
