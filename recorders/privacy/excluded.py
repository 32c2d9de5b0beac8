"""Where on the screen lies what the person excluded, and whether input goes there: the interface, and the one for
systems where only monitors can be told apart."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from curate.model.trajectory import Platform
from curate.store.recording import Monitor
from recorders.events.base import RecorderError
from recorders.privacy.boxes import Box, inside
from recorders.privacy.exclusions import Exclusions
from recorders.privacy.gate import FRONT_KINDS, POINTER_KINDS, Gate

EARLIER_NS = 100_000_000
"""A change is noticed this long after it happened at the latest, on a busy machine; less than the writer's hold."""
Changed = Callable[[int], None]
"""Called with a time (monotonic ns) from which, at the earliest, another answer is right: EARLIER_NS before now. From
any thread."""


class ExcludedAreas(Protocol):
    """`fault`: why it cannot tell any more; from then on all of the screen is excluded. `keys_follow_pointer`: keys go
    to whatever the pointer is over."""

    keys_follow_pointer: bool

    def start(self, changed: Changed | None = None) -> None:
        """Begin to watch."""
        ...

    def boxes(self) -> list[Box]:
        """What must be black, in pixels of the recorded region. To be asked before and after a picture is taken: the
        two answers together hold everything excluded that the picture can show."""
        ...

    def hides_point(self, x: float, y: float) -> bool:
        """Whether the pointer at this point is over something excluded."""
        ...

    def hides_front(self) -> bool:
        """Whether keys go to an excluded window."""
        ...

    def stop(self) -> None:
        """End watching; the answers are those of the end."""
        ...

    @property
    def fault(self) -> str | None: ...

    @property
    def note(self) -> str | None:
        """After `start`: what cannot be kept out here, worth knowing and no fault."""
        ...


class MonitorAreas:
    """Excluded monitors only."""

    fault: str | None = None
    note: str | None = None
    keys_follow_pointer = False

    def __init__(self, exclusions: Exclusions, monitors: Sequence[Monitor]) -> None:
        self._boxes = monitor_boxes(exclusions, monitors)

    def start(self, changed: Changed | None = None) -> None:
        """Nothing to watch."""

    def boxes(self) -> list[Box]:
        return self._boxes

    def hides_point(self, x: float, y: float) -> bool:
        return inside(self._boxes, x, y)

    def hides_front(self) -> bool:
        return False

    def stop(self) -> None:
        """Nothing to end."""


def monitor_boxes(exclusions: Exclusions, monitors: Sequence[Monitor]) -> list[Box]:
    """The excluded monitors' rectangles. Raises RecorderError for a monitor that is not there."""
    for number in exclusions.monitors:
        if number > len(monitors):
            have = "1 monitor" if len(monitors) == 1 else f"{len(monitors)} monitors"
            raise RecorderError(f"Monitor {number} cannot be excluded: there is {have} here.")
    chosen = [monitors[number - 1] for number in sorted(set(exclusions.monitors))]
    return [(m.x, m.y, m.x + m.width, m.y + m.height) for m in chosen]


def excluded_areas(
    exclusions: Exclusions, platform: Platform, monitors: Sequence[Monitor], own: Sequence[int] = ()
) -> ExcludedAreas | None:
    """What watches these exclusions here; None where nothing is excluded. `own`: ids of windows of the recorder's
    that are to be black too (X11). Raises RecorderError where an exclusion cannot be kept here: that is said before
    anything is recorded, not passed over."""
    if not exclusions and not own:
        return None
    if platform == "linux":
        from recorders.desktop.x11_windows import X11Windows

        return X11Windows(exclusions, own)
    if exclusions.apps or exclusions.titles:
        raise RecorderError(
            "Programs and windows can be excluded on Linux with X11 only, where their place on the screen is known:"
            " exclude a monitor (monitor:2) and keep them there, or close them while recording."
        )
    return MonitorAreas(exclusions, monitors)


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
