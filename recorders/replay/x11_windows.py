"""Windows of an X11 desktop, as a replay asks for them."""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Collection
from typing import Any

from recorders.desktop.x11_window_facts import FactReader, Facts
from recorders.own_window.choice import ancestors
from recorders.own_window.x11_terminal import parent_process
from recorders.replay.windows import Kind, Seen
from recorders.x11 import close, connect

_GROUND = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")
_PAGER = 2  # who asks, in the words of the window manager's hints: it does as it is told, as for a task bar


class X11Windows:
    """See Windows. `own`: the terminal's, where they are known; else every window of a process that started this one
    counts as the terminal's. Raises RecorderError where there is no display."""

    def __init__(self, own: Collection[int]) -> None:
        self._connection = connect()
        self._reader = FactReader(self._connection)
        self._root = self._reader.root.root
        self._own = frozenset(own)
        self._family = frozenset() if own else frozenset(ancestors(os.getpid(), parent_process))

    def close(self) -> None:
        """End the connection."""
        close(self._connection)

    def front(self) -> Seen | None:
        windows, _ = self._reader.in_front()
        for window in windows:
            found = self._named(window)
            if found is not None:
                return found
        return None

    def under(self, x: int, y: int) -> Seen | None:
        top = int(self._connection.core.TranslateCoordinates(self._root, self._root, x, y).reply().child)
        if not top:
            return Seen((), kind="ground")
        told = self._reader.clients(top)
        clients = [facts for facts in told if facts.client] or told[:1]
        if not any(facts.names for facts in clients):
            names = self._names_of_maker(clients[-1].window)
            return Seen(names, kind="menu" if names else "ground")
        return self._seen(clients)

    def bring(self, app: str, title: str | None) -> bool:
        found = [facts for facts in self._listed() if app.lower() in facts.names and not self._is_own(facts)]
        if not found:
            return False
        best = next((facts for facts in found if title is not None and facts.title == title), found[0])
        with contextlib.suppress(Exception):  # it closed meanwhile: then it does not come
            self._activate(best.window)
        return True

    def _named(self, window: int) -> Seen | None:
        """A window that has the keys, or the first around it that says whose it is."""
        while window and window != self._root:
            facts = self._reader.facts(window)
            if facts.names:
                return self._seen([facts])
            window = self._parent(window)
        return None

    def _parent(self, window: int) -> int:
        try:
            return int(self._connection.core.QueryTree(window).reply().parent)
        except Exception:  # it closed
            return 0

    def _seen(self, clients: list[Facts]) -> Seen:
        names = [name for facts in clients for name in facts.names]
        for facts in clients:  # a menu may call itself what it likes: its program is whose connection it is of
            names += self._names_of_maker(facts.window)
        own = any(self._is_own(facts) for facts in clients)
        kind: Kind = "ground" if self._is_ground(clients[-1].window) else "window"
        title = next((facts.title for facts in clients if facts.title), None)
        return Seen(tuple(dict.fromkeys(names[::-1]))[::-1], title, kind, own)

    def _names_of_maker(self, window: int) -> tuple[str, ...]:
        """Names of the listed windows that the same program made."""
        maker = self._reader.maker(window)
        return tuple(
            name for facts in self._listed() if self._reader.maker(facts.window) == maker for name in facts.names
        )

    def _is_own(self, facts: Facts) -> bool:
        return facts.window in self._own or (facts.pid is not None and facts.pid in self._family)

    def _is_ground(self, window: int) -> bool:
        return any(kind in self._words(window, "_NET_WM_WINDOW_TYPE") for kind in map(self._atom, _GROUND))

    def _listed(self) -> list[Facts]:
        """The window manager's windows, the highest first."""
        listed = self._words(self._root, "_NET_CLIENT_LIST_STACKING") or self._words(self._root, "_NET_CLIENT_LIST")
        return [self._reader.facts(window) for window in reversed(listed)]

    def _words(self, window: int, name: str) -> list[int]:
        try:
            reply = self._connection.core.GetProperty(False, window, self._atom(name), 0, 0, 1024).reply()
            raw = bytes(reply.value.buf()) if reply.value_len and reply.format == 32 else b""
        except Exception:  # the window is gone
            return []
        return list(struct.unpack(f"={len(raw) // 4}I", raw))

    def _atom(self, name: str) -> int:
        return int(self._connection.core.InternAtom(False, len(name), name).reply().atom)

    def _activate(self, window: int) -> None:
        from xcffib import xproto

        self._connection.core.MapWindow(window)
        union: Any = xproto.ClientMessageData.synthetic([_PAGER, 0, 0, 0, 0], "5I")
        event = xproto.ClientMessageEvent.synthetic(32, window, self._atom("_NET_ACTIVE_WINDOW"), union)
        mask = xproto.EventMask.SubstructureRedirect | xproto.EventMask.SubstructureNotify
        self._connection.core.SendEvent(False, self._root, mask, event.pack())
        self._connection.flush()
