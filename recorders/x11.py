"""Connecting to the X server, said in one sentence where it cannot be."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any, NamedTuple

from recorders.errors import RecorderError
from recorders.x11_clock import ServerClock


class NoSession(NamedTuple):
    """`said`: what is missing of an X11 session. `do`: what to do about it. Two sentences."""

    said: str
    do: str


def no_session() -> NoSession | None:
    """Why this process sees no X11 desktop; None where it does, as far as its environment tells."""
    display = os.environ.get("DISPLAY")
    if os.environ.get("XDG_SESSION_TYPE") == "wayland" or (os.environ.get("WAYLAND_DISPLAY") and not display):
        return NoSession(
            "This is a Wayland session, where no program hears or touches what belongs to another.",
            "Log out and choose an X11 session where you log in (often called 'on Xorg' or 'X11').",
        )
    if not display:
        return NoSession(
            "There is no graphical session here: DISPLAY is not set.",
            "Open a terminal on the desktop that you mean and start this there.",
        )
    return None


def connect() -> Any:
    """A connection to the display of DISPLAY. Raises RecorderError."""
    try:
        # A connection knows the events of those extensions that were imported before it was made.
        import xcffib
        import xcffib.damage
        import xcffib.randr
        import xcffib.record
        import xcffib.xfixes
        import xcffib.xinput
        import xcffib.xkb
        import xcffib.xproto
    except (ImportError, OSError) as error:
        raise RecorderError("Recording on X11 needs libxcb: install the package libxcb1.") from error
    display = os.environ.get("DISPLAY")
    if not display and (absent := no_session()) is not None:
        raise RecorderError(" ".join(absent))
    try:
        return xcffib.Connection()
    except Exception as error:  # xcffib raises several of its own, none with a common parent
        raise RecorderError(f"The display {display} cannot be opened: {type(error).__name__}.") from error


def close(connection: Any) -> None:
    """Give a connection up, whatever has become of it."""
    with contextlib.suppress(Exception):
        connection.disconnect()


def root_of(connection: Any) -> Any:
    """The root screen structure of a connection."""
    return connection.get_setup().roots[connection.pref_screen]


def need(connection: Any, name: str) -> None:
    """Raises RecorderError where the server lacks an extension."""
    if not connection.core.QueryExtension(len(name), name).reply().present:
        raise RecorderError(f"The X server has no {name} extension, without which nothing can be recorded.")


def measure_clock(connection: Any, rounds: int = 5) -> ServerClock:
    """The server's clock against ours, from the times it puts on changes of a property of a window of our own."""
    from xcffib import xproto

    window = connection.generate_id()
    root = root_of(connection)
    connection.core.CreateWindow(
        0, window, root.root, 0, 0, 1, 1, 0, xproto.WindowClass.InputOnly, 0,
        xproto.CW.EventMask, [xproto.EventMask.PropertyChange],
    )  # fmt: skip
    samples = []
    for _ in range(rounds):
        before = time.monotonic_ns()
        connection.core.ChangeProperty(
            xproto.PropMode.Append, window, xproto.Atom.WM_NAME, xproto.Atom.STRING, 8, 0, b""
        )
        connection.flush()
        event = connection.wait_for_event()
        if isinstance(event, xproto.PropertyNotifyEvent) and event.window == window:
            samples.append((before, event.time, time.monotonic_ns()))
    connection.core.DestroyWindow(window)
    connection.flush()
    return ServerClock.measured(samples) if samples else ServerClock()
