"""Where excluded windows show on an X11 screen.

On a connection of its own: the server sends every change of a top window as an event before it answers anything that
is asked after the change. An answer of `boxes` waits for one such round trip, so asked after a picture was taken it
knows every window that the picture can show; asked before, it knows those that went while it was taken.

Which windows are excluded is excluded_windows.py, what of them shows showing.py. What is black stays so for LINGER_S
after a window went: until the window below has been painted again, the screen still shows the old pixels there.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from curate.store.recording import Monitor
from recorders.boxes import Box, inside
from recorders.desktop.excluded_windows import excluded_windows
from recorders.desktop.showing import grown, showing
from recorders.desktop.x11_window_facts import FactReader, Facts, Top, box_of, raise_if_over
from recorders.privacy.excluded import EARLIER_NS, Changed, monitor_boxes
from recorders.privacy.exclusions import Exclusions
from recorders.x11 import close, connect, need

LINGER_S = 1.0
OWN_LINGER_S = 0.4  # of the recorder's window, which holds no secret: black pixels spoil the next step's picture
_COMPOSITED = (
    "A compositor is running: what was excluded is black in its window, but a window switcher or task bar "
    "may show it small."
)
EVERYWHERE: list[Box] = [(0, 0, 1 << 15, 1 << 15)]  # the largest screen that X11 knows


class X11ExcludedAreas:
    """See ExcludedAreas. `own`: windows of the recorder's, which are excluded too."""

    def __init__(self, exclusions: Exclusions, own: Sequence[int] = ()) -> None:
        self._exclusions, self._own = exclusions, frozenset(own)
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._tops: dict[int, Top] = {}
        self._order: list[int] = []  # from the lowest to the highest
        self._gone: list[tuple[float, Box]] = []  # until when it is black, what
        self._watched: set[int] = set()
        self._stale = self._front_stale = self._outdated = True
        self._boxes: list[Box] = []
        self._valid_until = 0.0
        self._front = False
        self.keys_follow_pointer = False
        self._monitors_known = False
        self._changed: Changed | None = None
        self._tell = self._composited = False
        self.fault: str | None = None
        self._connection = connect()
        try:
            for extension in ("RANDR", "SHAPE"):
                need(self._connection, extension)
            self._facts = FactReader(self._connection)
            self._root = self._facts.root
            self._monitors = self._monitor_boxes()
        except BaseException:
            close(self._connection)
            raise

    def start(self, changed: Changed | None = None) -> None:
        """Everything that is there now is known when this returns."""
        from xcffib import xproto

        self._changed = changed
        mask = xproto.EventMask.SubstructureNotify | xproto.EventMask.StructureNotify | xproto.EventMask.PropertyChange
        core = self._connection.core
        core.ChangeWindowAttributesChecked(self._root.root, xproto.CW.EventMask, [mask]).check()
        with self._lock:
            for window in self._facts.children(self._root.root):
                self._add(window, time.monotonic())
            self._composited = self._facts.composited()
            self._own |= {top for top in map(self._facts.top_of, self._own) if top is not None}
            self._take_in()
        self._thread = threading.Thread(target=self._watch, name="excluded-windows", daemon=True)
        self._thread.start()
        self._pass_on()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(5)
        with self._lock:
            close(self._connection)

    def boxes(self) -> list[Box]:
        with self._lock:
            if not self._stopping.is_set():
                self._guarded(certain=True)
            found = self._boxes
        self._pass_on()
        return found

    def hides_point(self, x: float, y: float) -> bool:
        with self._lock:
            return inside(self._boxes, x, y)

    def hides_front(self) -> bool:
        with self._lock:
            return self._front

    @property
    def note(self) -> str | None:
        """With a compositor: it may show windows elsewhere, too."""
        return _COMPOSITED if self._composited else None

    def _watch(self) -> None:
        descriptor = self._connection.get_file_descriptor()
        while not self._stopping.is_set():
            wait = min(0.1, max(0.0, self._valid_until - time.monotonic()) + 0.005)
            select.select([descriptor], [], [], wait)
            with self._lock:
                self._guarded(certain=False)
            self._pass_on()
            if self.fault:
                return

    def _guarded(self, certain: bool) -> None:
        """Take in what happened; where that fails, everything is excluded from then on."""
        if self.fault:
            return
        try:
            if certain:
                self._connection.core.GetInputFocus().reply()
            self._take_in()
        except Exception as error:
            if not self._stopping.is_set():
                self.fault = f"The X server stopped telling where windows are ({type(error).__name__})."
                self._boxes, self._front, self._tell = EVERYWHERE, True, True

    def _pass_on(self) -> None:
        """Tell of a change, with no lock held: whoever is told asks back."""
        with self._lock:
            tell, self._tell = self._tell, False
        if tell and self._changed is not None:
            self._changed(time.monotonic_ns() - EARLIER_NS)

    def _take_in(self) -> None:
        """All events so far, and what follows from them. Asking the server brings more events in, which say that what
        was asked may be newer than what was known before: so until there are none."""
        while True:
            now = time.monotonic()
            while (event := self._next_event()) is not None:
                self._handle(event, now)
            if not self._stale and not self._front_stale:
                break
            if self._stale:
                self._stale, self._outdated = False, True
                self._order = [w for w in self._facts.children(self._root.root) if w in self._tops]
                self._judge()
            if self._front_stale:
                self._front_stale = False
                self._look_in_front()
        self._answer(time.monotonic())

    def _next_event(self) -> Any:
        while True:
            try:
                return self._connection.poll_for_event()
            except Exception as error:  # the answer to a request about a window that is gone by now
                raise_if_over(error)

    def _handle(self, event: Any, now: float) -> None:
        import xcffib.shape as shape
        from xcffib import xproto

        window = getattr(event, "window", None)
        top = self._tops.get(window) if window is not None else None
        match event:
            case xproto.CreateNotifyEvent():
                self._add(event.window, now)
            case xproto.ConfigureNotifyEvent() if event.window == self._root.root:
                self._monitors, self._stale = self._monitor_boxes(), True
            case xproto.ConfigureNotifyEvent() if top:
                self._retire(top, now)
                top.box = box_of(event.x, event.y, event.width, event.height, event.border_width)
                top.menu, top.touched, self._stale = bool(event.override_redirect), now, True
            case xproto.MapNotifyEvent() if top:
                top.mapped, top.clients, top.touched = True, None, now
                top.menu, self._stale, self._front_stale = bool(event.override_redirect), True, True
            case xproto.UnmapNotifyEvent() | xproto.DestroyNotifyEvent() if top:
                self._retire(top, now)
                top.mapped, top.touched, self._stale, self._front_stale = False, now, True, True
                if isinstance(event, xproto.DestroyNotifyEvent):
                    self._forget(top)
            case xproto.ReparentNotifyEvent():
                self._reparented(event, top, now)
            case xproto.PropertyNotifyEvent():
                self._property(event, now)
            case xproto.FocusInEvent() | xproto.FocusOutEvent():
                self._front_stale = True
            case xproto.CirculateNotifyEvent() if top:
                top.touched, self._stale = now, True
            case shape.NotifyEvent() if (shaped := self._tops.get(event.affected_window)) is not None:
                shaped.touched, self._stale = now, True

    def _reparented(self, event: Any, top: Top | None, now: float) -> None:
        if top is not None and event.parent != self._root.root:
            self._retire(top, now)
            self._forget(top)
        elif event.parent == self._root.root:
            self._add(event.window, now)
        frame = self._tops.get(self._facts.top_of(event.parent) or 0)
        if frame is not None:  # it got the window it is for
            frame.clients = None
        self._stale = self._front_stale = True

    def _property(self, event: Any, now: float) -> None:
        from xcffib import xproto

        if event.window == self._root.root:
            self._front_stale |= event.atom == self._facts.atoms["_NET_ACTIVE_WINDOW"]
            return
        telling = {
            xproto.Atom.WM_CLASS, xproto.Atom.WM_NAME, xproto.Atom.WM_TRANSIENT_FOR,
            *(self._facts.atoms[n] for n in ("_NET_WM_NAME", "_NET_WM_STATE", "_NET_WM_WINDOW_OPACITY", "_NET_WM_PID")),
        }  # fmt: skip
        if event.atom not in telling:
            return
        for top in self._tops.values():
            if top.window == event.window or any(one.window == event.window for one in top.clients or ()):
                top.clients = None
                if event.atom != self._facts.atoms["_NET_WM_NAME"] and event.atom != xproto.Atom.WM_NAME:
                    top.touched = now
                self._stale = self._front_stale = True

    def _add(self, window: int, now: float) -> None:
        from xcffib import xproto

        core = self._connection.core
        asked = core.GetGeometry(window), core.GetWindowAttributes(window)
        try:
            shape, state = asked[0].reply(), asked[1].reply()
        except Exception as error:
            raise_if_over(error)
            return
        if state._class == xproto.WindowClass.InputOnly:
            return  # it shows nothing
        self._tops[window] = Top(
            window, box_of(shape.x, shape.y, shape.width, shape.height, shape.border_width),
            state.map_state != xproto.MapState.Unmapped, bool(state.override_redirect),
            shape.depth == self._root.root_depth, now,
        )  # fmt: skip
        self._stale = True

    def _forget(self, top: Top) -> None:
        self._tops.pop(top.window, None)
        self._watched -= {top.window, *(one.window for one in top.clients or ())}

    def _retire(self, top: Top, now: float) -> None:
        """What an excluded window showed up to now stays black until it is painted over."""
        if top.excluded and top.mapped:
            self._gone.append((now + (LINGER_S if self._exclusions else OWN_LINGER_S), grown(top)))

    def _judge(self) -> None:
        """Which top windows are excluded now."""
        now = time.monotonic()
        for top in self._tops.values():
            if top.clients is None:
                top.clients = self._read(top)
        windows = excluded_windows(self._tops, self._named, self._facts.maker)
        for top in self._tops.values():
            excluded = top.window in windows
            if top.excluded and not excluded:
                self._retire(top, now)
            top.excluded = excluded

    def _named(self, facts: Facts) -> bool:
        if facts.window in self._own:
            return True
        return any(self._exclusions.hides(name, facts.title) for name in facts.names or (None,))

    def _read(self, top: Top) -> list[Facts]:
        """The windows in a top window; each is listened to from the first reading on, and read again for what changed
        in between."""
        import xcffib.shape as shape
        from xcffib import xproto

        clients = self._facts.clients(top.window)
        fresh = [one.window for one in clients if one.window not in self._watched]
        if not fresh:
            return clients
        mask = xproto.EventMask.PropertyChange | xproto.EventMask.FocusChange
        for window in fresh:
            self._watched.add(window)
            self._connection.core.ChangeWindowAttributes(window, xproto.CW.EventMask, [mask])
        if top.window in fresh:
            self._connection(shape.key).SelectInput(top.window, True)
        return self._facts.clients(top.window)

    def _look_in_front(self) -> None:
        windows, follows = self._facts.in_front()
        tops = [self._tops.get(self._facts.top_of(window) or 0) for window in windows]
        front = any(top is not None and top.excluded for top in tops)
        if (front, follows) != (self._front, self.keys_follow_pointer):
            self._front, self.keys_follow_pointer, self._tell = front, follows, True

    def _answer(self, now: float) -> None:
        """What is black now, and until when that holds if nothing happens."""
        if now < self._valid_until and not self._outdated:
            return
        self._outdated = False
        self._gone = [(until, box) for until, box in self._gone if until > now]
        ends = [until for until, _ in self._gone]
        found = [*self._monitors, *dict.fromkeys(box for _, box in self._gone)]
        hidden = [w for w in self._order if self._tops[w].excluded and self._tops[w].mapped]
        certain = bool(hidden) and not self._facts.composited()
        for window in hidden:
            above = self._order[self._order.index(window) + 1 :] if certain else []
            pieces, again = showing(self._tops[window], [self._tops[one] for one in above], now, self._covers)
            found += pieces
            ends += again
        self._valid_until = min(ends, default=now + 3600)
        if found != self._boxes:
            self._boxes, self._tell = found, True

    def _covers(self, top: Top) -> bool:
        """Whether nothing below a window shows through it."""
        import xcffib.shape as shape

        if top.excluded or not top.mapped or not top.opaque or any(one.translucent for one in top.clients or ()):
            return False
        try:
            return not self._connection(shape.key).QueryExtents(top.window).reply().bounding_shaped
        except Exception as error:
            raise_if_over(error)
            return False

    def _monitor_boxes(self) -> list[Box]:
        import xcffib.randr as randr

        if not self._exclusions.monitors:
            return []
        reply = self._connection(randr.key).GetMonitors(self._root.root, 1).reply()
        there = [Monitor(x=m.x, y=m.y, width=m.width, height=m.height) for m in reply.monitors]
        if not self._monitors_known:
            self._monitors_known = True
            return monitor_boxes(self._exclusions, there)  # says which one is not there
        present = msgspec.structs.replace(
            self._exclusions, monitors=tuple(n for n in self._exclusions.monitors if n <= len(there))
        )
        return monitor_boxes(present, there)
