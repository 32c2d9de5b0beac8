"""Input on Windows and macOS by pynput's listeners. Kept thin, because it has run on neither system
(recorders/events/untested.py): what a report means is decided by pynput_keys.py and pynput_pointer.py, plain logic
that is tested everywhere. The listeners' callbacks only put a report and its time into a queue: on Windows the mouse's
run inside the system's hook, where every millisecond delays the person's pointer."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from curate.store.recording import ButtonRow, KeyRow, MoveRow, ScrollRow
from recorders.errors import RecorderError
from recorders.events.pynput_keys import KeyReader, Reported
from recorders.events.pynput_pointer import WHEEL, WHEEL_SIDEWAYS, hook_installed, in_pixels, windows_turn
from recorders.events.system_state import caps_lock_on, layout_of_front_is, may_listen
from recorders.rows import UNNUMBERED, Row, Sink

READY_TIMEOUT_S = 10.0
_GRACE_S = 0.1
"""Before a stop: pynput drops what lies in its message queue then (`_util/win32.py`, `_run`)."""
_TRUST = (
    "macOS does not let this program see input: allow it under System Settings, Privacy & Security, both in"
    " Accessibility and in Input Monitoring, and start it again."
)
_Report = tuple[int, Callable[[int], Row]]


class PynputEvents:
    """See EventSource. `origin`: the recorded region's top left corner in the system's coordinates, which may be
    negative with several monitors. `scale`: pixels a point (macOS; 1 on Windows, where this process sees pixels)."""

    name = "pynput"

    def __init__(self, origin: tuple[int, int], scale: float = 1.0) -> None:
        self._origin, self._scale = origin, scale
        self._fault: str | None = None
        self.doubt: str | None = None
        self._reports: queue.SimpleQueue[_Report | None] = queue.SimpleQueue()
        self._listeners: list[Any] = []
        self._worker: threading.Thread | None = None
        self._mac = sys.platform == "darwin"

    @property
    def fault(self) -> str | None:
        dead = [one for one in self._listeners if not one.is_alive()]
        return self._fault or ("The system stopped reporting input." if dead else None)

    def start(self, sink: Sink) -> None:
        """One listener for the pointer, one for keys; returns when both are installed."""
        if self._mac and may_listen() is False:
            raise RecorderError(_TRUST)
        try:
            from pynput import keyboard, mouse
        except Exception as error:  # pynput raises what its back end raises
            raise RecorderError(f"Input cannot be listened to here: {error}.") from error
        self._sink = sink
        self._keys = KeyReader("macos" if self._mac else "windows", caps=caps_lock_on())
        self._worker = threading.Thread(target=self._work, name="pynput-rows", daemon=True)
        self._worker.start()
        own = {} if self._mac else {"win32_event_filter": self._wheel_of_windows}
        self._listeners = [
            mouse.Listener(on_move=self._moved, on_click=self._clicked, on_scroll=self._scrolled, **own),
            keyboard.Listener(on_press=self._pressed, on_release=self._released),
        ]
        for listener in self._listeners:
            listener.start()
            listener.wait()
        try:
            for listener in self._listeners:
                self._wait_for_hook(listener)
        except RecorderError:
            self.stop()
            raise

    def forget_place(self) -> None:
        """Nothing: every report of the system is told."""

    def reserve(self, chord: Sequence[str]) -> None:
        """Nothing: a listener cannot keep keys from programs."""

    def stop(self) -> None:
        if self._worker is None:
            return
        time.sleep(_GRACE_S)
        for listener in self._listeners:
            listener.stop()
        for listener in self._listeners:
            listener.join(READY_TIMEOUT_S)
        self._listeners = []
        self._reports.put(None)
        self._worker.join(READY_TIMEOUT_S)
        self._worker = None

    def _wait_for_hook(self, listener: Any) -> None:
        """`wait` has returned; on Windows the hook may still be missing, on macOS the tap may have been refused."""
        if self._mac:
            if not getattr(listener, "IS_TRUSTED", True) or not listener.is_alive():
                raise RecorderError(_TRUST)
            return
        from pynput._util import win32

        hooks = getattr(getattr(win32, "SystemHook", None), "_HOOKS", None)
        end = time.monotonic() + READY_TIMEOUT_S
        while hook_installed(hooks, listener.ident) is False:
            if time.monotonic() > end:
                raise RecorderError("Windows refused to let this program see input.")
            time.sleep(0.005)

    def _work(self) -> None:
        try:
            while (report := self._reports.get()) is not None:
                t, row = report
                self._sink(row(t))
        except Exception as error:
            self._fault = f"A report of the system could not be understood ({type(error).__name__}: {error})."

    def _put(self, row: Callable[[int], Row]) -> None:
        self._reports.put((time.monotonic_ns(), row))

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return in_pixels(x, y, self._origin, self._scale)

    def _moved(self, x: float, y: float, injected: bool | None = None) -> None:
        def row(t: int) -> Row:
            px, py = self._at(x, y)
            return MoveRow(seq=UNNUMBERED, t=t, x=px, y=py)

        self._put(row)

    def _clicked(self, x: float, y: float, button: Any, pressed: bool, injected: bool | None = None) -> None:
        def row(t: int) -> Row:
            px, py = self._at(x, y)
            return ButtonRow(seq=UNNUMBERED, t=t, x=px, y=py, button=button.name, pressed=pressed, injected=injected)

        self._put(row)

    def _scrolled(self, x: float, y: float, dx: float, dy: float, injected: bool | None = None) -> None:
        def row(t: int) -> Row:
            px, py = self._at(x, y)
            return ScrollRow(seq=UNNUMBERED, t=t, x=px, y=py, dx=float(dx), dy=float(dy), injected=injected)

        if dx or dy:  # a Mac's trackpad also reports that it did not turn
            self._put(row)

    def _wheel_of_windows(self, message: int, data: Any) -> bool:
        """The hook's own data, with parts of a notch that pynput rounds away; False keeps pynput from reporting it
        again (the event goes on to the programs all the same)."""
        if message not in (WHEEL, WHEEL_SIDEWAYS):
            return True
        turn = windows_turn(message, data.mouseData)
        if turn is not None:
            self._scrolled(data.pt.x, data.pt.y, *turn, injected=bool(data.flags & 3))  # LLMHF_INJECTED, _LOWER_IL_
        return False

    def _pressed(self, key: Any, injected: bool | None = None) -> None:
        self._key(key, True, injected)

    def _released(self, key: Any, injected: bool | None = None) -> None:
        self._key(key, False, injected)

    def _key(self, key: Any, pressed: bool, injected: bool | None) -> None:
        special = getattr(key, "name", None)
        value = key.value if special is not None else key
        known = self._mac or layout_of_front_is(self._listeners[1].native_id if len(self._listeners) > 1 else None)
        reported = Reported(
            pressed, special, getattr(value, "char", None), getattr(value, "vk", None),
            bool(getattr(value, "is_dead", False)), known,
        )  # fmt: skip

        def row(t: int) -> Row:
            meant = self._keys.read(reported)
            return KeyRow(
                seq=UNNUMBERED, t=t, key=meant.key, code=meant.code, pressed=meant.pressed, text=meant.text,
                dead=meant.dead, repeat=meant.repeat, injected=injected,
            )  # fmt: skip

        self._put(row)
