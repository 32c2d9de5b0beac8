"""Checks of what recording can do without: accessibility, clipboard, replay."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys

from recorders.checks.base import Finding, ok, warning

NO_TREES = "Recording works all the same, without elements and trees, and passwords are recorded like any text."


def accessibility() -> Finding:
    """Whether programs tell what is on the screen, and what is a password field."""
    if sys.platform != "linux":
        return ok("read from the system while recording (untested on this system)")
    from recorders.a11y.beforehand import NothingToldError, silent_programs

    try:
        silent = silent_programs()
    except NothingToldError as error:
        return warning(f"{error} {NO_TREES}", "Install at-spi2-core and dbus-x11, and start the session anew.")
    if silent:
        return warning(
            f"No tree comes from {', '.join(silent[:6])}{' and others' if len(silent) > 6 else ''}:"
            " passwords typed there would be recorded.",
            "Restart browsers once `curate record` waits to begin; hide others with ctrl+alt+page_up (xterm, Tk).",
        )
    return ok("reachable; every program that has a window now publishes its tree")


def clipboard() -> Finding:
    """Whether replay can paste what the keyboard layout lacks."""
    if sys.platform != "linux":
        return ok("the system's own")
    tool = next((name for name in ("xclip", "xsel") if shutil.which(name)), None)
    if tool is None:
        return warning(
            "Neither xclip nor xsel is there: replay cannot type what the keyboard's layout lacks.",
            "Install the package xclip.",
        )
    return ok(f"{tool} (replay pastes with it what the layout lacks; nothing was read)")


def replay() -> Finding:
    """Whether actions can be performed."""
    from recorders.replay.machine import open_machine

    with contextlib.redirect_stderr(io.StringIO()):  # Xlib warns of an authority file that is not there
        machine = open_machine()
    return ok(f"PyAutoGUI acts on {machine.width}x{machine.height} (nothing was moved or pressed)")
