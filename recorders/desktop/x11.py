"""An X11 desktop: DAMAGE says that the screen changed, XFIXES the pointer's shape, RANDR the screens, the window
manager's hints the window in front. One connection, one thread."""

from __future__ import annotations

import contextlib
import io
import select
import struct
import threading
import time
from typing import Any

from curate.model.trajectory import Screen
from curate.store.recording import Monitor, PointerRow, ScreenRow, WindowRow
from recorders.desktop.base import Keep
from recorders.events.base import UNNUMBERED, Sink
from recorders.events.clock import ServerClock
from recorders.privacy.names import Scrub
from recorders.x11 import connect, measure_clock, need, root_of

POLL_MONITORS_S = 1.0  # setting logical monitors sends no event


class X11Desktop:
    """See Desktop. `scrub` takes the machine's and user's names out of window titles."""

    reports_changes = True

    def __init__(self, scrub: Scrub) -> None:
        self._scrub = scrub
        self._connection, self._rearming = connect(), connect()
        for extension in ("DAMAGE", "XFIXES", "RANDR"):
            need(self._connection, extension)
        self._root = root_of(self._connection).root
        self._fault: str | None = None
        self._stopping = threading.Event()
        self._window: tuple[int, str | None, str | None] = (0, None, None)
        self._pointer = 0
        self._use_extensions()
        self._clock: ServerClock = measure_clock(self._connection)
        self.monitors, self.screen = self._monitors(), self._screen()

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

    def rearm(self) -> None:
        """A round trip, so that a grab on another connection cannot overtake it; on a connection of its own, because
        waiting for its answer would take the watching thread's events in."""
        import xcffib.damage as damage

        with contextlib.suppress(Exception):  # a server that is gone is told by the watching thread
            self._rearming(damage.key).SubtractChecked(self._damage, 0, 0).check()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(5)
        for connection in (self._connection, self._rearming):
            with contextlib.suppress(Exception):
                connection.disconnect()

    def _use_extensions(self) -> None:
        import xcffib.damage as damage
        import xcffib.randr as randr
        import xcffib.xfixes as xfixes

        for connection in (self._connection, self._rearming):
            connection(damage.key).QueryVersion(1, 1).reply()
        self._connection(xfixes.key).QueryVersion(5, 0).reply()
        self._connection(randr.key).QueryVersion(1, 5).reply()

    def _subscribe(self) -> None:
        import xcffib.damage as damage
        import xcffib.randr as randr
        import xcffib.xfixes as xfixes
        from xcffib import xproto

        self._atoms = {n: self._atom(n) for n in ("_NET_ACTIVE_WINDOW", "_NET_WM_NAME", "UTF8_STRING")}
        self._select(self._root, xproto.EventMask.PropertyChange)
        self._connection(xfixes.key).SelectCursorInputChecked(self._root, xfixes.CursorNotifyMask.DisplayCursor).check()
        self._connection(randr.key).SelectInputChecked(self._root, randr.NotifyMask.ScreenChange).check()
        self._damage = self._connection.generate_id()
        self._connection(damage.key).CreateChecked(self._damage, self._root, damage.ReportLevel.NonEmpty).check()

    def _watch(self) -> None:
        descriptor = self._connection.get_file_descriptor()
        next_poll = time.monotonic() + POLL_MONITORS_S
        try:
            while not self._stopping.is_set():
                event = self._connection.poll_for_event()
                if event is not None:
                    self._handle(event)
                elif select.select([descriptor], [], [], 0.1)[0]:
                    continue
                if time.monotonic() >= next_poll:
                    self._report_screen(time.monotonic_ns())
                    next_poll = time.monotonic() + POLL_MONITORS_S
        except Exception as error:
            if not self._stopping.is_set():
                self._fault = f"The X server stopped reporting changes of the screen ({type(error).__name__})."

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
            self._report_pointer(self._clock.monotonic_ns(event.timestamp, now))
        elif isinstance(event, randr.ScreenChangeNotifyEvent):
            self._report_screen(now)
        elif isinstance(event, xproto.PropertyNotifyEvent):
            self._report_window(self._clock.monotonic_ns(event.time, now))

    def _report_pointer(self, t: int) -> None:
        import xcffib.xfixes as xfixes

        image = self._connection(xfixes.key).GetCursorImageAndName().reply()
        if image.cursor_serial == self._pointer or not image.width:
            return
        self._pointer = image.cursor_serial
        name = self._keep(pointer_png(image.width, image.height, list(image.cursor_image)))
        label = image.name.to_string() if image.nbytes else None
        self._sink(PointerRow(seq=UNNUMBERED, t=t, image=name, hot_x=image.xhot, hot_y=image.yhot, name=label or None))

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
            self._sink(WindowRow(seq=UNNUMBERED, t=t, app=app, title=self._scrub(title)))
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
        monitors, screen = self._monitors(), self._screen()
        if (monitors, screen) != (self.monitors, self.screen):
            self.monitors, self.screen = monitors, screen
            self._sink(
                ScreenRow(
                    seq=UNNUMBERED, t=t, width=screen.width, height=screen.height, scale=screen.scale, monitors=monitors
                )
            )

    def _screen(self) -> Screen:
        geometry = self._connection.core.GetGeometry(self._root).reply()
        return Screen(width=geometry.width, height=geometry.height, scale=1.0)

    def _monitors(self) -> list[Monitor]:
        import xcffib.randr as randr

        reply = self._connection(randr.key).GetMonitors(self._root, 1).reply()
        return [
            Monitor(x=m.x, y=m.y, width=m.width, height=m.height, scale=1.0, primary=bool(m.primary))
            for m in reply.monitors
        ]

    def _atom(self, name: str) -> int:
        return int(self._connection.core.InternAtom(False, len(name), name).reply().atom)

    def _select(self, window: int, mask: int) -> None:
        from xcffib import xproto

        self._connection.core.ChangeWindowAttributesChecked(window, xproto.CW.EventMask, [mask]).check()

    def _property(self, window: int, atom: int, kind: int) -> bytes:
        try:
            reply = self._connection.core.GetProperty(False, window, atom, kind, 0, 4096).reply()
            return bytes(reply.value.buf()) if reply.value_len else b""
        except Exception as error:
            if type(error).__name__ == "ConnectionException":
                raise
            return b""  # the window is gone: it has no property any more


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
