"""Whose window is in front, under a point, or open as a popup: what AT-SPI does not know, asked of the X server."""

from __future__ import annotations

import contextlib
import struct
from typing import Any

import msgspec

from recorders.x11 import close, connect, root_of

_TEXT_WORDS = 1024  # of a property, 4 bytes each


class Window(msgspec.Struct, kw_only=True, frozen=True):
    """A top-level window. `app`: its class in lower case, as in `window` rows; `box` in pixels of the root.
    `popup`: shown without the window manager (a menu, a tool tip)."""

    id: int
    app: str | None
    title: str | None
    pid: int | None
    box: tuple[float, float, float, float] | None = None
    popup: bool = False


class XWindows:
    """A connection of its own, for a process of its own. What is gone again is None. Raises RecorderError where there
    is no X server."""

    def __init__(self) -> None:
        self._connection: Any = connect()
        self._root: int = root_of(self._connection).root
        names = (
            "_NET_ACTIVE_WINDOW", "_NET_WM_NAME", "_NET_WM_PID", "WM_STATE", "AT_SPI_BUS", "_NET_CLIENT_LIST",
            "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK",
        )  # fmt: skip
        self._atoms = {
            name: int(self._connection.core.InternAtom(False, len(name), name).reply().atom) for name in names
        }

    def bus_address(self) -> str | None:
        """Of the accessibility bus, where its launcher has left it with the server."""
        return self._property(self._root, self._atoms["AT_SPI_BUS"]).decode("latin-1").rstrip("\0") or None

    def front(self) -> Window | None:
        """The window that the window manager says is active."""
        raw = self._property(self._root, self._atoms["_NET_ACTIVE_WINDOW"])
        window = struct.unpack("=I", raw[:4])[0] if len(raw) >= 4 else 0
        return self._window(window) if window else None

    def listed(self) -> list[Window]:
        """Windows of programs, without panels and the desktop itself; none without a window manager."""
        raw = self._property(self._root, self._atoms["_NET_CLIENT_LIST"])
        return [self._window(window) for window in _words(raw) if not self._is_furniture(window)]

    def _is_furniture(self, window: int) -> bool:
        kinds = _words(self._property(window, self._atoms["_NET_WM_WINDOW_TYPE"]))
        furniture = {self._atoms[f"_NET_WM_WINDOW_TYPE_{kind}"] for kind in ("DESKTOP", "DOCK")}
        return bool(furniture & set(kinds))

    def close(self) -> None:
        """Give the connection up."""
        close(self._connection)

    def under(self, x: float, y: float) -> Window | None:
        """The topmost window at a point: a client's, or one without a window manager (a menu)."""
        window = self._root
        outermost = None
        for _ in range(16):
            child = self._child_at(window, int(x), int(y))
            if not child:
                break
            outermost = outermost or child
            window = child
            if self._property(window, self._atoms["WM_STATE"]):
                return self._window(window)
        return msgspec.structs.replace(self._window(outermost), popup=True) if outermost else None

    def popups(self) -> list[tuple[float, float, float, float]]:
        """Boxes of what is shown without the window manager: menus, tool tips, lists of a combo box."""
        boxes = []
        with contextlib.suppress(Exception):
            children = self._connection.core.QueryTree(self._root).reply().children
            asked = [(child, self._connection.core.GetWindowAttributes(child)) for child in children]
            for child, cookie in asked:
                with contextlib.suppress(Exception):
                    attributes = cookie.reply()
                    if attributes.map_state == 2 and attributes.override_redirect:
                        boxes.append(self._box(child))
        return [box for box in boxes if box is not None]

    def _child_at(self, window: int, x: int, y: int) -> int:
        with contextlib.suppress(Exception):
            return int(self._connection.core.TranslateCoordinates(self._root, window, x, y).reply().child)
        return 0

    def _window(self, window: int) -> Window:
        from xcffib import xproto

        parts = self._property(window, xproto.Atom.WM_CLASS).split(b"\0")
        app = (parts[1] if len(parts) > 1 and parts[1] else parts[0]).decode("utf-8", errors="replace").lower()
        title = self._property(window, self._atoms["_NET_WM_NAME"]).decode("utf-8", errors="replace")
        title = title or self._property(window, xproto.Atom.WM_NAME).decode("latin-1")
        pid = self._property(window, self._atoms["_NET_WM_PID"])
        return Window(
            id=window,
            app=app or None,
            title=title or None,
            pid=struct.unpack("=I", pid[:4])[0] if len(pid) >= 4 else None,
            box=self._box(window),
        )

    def _box(self, window: int) -> tuple[float, float, float, float] | None:
        with contextlib.suppress(Exception):
            size = self._connection.core.GetGeometry(window).reply()
            place = self._connection.core.TranslateCoordinates(window, self._root, 0, 0).reply()
            left, top = float(place.dst_x), float(place.dst_y)
            return (left, top, left + size.width, top + size.height)
        return None

    def _property(self, window: int, atom: int) -> bytes:
        with contextlib.suppress(Exception):
            reply = self._connection.core.GetProperty(False, window, atom, 0, 0, _TEXT_WORDS).reply()
            return bytes(reply.value.buf()) if reply.value_len else b""
        return b""


def _words(raw: bytes) -> tuple[int, ...]:
    return struct.unpack(f"={len(raw) // 4}I", raw[: len(raw) // 4 * 4])
