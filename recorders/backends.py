"""Which back ends serve on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from curate.model.trajectory import Platform
from recorders.desktop.base import Desktop
from recorders.events.base import EventSource, RecorderError
from recorders.privacy.names import Scrub


def platform_here() -> Platform:
    """The platform's name in the record. Raises RecorderError for one that cannot be recorded."""
    if sys.platform.startswith("linux"):
        return "linux"
    if sys.platform == "win32":
        return "windows"
    if sys.platform == "darwin":
        return "macos"
    raise RecorderError(f"There is no recorder for {sys.platform}: Linux with X11, Windows and macOS have one.")


def backends(own: Sequence[int] = ()) -> tuple[EventSource, Desktop]:
    """Input and desktop of this machine; `own`: windows of the recorder's. Raises RecorderError with what to do."""
    if platform_here() == "linux":
        if os.environ.get("XDG_SESSION_TYPE") == "wayland" or (
            os.environ.get("WAYLAND_DISPLAY") and not os.environ.get("DISPLAY")
        ):
            raise RecorderError("Wayland shows no input to recorders: log in to an X11 session and record there.")
        from recorders.desktop.x11 import X11Desktop
        from recorders.events.x11 import X11Events

        return X11Events(), X11Desktop(Scrub([]), own)  # what is excluded is known by its whole title: names go later
    from recorders.desktop.plain import PlainDesktop
    from recorders.events.pynput_source import PynputEvents

    desktop = PlainDesktop()  # first: it makes this process see physical pixels on Windows
    return PynputEvents(desktop.origin), desktop
