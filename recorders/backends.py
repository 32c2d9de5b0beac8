"""What each system has to record with: one place that knows which back end serves where."""

from __future__ import annotations

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


def event_source(origin: tuple[int, int] = (0, 0)) -> EventSource:
    """Input of this machine; nothing is open before its `start`. `origin`: the desktop's, where points matter. Raises
    RecorderError with what to do."""
    if platform_here() == "linux":
        _need_session()
        from recorders.events.x11 import X11Events

        return X11Events()
    from recorders.events.pynput_source import PynputEvents

    return PynputEvents(origin)


def open_desktop(own: Sequence[int] = ()) -> Desktop:
    """All else of this machine's desktop; whoever opens it calls its `stop`, started or not. `own`: windows of the
    recorder's. Raises RecorderError with what to do."""
    if platform_here() == "linux":
        _need_session()
        from recorders.desktop.x11 import X11Desktop

        return X11Desktop(Scrub([]), own)  # what is excluded is known by its whole title: names go later
    from recorders.desktop.plain import PlainDesktop

    return PlainDesktop()


def _need_session() -> None:
    from recorders.x11 import no_session

    absent = no_session()
    if absent is not None:
        raise RecorderError(" ".join(absent))
