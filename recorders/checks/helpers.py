"""Checks of what recording can do without: accessibility, clipboard, replay."""

from __future__ import annotations

import asyncio
import contextlib
import io
import shutil
import sys
from typing import Any

from recorders.checks.base import Finding, ok, warning

NO_TREES = "Recording works all the same, without elements and trees."


def accessibility() -> Finding:
    """Whether programs tell what is on the screen."""
    if sys.platform != "linux":
        return ok("read from the system while recording (untested on this system)")
    from recorders.a11y.atspi_bus import ACCESSIBLE, REGISTRY, AtspiBus, NoBusError

    async def programs() -> list[str]:
        bus = await AtspiBus.connect()
        found = await bus.ask(REGISTRY, ACCESSIBLE, "GetChildren")
        names = []
        for ref in found or ():
            name = (await bus.properties((ref[0], ref[1]))).get("Name")
            names.append(str(name) if name else "one without a name")
        return names

    try:
        names = asyncio.run(_within(programs(), 5.0))
    except NoBusError as error:
        return warning(f"{error} {NO_TREES}", "Install at-spi2-core and dbus-x11, and start the session anew.")
    except TimeoutError:
        return warning(f"The accessibility bus does not answer. {NO_TREES}")
    if not names:
        return warning(
            f"The accessibility bus is there, no program is on it yet. {NO_TREES}",
            "Start a program and look again. Chromium needs --force-renderer-accessibility; xterm and Tk have none.",
        )
    said = ", ".join(sorted(set(names))[:6]) + (" and others" if len(set(names)) > 6 else "")
    return ok(f"programs that publish their trees: {said}")


async def _within(work: Any, seconds: float) -> Any:
    async with asyncio.timeout(seconds):
        return await work


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
