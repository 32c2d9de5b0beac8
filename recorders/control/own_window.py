"""The window of the terminal that the recorder was started from: found, put away while recording, brought back."""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

GONE_TIMEOUT_S = 3.0
REPAINT_S = 0.4
"""How long what was behind the window may take to be painted again, the desktop's animation included."""
_ICONIC, _VIEWABLE = 3, 2


class OwnWindow(Protocol):
    """`ids`: windows of the recorder's as the desktop knows them."""

    @property
    def ids(self) -> tuple[int, ...]: ...

    def hide(self) -> bool:
        """Put it away; returns when it has gone and the screen shows what was behind it. False: it stays."""
        ...

    def show(self) -> None:
        """Bring it back to the front."""
        ...


def find_own_window() -> OwnWindow | None:
    """The terminal's window on this desktop; None where there is none (ssh, a virtual console, CI), or it cannot be
    told which one it is."""
    if sys.platform.startswith("linux"):
        return _find_on_x11()
    if sys.platform == "win32":
        return _find_console()
    return None


def ancestors(pid: int, parent_of: Callable[[int], int | None]) -> list[int]:
    """A process and those that started it, up to but without the first one of the system."""
    found: list[int] = []
    current: int | None = pid
    while current is not None and current > 1 and current not in found:
        found.append(current)
        current = parent_of(current)
    return found


def choose_window(
    named: int | None, owners: Mapping[int, int | None], family: Sequence[int], active: int | None, multiplexed: bool
) -> int | None:
    """Which of the desktop's windows is the terminal's. `named`: by WINDOWID. `owners`: the windows and the process
    each says it is of. `family`: this process and its ancestors. `active`: the window in front. `multiplexed`: in
    tmux or screen, whose processes descend from no terminal, and whose WINDOWID may be another terminal's."""
    if named is not None and named in owners:
        owner = owners[named]
        if (owner is None and not multiplexed) or (owner is not None and owner in family):
            return named
    mine = [window for window, owner in owners.items() if owner is not None and owner in family]
    if len(mine) == 1:
        return mine[0]
    if active in mine:  # one process, many windows; a command is typed into the one in front
        return active
    return named if multiplexed and named in owners and named == active else None


def _parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _find_on_x11() -> OwnWindow | None:
    from recorders.errors import RecorderError
    from recorders.x11 import connect

    try:
        connection = connect()
    except RecorderError:
        return None
    found = None
    with contextlib.suppress(Exception):  # whatever the server refuses: then the window is not known
        found = _X11Windows(connection).own()
    if found is None:
        connection.disconnect()
        return None
    return X11OwnWindow(connection, found)


class _X11Windows:
    """The windows that the window manager lists, and what they say of themselves."""

    def __init__(self, connection: Any) -> None:
        from recorders.x11 import root_of

        self._connection, self.root = connection, root_of(connection).root

    def own(self) -> int | None:
        clients = self.words(self.root, "_NET_CLIENT_LIST")
        owners = {window: next(iter(self.words(window, "_NET_WM_PID")), None) for window in clients}
        active = next(iter(self.words(self.root, "_NET_ACTIVE_WINDOW")), None)
        environment = os.environ
        named = environment.get("WINDOWID", "")
        top = self._listed(int(named), clients) if named.isdecimal() else None
        multiplexed = bool(environment.get("TMUX") or environment.get("STY"))
        return choose_window(top, owners, ancestors(os.getpid(), _parent), active, multiplexed)

    def words(self, window: int, name: str) -> list[int]:
        """A property's 32-bit words; none where it is not there."""
        try:
            reply = self._connection.core.GetProperty(False, window, self.atom(name), 0, 0, 1024).reply()
            raw = bytes(reply.value.buf()) if reply.value_len and reply.format == 32 else b""
        except Exception:  # the window is gone
            return []
        return list(struct.unpack(f"={len(raw) // 4}I", raw))

    def atom(self, name: str) -> int:
        return int(self._connection.core.InternAtom(False, len(name), name).reply().atom)

    def _listed(self, window: int, clients: Sequence[int]) -> int | None:
        """The window, or the one of its parents, that is in the window manager's list."""
        while window and window != self.root:
            if window in clients:
                return window
            window = int(self._connection.core.QueryTree(window).reply().parent)
        return None


class X11OwnWindow:
    """See OwnWindow. By the window manager where there is one."""

    def __init__(self, connection: Any, window: int) -> None:
        self._connection, self._window = connection, window
        self._windows = _X11Windows(connection)
        self.ids = (window,)

    def hide(self) -> bool:
        with contextlib.suppress(Exception):
            self._ask("WM_CHANGE_STATE", [_ICONIC, 0, 0, 0, 0])
            until = time.monotonic() + GONE_TIMEOUT_S
            while time.monotonic() < until:
                if self._gone():
                    time.sleep(REPAINT_S)
                    return True
                time.sleep(0.03)
        return False

    def show(self) -> None:
        with contextlib.suppress(Exception):  # the server may have gone
            self._connection.core.MapWindow(self._window)
            self._ask("_NET_ACTIVE_WINDOW", [2, 0, 0, 0, 0])

    def _gone(self) -> bool:
        """Not in front, and not on the screen."""
        state = self._connection.core.GetWindowAttributes(self._window).reply().map_state
        if state == _VIEWABLE and self._windows.words(self._window, "WM_STATE")[:1] != [_ICONIC]:
            return False
        return self._windows.words(self._windows.root, "_NET_ACTIVE_WINDOW")[:1] != [self._window]

    def _ask(self, name: str, data: list[int]) -> None:
        from xcffib import xproto

        union = xproto.ClientMessageData.synthetic(data, "5I")
        event = xproto.ClientMessageEvent.synthetic(32, self._window, self._windows.atom(name), union)
        mask = xproto.EventMask.SubstructureRedirect | xproto.EventMask.SubstructureNotify
        self._connection.core.SendEvent(False, self._windows.root, mask, event.pack())
        self._connection.flush()


def _find_console() -> OwnWindow | None:
    import ctypes

    windll = ctypes.windll  # type: ignore[attr-defined]
    console = windll.kernel32.GetConsoleWindow()
    window = windll.user32.GetAncestor(console, 3) if console else 0  # GA_ROOTOWNER: the terminal of a pseudo console
    return ConsoleWindow(window) if window else None


class ConsoleWindow:
    """See OwnWindow, on Windows. Untested there."""

    def __init__(self, window: int) -> None:
        import ctypes

        self._user32: Any = ctypes.windll.user32  # type: ignore[attr-defined]
        self._window = window
        self.ids = (window,)

    def hide(self) -> bool:
        self._user32.ShowWindow(self._window, 6)  # SW_MINIMIZE
        until = time.monotonic() + GONE_TIMEOUT_S
        while time.monotonic() < until:
            if self._user32.IsIconic(self._window):
                time.sleep(REPAINT_S)
                return True
            time.sleep(0.03)
        return False

    def show(self) -> None:
        self._user32.ShowWindow(self._window, 9)  # SW_RESTORE
        self._user32.SetForegroundWindow(self._window)
