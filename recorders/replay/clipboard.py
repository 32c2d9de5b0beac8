"""Text through the clipboard, which gets back what it held."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from recorders.replay.errors import ReplayError

TAKEN_S = 0.6
"""How long a program is given to fetch what was pasted: it asks for it after it has handled the keys."""
_TOOL_TIMEOUT_S = 10


class Clipboard:
    """The system's clipboard: by xclip or xsel on X11, else by pyperclip, which comes with PyAutoGUI. Or another one
    with pyperclip's `copy` and `paste`."""

    def __init__(self, clipboard: Any = None) -> None:
        self._clipboard = clipboard

    def check(self) -> None:
        """Raises ReplayError where there is no way to the clipboard."""
        try:
            self._clipboard = self._clipboard or _system_clipboard()
            self._clipboard.paste()
        except Exception as error:  # PyperclipException, or whatever a tool raises
            raise ReplayError(
                "The keyboard layout lacks characters of this record, and the clipboard cannot be used in their "
                "place: install xclip."
            ) from error

    def paste(self, text: str, press: Callable[[], None], wait: Callable[[float], None], terminal: bool) -> None:
        """Put `text` into the clipboard (of a terminal: into the selection that it pastes), `press` the keys that
        paste, `wait` for the program to take it, and put back the text that was there. After `check`."""
        primary = {"primary": True} if terminal else {}
        before = self._clipboard.paste(**primary)
        self._clipboard.copy(text, **primary)
        try:
            press()
            wait(TAKEN_S)
        finally:
            with contextlib.suppress(Exception):
                self._clipboard.copy(before, **primary)


def _system_clipboard() -> Any:
    if sys.platform.startswith("linux"):
        return X11Clipboard()
    import pyperclip  # type: ignore[import-untyped]

    return pyperclip


class X11Clipboard:
    """What pyperclip does on X11, but for one thing: the tool goes on running to serve what was copied, and must not
    keep this program's output open, or whoever reads that waits for ever."""

    def __init__(self) -> None:
        name = next(name for name in ("xclip", "xsel") if shutil.which(name))
        self._into = [name, "-i"] if name == "xclip" else [name, "--input"]
        self._out = [name, "-o"] if name == "xclip" else [name, "--output"]
        self._selection = ("-selection", "clipboard", "primary") if name == "xclip" else ("", "-b", "-p")

    def _which(self, primary: bool) -> list[str]:
        option, *names = self._selection
        return [*([option] if option else []), names[int(primary)]]

    def copy(self, text: str, primary: bool = False) -> None:
        """Put text into the clipboard, or into the selection."""
        subprocess.run(
            [*self._into, *self._which(primary)], input=text.encode(), check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=_TOOL_TIMEOUT_S,
        )  # fmt: skip

    def paste(self, primary: bool = False) -> str:
        """The text in it; '' where it holds none."""
        done = subprocess.run(
            [*self._out, *self._which(primary)], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=_TOOL_TIMEOUT_S,
        )  # fmt: skip
        return done.stdout.decode(errors="replace")
