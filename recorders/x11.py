"""Connecting to the X server, said in one sentence where it cannot be."""

from __future__ import annotations

import os
import time
from typing import Any

from recorders.events.base import RecorderError
from recorders.events.clock import ServerClock


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
    if not display:
        hint = " (a Wayland session shows no input to recorders: log in to an X11 session)"
        wayland = hint if os.environ.get("WAYLAND_DISPLAY") else ""
        raise RecorderError(f"There is no display to record: DISPLAY is not set{wayland}.")
    try:
        return xcffib.Connection()
    except Exception as error:  # xcffib raises several of its own, none with a common parent
        raise RecorderError(f"The display {display} cannot be opened: {type(error).__name__}.") from error


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
