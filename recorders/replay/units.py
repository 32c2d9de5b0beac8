"""What a wheel's notch is to PyAutoGUI. Records count notches; PyAutoGUI hands its number to the system, where one
is a notch on X11 and a line on macOS, and a hundred-and-twentieth of a notch on Windows (PyAutoGUI #36, #440)."""

from __future__ import annotations

from curate.model.actions import HScroll, Scroll
from curate.model.trajectory import Platform
from recorders.replay.errors import NotPerformableError

WHEEL_DELTA = 120
"""Windows' units of a notch (WHEEL_DELTA of winuser.h)."""
_MOST = 1000  # notches of one action: more is no hand's, and would take minutes


def wheel_calls(action: Scroll | HScroll, platform: Platform) -> list[int]:
    """The numbers to call PyAutoGUI's scroll or hscroll with, one call a notch, so that programs see turns of a wheel
    and not one leap. Raises NotPerformableError for what the platform's wheel cannot do."""
    if action.unit != "notch":
        raise NotPerformableError(f"a wheel turns by notches, not by a {action.unit}")
    if abs(action.amount) > _MOST:
        raise NotPerformableError(f"{action.amount:g} notches are more than the {_MOST} that are performed at once")
    direction = 1 if action.amount > 0 else -1
    if platform == "windows":
        whole, rest = divmod(round(abs(action.amount) * WHEEL_DELTA), WHEEL_DELTA)
        return [direction * WHEEL_DELTA] * whole + ([direction * rest] if rest else [])
    if not float(action.amount).is_integer():
        raise NotPerformableError(f"{action.amount:g} notches are no whole number of them")
    notches = [direction] * round(abs(action.amount))
    if platform == "macos" and isinstance(action, HScroll):
        return [mac_hscroll(notch) for notch in notches]
    return notches


def mac_hscroll(lines: int) -> int:
    """The number with which PyAutoGUI 0.9.54 scrolls sideways by `lines` (-9 to 9) on macOS: it turns the sign of -1
    to -9 round (#154), but not that of the tens that it sends first."""
    return lines if lines >= 0 else -20 - lines
