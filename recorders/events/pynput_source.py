"""Input on Windows and macOS by pynput's listeners. Kept thin; untested on these systems. What a key means is decided
by plain functions, which are tested everywhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from curate.store.recording import ButtonRow, KeyRow, MoveRow, ScrollRow
from recorders.events.base import UNNUMBERED, RecorderError, Sink

READY_TIMEOUT_S = 10.0
_COMMANDS = {"ctrl", "ctrl_l", "ctrl_r", "cmd", "cmd_l", "cmd_r", "alt", "alt_l", "alt_r"}


def letter_of(char: str | None, code: int | None) -> str | None:
    """The key's character where the system reports a control character for ctrl and a letter: by its code, whose
    values for A to Z and 0 to 9 are their own on Windows, else the letter the control character comes from."""
    if char is None or ord(char[0]) >= 32:
        return char
    if code is not None and (0x30 <= code <= 0x39 or 0x41 <= code <= 0x5A):
        return chr(code).lower()
    return chr(ord(char[0]) + 96) if 1 <= ord(char[0]) <= 26 else None


def text_typed(char: str | None, held: set[str]) -> str:
    """What a press types: nothing while a command modifier is held, except that ctrl and alt together are AltGr where
    the system gives a printable character for them."""
    if char is None or ord(char[0]) < 32:
        return ""
    commands = {name.split("_")[0] for name in held & _COMMANDS}
    return char if not commands or commands == {"ctrl", "alt"} else ""


class PynputEvents:
    """See EventSource. `origin`: the recorded region's top left corner in the system's coordinates, which may be
    negative with several monitors."""

    name = "pynput"

    def __init__(self, origin: tuple[int, int]) -> None:
        self._left, self._top = origin
        self._fault: str | None = None
        self._held: set[str] = set()
        self._down: set[object] = set()
        self._listeners: list[Any] = []

    @property
    def fault(self) -> str | None:
        dead = [one for one in self._listeners if not one.is_alive()]
        return self._fault or ("The system stopped reporting input." if dead else None)

    def start(self, sink: Sink) -> None:
        """One listener for the pointer, one for keys; pynput tells when each is installed."""
        try:
            from pynput import keyboard, mouse
        except Exception as error:  # pynput raises what its back end raises
            raise RecorderError(f"Input cannot be listened to here: {error}.") from error
        self._sink = sink
        self._listeners = [
            mouse.Listener(on_move=self._moved, on_click=self._clicked, on_scroll=self._scrolled),
            keyboard.Listener(on_press=self._pressed, on_release=self._released),
        ]
        for listener in self._listeners:
            listener.start()
            listener.wait()
            if getattr(listener, "IS_TRUSTED", True) is False:
                raise RecorderError(
                    "macOS does not let this program see input: allow it under Privacy & Security, Accessibility "
                    "and Input Monitoring."
                )

    def reserve(self, chord: Sequence[str]) -> None:
        """Nothing: a listener cannot keep keys from programs."""

    def stop(self) -> None:
        for listener in self._listeners:
            listener.stop()
        for listener in self._listeners:
            listener.join(READY_TIMEOUT_S)
        self._listeners = []

    def _moved(self, x: float, y: float, injected: bool | None = None) -> None:
        self._sink(MoveRow(seq=UNNUMBERED, t=time.monotonic_ns(), x=x - self._left, y=y - self._top))

    def _clicked(self, x: float, y: float, button: Any, pressed: bool, injected: bool | None = None) -> None:
        t = time.monotonic_ns()
        self._sink(
            ButtonRow(
                seq=UNNUMBERED,
                t=t,
                x=x - self._left,
                y=y - self._top,
                button=button.name,
                pressed=pressed,
                injected=injected,
            )
        )

    def _scrolled(self, x: float, y: float, dx: float, dy: float, injected: bool | None = None) -> None:
        t = time.monotonic_ns()
        self._sink(
            ScrollRow(
                seq=UNNUMBERED, t=t, x=x - self._left, y=y - self._top, dx=float(dx), dy=float(dy), injected=injected
            )
        )

    def _pressed(self, key: Any, injected: bool | None = None) -> None:
        self._key(key, True, injected)

    def _released(self, key: Any, injected: bool | None = None) -> None:
        self._key(key, False, injected)

    def _key(self, key: Any, pressed: bool, injected: bool | None) -> None:
        t = time.monotonic_ns()
        special, char = getattr(key, "name", None), getattr(key, "char", None)
        code = getattr(key, "vk", None) if special is None else getattr(key.value, "vk", None)
        name = special or (letter_of(char, code) or "unknown").lower()
        repeat = pressed and (code, name) in self._down
        (self._down.add if pressed else self._down.discard)((code, name))
        if special in _COMMANDS:
            (self._held.add if pressed else self._held.discard)(special)
        text = (" " if special == "space" else text_typed(char, self._held)) if pressed else None
        dead = bool(getattr(key, "is_dead", False))
        self._sink(
            KeyRow(
                seq=UNNUMBERED, t=t, key=name, code=code, pressed=pressed, text="" if dead and pressed else text,
                dead=dead, repeat=repeat, injected=injected,
            )
        )  # fmt: skip
