"""The pointer as pynput reports it on Windows and macOS: plain functions.

Origin, pynput 1.8.2: `mouse/_win32.py` (a wheel message's upper 16 bits hold the turn in 1/120 notches; pynput divides
and rounds down, so that a touchpad's -30 becomes a notch and +30 none), `mouse/_darwin.py` (points, not pixels; whole
lines of the wheel), `_util/win32.py` (`wait` returns before the hook is installed, and a refused hook is not told)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WHEEL, WHEEL_SIDEWAYS = 0x020A, 0x020E  # WM_MOUSEWHEEL, WM_MOUSEHWHEEL
_NOTCH = 120  # WHEEL_DELTA


def windows_turn(message: int, mouse_data: int) -> tuple[float, float] | None:
    """`dx`, `dy` in notches and fractions of them, from a wheel message of the mouse hook; None for other messages and
    for no turn at all."""
    if message not in (WHEEL, WHEEL_SIDEWAYS):
        return None
    turn = (mouse_data >> 16) & 0xFFFF
    notches = (turn - 0x10000 if turn >= 0x8000 else turn) / _NOTCH
    if not notches:
        return None
    return (0.0, notches) if message == WHEEL else (notches, 0.0)


def in_pixels(x: float, y: float, origin: tuple[int, int], scale: float) -> tuple[float, float]:
    """A point of the system (pixels on Windows, points on macOS; negative left of and above the main monitor) in pixels
    of the recorded region, whose top left corner is `origin`. Nothing is clamped: a pointer may be a pixel or two
    beyond the edge, and what that means is the reducer's to say."""
    return _short((x - origin[0]) * scale), _short((y - origin[1]) * scale)


def _short(value: float) -> float:
    """Whole pixels as whole numbers."""
    return int(value) if value == int(value) else value


def hook_installed(hooks: Mapping[int, Any] | None, thread: int | None) -> bool | None:
    """Whether the listener running in `thread` has its Windows hook, from pynput's table of hooks; None where this
    pynput has no such table. An entry without a hook: Windows has refused it, or it comes in a moment."""
    if hooks is None or thread is None:
        return None
    return bool(getattr(hooks.get(thread), "_hook", None))
