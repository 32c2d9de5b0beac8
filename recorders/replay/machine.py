"""PyAutoGUI on this desktop, with its traps mended, or one sentence that says why nothing can be performed here."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from curate.model.trajectory import Platform
from recorders.backends import platform_here
from recorders.errors import why
from recorders.replay.errors import ReplayError
from recorders.replay.keyboard import Keyboard


class Machine(msgspec.Struct):
    """`gui`: PyAutoGUI. `width`, `height`: of the screen it acts on, in its own units (pixels; points on macOS)."""

    gui: Any
    platform: Platform
    width: int
    height: int
    keyboard: Keyboard


def open_machine() -> Machine:
    """Raises ReplayError where there is no desktop to act on, or acting on it is not allowed."""
    platform = platform_here()
    if platform == "linux":
        _need_x11()
        from recorders.replay import x11_fixes

        x11_fixes.prepare()
    elif platform == "macos" and not _is_trusted():
        raise ReplayError(
            "macOS lets no program press keys without permission: allow your terminal under System Settings, "
            "Privacy & Security, Accessibility, and start it again."
        )
    gui = _import_pyautogui()
    gui.FAILSAFE = False  # a record may act in the corners; Escape stops a replay
    gui.PAUSE, gui.MINIMUM_DURATION, gui.MINIMUM_SLEEP = 0, 0, 0.01
    width, height = gui.size()
    return Machine(gui=gui, platform=platform, width=width, height=height, keyboard=_keyboard(gui, platform))


def _need_x11() -> None:
    from recorders.x11 import no_session

    absent = no_session()
    if absent is not None:
        raise ReplayError(f"{absent.said} {absent.do} `--dry-run` shows what would be done.")


def _import_pyautogui() -> Any:
    try:
        with _without_warnings():
            import pyautogui
    except Exception as error:  # KeyError, ImportError, Xlib's own: whatever it is, there is no desktop for it
        display = os.environ.get("DISPLAY", "")
        where = f"the display {display}" if display else "this desktop"
        raise ReplayError(f"PyAutoGUI cannot act on {where}: {why(error)}.") from error
    return pyautogui


@contextlib.contextmanager
def _without_warnings() -> Iterator[None]:
    """Xlib says on stdout, where results go, that it found no authority to show: no fault, and nothing to do about it.
    What else is said goes to stderr."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            yield
    finally:
        for line in said.getvalue().splitlines():
            if not line.startswith("Xlib.xauth: warning"):
                print(line, file=sys.stderr)


def _keyboard(gui: Any, platform: Platform) -> Keyboard:
    if platform == "linux":
        from recorders.replay.x11_keyboard import X11Keyboard

        return X11Keyboard(gui)
    from recorders.replay.plain_keyboard import PlainKeyboard

    return PlainKeyboard(gui)


def _is_trusted() -> bool:
    """Whether macOS lets this process post events (untested on macOS)."""
    if sys.platform != "darwin":
        return True
    import ctypes
    import ctypes.util

    services = ctypes.util.find_library("ApplicationServices")
    if services is None:
        return True
    return bool(ctypes.cdll.LoadLibrary(services).AXIsProcessTrusted())
