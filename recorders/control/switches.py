"""What pause and "do not record this" do: to the rows, the pictures and the trees, all at the same moment."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from recorders.banner.base import Banner
from recorders.control.chords import Chords, Heard, shown
from recorders.control.pauses import Pauses
from recorders.control.status import clock
from recorders.privacy.gate import PRIVATE_KINDS, Gate
from recorders.rows import Row

Do = Callable[[], None]


class Switches:
    """`paused`, `private`: how it is now. Beginning counts from the shortcut's press on, ending from its release on:
    so no half of a shortcut is in the recording. `banner` shows that one of them is on: from after it is in force until
    before it ends, which waits for the screen to be painted. Not thread-safe (the session's lock is held)."""

    def __init__(
        self,
        put: Callable[[Row], None],
        gate: Gate,
        banner: Banner | None = None,
        chords: Chords | None = None,
    ) -> None:
        self._put, self._gate, self._banner, self._chords = put, gate, banner, chords or Chords()
        self.pauses = Pauses()
        self.private = False
        self._private_spans: list[tuple[int, int | None]] = []
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
        t = self._uncovered(t, stays=self.private)
        for row in self.pauses.end(t):
            self._put(row)
        self._suspend()

    def hide(self, t: int) -> None:
        """Nothing of what is done from after `t` (monotonic ns) on is anybody's business."""
        self.private = True
        self._private_spans.append((t, None))
        self._gate.hide("private", t + 1, PRIVATE_KINDS)
        self._suspend()

    def show(self, t: int) -> None:
        """Record again."""
        t = self._uncovered(t, stays=self.paused)
        self.private = False
        if self._private_spans and self._private_spans[-1][1] is None:
            self._private_spans[-1] = (self._private_spans[-1][0], t)
        self._gate.show("private", t)
        self._suspend()

    def _suspend(self) -> None:
        for suspend, resume, private in self._parts:
            off = self.paused or (self.private and private)
            suspend() if off else resume()
        if self._banner is not None and self.paused:
            keys = shown(self._chords.pause)
            self._banner.show(f"PAUSED: nothing is recorded. {keys} goes on", "paused")
        elif self._banner is not None and self.private:
            keys = shown(self._chords.private)
            self._banner.show(f"NOT RECORDING what you do. {keys} records again", "private")

    def _uncovered(self, t: int, stays: bool) -> int:
        """Since when the screen is without the banner, if it goes: the end of what ends at `t`."""
        if self._banner is None or stays:
            return t
        self._banner.hide()
        return max(t, time.monotonic_ns())

    def told(self, end: int) -> list[str]:
        """What was not recorded, as sentences, of a recording that ends at `end` (monotonic ns)."""
        said = []
        for name, spans in (("paused", self.pauses.spans), ("private", self._private_spans)):
            lengths = [max(0, (end if ended is None else ended) - begun) for begun, ended in spans]
            if spans and spans[-1][1] is None:
                said.append(f"Ended while {name}: the last {_long(lengths[-1])} are not recorded.")
            if spans and (len(spans) > 1 or spans[-1][1] is not None):
                said.append(f"{name.capitalize()} for {_long(sum(lengths))} in all, which is not recorded.")
        return said


def _long(nanoseconds: int) -> str:
    return clock(math.ceil(nanoseconds / 1e9))
