"""Whatever ends a replay, nothing stays down."""

from __future__ import annotations

import pytest

from curate.model import actions as act
from curate.model.actions import Action
from recorders.replay.acts import Acts
from recorders.replay.errors import StoppedError
from recorders.replay.escape import EscapeWatch
from recorders.replay.pace import Pace
from recorders.replay.plan import plan
from tests.replay.machine import machine, record


class Gui:
    """Notes what is down, as the server would; after `calls` calls the person presses Escape."""

    def __init__(self, calls: int) -> None:
        self.down: set[str] = set()
        self.watch = EscapeWatch(None)
        self.left, self.calls = calls, 0

    def _count(self) -> None:
        self.left -= 1
        self.calls += 1
        if self.left == 0:
            self.watch._pressed.set()

    def keyDown(self, key: str) -> None:  # noqa: N802
        self._count()
        self.down.add(key)

    def keyUp(self, key: str) -> None:  # noqa: N802
        self.down.discard(key)

    def mouseDown(self, x: int, y: int, button: str) -> None:  # noqa: N802
        self._count()
        self.down.add(button)

    def mouseUp(self, x: int = 0, y: int = 0, button: str = "") -> None:  # noqa: N802
        self.down.discard(button)

    def moveTo(self, x: int, y: int) -> None:  # noqa: N802
        self._count()

    def position(self) -> tuple[int, int]:
        return 3, 4

    def dragTo(self, x: int, y: int, **_: object) -> None:  # noqa: N802
        self._count()

    def scroll(self, amount: int) -> None:
        self._count()


ACTIONS: list[list[Action]] = [
    [act.Write("Ab")],
    [act.Click(0.1, 0.1, ("ctrl", "shift"))],
    [act.MoveTo(0.1, 0.1, ("shift",)), act.DragTo(0.5, 0.5, ("shift",))],
    [act.KeyDown("alt"), act.Press("tab", 2), act.KeyUp("alt")],
    [act.Hotkey(("ctrl", "shift", "t"))],
    [act.MoveTo(0.4, 0.4, ("ctrl",)), act.Scroll(-2.0, modifiers=("ctrl",))],
]


def performed(calls: int) -> tuple[Gui, bool]:
    gui = Gui(calls)
    here = machine(gui=gui)
    acts = Acts(here, gui.watch, None, Pace(speed=20.0))
    stopped = False
    try:
        for step in plan(record(*ACTIONS), here).steps:
            acts.perform(step)
            assert not gui.down, f"step {step.index} left something down"
    except StoppedError:
        stopped = True
    acts.release_all()
    return gui, stopped


def test_to_the_end() -> None:
    gui, stopped = performed(10_000)
    assert not stopped
    assert not gui.down
    assert gui.calls >= 20, "the tests below stop it before its end"


@pytest.mark.parametrize("calls", range(1, 20, 2))
def test_stopped_anywhere(calls: int) -> None:
    gui, stopped = performed(calls)
    assert stopped
    assert not gui.down
