"""The wheel: turns in one direction at one place are one scroll."""

from __future__ import annotations

import math
from dataclasses import dataclass

from curate.model.actions import Action, HScroll, MoveTo, Scroll
from curate.model.constants import SCROLL_MERGE_GAP_S, SCROLL_MERGE_PX
from curate.model.events import RawEvent
from curate.reduce.events.ledger import Draft
from curate.reduce.events.modifiers import Snapshot

_EPSILON = 1e-6
_DECIMALS = 6  # sums of 1/120 notches come out whole
Point = tuple[float, float]


@dataclass(eq=False)
class WheelRun:
    """Wheel events of one scroll. The next one joins while it turns the same axis in the same direction, less than
    SCROLL_MERGE_GAP_S later and within SCROLL_MERGE_PX of the previous one (not of the first: a hand on the wheel
    drifts), with the same modifiers. An event that turns both axes joins a run that shares one and contradicts none."""

    draft: Draft
    point: Point | None
    held: Snapshot
    last: RawEvent
    last_point: Point | None
    dx: float
    dy: float
    fractions: bool = False

    def goes_on(self, event: RawEvent, point: Point | None, held: Snapshot) -> bool:
        """Whether a wheel event is more of the same."""
        products = (self.dx * event.dx, self.dy * event.dy)
        if min(products) < 0 or max(products) <= 0 or held.all != self.held.all:
            return False
        if not 0 <= event.time - self.last.time < SCROLL_MERGE_GAP_S:
            return False
        if point is None or self.last_point is None:
            return point == self.last_point
        return math.dist(point, self.last_point) <= SCROLL_MERGE_PX + _EPSILON

    def add(self, event: RawEvent, point: Point | None) -> None:
        """One more turn."""
        self.dx += event.dx
        self.dy += event.dy
        self.last, self.last_point = event, point
        self.fractions = self.fractions or not (float(event.dx).is_integer() and float(event.dy).is_integer())

    def finish(self) -> Draft:
        """moveTo where the first turn was, then hscroll and scroll by the sums."""
        modifiers = self.held.all
        actions: list[Action] = [MoveTo(*self.point, modifiers=modifiers)] if self.point is not None else []
        dx, dy = round(self.dx, _DECIMALS), round(self.dy, _DECIMALS)
        if dx:
            actions.append(HScroll(dx, modifiers=modifiers))
        if dy:
            actions.append(Scroll(dy, modifiers=modifiers))
        self.draft.actions = actions
        if self.fractions:
            self.draft.flag("scroll_units")
        return self.draft
