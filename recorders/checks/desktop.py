"""Checks of an X11 display: reachable, with what recording needs; screen, keyboard."""

from __future__ import annotations

import os
import struct
import sys
from typing import Any

from recorders.checks.base import Finding, missing, ok, warning
from recorders.errors import RecorderError
from recorders.x11 import connect, root_of

NEEDED = ("RECORD", "XFIXES", "RANDR", "XKEYBOARD", "DAMAGE")
FOR_REPLAY = ("XTEST",)
RULES = "_XKB_RULES_NAMES"


def display() -> Finding:
    """Whether the display answers."""
    try:
        connection = connect()
    except RecorderError as error:
        return missing(
            str(error),
            "Compare DISPLAY with that of a terminal on the desktop (echo $DISPLAY); for another user's, see xhost.",
        )
    try:
        vendor = bytes(connection.get_setup().vendor.buf()).decode("latin-1")
    finally:
        connection.disconnect()
    return ok(f"{os.environ.get('DISPLAY')} answers ({vendor})")


def extensions() -> Finding:
    """What the X server must be able to do."""
    connection = connect()
    try:
        absent = [name for name in (*NEEDED, *FOR_REPLAY) if not _has(connection, name)]
    finally:
        connection.disconnect()
    needed = [name for name in absent if name in NEEDED]
    if needed:
        return missing(
            f"The X server lacks {', '.join(needed)}, without which nothing can be recorded.",
            "Start the X server without switching extensions off.",
        )
    if absent:
        return warning("The X server lacks XTEST: recording works, replay does not.")
    return ok(f"the X server has {', '.join((*NEEDED, *FOR_REPLAY))}")


def _has(connection: Any, name: str) -> bool:
    return bool(connection.core.QueryExtension(len(name), name).reply().present)


def depth() -> Finding:
    """Colours of the screen."""
    connection = connect()
    try:
        bits = root_of(connection).root_depth
    finally:
        connection.disconnect()
    if bits not in (24, 32):
        return missing(
            f"The screen has {bits} bits of colour, pictures can be taken of 24 or 32.",
            "Set the display to millions of colours (depth 24).",
        )
    return ok(f"{bits} bits")


def monitors() -> Finding:
    """Sizes, places and scales, as a recording would name them."""
    from recorders.backends import open_desktop

    desktop = open_desktop()
    desktop.stop()
    screen = desktop.screen
    each = ", ".join(
        f"{m.width}x{m.height} at {m.x},{m.y}"
        + (f" scale {m.scale:g}" if m.scale not in (None, 1.0) else "")
        + (" (primary)" if m.primary and len(desktop.monitors) > 1 else "")
        for m in desktop.monitors
    )
    if not desktop.monitors:
        return warning(f"{screen.width}x{screen.height} pixels; the system names no monitor.")
    count = len(desktop.monitors)
    return ok(f"{screen.width}x{screen.height} pixels on {count} monitor{'s' if count > 1 else ''}: {each}")


def window_manager() -> Finding:
    """Whether somebody tells which window is in front."""
    connection = connect()
    try:
        window = _property(connection, root_of(connection).root, "_NET_SUPPORTING_WM_CHECK")
        told = _property(connection, root_of(connection).root, "_NET_SUPPORTED")
        name = _property(connection, int.from_bytes(window[:4], sys.byteorder), "_NET_WM_NAME") if window else b""
        active = _atom(connection, "_NET_ACTIVE_WINDOW")
        knows = active in struct.unpack(f"={len(told) // 4}I", told[: len(told) // 4 * 4]) if active else False
    finally:
        connection.disconnect()
    if not window or not knows:
        return warning(
            "No window manager tells which window is in front: programs and window titles are not recorded.",
            "Start a window manager, such as openbox.",
        )
    return ok(f"{name.decode('utf-8', errors='replace') or 'the window manager'} tells which window is in front")


def keyboard() -> Finding:
    """Whether keys can be named and their text known."""
    from recorders.events.keymap import Keymap
    from recorders.replay.x11_lent import give_back

    connection = connect()
    try:
        given_back = give_back(connection)
        setup = connection.get_setup()
        count = setup.max_keycode - setup.min_keycode + 1
        mapping = connection.core.GetKeyboardMapping(setup.min_keycode, count).reply()
        keymap = Keymap()
        keymap.load(setup.min_keycode, mapping.keysyms_per_keycode, list(mapping.keysyms))
        codes = range(setup.min_keycode, setup.max_keycode + 1)
        typing = sum(bool(keymap.meaning(code, 0).text.strip()) for code in codes)
        layout = _layout(connection)
    finally:
        connection.disconnect()
    if typing < 26:
        return warning(
            f"The keyboard's layout ({layout}) has only {typing} keys that type something.",
            "Set a layout, such as: setxkbmap us",
        )
    freed = f"; {given_back} that a killed replay had lent are free again" if given_back else ""
    return ok(f"layout {layout}: {typing} keys type something{freed}")


def _layout(connection: Any) -> str:
    """Layout and variant, as set on the display."""
    parts = _property(connection, root_of(connection).root, RULES).decode("latin-1").split("\0")
    return " ".join(part for part in parts[2:4] if part) or "of unknown name"


def _atom(connection: Any, name: str) -> int:
    """0 where nobody ever used that name."""
    return int(connection.core.InternAtom(True, len(name), name).reply().atom)


def _property(connection: Any, window: int, name: str) -> bytes:
    """A property of a window, whatever its type; empty where it has none."""
    atom = _atom(connection, name)
    if not atom:
        return b""
    reply = connection.core.GetProperty(False, window, atom, 0, 0, 1024).reply()
    return bytes(reply.value.buf()) if reply.value_len else b""


def permissions() -> Finding:
    """What macOS asks the person for (untested there)."""
    if sys.platform != "darwin":
        return ok("no permission has to be given on this system")
    lacking = []
    try:
        import HIServices  # type: ignore[import-not-found]
        import Quartz  # type: ignore[import-not-found]

        if not HIServices.AXIsProcessTrusted():
            lacking.append("Accessibility")
        if not Quartz.CGPreflightScreenCaptureAccess():
            lacking.append("Screen Recording")
    except (ImportError, AttributeError):
        return warning("Whether macOS allows recording could not be asked.")
    if lacking:
        return missing(
            f"macOS does not allow this terminal: {', '.join(lacking)}.",
            "Allow it under System Settings, Privacy & Security (also Input Monitoring), and start the terminal again.",
        )
    return ok("Accessibility and Screen Recording are allowed; Input Monitoring shows in the trial")
