"""Each action as PyAutoGUI's calls, at a hand's pace: programs see presses that last, drags that move, wheels that
turn notch by notch. Keys and buttons that are down are known at every moment, so that they can be let go of."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action, Modifier
from curate.model.constants import LONG_PRESS_S, MULTI_CLICK_DISTANCE_PX
from recorders.replay import pace as paces
from recorders.replay.clipboard import Clipboard
from recorders.replay.escape import EscapeWatch
from recorders.replay.keyboard import Stroke
from recorders.replay.machine import Machine
from recorders.replay.pace import Pace
from recorders.replay.plan import PlannedStep
from recorders.replay.text import KEYS_OF, paste_keys, plan_text
from recorders.replay.units import wheel_calls

DWELL_S = 0.06  # between arriving and pressing: what lights up under the pointer has done so
PRESS_S = 0.04  # a button or key is down
CLICKS_APART_S = 0.08  # within a double click: far below every system's longest interval, and no bounce
HOLD_S = 0.04  # a modifier is down before it counts
NOTCH_S = 0.05  # between notches of a wheel
DRAG_S = (0.5, 4.0)  # a drag takes at least, at most; programs start to drag after some moves
DRAG_REST_S = 0.15  # before the first move and before letting go: where things drop is decided by then
REPEATED_KEY_S = 0.05
_HWHEEL = 0x1000  # Windows' MOUSEEVENTF_HWHEEL; PyAutoGUI's hscroll turns the vertical wheel there


class Acts:
    """Performs the actions of one step after another."""

    def __init__(self, machine: Machine, watch: EscapeWatch, clipboard: Clipboard | None, pace: Pace) -> None:
        self._machine, self._gui, self._watch = machine, machine.gui, watch
        self._clipboard, self._pace = clipboard, pace
        self._keys: list[str] = []
        self._buttons: list[str] = []
        self._last_click: tuple[float, float, float] | None = None  # when, x, y

    def perform(self, step: PlannedStep) -> None:
        """One step. Raises StoppedError at the person's Escape."""
        for modifiers, actions in groupby(step.actions, key=_modifiers):
            self._hold(modifiers)
            for action in actions:
                self._watch.wait(0)
                _DO[type(action)](self, action, step)
            self._let_go(reversed(modifiers))

    def release_all(self) -> None:
        """Let go of every key and button that is down."""
        for button in self._buttons[::-1]:
            with contextlib.suppress(Exception):  # one that fails must not keep the others down
                self._gui.mouseUp(button=button)
        for key in self._keys[::-1]:
            with contextlib.suppress(Exception):
                self._gui.keyUp(key)
        self._buttons.clear()
        self._keys.clear()

    # --- keys -------------------------------------------------------------------------------------------------

    def _down(self, key: str) -> None:
        self._keys.append(key)
        self._gui.keyDown(key)

    def _up(self, key: str) -> None:
        self._gui.keyUp(key)
        if key in self._keys:
            self._keys.remove(key)

    def _named(self, name: str) -> Stroke:
        stroke = self._machine.keyboard.key(name)
        assert stroke is not None, f"the plan let the key {name!r} through"
        if name == "esc":
            self._watch.ours()
        return stroke

    def _hold(self, names: Iterable[str]) -> None:
        for name in names:
            self._down(self._named(name).key)
            self._watch.wait(HOLD_S)

    def _let_go(self, names: Iterable[str]) -> None:
        for name in names:
            self._watch.wait(HOLD_S / 2)
            self._up(self._named_key(name))

    def _named_key(self, name: str) -> str:
        stroke = self._machine.keyboard.key(name)
        assert stroke is not None
        return stroke.key

    def _stroke(self, stroke: Stroke) -> None:
        """One press, with what must be held for it."""
        held = [self._named_key(name) for name in stroke.held]
        for key in held:
            self._down(key)
        self._down(stroke.key)
        self._watch.wait(PRESS_S / 2)
        self._up(stroke.key)
        for key in reversed(held):
            self._up(key)

    def press(self, action: act.Press, step: PlannedStep) -> None:
        """A key, some times."""
        for number in range(action.presses):
            self._watch.wait(REPEATED_KEY_S if number else 0)
            self._stroke(self._named(action.key))

    def hotkey(self, action: act.Hotkey, step: PlannedStep) -> None:
        """Keys together."""
        *held, last = action.keys
        self._hold(held)
        self._stroke(self._named(last))
        self._let_go(reversed(held))

    def key_down(self, action: act.KeyDown, step: PlannedStep) -> None:
        """A key that stays down."""
        self._hold([action.key])

    def key_up(self, action: act.KeyUp, step: PlannedStep) -> None:
        """Let go of it."""
        self._let_go([action.key])

    def write(self, action: act.Write, step: PlannedStep) -> None:
        """A text: by keys, and what no key makes through the clipboard."""
        keyboard = self._machine.keyboard
        interval = paces.key_interval(step.time, len(action.text), self._pace)
        for run in plan_text(action.text, lambda c: keyboard.character(c) is not None):
            if run.by == "clipboard":
                self._paste(run.text, step.app)
                continue
            for character in run.text:
                stroke = self._named(KEYS_OF[character]) if character in KEYS_OF else keyboard.character(character)
                assert stroke is not None
                self._stroke(stroke)
                self._watch.wait(max(0.0, interval - PRESS_S / 2))

    def _paste(self, text: str, app: str | None) -> None:
        assert self._clipboard is not None, "the plan said that nothing goes through the clipboard"
        keys = paste_keys(app, self._machine.platform)
        step = PlannedStep(-1, (), None, app, False)
        self._clipboard.paste(
            text, lambda: self.hotkey(act.Hotkey(keys), step), self._watch.wait, terminal="insert" in keys
        )

    # --- mouse ------------------------------------------------------------------------------------------------

    def _go(self, action: Any) -> tuple[int, int]:
        x, y = int(action.x), int(action.y)
        self._gui.moveTo(x, y)
        return x, y

    def _button(self, down: bool, x: int, y: int, button: str) -> None:
        if down:
            self._buttons.append(button)
            self._gui.mouseDown(x, y, button=button)
        else:
            self._gui.mouseUp(x, y, button=button)
            self._buttons.remove(button)

    def move(self, action: act.MoveTo, step: PlannedStep) -> None:
        """The pointer to a point."""
        self._go(action)

    def click(self, action: act.Pointed, step: PlannedStep) -> None:
        """Any click. One at the place of the one before is kept from becoming a double click with it."""
        button, times = _CLICKS[type(action)]
        x, y = self._go(action)
        self._watch.wait(DWELL_S)
        if self._last_click is not None and math.dist(self._last_click[1:], (x, y)) <= 2 * MULTI_CLICK_DISTANCE_PX:
            self._watch.wait_until(self._last_click[0] + paces.APART_S)
        if times > 1 and self._machine.platform == "macos":
            from recorders.replay.mac_mouse import multi_click

            multi_click(self._gui, x, y, times, CLICKS_APART_S)
        else:
            long = step.long_press or isinstance(action, act.LongPress)
            for number in range(times):
                self._watch.wait(CLICKS_APART_S if number else 0)
                self._button(True, x, y, button)
                self._watch.wait(LONG_PRESS_S * 1.1 if long else PRESS_S)
                self._button(False, x, y, button)
        self._last_click = (time.monotonic(), x, y)

    def drag(self, action: act.DragTo, step: PlannedStep) -> None:
        """From where the pointer is, with moves on the way, slow enough for drag and drop."""
        x, y = int(action.x or 0), int(action.y or 0)
        recorded = step.time.end - step.time.start if step.time else 0.0
        seconds = min(max(recorded / self._pace.speed, DRAG_S[0]), DRAG_S[1])
        self._watch.wait(DWELL_S)
        start_x, start_y = self._gui.position()
        self._button(True, start_x, start_y, action.button)
        self._watch.wait(DRAG_REST_S)
        # On macOS moves with a button down are events of their own, which only dragTo sends.
        self._gui.dragTo(x, y, duration=seconds, button=action.button, mouseDownUp=False)
        self._watch.wait(DRAG_REST_S)
        self._button(False, x, y, action.button)
        self._last_click = None

    def scroll(self, action: act.Scroll | act.HScroll, step: PlannedStep) -> None:
        """The wheel, where the pointer is."""
        turn = self._gui.scroll if isinstance(action, act.Scroll) else self._sideways
        for number, amount in enumerate(wheel_calls(action, self._machine.platform)):
            self._watch.wait(NOTCH_S if number else DWELL_S)
            turn(amount)

    def _sideways(self, amount: int) -> None:
        if self._machine.platform == "windows":
            self._gui.platformModule._sendMouseEvent(_HWHEEL, *self._gui.position(), dwData=amount)
        else:
            self._gui.hscroll(amount)

    # --- neither ----------------------------------------------------------------------------------------------

    def wait(self, action: act.Wait, step: PlannedStep) -> None:
        """Nothing, for as long as recorded."""
        self._watch.wait((paces.UNKNOWN_GAP_S if action.seconds is None else action.seconds) / self._pace.speed)

    def nothing(self, action: act.Terminate, step: PlannedStep) -> None:
        """The run ends here."""


_CLICKS: dict[type[Any], tuple[str, int]] = {
    act.Click: ("left", 1), act.DoubleClick: ("left", 2), act.TripleClick: ("left", 3), act.RightClick: ("right", 1),
    act.MiddleClick: ("middle", 1), act.LongPress: ("left", 1),
}  # fmt: skip
_DO: dict[type[Any], Callable[[Acts, Any, PlannedStep], None]] = {
    **dict.fromkeys(_CLICKS, Acts.click), act.MoveTo: Acts.move, act.DragTo: Acts.drag, act.Scroll: Acts.scroll,
    act.HScroll: Acts.scroll, act.Write: Acts.write, act.Press: Acts.press, act.Hotkey: Acts.hotkey,
    act.KeyDown: Acts.key_down, act.KeyUp: Acts.key_up, act.Wait: Acts.wait, act.Terminate: Acts.nothing,
}  # fmt: skip


def _modifiers(action: Action) -> tuple[Modifier, ...]:
    return getattr(action, "modifiers", ())
