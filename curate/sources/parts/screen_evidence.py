"""Whether the screen is still what the recorder's metadata says, told from the data alone.

AgentNetTool writes the screen's size once. Two things give a change away:

- The pointer reports from beyond the screen by more than the 2 px of rounding: from then on the size is not known.
- The box of a maximised window. Windows lets it overhang the left and top edges by as much as the right one, so the
  sum of its left and right is the width of the screen in the tree's pixels. If that is the screen's width divided by a
  scale that Windows offers (125 %, 150 %, ...), only the scale has changed: events keep their pixels, boxes are in
  others. If no scale explains it, the size has changed.

The window often tells earlier than the pointer: in the recording that this was written on, the scale changed at
27.7 s and the size at 35.9 s (seen in the video too), and the pointer first left the old screen at 43.1 s.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from curate.model.constants import EDGE_PX
from curate.model.events import RawEvent, ScreenAt
from curate.model.trajectory import Screen

SCALES = (1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 3.5)  # what Windows' display settings offer
OVERHANG_PX = 16  # a maximised window's invisible border is 7 or 8 px at 100 %, twice that at 200 %
ROUNDING_PX = 2
_DESKTOP_NAMES = ("Desktop 1", "桌面 1")  # UI Automation's root, in the languages it has been seen in


def beyond(event: RawEvent, screen: Screen) -> bool:
    """Whether the event lies beyond the screen by more than rounding explains."""
    if event.x is None or event.y is None:
        return False
    return not (-EDGE_PX <= event.x <= screen.width + EDGE_PX and -EDGE_PX <= event.y <= screen.height + EDGE_PX)


def tree_size(tree: Any) -> tuple[float, float | None] | None:
    """Width, and where known height, of the screen in the pixels of an accessibility tree, from its root: a maximised
    window or the desktop. None where the root tells nothing."""
    box = box_of(tree)
    if box is None:
        return None
    left, top, right, bottom = box
    if -OVERHANG_PX <= left < 0 and abs(left - top) <= 1:
        return right + left, None  # its bottom ends at the task bar
    if (left, top) == (0, 0) and tree.get("ControlType") == "PaneControl" and tree.get("Name") in _DESKTOP_NAMES:
        return right, bottom
    return None


def box_of(node: Any) -> tuple[float, float, float, float] | None:
    """left, top, right, bottom of a tree's node; None where it has no box, or an empty one."""
    if not isinstance(node, dict) or not isinstance(node.get("BoundingRectangle"), dict):
        return None
    sides = [node["BoundingRectangle"].get(side) for side in ("left", "top", "right", "bottom")]
    if not all(isinstance(side, int | float) and not isinstance(side, bool) for side in sides):
        return None
    left, top, right, bottom = (float(side) for side in sides)
    return (left, top, right, bottom) if left < right and top < bottom else None


def scale_of(screen: Screen, width: float, height: float | None) -> float | None:
    """1.0 if the tree's screen has the recorded size, the scale if one explains the difference, else None."""
    for scale in (1.0, *SCALES):
        fits = abs(screen.width / scale - width) <= ROUNDING_PX
        if fits and (height is None or abs(screen.height / scale - height) <= ROUNDING_PX):
            return scale
    return None


class ScreenWatch:
    """Collects the evidence: `event` for every raw event, `tree` for every accessibility tree, in any order;
    `changes` gives what is known, in order of time. A change is not taken back: what is unknown stays so."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._lost: tuple[float, str] | None = None
        self._scaled: tuple[float, str] | None = None

    def event(self, event: RawEvent) -> None:
        """Take in a raw event."""
        if beyond(event, self._screen):
            self._size_lost(event.time, f"the pointer at {event.x:g}, {event.y:g}")

    def tree(self, time: float, tree: Any) -> None:
        """Take in the root of an accessibility tree."""
        size = tree_size(tree)
        if size is None:
            return
        scale = scale_of(self._screen, *size)
        if scale is None:
            self._size_lost(time, f"a window that spans {size[0]:g} px")
        elif scale != 1.0 and (self._scaled is None or time < self._scaled[0]):
            self._scaled = (time, f"a window that spans {size[0]:g} px: the screen at {scale:.0%}")

    def _size_lost(self, time: float, why: str) -> None:
        if self._lost is None or time < self._lost[0]:
            self._lost = (time, why)

    def changes(self) -> list[ScreenAt]:
        """What is known of the screen, from when on."""
        found = []
        if self._scaled and (self._lost is None or self._scaled[0] < self._lost[0]):
            found.append(ScreenAt(time=self._scaled[0], screen=self._screen, boxes=False, why=self._scaled[1]))
        if self._lost:
            found.append(ScreenAt(time=self._lost[0], screen=None, boxes=False, why=self._lost[1]))
        return found


def watch(screen: Screen | None, events: Iterable[RawEvent], trees: Iterable[tuple[float, Any]]) -> list[ScreenAt]:
    """The changes that a whole recording gives away; none where the size was never known."""
    if screen is None:
        return []
    watching = ScreenWatch(screen)
    for event in events:
        watching.event(event)
    for time, tree in trees:
        watching.tree(time, tree)
    return watching.changes()
