"""Round trip: random actions, performed by a simulated person, reduce back to themselves.

The person moves along wobbling paths, trembles while a button is down, types in rollover (a key goes down before the
one before is up), presses and releases modifiers in any order and keeps them down over neighbours that share them,
lets go of them before the button, and holds keys until the keyboard repeats them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model import actions as act
from curate.model.actions import Action, Modifier
from tests.reduce.person import Person, accounted, reduce_all

Step = list[Action]
Draw = Callable[[st.SearchStrategy[Any]], Any]

PLACES = st.tuples(st.integers(50, 1800), st.integers(50, 1000))
HELD: st.SearchStrategy[tuple[Modifier, ...]] = st.sampled_from(
    [(), (), (), (), ("ctrl",), ("shift",), ("alt",), ("ctrl", "shift"), ("ctrl", "alt"), ("win",)]
)
SPELLED = {
    "ctrl": ["ctrl_l", "ctrl_r", "ctrl"], "shift": ["shift", "shift_r", "shift_l"], "alt": ["alt_l", "alt"],
    "win": ["cmd", "cmd_r"],
}  # fmt: skip
LETTERS = st.text("abcxyzABCXYZ0123456789 .,;:!?$%&/()=+-_@#'\"\\{}éüñßçÉПривет漢😀", min_size=1, max_size=12)
KEYS = st.sampled_from(
    ["enter", "tab", "esc", "delete", "home", "end", "pageup", "pagedown", "up", "down", "f5", "f11"]
)
SHORT = st.sampled_from(["a", "c", "v", "z", "s", "1", "f4", "tab", "enter", "left", "home", "f12", "space", "delete"])
AGAIN = {"up", "down", "pageup", "pagedown", "tab", "enter", "delete"}


@st.composite
def a_step(draw: Any) -> Step:
    x, y = draw(PLACES)
    held = draw(HELD)
    at = {"x": float(x), "y": float(y), "modifiers": held}
    kind = draw(st.sampled_from(["click", "click", "drag", "scroll", "write", "write", "press", "hotkey", "switch"]))
    if kind == "click":
        return [
            draw(
                st.sampled_from(
                    [act.Click, act.Click, act.DoubleClick, act.TripleClick, act.RightClick, act.MiddleClick]
                )
            )(**at)
        ]
    if kind == "drag":
        to = draw(PLACES)
        if abs(to[0] - x) + abs(to[1] - y) < 20:
            to = (x + 300, y)
        button = draw(st.sampled_from(["left", "right", "middle"]))
        return [act.MoveTo(**at), act.DragTo(float(to[0]), float(to[1]), modifiers=held, button=button)]
    if kind == "scroll":
        amount = float(draw(st.integers(1, 6)) * draw(st.sampled_from([1, -1])))
        turn = draw(st.sampled_from([act.Scroll, act.Scroll, act.HScroll]))
        return [act.MoveTo(**at), turn(amount, modifiers=held)]
    if kind == "write":
        return [act.Write(draw(LETTERS))]
    if kind == "press":
        key = draw(KEYS | st.sampled_from(["win", "alt", "backspace"]))
        return [act.Press(key, draw(st.sampled_from([1, 1, 1, 3])) if key in AGAIN else 1)]
    if kind == "switch":
        times = draw(st.integers(2, 4))
        return [act.KeyDown("alt"), act.Press("tab", times), act.KeyUp("alt")]
    keys = draw(st.sampled_from([("ctrl",), ("alt",), ("ctrl", "shift"), ("ctrl", "alt"), ("win",), ("shift", "win")]))
    return [act.Hotkey((*keys, draw(SHORT)))]


class Simulated(Person):
    """Performs steps."""

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw
        self.down: dict[str, str] = {}  # modifiers held, and by which key
        self.unreleased: list[str] = []  # letters of a rollover

    def wait(self, low: float, high: float) -> None:
        self.let_go()
        self.time += self.draw(st.floats(low, high))

    def let_go(self) -> None:
        for name in self.unreleased:
            self.key(name, False, 0.005)
        self.unreleased = []

    def hold(self, modifiers: tuple[str, ...]) -> None:
        """Exactly these modifiers, pressed and released in any order."""
        self.release_modifiers([m for m in self.down if m not in modifiers])
        for modifier in self.draw(st.permutations([m for m in modifiers if m not in self.down])):
            name = self.draw(st.sampled_from(SPELLED[modifier]))
            self.down[modifier] = name
            self.key(name, True, 0.03)
            if self.draw(st.integers(0, 9)) == 0:
                for gap in (0.5, 0.03, 0.03):
                    self.key(name, True, gap)

    def release_modifiers(self, modifiers: list[str]) -> None:
        for modifier in self.draw(st.permutations(modifiers)):
            self.key(self.down.pop(modifier), False, 0.02)

    def go(self, x: float, y: float) -> None:
        x0, y0 = self.at
        for part in range(1, self.draw(st.integers(1, 5))):
            wobble = self.draw(st.integers(-3, 3))
            self.move(round(x0 + (x - x0) * part / 6) + wobble, round(y0 + (y - y0) * part / 6))
        self.move(x, y)

    def tremble(self) -> None:
        """The hand is not still, but stays within 2 px and comes back."""
        x, y = self.at
        for _ in range(self.draw(st.integers(0, 4))):
            self.move(x + self.draw(st.integers(-2, 2)), y + self.draw(st.integers(-1, 1)))
        self.at = (x, y)

    def click(self, button: str, times: int, early: bool) -> None:
        for number in range(times):
            self.button(button, True, self.draw(st.floats(0.01, 0.3)) if number else 0.01)
            self.tremble()
            if early and number == times - 1:
                self.release_modifiers(list(self.down))
            self.button(button, False, 0.05)

    def type(self, text: str) -> None:
        for char in text:
            name = "space" if char == " " else char
            shift = char.isupper() or char in '!?$%&/()=+_"{}:;'
            if shift != ("shift" in self.down):
                if shift:
                    self.hold(("shift",))
                else:
                    self.release_modifiers(["shift"])
            if name.lower() in map(str.lower, self.unreleased) or len(self.unreleased) > 1 or self.draw(st.booleans()):
                self.let_go()
            self.key(name, True, self.draw(st.floats(0.03, 0.4)))
            self.unreleased.append(name)
        if "shift" in self.down:
            self.release_modifiers(["shift"])

    def press(self, key: str, times: int) -> None:
        self.key(key, True, 0.02)
        for number in range(times - 1):
            self.key(key, True, 0.03 if number else 0.5)
        self.key(key, False, 0.05)

    def perform(self, step: Step, following: Step | None) -> None:
        first = step[0]
        if isinstance(first, act.Hotkey):
            self.hold(first.keys[:-1])
            name = first.keys[-1]
            capital = "shift" in first.keys or self.draw(st.booleans())
            self.key(name.upper() if capital and len(name) == 1 else name, True, 0.05)
            if self.draw(st.booleans()):
                self.release_modifiers(list(self.down))
            self.key(name, False, 0.05)
            self.hold(())
        elif isinstance(first, act.KeyDown):
            self.hold(("alt",))
            for _ in range(step[1].presses):
                self.tap("tab", self.draw(st.floats(0.05, 1.0)))
            self.hold(())
        elif isinstance(first, act.Write):
            self.hold(())
            self.type(first.text)
        elif isinstance(first, act.Press):
            self.hold(())
            name = {"win": "cmd", "alt": "alt_l", "pageup": "page_up"}.get(first.key, first.key)
            self.press(name, first.presses)
        else:
            self._point(step, following)

    def _point(self, step: Step, following: Step | None) -> None:
        first, last = step[0], step[-1]
        self.hold(first.modifiers)
        self.go(first.x, first.y)
        early = False
        if isinstance(last, act.DragTo):
            self.button(last.button, True)
            self.go(last.x, last.y)
            self.button(last.button, False)
        elif isinstance(last, act.Scroll | act.HScroll):
            for _ in range(int(abs(last.amount))):
                turn = {"dx" if isinstance(last, act.HScroll) else "dy": last.amount / abs(last.amount)}
                self.event("scroll", self.draw(st.floats(0.01, 0.5)), x=self.at[0], y=self.at[1], **turn)
                self.tremble()
        else:
            names = {act.RightClick: "right", act.MiddleClick: "middle"}
            times = {act.DoubleClick: 2, act.TripleClick: 3}.get(type(last), 1)
            early = self.draw(st.booleans())
            self.click(names.get(type(last), "left"), times, early)
        same = following is not None and getattr(following[0], "modifiers", None) == first.modifiers
        if not (same and not early and self.draw(st.booleans())):
            self.hold(())


@settings(max_examples=150, deadline=None)
@given(steps=st.lists(a_step(), max_size=8), data=st.data())
def test_round_trip(steps: list[Step], data: st.DataObject) -> None:
    person = Simulated(data.draw)
    for number, step in enumerate(steps):
        person.perform(step, steps[number + 1] if number + 1 < len(steps) else None)
        rolls_on = isinstance(step[0], act.Write) and number + 1 < len(steps) and not _types(steps[number + 1])
        if not rolls_on or data.draw(st.booleans()):
            person.wait(0.6, 1.4)
        if number + 1 < len(steps) and _would_join(step, steps[number + 1]):
            person.wait(4.5, 5.5)
    person.hold(())
    person.let_go()
    found, stretches = reduce_all(person.events)
    assert [step.actions for step in found] == steps
    assert accounted(found, stretches) == list(range(len(person.events)))
    allowed = {"auto_repeat"}
    assert {flag for step in found for flag in step.flags} <= allowed


def _types(step: Step) -> bool:
    return isinstance(step[0], act.Write | act.Press | act.Hotkey | act.KeyDown)


def _would_join(step: Step, following: Step) -> bool:
    """A person who does these two within a moment has done one longer action."""
    if isinstance(step[0], act.Write):
        return isinstance(following[0], act.Write) or following == [act.Press("backspace")]
    return isinstance(step[-1], act.Scroll | act.HScroll) and type(step[-1]) is type(following[-1])
