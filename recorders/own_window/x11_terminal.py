"""The recorder's own window on X11."""

from __future__ import annotations

import contextlib
import os
import struct
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recorders.errors import RecorderError
from recorders.own_window.base import GONE_TIMEOUT_S, REPAINT_S, OwnWindow
from recorders.own_window.choice import ancestors, choose_window
from recorders.x11 import close, connect, root_of

_ICONIC, _VIEWABLE = 3, 2


def find_terminal() -> OwnWindow | None:
    """The terminal's window; None where there is none, or it cannot be told which one it is."""
    try:
        connection = connect()
    except RecorderError:
        return None
    found = None
    with contextlib.suppress(Exception):  # whatever the server refuses: then the window is not known
        found = _ListedWindows(connection).own()
    if found is None:
        close(connection)
        return None
    return X11OwnWindow(connection, found)


class _ListedWindows:
    """The windows that the window manager lists, and what they say of themselves."""

    def __init__(self, connection: Any) -> None:
        self._connection, self.root = connection, root_of(connection).root

    def own(self) -> int | None:
        clients = self.words(self.root, "_NET_CLIENT_LIST")
        owners = {window: next(iter(self.words(window, "_NET_WM_PID")), None) for window in clients}
        active = next(iter(self.words(self.root, "_NET_ACTIVE_WINDOW")), None)
        environment = os.environ
        named = environment.get("WINDOWID", "")
        top = self._listed(int(named), clients) if named.isdecimal() else None
        multiplexed = bool(environment.get("TMUX") or environment.get("STY"))
        return choose_window(top, owners, ancestors(os.getpid(), parent_process), active, multiplexed)

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
        self._windows = _ListedWindows(connection)
        self.ids = (window,)

    @property
    def title(self) -> str | None:
        from xcffib import xproto

        with contextlib.suppress(Exception):
            ask = self._connection.core.GetProperty
            for atom in (self._windows.atom("_NET_WM_NAME"), xproto.Atom.WM_NAME):
                value = ask(False, self._window, atom, 0, 0, 1024).reply().value
                if raw := bytes(value.buf()):
                    return raw.decode("utf-8", errors="replace")
        return None

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


def parent_process(pid: int) -> int | None:
    """Which process started another; None where it has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(stat.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None
