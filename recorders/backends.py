"""What each system has to record with, in one table: SYSTEMS. Beside it stand what reads accessibility, in a process of
its own (`a11y/base.py: backend_here`), what the doctor looks at (`checks/doctor.py: checks`), and what nobody has tried
(`untested.py` of events, a11y and terminal)."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Protocol

from curate.model.trajectory import Platform
from curate.store.recording import Monitor
from recorders.banner.base import Banner
from recorders.clipboard_watch import ClipboardWatch, PolledClipboardWatch, X11ClipboardWatch
from recorders.desktop.base import Desktop
from recorders.errors import RecorderError
from recorders.events.base import EventSource
from recorders.own_window.base import OwnWindow
from recorders.privacy.excluded import ExcludedAreas, MonitorAreas
from recorders.privacy.exclusions import Exclusions
from recorders.privacy.names import Scrub
from recorders.x11 import no_session


def platform_here() -> Platform:
    """The platform's name in the record. Raises RecorderError for one that cannot be recorded."""
    if sys.platform.startswith("linux"):
        return "linux"
    if sys.platform == "win32":
        return "windows"
    if sys.platform == "darwin":
        return "macos"
    raise RecorderError(f"There is no recorder for {sys.platform}: Linux with X11, Windows and macOS have one.")


class System(Protocol):
    """What a recording asks of a system. Back ends are imported when they are asked for: not every machine has them."""

    def event_source(self, origin: tuple[int, int]) -> EventSource: ...

    def open_desktop(self, own: Sequence[int]) -> Desktop: ...

    def excluded_areas(
        self, exclusions: Exclusions, monitors: Sequence[Monitor], own: Sequence[int]
    ) -> ExcludedAreas: ...

    def clipboard_watch(self) -> ClipboardWatch: ...

    def find_own_window(self) -> OwnWindow | None: ...

    def open_banner(self, monitors: Sequence[Monitor]) -> Banner | None: ...

    def open_windows(self) -> list[tuple[str | None, str | None]] | None: ...


class X11:
    """Linux with an X server."""

    def event_source(self, origin: tuple[int, int]) -> EventSource:
        from recorders.events.x11_events import X11Events

        self._need_session()
        return X11Events()

    def open_desktop(self, own: Sequence[int]) -> Desktop:
        from recorders.desktop.x11_desktop import X11Desktop

        self._need_session()
        return X11Desktop(Scrub([]), own)  # what is excluded is known by its whole title: names go later

    def excluded_areas(self, exclusions: Exclusions, monitors: Sequence[Monitor], own: Sequence[int]) -> ExcludedAreas:
        from recorders.desktop.x11_excluded import X11ExcludedAreas

        return X11ExcludedAreas(exclusions, own)

    def clipboard_watch(self) -> ClipboardWatch:
        return X11ClipboardWatch()

    def find_own_window(self) -> OwnWindow | None:
        from recorders.own_window.x11_terminal import find_terminal

        return find_terminal()

    def open_banner(self, monitors: Sequence[Monitor]) -> Banner | None:
        from recorders.banner.x11_banner import X11Banner

        return X11Banner(monitors)

    def open_windows(self) -> list[tuple[str | None, str | None]] | None:
        from recorders.desktop.x11_open_windows import named_windows

        return named_windows()

    def _need_session(self) -> None:
        absent = no_session()
        if absent is not None:
            raise RecorderError(" ".join(absent))


class MacOS:
    """By pynput and mss: windows are not known. Untested there."""

    def event_source(self, origin: tuple[int, int]) -> EventSource:
        from recorders.events.pynput_source import PynputEvents

        return PynputEvents(origin)

    def open_desktop(self, own: Sequence[int]) -> Desktop:
        from recorders.desktop.plain import PlainDesktop

        return PlainDesktop()

    def excluded_areas(self, exclusions: Exclusions, monitors: Sequence[Monitor], own: Sequence[int]) -> ExcludedAreas:
        if exclusions.apps or exclusions.titles:
            raise RecorderError(
                "Programs and windows can be excluded on Linux with X11 only, where their place on the screen is known:"
                " exclude a monitor (monitor:2) and keep them there, or close them while recording."
            )
        return MonitorAreas(exclusions, monitors)

    def clipboard_watch(self) -> ClipboardWatch:
        return PolledClipboardWatch()

    def find_own_window(self) -> OwnWindow | None:
        return None

    def open_banner(self, monitors: Sequence[Monitor]) -> Banner | None:
        return None

    def open_windows(self) -> list[tuple[str | None, str | None]] | None:
        return None


class Windows(MacOS):
    """As on macOS, but the console's window can be put away. Untested there."""

    def find_own_window(self) -> OwnWindow | None:
        from recorders.own_window.console import find_console

        return find_console()


SYSTEMS: Mapping[Platform, System] = {"linux": X11(), "macos": MacOS(), "windows": Windows()}


def event_source(origin: tuple[int, int] = (0, 0)) -> EventSource:
    """Input of this machine; nothing is open before its `start`. `origin`: the desktop's, where points matter. Raises
    RecorderError with what to do."""
    return SYSTEMS[platform_here()].event_source(origin)


def open_desktop(own: Sequence[int] = ()) -> Desktop:
    """All else of this machine's desktop; whoever opens it calls its `stop`, started or not. `own`: windows of the
    recorder's. Raises RecorderError with what to do."""
    return SYSTEMS[platform_here()].open_desktop(own)


def excluded_areas(
    exclusions: Exclusions, platform: Platform, monitors: Sequence[Monitor], own: Sequence[int] = ()
) -> ExcludedAreas | None:
    """What watches these exclusions here; None where nothing is excluded. `own`: ids of windows of the recorder's
    that are to be black too (X11). Raises RecorderError where an exclusion cannot be kept here: that is said before
    anything is recorded, not passed over."""
    if not exclusions and not own:
        return None
    return SYSTEMS[platform].excluded_areas(exclusions, monitors, own)


def clipboard_watch() -> ClipboardWatch:
    """What tells of the clipboard's text; nothing is open before its `start`."""
    return SYSTEMS[platform_here()].clipboard_watch()


def find_own_window() -> OwnWindow | None:
    """The terminal's window on this desktop; None where there is none (ssh, a virtual console, CI), or it cannot be
    told which one it is."""
    return SYSTEMS[platform_here()].find_own_window()


def open_banner(monitors: Sequence[Monitor]) -> Banner | None:
    """What tells a person in front of all windows that nothing is recorded; None where nothing can (Windows, macOS).
    Raises RecorderError with what to do."""
    return SYSTEMS[platform_here()].open_banner(monitors)


def open_windows() -> list[tuple[str | None, str | None]] | None:
    """Program and title of every window that is open (a program that has two names stands there twice); None where
    they cannot be listed."""
    return SYSTEMS[platform_here()].open_windows()
