"""Where on the screen lies what the person excluded, and whether input goes there: the interface, and the one for
systems where only monitors can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from curate.store.recording import Monitor
from recorders.boxes import Box, inside
from recorders.errors import RecorderError
from recorders.privacy.exclusions import Exclusions

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
