"""A hand that moves the pointer and types as people do, by XTEST: curved paths that start slow and end slow, about a
hundred moves a second, pauses before acting, keys that overlap. Seeded, so that a script is the same hand each time."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from typing import Any

KEY_DOWN, KEY_UP, BUTTON_DOWN, BUTTON_UP, MOTION = 2, 3, 4, 5, 6
BUTTONS = {"left": 1, "middle": 2, "right": 3}
WHEEL = {"up": 4, "down": 5}
NAMED = {
    "ctrl": 0xFFE3, "shift": 0xFFE1, "alt": 0xFFE9, "altgr": 0xFE03, "enter": 0xFF0D, "tab": 0xFF09, "esc": 0xFF1B,
    "end": 0xFF57, "home": 0xFF50, "delete": 0xFFFF, "backspace": 0xFF08, "down": 0xFF54, "up": 0xFF52,
}  # fmt: skip
RATE_HZ = 90


@dataclass(frozen=True)
class Box:
    """A place on the screen in pixels."""

    x: int
    y: int
    width: int
    height: int


class Hand:
    """Moves, presses and types on the display of DISPLAY."""

    def __init__(self, seed: int, places: int | None = None) -> None:
        """`places`: where in its targets the hand aims, for two hands that do the same; else by `seed` too."""
        import xcffib
        import xcffib.xproto
        import xcffib.xtest as xtest

        self.speed = 1.0  # how much faster than most people
        self.typing = 1.0  # the same at the keyboard
        self._random, self._places = random.Random(seed), random.Random(seed if places is None else places)
        self._connection: Any = xcffib.Connection()
        self._xtest = self._connection(xtest.key)
        self._root = self._connection.get_setup().roots[0].root
        self._keys = self._read_keys()
        at = self._connection.core.QueryPointer(self._root).reply()
        self.x, self.y = at.root_x, at.root_y

    def pause(self, low: float = 0.9, high: float = 1.5) -> None:
        """Look at the screen for a while."""
        time.sleep(self._random.uniform(low, high))

    def place_in(self, box: Box) -> tuple[int, int]:
        """Where in a box people click: about its middle, never its edge."""

        def near_middle(start: int, size: int) -> int:
            spread, off = min(size * 0.16, 22.0), max(-1.0, min(1.0, self._places.gauss(0, 0.5)))
            return round(start + size / 2 + off * spread + self._random.uniform(-1, 1))

        return near_middle(box.x, box.width), near_middle(box.y, box.height)

    def move_to(self, x: int, y: int) -> None:
        """Along a slightly bent path with a little tremor; slower for far targets."""
        x0, y0, distance = self.x, self.y, math.hypot(x - self.x, y - self.y)
        if distance < 1:
            return
        seconds = (0.22 + 0.13 * math.log2(1 + distance / 40) * self._random.uniform(0.85, 1.2)) / self.speed
        bend = self._random.uniform(-0.12, 0.12) * distance
        normal = (-(y - y0) / distance, (x - x0) / distance)
        steps, begun = max(3, round(seconds * RATE_HZ)), time.monotonic()
        for i in range(1, steps + 1):
            s = i / steps
            along = s * s * s * (10 - 15 * s + 6 * s * s)  # minimum jerk: how arms move
            side = bend * math.sin(math.pi * along) + self._random.uniform(-0.6, 0.6) * (i < steps)
            self._go(round(x0 + (x - x0) * along + normal[0] * side), round(y0 + (y - y0) * along + normal[1] * side))
            time.sleep(max(0.0, begun + i / RATE_HZ - time.monotonic()))

    def rest_in(self, box: Box) -> None:
        """Take the hand off what was clicked, to somewhere nothing is, and look."""
        time.sleep(self._random.uniform(0.25, 0.4))
        self.move_to(*self.place_in(box))
        self.pause()

    def click(self, box: Box, button: str = "left", times: int = 1) -> None:
        """Approach and click, twice or three times in quick order where asked."""
        self.move_to(*self.place_in(box))
        time.sleep(self._random.uniform(0.09, 0.2) / self.speed)
        for i in range(times):
            if i:
                time.sleep(self._random.uniform(0.07, 0.11))
            self._button(button, True)
            time.sleep(self._random.uniform(0.05, 0.09))
            self._button(button, False)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press at `start`, move with the button held, let go at `end`."""
        self.move_to(*start)
        time.sleep(0.15)
        self._button("left", True)
        time.sleep(0.12)
        self.move_to(*end)
        time.sleep(0.15)
        self._button("left", False)

    def scroll(self, direction: str, notches: int) -> None:
        """Turn the wheel where the pointer is."""
        for _ in range(notches):
            for kind in (BUTTON_DOWN, BUTTON_UP):
                self._input(kind, WHEEL[direction])
            time.sleep(self._random.uniform(0.08, 0.16))

    def hold(self, *names: str) -> None:
        """Press keys and keep them."""
        for name in names:
            self._input(KEY_DOWN, self._keys[NAMED[name]][0])
            time.sleep(self._random.uniform(0.06, 0.12))

    def let_go(self, *names: str) -> None:
        """Release kept keys."""
        for name in names:
            self._input(KEY_UP, self._keys[NAMED[name]][0])
            time.sleep(self._random.uniform(0.03, 0.06))

    def press(self, name: str, times: int = 1) -> None:
        """One key by its name or character."""
        code = self._keys[NAMED.get(name) or ord(name)][0]
        for _ in range(times):
            self._input(KEY_DOWN, code)
            time.sleep(self._random.uniform(0.05, 0.09))
            self._input(KEY_UP, code)
            time.sleep(self._random.uniform(0.08, 0.16))

    def hotkey(self, *names: str) -> None:
        """Modifiers, then the key, released the other way round."""
        self.hold(*names[:-1])
        self.press(names[-1])
        self.let_go(*reversed(names[:-1]))

    def type(self, text: str) -> None:
        """Type with rollover: a key is often still down when the next goes down. `\\b` is backspace, `\\n` enter."""
        down: list[int] = []
        held: str | None = None
        for char in text:
            keysym = {"\b": NAMED["backspace"], "\n": NAMED["enter"]}.get(char, ord(char))
            code, level = self._keys[keysym]
            wanted = (None, "shift", "altgr")[level]
            if wanted != held or code in down or char in "\b\n":
                self._lift(down)
            if wanted != held:
                self._change_held(held, wanted)
                held = wanted
            if len(down) > 1:
                self._input(KEY_UP, down.pop(0))
            self._input(KEY_DOWN, code)
            down.append(code)
            time.sleep((self._random.uniform(0.06, 0.15) + (0.12 if char in " .,\n\b" else 0)) / self.typing)
        self._lift(down)
        self._change_held(held, None)

    def _change_held(self, old: str | None, new: str | None) -> None:
        if old:
            self.let_go(old)
        if new:
            self.hold(new)

    def _lift(self, down: list[int]) -> None:
        while down:
            self._input(KEY_UP, down.pop(0))
            time.sleep(self._random.uniform(0.02, 0.05))

    def _go(self, x: int, y: int) -> None:
        self.x, self.y = x, y
        self._input(MOTION, 0, x, y)

    def _button(self, name: str, down: bool) -> None:
        self._input(BUTTON_DOWN if down else BUTTON_UP, BUTTONS[name])

    def _input(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        self._xtest.FakeInput(kind, detail, 0, self._root, x, y, 0)
        self._connection.flush()

    def _read_keys(self) -> dict[int, tuple[int, int]]:
        """Keysym -> key code and level (0 plain, 1 shift, 2 AltGr) on the layout of this display."""
        setup = self._connection.get_setup()
        low, high = setup.min_keycode, setup.max_keycode
        reply = self._connection.core.GetKeyboardMapping(low, high - low + 1).reply()
        width, symbols = reply.keysyms_per_keycode, list(reply.keysyms)
        keys: dict[int, tuple[int, int]] = {}
        for level, column in ((0, 0), (1, 1), (2, 4)):
            for i in range(0, len(symbols), width):
                if column < width and symbols[i + column]:
                    keys.setdefault(symbols[i + column], (low + i // width, level))
        return keys
