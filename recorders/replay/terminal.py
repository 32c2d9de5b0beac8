"""The terminal that runs a replay: out of the way while it acts, and left with nothing typed into it."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from recorders.own_window.base import OwnWindow

SETTLE_S = 0.3
"""A terminal may hand on this late what was typed into it."""


@contextlib.contextmanager
def put_away(own: OwnWindow | None, tell: Callable[[str], None]) -> Iterator[None]:
    """Meanwhile the terminal's window is not on the screen. It comes back however that ends."""
    hidden = False
    try:
        if own is not None:
            hidden = own.hide()
            if not hidden:
                tell("This terminal cannot be put away here: nothing is typed while it is in front.")
        yield
    finally:
        if own is not None and hidden:
            own.show()


def forget_typed() -> None:
    """What came into this terminal and was not read is dropped: the shell would run it."""
    if not sys.stdin or not sys.stdin.isatty():
        return
    time.sleep(SETTLE_S)
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        with contextlib.suppress(termios.error, OSError):  # the terminal has gone
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
