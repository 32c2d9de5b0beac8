"""Input on X11 by the RECORD extension: key code, modifiers and server time of every event, and every change of the
keymap in the same stream, so that no key is read with another moment's layout."""

from __future__ import annotations

import contextlib
import struct
import threading
import time
from collections.abc import Sequence
from typing import Any

from curate.store.recording import ButtonRow, KeyRow, MoveRow, ScrollRow
from recorders.events.base import UNNUMBERED, RecorderError, Sink
from recorders.events.clock import ServerClock
from recorders.events.keymap import LOCK, Keymap
from recorders.x11 import connect, measure_clock, need, root_of

READY_TIMEOUT_S = 10.0
FLUSH_HZ = 20
"""The server holds RECORD data back until its buffer is full (32 events) or somebody is answered; a question on
another connection this often bounds the delay to 50 ms."""

_FROM_SERVER, _FROM_CLIENT, _START, _END = 0, 1, 4, 5
_EVENT = struct.Struct("=BBHIIIIhhhhHBx")  # type detail seq time root event child root_x root_y x y state same_screen
_KEY_PRESS, _KEY_RELEASE, _BUTTON_PRESS, _BUTTON_RELEASE, _MOTION = 2, 3, 4, 5, 6
_CHANGE_KEYBOARD_MAPPING, _SET_MODIFIER_MAPPING = 100, 118
_XKB_SET_MAP, _XKB_GET_KBD_BY_NAME = 9, 23  # what setxkbmap and keyboard settings send
_WHEEL = {4: (0.0, 1.0), 5: (0.0, -1.0), 6: (-1.0, 0.0), 7: (1.0, 0.0)}
_BUTTONS = {1: "left", 2: "middle", 3: "right", 8: "x1", 9: "x2"}


class X11Events:
    """The event source of an X11 desktop (see EventSource)."""

    name = "x11"

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._fault: str | None = None
        self._keymap = Keymap()
        self._down: set[int] = set()
        self._clock = ServerClock()
        self._threads: list[threading.Thread] = []

    @property
    def fault(self) -> str | None:
        return self._fault

    def start(self, sink: Sink) -> None:
        """Three connections: one controls, one only receives, one asks (a receiving one can answer nothing)."""
        self._sink = sink
        self._control, self._data, self._ask = connect(), connect(), connect()
        for extension in ("RECORD", "XKEYBOARD"):
            need(self._control, extension)
        self._clock = measure_clock(self._ask)
        self._create_context()
        self._start_thread("record", self._receive)
        if not self._ready.wait(READY_TIMEOUT_S):
            raise RecorderError("The X server did not begin to report events.")
        if self._fault:
            raise RecorderError(self._fault)
        x, y = _pointer(self._ask)
        sink(MoveRow(seq=UNNUMBERED, t=time.monotonic_ns(), x=x, y=y))
        self._start_thread("record-flush", self._keep_flushing)

    def reserve(self, chord: Sequence[str]) -> None:
        """Grab the chord's last key under its modifiers, with and without the lock keys; RECORD still sees it. What
        another program has grabbed before stays its own: it is recorded all the same."""
        from xcffib import xproto

        *modifiers, last = chord
        mask = sum(self._keymap.mask_of(name) for name in modifiers)
        root = root_of(self._control).root
        for code in self._keymap.codes_of(last):
            for locks in (0, LOCK, self._keymap.num_lock, LOCK | self._keymap.num_lock):
                with contextlib.suppress(xproto.AccessError):
                    self._control.core.GrabKeyChecked(
                        False, root, mask | locks, code, xproto.GrabMode.Async, xproto.GrabMode.Async
                    ).check()

    def stop(self) -> None:
        """Disabling the context makes the server send what it holds, then the end of the data."""
        import xcffib.record as record

        self._stopping.set()
        try:
            self._control(record.key).DisableContextChecked(self._context).check()
            for thread in self._threads:
                thread.join(READY_TIMEOUT_S)
            self._control(record.key).FreeContextChecked(self._context).check()
        except Exception as error:  # the server is gone: what came is all there is
            self._fault = self._fault or f"The X server went away ({type(error).__name__})."
        for connection in (self._control, self._data, self._ask):
            with contextlib.suppress(Exception):
                connection.disconnect()

    def _start_thread(self, name: str, target: Any) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _create_context(self) -> None:
        import xcffib.record as record

        none, no_ext = (0, 0), ((0, 0), (0, 0))
        opcode = self._control.core.QueryExtension(9, "XKEYBOARD").reply().major_opcode
        self._xkb = opcode
        keymap = ((opcode, opcode), (_XKB_SET_MAP, _XKB_GET_KBD_BY_NAME))
        ranges = [
            record.Range.synthetic(
                (_CHANGE_KEYBOARD_MAPPING,) * 2, none, keymap, no_ext, none, (_KEY_PRESS, _MOTION), none, 0, 0
            ),
            record.Range.synthetic((_SET_MODIFIER_MAPPING,) * 2, none, no_ext, no_ext, none, none, none, 0, 0),
        ]
        self._context = self._control.generate_id()
        self._control(record.key).CreateContextChecked(
            self._context, 0, 1, len(ranges), [record.CS.AllClients], ranges
        ).check()

    def _receive(self) -> None:
        import xcffib.record as record

        try:
            cookie = self._data(record.key).EnableContext(self._context)
            self._data.flush()
            while True:
                reply = cookie.reply()  # one request, many replies
                now = time.monotonic_ns()
                if reply.category == _FROM_SERVER:
                    self._events(reply.data.raw, now)
                elif reply.category == _FROM_CLIENT:
                    self._requests(reply.data.raw)
                elif reply.category == _START:
                    self._load_keymap()
                    self._ready.set()
                elif reply.category == _END:
                    break
        except Exception as error:  # xcffib's errors have no common parent; whichever it was, events have ended
            if not self._stopping.is_set():
                self._fault = f"The X server stopped reporting events ({type(error).__name__})."
        self._ready.set()

    def _keep_flushing(self) -> None:
        while not self._stopping.wait(1 / FLUSH_HZ):
            try:
                self._ask.core.GetInputFocus().reply()
            except Exception:
                return  # the receiving thread says why

    def _load_keymap(self) -> None:
        setup = self._ask.get_setup()
        count = setup.max_keycode - setup.min_keycode + 1
        mapping = self._ask.core.GetKeyboardMapping(setup.min_keycode, count).reply()
        modifiers = self._ask.core.GetModifierMapping().reply()
        self._keymap.load(setup.min_keycode, mapping.keysyms_per_keycode, list(mapping.keysyms))
        self._keymap.load_modifiers(modifiers.keycodes_per_modifier, list(modifiers.keycodes))

    def _requests(self, raw: bytes) -> None:
        """Other programs' requests that change the keymap, in order with the keys around them."""
        offset = 0
        while offset + 4 <= len(raw):
            opcode, detail, words = struct.unpack_from("=BBH", raw, offset)
            if opcode == _CHANGE_KEYBOARD_MAPPING:
                first, per_code = struct.unpack_from("=BB", raw, offset + 4)
                symbols = struct.unpack_from(f"={detail * per_code}I", raw, offset + 8)
                self._keymap.load(first, per_code, symbols)
            elif opcode == _SET_MODIFIER_MAPPING or (
                opcode == self._xkb and detail in (_XKB_SET_MAP, _XKB_GET_KBD_BY_NAME)
            ):
                self._load_keymap()
            offset += max(words, 1) * 4

    def _events(self, raw: bytes, now: int) -> None:
        for kind, detail, _, server_ms, _, _, _, x, y, _, _, state, _ in _EVENT.iter_unpack(raw):
            t = self._clock.monotonic_ns(server_ms, now)
            kind &= 0x7F
            if kind == _MOTION:
                self._sink(MoveRow(seq=UNNUMBERED, t=t, x=x, y=y))
            elif kind in (_BUTTON_PRESS, _BUTTON_RELEASE):
                self._button(t, detail, kind == _BUTTON_PRESS, x, y)
            elif kind in (_KEY_PRESS, _KEY_RELEASE):
                self._key(t, detail, kind == _KEY_PRESS, state)

    def _button(self, t: int, detail: int, pressed: bool, x: int, y: int) -> None:
        if detail in _WHEEL:
            if pressed:  # X makes a press and a release of every notch
                dx, dy = _WHEEL[detail]
                self._sink(ScrollRow(seq=UNNUMBERED, t=t, x=x, y=y, dx=dx, dy=dy))
            return
        name = _BUTTONS.get(detail, f"button{detail}")
        self._sink(ButtonRow(seq=UNNUMBERED, t=t, x=x, y=y, button=name, pressed=pressed))

    def _key(self, t: int, code: int, pressed: bool, state: int) -> None:
        meaning = self._keymap.meaning(code, state)
        repeat = pressed and code in self._down
        (self._down.add if pressed else self._down.discard)(code)
        self._sink(
            KeyRow(
                seq=UNNUMBERED,
                t=t,
                key=meaning.name,
                code=code,
                pressed=pressed,
                text=meaning.text if pressed else None,
                dead=meaning.dead,
                repeat=repeat,
            )
        )


def _pointer(connection: Any) -> tuple[int, int]:
    reply = connection.core.QueryPointer(root_of(connection).root).reply()
    return reply.root_x, reply.root_y
