"""What only the system can say, asked through ctypes; None or a harmless answer where it cannot be asked. Untested: the
systems are not here (untested.py)."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

_VK_CAPITAL = 0x14


def caps_lock_on() -> bool:
    """Whether caps lock is on (Windows; a Mac's characters are given with it)."""
    user32 = _windows("user32")
    return bool(user32 is not None and user32.GetKeyState(_VK_CAPITAL) & 1)


def layout_of_front_is(thread: int | None) -> bool:
    """Whether the window in front has the keyboard layout of this thread: pynput's listener translates with its own
    thread's. True where it cannot be asked."""
    user32 = _windows("user32")
    if user32 is None or thread is None:
        return True
    front = user32.GetForegroundWindow()
    user32.GetKeyboardLayout.restype = ctypes.c_void_p
    return bool(
        not front
        or user32.GetKeyboardLayout(user32.GetWindowThreadProcessId(front, None)) == user32.GetKeyboardLayout(thread)
    )


def may_listen() -> bool | None:
    """Whether macOS lets this process see input (Input Monitoring, since 10.15); None where it cannot be asked."""
    if sys.platform != "darwin":
        return None
    try:
        graphics = ctypes.CDLL("/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics")
        graphics.CGPreflightListenEventAccess.restype = ctypes.c_bool
        return bool(graphics.CGPreflightListenEventAccess())
    except (OSError, AttributeError):
        return None


def see_pixels() -> None:
    """Make this process see physical pixels of every monitor (Windows, per-monitor version 2, else 1): before the first
    hook, window or grab, or points are scaled and pictures cut."""
    user32 = _windows("user32")
    if user32 is None:
        return
    try:
        if user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(-4)):  # DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2
            return
    except AttributeError:
        pass  # before Windows 10 1703
    shcore = _windows("shcore")
    if shcore is not None:
        shcore.SetProcessDpiAwareness(2)


def _windows(library: str) -> Any:
    if sys.platform != "win32":
        return None
    try:
        return ctypes.WinDLL(library)
    except OSError:
        return None
