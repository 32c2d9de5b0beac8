"""What pause and "do not record this" do: to the rows, the pictures and the trees, all at the same moment."""

from __future__ import annotations

from collections.abc import Callable

from recorders.control.chords import Heard
from recorders.control.pauses import Pauses
from recorders.privacy.gate import PRIVATE_KINDS, Gate
from recorders.rows import Row

Do = Callable[[], None]


class Switches:
    """`paused`, `private`: how it is now. Beginning counts from the shortcut's press on, ending from its release on:
    so no half of a shortcut is in the recording. Not thread-safe (the session's lock is held)."""

    def __init__(self, put: Callable[[Row], None], gate: Gate) -> None:
        self._put, self._gate = put, gate
        self.pauses = Pauses()
        self.private = False
        self._ending: set[str] = set()
        self._parts: list[tuple[Do, Do, bool]] = []

    @property
    def paused(self) -> bool:
        return self.pauses.paused

    def add(self, suspend: Do, resume: Do, private: bool) -> None:
        """A part that does nothing while paused; and while private, if it is to (the screen goes on, in black)."""
        self._parts.append((suspend, resume, private))

    def hear(self, heard: Heard) -> None:
        """A shortcut that may be one of the switches'."""
        if heard.command == "pause":
            self._turn("pause", heard, self.paused, self.pause, self.go_on)
        elif heard.command == "private":
            self._turn("private", heard, self.private, self.hide, self.show)

    def _turn(
        self, name: str, heard: Heard, is_on: bool, begin: Callable[[int], None], end: Callable[[int], None]
    ) -> None:
        if not heard.released:
            if not is_on:
                begin(heard.t)
            elif name in self._ending:  # its release was lost
                end(heard.t)
                self._ending.discard(name)
            else:
                self._ending.add(name)
        elif name in self._ending:
            self._ending.discard(name)
            end(heard.t + 1)

    def pause(self, t: int) -> None:
        """Keep nothing from after `t` (monotonic ns) on."""
        for row in self.pauses.begin(t):
            self._put(row)
        self._suspend()

    def go_on(self, t: int) -> None:
        """The pause is over."""
        for row in self.pauses.end(t):
            self._put(row)
        self._suspend()

    def hide(self, t: int) -> None:
        """Nothing of what is done from after `t` (monotonic ns) on is anybody's business."""
        self.private = True
        self._gate.hide("private", t + 1, PRIVATE_KINDS)
        self._suspend()

    def show(self, t: int) -> None:
        """Record again."""
        self.private = False
        self._gate.show("private", t)
        self._suspend()

    def _suspend(self) -> None:
        for suspend, resume, private in self._parts:
            off = self.paused or (self.private and private)
            suspend() if off else resume()
