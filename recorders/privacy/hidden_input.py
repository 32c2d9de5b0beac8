"""Input over, or into, what is excluded: the gate is told of it."""

from __future__ import annotations

import threading

from recorders.privacy.excluded import EARLIER_NS, ExcludedAreas
from recorders.privacy.gate import FRONT_KINDS, POINTER_KINDS, Gate


class HiddenInput:
    """Drives the gate by what is excluded: `pointer` for every place of the pointer in the order of its times, and
    `changed` whenever other places are excluded or another window is in front."""

    def __init__(self, areas: ExcludedAreas, gate: Gate) -> None:
        self._areas, self._gate = areas, gate
        self._lock = threading.Lock()  # input and windows tell from different threads
        self._at: tuple[float, float] | None = None
        self._over = self._front = False

    def pointer(self, t: int, x: float, y: float) -> None:
        """The pointer is here from `t` on."""
        with self._lock:
            self._at = x, y
            self._decide(t, t)

    def changed(self, t: int) -> None:
        """Ask again; `t`: since when it may be so."""
        with self._lock:
            self._decide(t, t + EARLIER_NS)

    def _decide(self, hide_from: int, show_from: int) -> None:
        over = self._at is not None and self._areas.hides_point(*self._at)
        front = self._areas.hides_front() or (over and self._areas.keys_follow_pointer)
        if over != self._over:
            self._over = over
            self._turn(over, hide_from if over else show_from, POINTER_KINDS)
        if front != self._front:
            self._front = front
            self._turn(front, hide_from if front else show_from, FRONT_KINDS)

    def _turn(self, hidden: bool, t: int, kinds: frozenset[str]) -> None:
        if hidden:
            self._gate.hide("excluded", t, kinds)
        else:
            self._gate.show("excluded", t, kinds)
