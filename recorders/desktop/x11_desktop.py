"""An X11 desktop: DAMAGE says that the screen changed, XFIXES the pointer's shape, RANDR the screens, the window
manager's hints the window in front. One connection, one thread."""

from __future__ import annotations

import contextlib
import io
import os
import select
import struct
import threading
import time
from collections.abc import Sequence
from typing import Any

from curate.model.errors import CurateError
from curate.store.recording import PointerRow, ScreenRow, WindowRow
from recorders.boxes import Box
from recorders.desktop.base import Keep
from recorders.desktop.monitors import Layout, Place, layout, x11_scale
from recorders.errors import RecorderError
from recorders.privacy.names import Scrub
from recorders.rows import UNNUMBERED, Sink
from recorders.x11 import close, connect, measure_clock, need, root_of
from recorders.x11_clock import ServerClock

POLL_MONITORS_S = 1.0
"""Setting logical monitors sends no event."""
MAX_BOXES = 500
"""A change in more pieces is taken as one: reading them costs more than looking at what lies between."""
KNOWN_POINTERS = 1000
"""Shapes remembered, so that a pointer that changes a thousand times a second asks for none of them twice."""
DEPTHS = (24, 32)
_RESOURCES_WORDS = 1 << 16

_Shape = tuple[str, int, int, str | None]  # file, hot spot, name


class X11Desktop:
    """See Desktop. `scrub` takes the machine's and user's names out of window titles. `own`: windows of the recorder's.
    Raises RecorderError where there is no desktop that can be recorded."""

    reports_changes = True
    origin = (0, 0)

    def __init__(self, scrub: Scrub, own: Sequence[int] = ()) -> None:
        self._scrub, self.own = scrub, frozenset(own)
        self._fault: str | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._window: tuple[int, str | None, str | None] = (0, None, None)
        self._shape: _Shape | None = None
        self._shapes: dict[int, _Shape] = {}
        with contextlib.ExitStack() as opened:
            self._open(opened)
            self._opened = opened.pop_all()

    def _open(self, opened: contextlib.ExitStack) -> None:
        """Whatever `opened` holds is closed by `stop`, or at once where this fails."""
        self._connection = connect()
        opened.callback(close, self._connection)
        self._asking = connect()
        opened.callback(close, self._asking)
        self._wake, self._woken = os.pipe()
        opened.callback(os.close, self._wake)
        opened.callback(os.close, self._woken)
        for extension in ("DAMAGE", "XFIXES", "RANDR"):
            need(self._connection, extension)
        screen = root_of(self._connection)
        self._root = screen.root
        if screen.root_depth not in DEPTHS:
            raise RecorderError(
                f"The screen has {screen.root_depth} bits a pixel, and only 24 can be recorded: "
                "set the X server's colour depth to 24 and log in again."
            )
        self._use_extensions()
        self._clock: ServerClock = measure_clock(self._connection)
        self._atoms = {
            n: self._atom(n) for n in ("_NET_ACTIVE_WINDOW", "_NET_WM_NAME", "UTF8_STRING", "RESOURCE_MANAGER")
        }
        _, self.screen, self.monitors = self._layout()

    @property
    def fault(self) -> str | None:
        return self._fault

    def start(self, sink: Sink, keep_pointer: Keep, changed: threading.Event | None) -> None:
        """Subscribe, report what is there, and go on in a thread."""
        self._sink, self._keep, self._changed = sink, keep_pointer, changed
        self._subscribe()
        now = time.monotonic_ns()
        self._report_pointer(now)
        self._report_window(now)
        self._thread = threading.Thread(target=self._watch, name="desktop", daemon=True)
        self._thread.start()

    def take_changes(self) -> list[Box] | None:
        """Empties the server's record of damage into a region, which is the answer. On a connection of its own, because
        waiting for an answer would take the watching thread's events in. Called by one thread."""
        import xcffib.damage as damage
        import xcffib.xfixes as xfixes

        try:
            self._asking(damage.key).Subtract(self._damage, 0, self._region)
            region = self._asking(xfixes.key).FetchRegion(self._region).reply()
        except Exception:  # a server that is gone is told by the watching thread
            return None
        parts = region.rectangles if len(region.rectangles) <= MAX_BOXES else [region.extents]
        return [(r.x, r.y, r.x + r.width, r.y + r.height) for r in parts if r.width and r.height]

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            os.write(self._woken, b".")
            self._thread.join(5)
            self._thread = None
        self._opened.close()

    def _use_extensions(self) -> None:
        import xcffib.damage as damage
        import xcffib.randr as randr
        import xcffib.xfixes as xfixes

        for connection in (self._connection, self._asking):
            connection(damage.key).QueryVersion(1, 1).reply()
            connection(xfixes.key).QueryVersion(5, 0).reply()
        self._connection(randr.key).QueryVersion(1, 5).reply()

    def _subscribe(self) -> None:
        import xcffib.damage as damage
        import xcffib.randr as randr
        import xcffib.xfixes as xfixes
        from xcffib import xproto

        self._select(self._root, xproto.EventMask.PropertyChange)
        self._connection(xfixes.key).SelectCursorInputChecked(self._root, xfixes.CursorNotifyMask.DisplayCursor).check()
        self._connection(randr.key).SelectInputChecked(self._root, randr.NotifyMask.ScreenChange).check()
        self._region = self._asking.generate_id()
        self._asking(xfixes.key).CreateRegionChecked(self._region, 0, []).check()
        # One event when anything is damaged, then none until `take_changes`: a terminal that prints costs no events.
        self._damage = self._connection.generate_id()
        self._connection(damage.key).CreateChecked(self._damage, self._root, damage.ReportLevel.NonEmpty).check()

    def _watch(self) -> None:
        descriptor = self._connection.get_file_descriptor()
        next_poll = time.monotonic() + POLL_MONITORS_S
        try:
            while not self._stopping.is_set():
                while (event := self._connection.poll_for_event()) is not None:
                    self._handle(event)
                left = next_poll - time.monotonic()
                if left <= 0:
                    self._report_screen(time.monotonic_ns())
                    next_poll = time.monotonic() + POLL_MONITORS_S
                    continue  # asking may have taken events in
                select.select([descriptor, self._wake], [], [], left)
        except Exception as error:
            if not self._stopping.is_set():
                said = f"The X server stopped reporting changes of the screen ({type(error).__name__})."
                self._fault = str(error) if isinstance(error, CurateError) else said

    def _handle(self, event: Any) -> None:
        import xcffib.damage as damage
        import xcffib.randr as randr
        import xcffib.xfixes as xfixes
        from xcffib import xproto

        now = time.monotonic_ns()
        if isinstance(event, damage.NotifyEvent):
            if self._changed is not None:
                self._changed.set()
        elif isinstance(event, xfixes.CursorNotifyEvent):
            self._report_pointer(self._clock.monotonic_ns(event.timestamp, now), event.cursor_serial)
        elif isinstance(event, randr.ScreenChangeNotifyEvent):
            self._report_screen(now)
        elif isinstance(event, xproto.PropertyNotifyEvent):
            if event.atom == self._atoms["RESOURCE_MANAGER"]:
                self._report_screen(now)
            elif event.atom in self._naming:
                self._report_window(self._clock.monotonic_ns(event.time, now))

    @property
    def _naming(self) -> tuple[int, ...]:
        from xcffib import xproto

        named = self._atoms["_NET_ACTIVE_WINDOW"], self._atoms["_NET_WM_NAME"]
        return (*named, xproto.Atom.WM_NAME, xproto.Atom.WM_CLASS)

    def _report_pointer(self, t: int, serial: int | None = None) -> None:
        shape = self._shapes.get(serial) if serial is not None else None
        shape = shape or self._ask_shape()
        if shape is None or shape == self._shape or _same_animation(shape, self._shape):
            return
        self._shape = shape
        image, hot_x, hot_y, name = shape
        self._sink(PointerRow(seq=UNNUMBERED, t=t, image=image, hot_x=hot_x, hot_y=hot_y, name=name))

    def _ask_shape(self) -> _Shape | None:
        import xcffib.xfixes as xfixes

        image = self._connection(xfixes.key).GetCursorImageAndName().reply()
        if not image.width:
            return None
        known = self._shapes.get(image.cursor_serial)
        if known is None:
            file = self._keep(pointer_png(image.width, image.height, list(image.cursor_image)))
            name = image.name.to_string() if image.nbytes else None
            if len(self._shapes) >= KNOWN_POINTERS:
                self._shapes.clear()
            known = self._shapes[image.cursor_serial] = (file, image.xhot, image.yhot, name or None)
        return known

    def _report_window(self, t: int) -> None:
        from xcffib import xproto

        reply = self._property(self._root, self._atoms["_NET_ACTIVE_WINDOW"], xproto.Atom.WINDOW)
        window = struct.unpack("=I", reply[:4])[0] if len(reply) >= 4 else 0
        if window != self._window[0] and window:
            with contextlib.suppress(Exception):  # it may be gone again
                self._select(window, xproto.EventMask.PropertyChange)
        app, title = (self._app(window), self._title(window)) if window else (None, None)
        if (window, app, title) == self._window:
            return
        if (app, title) != self._window[1:]:
            own = window in self.own
            self._sink(WindowRow(seq=UNNUMBERED, t=t, app=app, title=self._scrub(title), own=own))
        self._window = (window, app, title)

    def _app(self, window: int) -> str | None:
        """The second part of WM_CLASS, which names the program, in lower case."""
        from xcffib import xproto

        parts = self._property(window, xproto.Atom.WM_CLASS, 0).split(b"\0")
        name = (parts[1] if len(parts) > 1 and parts[1] else parts[0]).decode("utf-8", errors="replace")
        return name.lower() or None

    def _title(self, window: int) -> str | None:
        from xcffib import xproto

        raw = self._property(window, self._atoms["_NET_WM_NAME"], 0)
        text = raw.decode("utf-8", errors="replace") if raw else ""
        return text or self._property(window, xproto.Atom.WM_NAME, 0).decode("latin-1") or None

    def _report_screen(self, t: int) -> None:
        _, screen, monitors = self._layout()
        if (monitors, screen) != (self.monitors, self.screen):
            self.monitors, self.screen = monitors, screen
            self._sink(
                ScreenRow(
                    seq=UNNUMBERED, t=t, width=screen.width, height=screen.height, scale=screen.scale, monitors=monitors
                )
            )
            if self._changed is not None:
                self._changed.set()

    def _layout(self) -> Layout:
        """The screen is the whole root window, whose corner is the origin; monitors need not cover it."""
        import xcffib.randr as randr
        from xcffib import xproto

        asked = self._connection.core.GetGeometry(self._root), self._connection(randr.key).GetMonitors(self._root, 1)
        resources = self._property(
            self._root, self._atoms["RESOURCE_MANAGER"], xproto.Atom.STRING, words=_RESOURCES_WORDS
        )
        scale = x11_scale(resources)
        root, monitors = asked[0].reply(), asked[1].reply().monitors
        whole = Place(0, 0, root.width, root.height, scale)
        places = [Place(m.x, m.y, m.width, m.height, scale, bool(m.primary)) for m in monitors]
        found = layout([whole, *places], (0, 0))
        return Layout(found.origin, found.screen, found.monitors[1:])

    def _atom(self, name: str) -> int:
        return int(self._connection.core.InternAtom(False, len(name), name).reply().atom)

    def _select(self, window: int, mask: int) -> None:
        from xcffib import xproto

        self._connection.core.ChangeWindowAttributesChecked(window, xproto.CW.EventMask, [mask]).check()

    def _property(self, window: int, atom: int, kind: int, words: int = 4096) -> bytes:
        try:
            reply = self._connection.core.GetProperty(False, window, atom, kind, 0, words).reply()
            return bytes(reply.value.buf()) if reply.value_len else b""
        except Exception as error:
            if type(error).__name__ == "ConnectionException":
                raise
            return b""  # the window is gone: it has no property any more


def _same_animation(shape: _Shape, other: _Shape | None) -> bool:
    """Whether two shapes are pictures of one animated pointer (a busy sign): those have one name and one hot spot."""
    return other is not None and shape[3] is not None and shape[1:] == other[1:]


def pointer_png(width: int, height: int, pixels: list[int]) -> bytes:
    """A PNG of X's ARGB pixels, whose colours are multiplied by their alpha."""
    import numpy as np
    from PIL import Image

    argb = np.array(pixels, dtype=np.uint32).reshape(height, width)
    alpha = argb >> 24
    straight = np.empty((height, width, 4), np.uint8)
    for channel, shift in enumerate((16, 8, 0)):
        colour = (argb >> shift) & 0xFF
        straight[..., channel] = np.minimum(255, (colour * 255 + alpha // 2) // np.maximum(alpha, 1))
    straight[..., 3] = alpha
    out = io.BytesIO()
    Image.fromarray(straight, "RGBA").save(out, "PNG", optimize=True)
    return out.getvalue()
