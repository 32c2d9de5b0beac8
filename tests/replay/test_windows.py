"""A step is done to the program it was recorded in, or not at all."""

from __future__ import annotations

import pytest

from curate.model import actions as act
from curate.model.actions import Action
from recorders.replay import windows
from recorders.replay.errors import WrongWindowError
from recorders.replay.plan import PlannedStep
from recorders.replay.windows import Seen, WindowCheck, presses

EDITOR, SHELL = Seen(("mousepad",), "notes"), Seen(("xterm",), "sh")
TERMINAL = Seen(("xterm",), "curate replay", own=True)
DESKTOP = Seen((), kind="ground")


class Desk:
    """`can`: windows that come to the front when they are asked for."""

    def __init__(self, front: Seen | None, under: Seen | None = None, can: tuple[Seen, ...] = ()) -> None:
        self.in_front, self.at, self.can = front, under, can
        self.asked: list[str] = []

    def front(self) -> Seen | None:
        return self.in_front

    def under(self, x: int, y: int) -> Seen | None:
        return self.at

    def bring(self, app: str, title: str | None) -> bool:
        found = [window for window in self.can if window.of(app)]
        self.asked.append(app)
        if found:
            self.in_front = self.at = found[0]
        return bool(found)


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "OPENS_S", 0.05)
    monkeypatch.setattr(windows, "COMES_S", 0.05)


def step(*actions: Action, app: str | None = "Mousepad") -> PlannedStep:
    return PlannedStep(7, actions, None, app, False)


def check(desk: Desk, planned: PlannedStep, leads_to: str | None = None, anywhere: bool = False) -> None:
    WindowCheck(desk, lambda seconds: None, anywhere).before(planned, leads_to)


TYPES = [act.Write("rm -rf x\n"), act.Press("enter"), act.Hotkey(("ctrl", "v")), act.KeyDown("alt")]
PRESSES: list[list[Action]] = [
    [act.Click(3, 4)], [act.TripleClick(3, 4)], [act.MoveTo(3, 4), act.Scroll(-2.0)],
    [act.MoveTo(3, 4), act.DragTo(9, 9)],
]  # fmt: skip


@pytest.mark.parametrize("action", TYPES)
def test_keys_go_to_the_programs_window_in_front(action: Action) -> None:
    check(Desk(EDITOR, SHELL), step(action))
    with pytest.raises(WrongWindowError, match=r"Step 7 .*'Mousepad'.*'xterm'.*--anywhere"):
        check(Desk(SHELL, EDITOR), step(action))
    with pytest.raises(WrongWindowError, match="no window"):
        check(Desk(None, EDITOR), step(action))


@pytest.mark.parametrize("actions", PRESSES)
def test_presses_and_wheels_go_to_the_window_under_the_point(actions: list[Action]) -> None:
    check(Desk(SHELL, EDITOR), step(*actions))
    with pytest.raises(WrongWindowError, match=r"'Mousepad'.*'xterm'"):
        check(Desk(EDITOR, SHELL), step(*actions))


def test_a_drag_begins_where_the_pointer_was_and_may_end_anywhere() -> None:
    assert presses(step(act.MoveTo(3, 4), act.DragTo(9, 9))) == ([(3, 4)], False)


def test_moving_and_waiting_do_nothing_to_a_program() -> None:
    desk = Desk(TERMINAL, TERMINAL)
    check(desk, step(act.MoveTo(3, 4)))
    check(desk, step(act.Wait(2.0)))
    check(desk, step(act.Terminate("success")))


def test_the_programs_window_is_brought_forward_once() -> None:
    desk = Desk(SHELL, SHELL, can=(EDITOR,))
    check(desk, step(act.Write("x")))
    assert (desk.in_front, desk.asked) == (EDITOR, ["Mousepad"])


def test_a_click_may_be_on_the_window_that_it_brings_to_the_front() -> None:
    click = step(act.Click(3, 4), app="XTerm")
    check(Desk(SHELL, EDITOR), click, leads_to="Mousepad")
    with pytest.raises(WrongWindowError):
        check(Desk(SHELL, EDITOR), click, leads_to="XTerm")


def test_a_panel_is_clicked_while_the_program_is_in_front() -> None:
    check(Desk(EDITOR, DESKTOP), step(act.Click(3, 4)))
    with pytest.raises(WrongWindowError, match="the desktop"):
        check(Desk(SHELL, DESKTOP), step(act.Click(3, 4)))


@pytest.mark.parametrize("anywhere", [False, True])
@pytest.mark.parametrize("app", [None, "XTerm", "Mousepad"])
@pytest.mark.parametrize("actions", [[act.Write("ls\n")], [act.Click(3, 4)]])
def test_the_terminal_that_runs_it_is_never_acted_on(anywhere: bool, app: str | None, actions: list[Action]) -> None:
    with pytest.raises(WrongWindowError, match="the terminal that runs this"):
        check(Desk(TERMINAL, TERMINAL), step(*actions, app=app), anywhere=anywhere)


def test_where_the_record_names_no_program_and_where_the_person_says_anywhere() -> None:
    check(Desk(SHELL, SHELL), step(act.Write("x"), app=None))
    desk = Desk(SHELL, SHELL, can=(EDITOR,))
    check(desk, step(act.Write("x"), act.Press("enter")), anywhere=True)
    assert desk.asked == [], "nothing is moved either"
