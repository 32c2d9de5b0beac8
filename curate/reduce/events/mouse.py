"""Mouse buttons: clicks, double and triple clicks, drags of every button."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import get_args

from curate.model.actions import (
    Action,
    Button,
    Click,
    DoubleClick,
    DragTo,
    MiddleClick,
    MoveTo,
    RightClick,
    TripleClick,
)
from curate.model.constants import (
    BUTTON_LOST_S,
    BUTTONS_DOWN_MAX,
    DRAG_BENT,
    DRAG_DISTANCE_PX,
    DRAG_PATH_PX,
    LONG_PRESS_S,
    MULTI_CLICK_DISTANCE_PX,
    MULTI_CLICK_GAP_S,
    MULTI_CLICK_MAX,
)
from curate.model.events import RawEvent
from curate.reduce.events.ledger import Draft
from curate.reduce.events.lost_releases import Noted
from curate.reduce.events.modifiers import Snapshot

BUTTONS: tuple[Button, ...] = get_args(Button)
_EPSILON = 1e-6  # times are floats: 0.5 s apart is within 0.5 s
Point = tuple[float, float]


def button_name(raw: str) -> str:
    """The recorder's name of a button in lower case, without `Button.`."""
    return raw.strip().removeprefix("Button.").lower()


@dataclass(eq=False)
class ButtonHold:
    """A button that is down, from its press to its release. Whatever else happens meanwhile waits in `meanwhile`
    until it is known whether this is a click (then it follows) or a drag (then keys are part of it)."""

    button: str
    press: RawEvent
    point: Point
    held: Snapshot
    goes_on: bool = False  # the click before may become a double click with this one
    others: set[str] = field(default_factory=set)  # buttons pressed meanwhile and not released yet
    moves: list[int] = field(default_factory=list)
    meanwhile: list[Noted] = field(default_factory=list)
    at: Point = (0.0, 0.0)
    path: float = 0.0
    farthest: float = 0.0
    sealed: bool = False  # the screen changed: places after that are in other coordinates

    def move(self, event: RawEvent, point: Point) -> None:
        """The pointer moves with the button down."""
        self.moves.append(event.index)
        self._reach(point)

    def _reach(self, point: Point) -> None:
        if self.sealed:
            return
        self.path += math.dist(self.at, point)
        self.at = point
        self.farthest = max(self.farthest, math.dist(self.point, point))

    def another(self, button: str, pressed: bool | None) -> bool:
        """Another button goes down or up; whether so many are down that releases must be missing."""
        if not pressed:
            self.others.discard(button)
            return False
        self.others.add(button)
        return len(self.others) >= BUTTONS_DOWN_MAX

    def release(self, point: Point) -> None:
        """The button goes up."""
        self._reach(point)

    def is_lost(self, time: float) -> bool:
        """Held for so long that its release cannot have been recorded."""
        return time - self.press.time > BUTTON_LOST_S

    @property
    def is_drag(self) -> bool:
        """Released elsewhere (moves or not), or at its start after a way through other places (lasso). The hand's
        jitter adds up to a path as well, but stays within the distance of a click."""
        if math.dist(self.point, self.at) > DRAG_DISTANCE_PX:
            return True
        return self.path > DRAG_PATH_PX and self.farthest > DRAG_DISTANCE_PX

    def drag_actions(self) -> tuple[list[Action], list[str]]:
        """moveTo, dragTo with the button and the modifiers of the press; and a flag where dragTo loses the way: back to
        the start, or much longer than straight."""
        modifiers = self.held.all
        button: Button = next(known for known in BUTTONS if known == self.button)
        actions: list[Action] = [
            MoveTo(*self.point, modifiers=modifiers),
            DragTo(*self.at, modifiers=modifiers, button=button),
        ]
        straight = math.dist(self.point, self.at)
        bent = self.path > straight + DRAG_PATH_PX and self.path > DRAG_BENT * straight
        return actions, ["drag_path"] if bent else []


@dataclass(eq=False)
class ClickGroup:
    """Left clicks that may become a double or triple click: each press within MULTI_CLICK_GAP_S of the one before,
    at most MULTI_CLICK_DISTANCE_PX away and without leaving that circle in between, with the same modifiers."""

    draft: Draft
    point: Point
    held: Snapshot
    last_press: float
    last_point: Point
    count: int = 1
    strayed: bool = False

    def move(self, point: Point) -> None:
        """The pointer moves between clicks."""
        self.strayed = self.strayed or math.dist(self.last_point, point) > MULTI_CLICK_DISTANCE_PX + _EPSILON

    def goes_on(self, time: float, point: Point, held: Snapshot) -> bool:
        """Whether a press now may be the next click of the group."""
        return (
            self.count < MULTI_CLICK_MAX
            and not self.strayed
            and 0 <= time - self.last_press <= MULTI_CLICK_GAP_S + _EPSILON
            and math.dist(self.last_point, point) <= MULTI_CLICK_DISTANCE_PX + _EPSILON
            and held.all == self.held.all
        )

    def finish(self) -> Draft:
        """One step, at the point of the first press."""
        kind = (Click, DoubleClick, TripleClick)[self.count - 1]
        self.draft.actions = [kind(*self.point, modifiers=self.held.all)]
        self.draft.rule = ("click", "double_click", "triple_click")[self.count - 1]
        return self.draft


def single_click(hold: ButtonHold, draft: Draft) -> Draft:
    """A right or middle click: each is one of its own. A button without an action gives a step without actions,
    flagged: something happened, and nothing is guessed for it."""
    modifiers = hold.held.all
    if hold.button == "right":
        draft.rule, draft.actions = "right_click", [RightClick(*hold.point, modifiers=modifiers)]
    elif hold.button == "middle":
        draft.rule, draft.actions = "middle_click", [MiddleClick(*hold.point, modifiers=modifiers)]
    else:
        draft.rule, draft.actions = "unsupported_button", []
        draft.flag("unsupported_button")
    return draft


def long_press(hold: ButtonHold, release: float) -> bool:
    """Whether a click was held so long that programs may take it for a long press."""
    return release - hold.press.time > LONG_PRESS_S
