"""A person at the desk: every act is done by the scripted hand, and what the reducer must make of it is noted."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.keys import hotkey_order, key_name
from tests.replay.desk import Desk
from tests.replay.dump_tools import NAMED, WHEEL, Box, Hand

NAMED.update({
    "left": 0xFF51, "right": 0xFF53, "pageup": 0xFF55, "pagedown": 0xFF56, "insert": 0xFF63, "win": 0xFFEB,
    "space": 0x20, **{f"f{n}": 0xFFBD + n for n in range(1, 13)},
})  # fmt: skip
WHEEL.update({"left": 6, "right": 7})
DEAD = {"`": 0xFE50, "´": 0xFE51, "^": 0xFE52, "~": 0xFE53, "¨": 0xFE57}
_NEAR_PX = 3
_SCROLL_PX = 12


@dataclass(frozen=True)
class Expected:
    """One action that the reducer must find: equal to `action`, except that its point, in pixels, lies in `box`."""

    action: Action
    box: Box | None = None


@dataclass
class Person:
    """Acts and notes. `speed`, `typing`: of the hand at mouse and keyboard, as many times as fast as most
    people."""

    desk: Desk
    seed: int
    speed: float = 3.5
    typing: float = 1.6
    expected: list[Expected] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hand = Hand(self.seed)
        self.hand.speed = self.speed
        self.hand.typing = self.typing

    # --- acts -------------------------------------------------------------------------------------------------

    def look(self, seconds: float = 0.2) -> None:
        """Do nothing for a while."""
        time.sleep(seconds)

    def go(self, box: Box) -> None:
        """Move the pointer, which means nothing by itself."""
        self.hand.move_to(*self.hand.place_in(box))

    def hover(self, box: Box) -> None:
        """Rest on what opens by it."""
        self.look(0.8)
        self.go(box)
        self.look(0.9)
        self._note(act.MoveTo(0.0, 0.0), _grown(box, 40))

    def click(self, box: Box, button: str = "left", times: int = 1, held: tuple[str, ...] = ()) -> None:
        """Click, with keys held around it."""
        self._with(held, lambda: self.hand.click(box, button, times))
        self._note_click(box, button, times, held)
        self.look()

    def clicks_held(self, boxes: list[Box], held: tuple[str, ...]) -> None:
        """Several clicks while the keys stay down."""

        def do() -> None:
            for box in boxes:
                self.hand.click(box)
                self.look(0.3)

        self._with(held, do)
        for box in boxes:
            self._note_click(box, "left", 1, held)
        self.look()

    def drag(self, start: Box, end: Box, held: tuple[str, ...] = (), button: str = "left", slow: bool = False) -> None:
        """Drag from about the middle of one box to about the middle of another."""
        x0, y0 = self.hand.place_in(start)
        x1, y1 = self.hand.place_in(end)
        self._with(held, lambda: self._drag((x0, y0), (x1, y1), button, slow))
        modifiers: Any = hotkey_order(held)
        self._note(act.MoveTo(0.0, 0.0, modifiers), _around(x0, y0))
        self._note(act.DragTo(0.0, 0.0, modifiers, button=button), _around(x1, y1))  # type: ignore[arg-type]
        self.look()

    def scroll(self, box: Box, direction: str, notches: int, held: tuple[str, ...] = ()) -> None:
        """Turn the wheel over a box."""
        self.go(box)
        self._with(held, lambda: self.hand.scroll(direction, notches))
        modifiers: Any = hotkey_order(held)
        self._note(act.MoveTo(0.0, 0.0, modifiers), _grown(_around(self.hand.x, self.hand.y), _SCROLL_PX))
        sign = 1 if direction in ("up", "right") else -1
        kind = act.Scroll if direction in ("up", "down") else act.HScroll
        self._note(kind(float(sign * notches), modifiers=modifiers))
        self.look()

    def type(self, text: str) -> None:
        """Type with rollover; `\\b` takes back the last character, within the text."""
        self.hand.type(text)
        left: list[str] = []
        for character in text:
            if character == "\b":
                left.pop()
            else:
                left.append(character)
        self._note(act.Write("".join(left)))
        self.look()

    def type_with_dead_keys(self, keys: str, text: str) -> None:
        """Type on a layout with dead keys: ´ ` ^ ~ ¨ among the `keys` are those keys, `text` what they make."""
        for sign, keysym in DEAD.items():
            self.hand._keys[ord(sign)] = self.hand._keys[keysym]
        self.hand.type(keys)
        self._note(act.Write(text))
        self.look()

    def type_injected(self, text: str) -> None:
        """What no layout has, by another program that types (it remaps keys while it does)."""
        self.desk.run("xdotool", "type", "--delay", "60", text)
        self._note(act.Write(text))
        self.look()

    def press(self, name: str, times: int = 1) -> None:
        """A key, some times: each a step of its own."""
        self.hand.press(name, times)
        for _ in range(times):
            self._note(act.Press(key_name(name) or name))
        self.look()

    def hotkey(self, *names: str, times: int = 1) -> None:
        """Keys together, some times with the modifiers down throughout."""
        *held, last = names
        self._with(tuple(held), lambda: self.hand.press(last, times))
        for _ in range(times):
            self._note(act.Hotkey(hotkey_order(key_name(name) or name for name in names)))
        self.look()

    def layout(self, *names: str) -> None:
        """Another keyboard layout, as a person switches it."""
        self.desk.layout(*names)
        self.hand._keys = self.hand._read_keys()
        self.look(0.4)

    # --- how --------------------------------------------------------------------------------------------------

    def _with(self, held: tuple[str, ...], do: Callable[[], None]) -> None:
        if held:
            self.hand.hold(*held)
        do()
        if held:
            self.hand.let_go(*reversed(held))

    def _drag(self, start: tuple[int, int], end: tuple[int, int], button: str, slow: bool) -> None:
        hand = self.hand
        hand.move_to(*start)
        self.look(0.15)
        hand._button(button, True)
        self.look(0.15)
        hand.move_to(round(start[0] + (end[0] - start[0]) / 2), round(start[1] + (end[1] - start[1]) / 2))
        self.look(0.3 if slow else 0.05)
        hand.move_to(*end)
        self.look(0.2)
        hand._button(button, False)

    def _note(self, action: Action, box: Box | None = None) -> None:
        self.expected.append(Expected(action, box))

    def _note_click(self, box: Box, button: str, times: int, held: tuple[str, ...]) -> None:
        kinds: dict[tuple[str, int], type[Any]] = {
            ("left", 1): act.Click, ("left", 2): act.DoubleClick, ("left", 3): act.TripleClick,
            ("right", 1): act.RightClick, ("middle", 1): act.MiddleClick,
        }  # fmt: skip
        self._note(kinds[button, times](0.0, 0.0, hotkey_order(held)), box)


def _around(x: int, y: int) -> Box:
    return Box(x - _NEAR_PX, y - _NEAR_PX, 2 * _NEAR_PX, 2 * _NEAR_PX)


def _grown(box: Box, by: int) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)


__all__ = ["Box", "Expected", "Person"]
