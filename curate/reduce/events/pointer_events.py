"""What the pointer's events do: the rules of mouse.py and wheel.py, applied to one event after another."""

from __future__ import annotations

from collections.abc import Callable

from curate.model.events import RawEvent
from curate.reduce.events.keyboard import read_key
from curate.reduce.events.ledger import Draft
from curate.reduce.events.lost_releases import Noted
from curate.reduce.events.mouse import BUTTONS, ButtonHold, ClickGroup, Point, button_name, long_press, single_click
from curate.reduce.events.state import State
from curate.reduce.events.wheel import WheelRun


class Pointing:
    """Buttons, moves and wheel. `again` takes an event that waited while a button was held."""

    def __init__(self, state: State, again: Callable[[Noted], None]) -> None:
        self.state = state
        self.again = again
        self.hold: ButtonHold | None = None
        self.pointer: Point | None = None

    def _place(self, event: RawEvent) -> Point | None:
        """Where an event happened: its own point, else where the pointer was last seen."""
        if event.x is not None and event.y is not None:
            self.pointer = (event.x, event.y)
        return self.pointer

    def move(self, event: RawEvent) -> None:
        """Moves count only while a button is held."""
        point = self._place(event)
        assert point is not None
        if self.hold is not None:
            if not self.hold.is_lost(event.time):
                self.hold.move(event, point)
                return
            self.close_without_release("stuck_key", as_click=True)
        if isinstance(self.state.open, ClickGroup):
            self.state.open.move(point)
        self.state.ledger.leave_out(event.index, "reduce.pointer_motion")

    def button(self, event: RawEvent) -> None:
        """A button goes down, or up without having been down."""
        point = self._place(event)
        if point is None:
            self.state.ledger.leave_out(event.index, "reduce.unreadable")
            return
        button = button_name(event.button or "")
        if not event.pressed:
            self.state.ledger.leave_out(event.index, "reduce.orphan_release")
            return
        held = self.state.modifiers.snapshot(event.time)
        group = self.state.open if isinstance(self.state.open, ClickGroup) else None
        goes_on = button == "left" and group is not None and group.goes_on(event.time, point, held)
        if not goes_on:
            self.state.finish_open()
        self.hold = ButtonHold(button=button, press=event, point=point, held=held, goes_on=goes_on, at=point)

    def during_hold(self, hold: ButtonHold, noted: Noted) -> None:
        """What happens while a button is down waits, until its release says whether it was a click or a drag."""
        event = noted.event
        button = button_name(event.button or "") if event.kind == "button" else None
        mine = button == hold.button
        too_many = button is not None and not mine and hold.another(button, event.pressed)
        if mine and not event.pressed:
            hold.release(self._place(event) or hold.at)
            self._close_hold(hold, event)
        elif (mine and event.pressed) or too_many or hold.is_lost(event.time):
            self.close_without_release("stuck_key", as_click=True)
            self.again(noted)
        else:
            hold.meanwhile.append(noted)

    def close_without_release(self, flag: str, as_click: bool = False) -> None:
        """The button's release is not in the recording."""
        if self.hold is None:
            return
        hold = self.hold
        if as_click or any(n.event.kind != "key" or n.event.pressed for n in hold.meanwhile):
            hold.at, hold.path = hold.point, 0.0  # released nobody knows where: only the press is certain
        self._close_hold(hold, None, flag)

    def close_all(self, flag: str) -> None:
        """No release will come any more: neither for the button that is held nor for those pressed meanwhile."""
        while self.hold is not None:
            self.close_without_release(flag)

    def _close_hold(self, hold: ButtonHold, release: RawEvent | None, *flags: str) -> None:
        """The button is up: the step it makes, then what happened meanwhile."""
        self.hold = None
        drag = hold.is_drag and hold.button in BUTTONS
        group = self.state.open if hold.goes_on and not drag and isinstance(self.state.open, ClickGroup) else None
        if group is None:
            self.state.finish_open()
        draft = group.draft if group is not None else Draft.of("click", hold.press)
        if group is not None:
            draft.take(hold.press)
        if release is not None:
            draft.take(release)
        self.state.modifiers.use(hold.held, draft, hold.press.time)
        draft.flag(*flags)
        self._moves_of(hold, draft if drag else None)
        if drag:
            draft.rule = "drag"
            draft.actions, bent = hold.drag_actions()
            draft.flag(*bent)
            self.state.ledger.close(draft)
        else:
            if release is not None and long_press(hold, release.time):
                draft.flag("long_press")
            self._click(hold, draft, group)
        self._after_hold(hold, draft if drag else None)

    def _click(self, hold: ButtonHold, draft: Draft, group: ClickGroup | None) -> None:
        if hold.button != "left":
            self.state.ledger.close(single_click(hold, draft))
        elif group is not None:
            group.count += 1
            group.last_press, group.last_point = hold.press.time, hold.point
        else:
            self.state.open = ClickGroup(draft, hold.point, hold.held, hold.press.time, hold.point)
        if isinstance(self.state.open, ClickGroup):
            self.state.open.move(hold.at)

    def _moves_of(self, hold: ButtonHold, drag: Draft | None) -> None:
        """Moves with the button down are a drag's own; in a click they are the hand's jitter."""
        if drag is not None:
            drag.events += hold.moves
            return
        for index in hold.moves:
            self.state.ledger.leave_out(index, "reduce.pointer_motion")

    def _after_hold(self, hold: ButtonHold, drag: Draft | None) -> None:
        """What happened while the button was down: after a click it happens now; keys in a drag belong to the drag
        (Esc cancels it, modifiers change what it does), which is flagged."""
        for noted in hold.meanwhile:
            event = noted.event
            if drag is not None and event.kind == "key":
                key = read_key(event, self.state.platform)
                if event.pressed:
                    drag.flag("key_in_drag")
                if event.pressed and key.family is None and not key.silent:
                    drag.events.append(event.index)
                    self.state.keys.press(event, key, False, drag)
                    continue
            self.again(noted)

    def wheel(self, event: RawEvent) -> None:
        """The wheel turns. An event without movement says nothing and breaks nothing."""
        point = self._place(event)
        if not event.dx and not event.dy:
            self.state.ledger.leave_out(event.index, "reduce.zero_scroll")
            return
        held = self.state.modifiers.snapshot(event.time)
        run = self.state.open
        if isinstance(run, WheelRun) and run.goes_on(event, point, held):
            run.draft.take(event)
        else:
            self.state.finish_open()
            run = WheelRun(Draft.of("scroll", event), point, held, event, point, 0.0, 0.0)
            self.state.open = run
        self.state.modifiers.use(held, run.draft, event.time)
        run.add(event, point)
