"""Double and triple clicks on macOS: PyAutoGUI 0.9.54 sends them without the count of the click, and programs see
single clicks (#71, #949). Untested on macOS."""

from __future__ import annotations

import time
from typing import Any


def multi_click(pyautogui: Any, x: int, y: int, times: int, interval: float) -> None:
    """`times` left clicks at a point that the system counts as one double or triple click."""
    import Quartz  # type: ignore[import-not-found]  # comes with PyAutoGUI on macOS

    for number in range(1, times + 1):
        for kind in (Quartz.kCGEventLeftMouseDown, Quartz.kCGEventLeftMouseUp):
            event = Quartz.CGEventCreateMouseEvent(None, kind, (x, y), Quartz.kCGMouseButtonLeft)
            Quartz.CGEventSetIntegerValueField(event, Quartz.kCGMouseEventClickState, number)
            Quartz.CGEventPost(Quartz.kCGHIDEventTap, event)
            time.sleep(pyautogui.DARWIN_CATCH_UP_TIME)
        time.sleep(interval)
