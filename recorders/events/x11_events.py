"""Input on X11 by the RECORD extension: key code, modifiers and server time of every event, and every change of the
keymap in the same stream, so that no key is read with another moment's layout. RECORD is beside the way that events
take: it needs no grab, delays nothing, and sees what other programs grab."""

from __future__ import annotations

import contextlib
import struct
import threading
import time
from collections.abc import Sequence
from typing import Any

from curate.model.constants import NS_PER_MS
from curate.store.recording import ButtonRow, KeyRow, MoveRow, ScrollRow
from recorders.errors import RecorderError, why
from recorders.events.keymap import LOCK
from recorders.events.x11_devices import (
    BUTTON_PRESS,
    BUTTON_RELEASE,
    KEY_PRESS,
    KEY_RELEASE,
    SET_POINTER_MAPPING,
    Devices,
)
from recorders.events.x11_keymaps import (
    CHANGE_KEYBOARD_MAPPING,
    SET_MODIFIER_MAPPING,
    XKB_GET_KBD_BY_NAME,
    XKB_SET_MAP,
    Keymaps,
    requests_in,
)
from recorders.events.x11_record import FROM_CLIENT, FROM_SERVER, START_OF_DATA, RecordStream, stand_back
from recorders.rows import UNNUMBERED, Sink
from recorders.x11 import close, connect, measure_clock, need, root_of
from recorders.x11_clock import ServerClock

READY_TIMEOUT_S = 10.0
FLUSH_HZ = 20
"""The server holds RECORD data back until its buffer is full (32 events) or somebody is answered; a question on
another connection this often bounds the delay to 50 ms."""

_DOUBT = (
    "For a moment events waited to be read. Where very many wait the X server drops some without a word: whether it did"
    " is not known."
)

# type detail seq time root event child root_x root_y x y state same_screen and, of device events, the device
_EVENT = struct.Struct("=BBHIIIIhhhhHxB")
_MOTION = 6
_SENT = 0x80  # of the kind: made by SendEvent
_WHEEL = {4: (0.0, 1.0), 5: (0.0, -1.0), 6: (-1.0, 0.0), 7: (1.0, 0.0)}
_BUTTONS = {1: "left", 2: "middle", 3: "right", 8: "x1", 9: "x2"}


class X11Events:
    """The event source of an X11 desktop (see EventSource)."""

    name = "x11"

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._fault: str | None = None
        self.doubt: str | None = None
        self._keymaps: Keymaps
        self._devices: Devices
        self._down: dict[int, tuple[int | None, str | None]] = {}  # device and name of each key that is down
        self._at: tuple[int, int] | None = None
        self._clock = ServerClock()
        self._threads: list[threading.Thread] = []
        self._opened = contextlib.ExitStack()

    @property
    def fault(self) -> str | None:
        return self._fault

    def start(self, sink: Sink) -> None:
        """Three connections: one controls, one only receives, one asks (a receiving one can answer nothing)."""
        self._sink = sink
        try:
            self._open()
            self._listen()
        except BaseException:
            self.stop()
            raise

    def _open(self) -> None:
        self._control, self._data, self._ask = (self._connect() for _ in range(3))
        for extension in ("RECORD", "XKEYBOARD"):
            need(self._control, extension)
        self._clock = measure_clock(self._ask)
        self._devices = Devices(self._ask)
        self._keymaps = Keymaps(self._ask, self._devices.keyboards)
        self._create_context()
        self._down = dict.fromkeys(_held(self._ask), (None, None))  # what repeats them later is a repeat

    def _connect(self) -> Any:
        connection = connect()
        self._opened.callback(close, connection)
        return connection

    def _listen(self) -> None:
        self._stream = RecordStream(self._data, self._context)
        self._opened.callback(self._stream.close)
        self._start_thread("record", self._receive)
        if not self._ready.wait(READY_TIMEOUT_S):
            raise RecorderError("The X server did not begin to report events.")
        if self._fault:
            raise RecorderError(self._fault)
        self._start_thread("record-flush", self._keep_flushing)

    def reserve(self, chord: Sequence[str]) -> None:
        """Grab the chord's last key under its modifiers, with and without the lock keys; RECORD still sees it. What
        another program has grabbed before stays its own: it is recorded all the same."""
        from xcffib import xproto

        *modifiers, last = chord
        mask = sum(self._keymaps.current.mask_of(name) for name in modifiers)
        root, numbers = root_of(self._control).root, self._keymaps.current.num_lock
        for code in self._keymaps.current.codes_of(last):
            for locks in (0, LOCK, numbers, LOCK | numbers):
                with contextlib.suppress(xproto.AccessError):
                    self._control.core.GrabKeyChecked(
                        False, root, mask | locks, code, xproto.GrabMode.Async, xproto.GrabMode.Async
                    ).check()

    def forget_place(self) -> None:
        """Tell the next move even if it leads to where the pointer is: the doctor's trial moves it by nothing."""
        self._at = None

    def stop(self) -> None:
        """Disabling the context makes the server send what it holds, then the end of the data."""
        import xcffib.record as record

        self._stopping.set()
        if not self._threads:  # it never began
            self._opened.close()
            return
        try:
            self._control(record.key).DisableContextChecked(self._context).check()
            for thread in self._threads:
                thread.join(READY_TIMEOUT_S)
            self._control(record.key).FreeContextChecked(self._context).check()
        except Exception as error:  # the server is gone: what came is all there is
            self._fault = self._fault or f"The X server went away ({why(error)})."
        if any(thread.is_alive() for thread in self._threads):  # a connection in use cannot be closed: it would crash
            self._fault = self._fault or "The X server did not end reporting events."
            return
        self._threads = []
        self._opened.close()

    def _start_thread(self, name: str, target: Any) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _create_context(self) -> None:
        import xcffib.record as record

        none, no_ext = (0, 0), ((0, 0), (0, 0))
        keymaps = ((self._keymaps.xkb,) * 2, (XKB_SET_MAP, XKB_GET_KBD_BY_NAME))
        devices = none
        if self._devices.first_event is not None:
            devices = (self._devices.first_event + KEY_PRESS - 1, self._devices.first_event + KEY_RELEASE - 1)
        ranges = [
            record.Range.synthetic(requests, none, extension, no_ext, none, events, none, 0, 0)
            for requests, extension, events in (
                ((CHANGE_KEYBOARD_MAPPING,) * 2, keymaps, (KEY_PRESS, _MOTION)),
                ((SET_POINTER_MAPPING, SET_MODIFIER_MAPPING), no_ext, devices),
            )
        ]
        self._context = self._control.generate_id()
        self._control(record.key).CreateContextChecked(
            self._context, 0, 1, len(ranges), [record.CS.AllClients], ranges
        ).check()

    def _receive(self) -> None:
        stand_back()
        try:
            for category, data, now in self._stream.replies():
                if category == FROM_SERVER:
                    self._events(data, now)
                elif category == FROM_CLIENT:
                    self._requests(data)
                elif category == START_OF_DATA:
                    self._begin()
            if not self._stopping.is_set():  # a server that shuts down ends the data in good order
                self._fault = "The X server stopped reporting events."
        except Exception as error:  # xcffib's errors have no common parent; whichever it was, events have ended
            self._fault = f"The X server stopped reporting events ({why(error)})."
        self._ready.set()

    def _keep_flushing(self) -> None:
        while not self._stopping.wait(1 / FLUSH_HZ):
            try:
                if self._stream.behind():
                    self.doubt = _DOUBT
                self._ask.core.GetInputFocus().reply()
            except Exception:
                return  # the receiving thread says why

    def _begin(self) -> None:
        """The server reports from here on. What changed since the maps were asked for is asked for again; where the
        pointer is comes before the first event, in file and time."""
        self._keymaps.load()
        self._devices.load_buttons()
        x, y = _pointer(self._ask)
        self._at = x, y
        self._sink(MoveRow(seq=UNNUMBERED, t=time.monotonic_ns() // NS_PER_MS * NS_PER_MS, x=x, y=y))
        self._ready.set()

    def _requests(self, raw: bytes) -> None:
        """Other programs' requests that change what keys and buttons mean, in order with the events around them."""
        for opcode, detail, request in requests_in(raw):
            if opcode == SET_POINTER_MAPPING:
                self._devices.load_buttons()
            else:
                self._keymaps.request(opcode, detail, request)

    def _events(self, raw: bytes, now: int) -> None:
        device_events = (self._devices.first_event or 0x100) - 1
        for kind, detail, _, server_ms, _, _, _, x, y, _, _, state, last in _EVENT.iter_unpack(raw):
            kind &= ~_SENT
            if kind > device_events:
                self._devices.before(kind - device_events, detail, server_ms, last)
                continue
            t = self._clock.monotonic_ns(server_ms, now)
            if kind == _MOTION:
                if (x, y) != self._at:  # programs also move the pointer to where it is
                    self._sink(MoveRow(seq=UNNUMBERED, t=t, x=x, y=y))
            elif kind in (KEY_PRESS, KEY_RELEASE):
                self._key(t, detail, kind == KEY_PRESS, state, self._devices.source(kind, detail, server_ms))
            elif kind in (BUTTON_PRESS, BUTTON_RELEASE):
                self._button(t, self._devices.button(detail), kind == BUTTON_PRESS, x, y)
            self._at = x, y

    def _button(self, t: int, detail: int, pressed: bool, x: int, y: int) -> None:
        if detail in _WHEEL:
            if pressed:  # X makes a press and a release of every notch
                dx, dy = _WHEEL[detail]
                self._sink(ScrollRow(seq=UNNUMBERED, t=t, x=x, y=y, dx=dx, dy=dy))
            return
        name = _BUTTONS.get(detail, f"button{detail}")
        self._sink(ButtonRow(seq=UNNUMBERED, t=t, x=x, y=y, button=name, pressed=pressed))

    def _key(self, t: int, code: int, pressed: bool, state: int, source: int | None) -> None:
        repeat = pressed and code in self._down
        before, name = self._down.pop(code, (None, None))
        source = before if source is None else source  # the server makes repeats, of the held key's device
        meaning = self._keymaps.of(source).meaning(code, state)
        if pressed or name is None:  # a release is of the key that was pressed, whatever it is now
            name = meaning.name
        if pressed:
            self._down[code] = source, name
        self._sink(
            KeyRow(
                seq=UNNUMBERED,
                t=t,
                key=name,
                code=code,
                pressed=pressed,
                text=meaning.text if pressed else None,
                dead=meaning.dead,
                repeat=repeat,
                injected=self._devices.injects(source),
            )
        )


def _pointer(connection: Any) -> tuple[int, int]:
    reply = connection.core.QueryPointer(root_of(connection).root).reply()
    return reply.root_x, reply.root_y


def _held(connection: Any) -> list[int]:
    """The codes of the keys that are down."""
    keys = bytes(connection.core.QueryKeymap().reply().keys)
    return [code for code in range(256) if keys[code // 8] >> (code % 8) & 1]
