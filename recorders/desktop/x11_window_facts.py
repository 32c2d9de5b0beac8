"""What an X11 window says about itself, read in one round trip."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from recorders.boxes import Box
from recorders.x11 import root_of

_DEPTH = 4  # window managers put a program's window at most so deep into their frame
_ATOMS = (
    "_NET_WM_NAME", "_NET_WM_PID", "_NET_WM_STATE", "_NET_WM_STATE_HIDDEN", "_NET_WM_WINDOW_OPACITY",
    "_NET_FRAME_EXTENTS", "_NET_ACTIVE_WINDOW", "_NET_WM_CM_S0", "WM_STATE",
)  # fmt: skip


class Facts(msgspec.Struct, kw_only=True, frozen=True):
    """`names`: both parts of WM_CLASS, in lower case; the second is what `window` rows have as `app`. `owner`: the
    window this one is a dialogue of. `client`: whether it is a program's window rather than a frame around one.
    `extents`: left, right, top, bottom of a frame drawn around it."""

    window: int
    names: tuple[str, ...] = ()
    title: str | None = None
    owner: int | None = None
    pid: int | None = None
    client: bool = False
    translucent: bool = False
    minimised: bool = False
    extents: tuple[int, int, int, int] = (0, 0, 0, 0)


class Top(msgspec.Struct):
    """A window right under the root. `touched`: when it last changed."""

    window: int
    box: Box
    mapped: bool
    menu: bool  # override-redirect: a menu, a tooltip, a popup
    opaque: bool
    touched: float
    clients: list[Facts] | None = None  # None: to be read (again)
    excluded: bool = False


class FactReader:
    """Reads on one connection; a window that is gone has no facts."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.root = root_of(connection)
        self.atoms = {name: self._atom(name) for name in _ATOMS}
        self.mask: int = connection.get_setup().resource_id_mask

    def maker(self, window: int) -> int:
        """What the ids of all windows made by one program's connection have in common."""
        return window & ~self.mask

    def facts(self, window: int) -> Facts:
        from xcffib import xproto

        atoms, core = self.atoms, self._connection.core
        asked = {
            name: core.GetProperty(False, window, atom, 0, 0, 1024)
            for name, atom in (
                ("class", xproto.Atom.WM_CLASS), ("name", xproto.Atom.WM_NAME), ("owner", xproto.Atom.WM_TRANSIENT_FOR),
                ("title", atoms["_NET_WM_NAME"]), ("pid", atoms["_NET_WM_PID"]), ("wm", atoms["WM_STATE"]),
                ("state", atoms["_NET_WM_STATE"]), ("opacity", atoms["_NET_WM_WINDOW_OPACITY"]),
                ("extents", atoms["_NET_FRAME_EXTENTS"]),
            )
        }  # fmt: skip
        got = {name: _value(cookie) for name, cookie in asked.items()}
        names = tuple(part.decode("utf-8", errors="replace").lower() for part in got["class"].split(b"\0") if part)
        title = got["title"].decode("utf-8", errors="replace") or got["name"].decode("latin-1")
        extents = struct.unpack("=4I", got["extents"][:16]) if len(got["extents"]) >= 16 else (0, 0, 0, 0)
        return Facts(
            window=window, names=names, title=title or None, owner=_number(got["owner"]), pid=_number(got["pid"]),
            client=bool(got["class"] or got["wm"]), translucent=bool(got["opacity"]),
            minimised=atoms["_NET_WM_STATE_HIDDEN"] in _numbers(got["state"]),
            extents=tuple(min(side, 500) for side in extents),  # a frame is no wider; what is, is no frame's width
        )  # fmt: skip

    def clients(self, top: int) -> list[Facts]:
        """A window right under the root and the programs' windows in it; the top itself comes first."""
        own = self.facts(top)
        found, level = [own], [] if own.client else [top]
        for _ in range(_DEPTH):
            below = [child for window in level for child in self.children(window)]
            told = [self.facts(child) for child in below]
            found += [facts for facts in told if facts.client]
            level = [facts.window for facts in told if not facts.client]
            if not level:
                break
        return found

    def children(self, window: int) -> list[int]:
        """From the lowest to the highest."""
        try:
            return list(self._connection.core.QueryTree(window).reply().children)
        except Exception as error:
            raise_if_over(error)
            return []

    def top_of(self, window: int) -> int | None:
        """The window right under the root in which this one lies."""
        for _ in range(64):
            try:
                parent = self._connection.core.QueryTree(window).reply().parent
            except Exception as error:
                raise_if_over(error)
                return None
            if parent == self.root.root:
                return window
            if not parent:
                return None
            window = parent
        return None

    def in_front(self) -> tuple[list[int], bool]:
        """The windows that keys go to, as the window manager and the server say; and whether they go to whichever
        window the pointer is over (no window manager)."""
        active = _number(_value(self._connection.core.GetProperty(
            False, self.root.root, self.atoms["_NET_ACTIVE_WINDOW"], 0, 0, 1)))  # fmt: skip
        focus = int(self._connection.core.GetInputFocus().reply().focus)
        windows = [window for window in (active, focus) if window and window > 1 and window != self.root.root]
        return windows, focus == 1

    def composited(self) -> bool:
        """Whether a compositor runs: what it shows is its own picture of the windows."""
        owner = self._connection.core.GetSelectionOwner(self.atoms["_NET_WM_CM_S0"]).reply().owner
        return bool(owner)

    def _atom(self, name: str) -> int:
        return int(self._connection.core.InternAtom(False, len(name), name).reply().atom)


def raise_if_over(error: Exception) -> None:
    """Raises again what says that the server is gone; anything else says that the window is."""
    if type(error).__name__ in ("ConnectionException", "ConnectionError"):
        raise error


def _value(cookie: Any) -> bytes:
    try:
        reply = cookie.reply()
        return bytes(reply.value.buf()) if reply.value_len else b""
    except Exception as error:
        raise_if_over(error)
        return b""


def _numbers(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"={len(data) // 4}I", data[: len(data) // 4 * 4])


def _number(data: bytes) -> int | None:
    numbers = _numbers(data)
    return numbers[0] if numbers else None


def box_of(x: int, y: int, width: int, height: int, border: int) -> Box:
    """What a window covers with its border."""
    return (x, y, x + width + 2 * border, y + height + 2 * border)
