"""When a tree is read: pure rules over what happened, without a clock of their own.

After the screen settled, never while keys are being typed, not again where nothing changed, and within a share of a
core. What goes on changing by itself (a caret, a clock) is looked at less and less until the person does something.
"""

from __future__ import annotations

from curate.model.constants import NS_PER_S

SETTLED_NS = NS_PER_S * 3 // 10  # without a change: menus and pages are drawn in steps that follow each other sooner
RESTLESS_NS = NS_PER_S * 3 // 2  # a screen that never settles is read so long after its first change
QUIET_NS = NS_PER_S // 2  # after the last key (recording.md report 13: trees read then make Chromium type again)
INTERVAL_NS = NS_PER_S * 3 // 10  # from the end of one reading to the next; what it costs is bounded by CPU_SHARE
SAME_INTERVAL_NS, SAME_INTERVAL_MAX_NS = NS_PER_S * 3 // 2, 30 * NS_PER_S  # after readings that found nothing new
CPU_SHARE = 0.08  # of a core, on average; the whole recorder may use a quarter
CPU_SAVED_NS = NS_PER_S * 4 // 10  # so much may be spent at once after a rest: three trees of a large page


class When:
    """Times are monotonic nanoseconds. Ask `wait` after everything that was told."""

    def __init__(self, now: int) -> None:
        self._changed_first: int | None = now  # the first change since the last reading began; None: none
        self._changed_last = now - SETTLED_NS
        self._typed = now - QUIET_NS
        self._ended = now - INTERVAL_NS
        self._same = 0
        self._saved = float(CPU_SAVED_NS)
        self._counted = now

    def changed(self, t: int) -> None:
        """The screen changed."""
        self._changed_last = max(self._changed_last, t)
        if self._changed_first is None:
            self._changed_first = t

    def acted(self, t: int, typed: bool = False) -> None:
        """The person did something; `typed`: with a key."""
        self._same = 0
        if typed:
            self._typed = max(self._typed, t)

    def front(self, t: int) -> None:
        """Another window is in front: it has not been read."""
        self._same = 0
        self.changed(t)

    def began(self) -> None:
        """Reading begins: what changes from now on asks for another."""
        self._changed_first = None

    def gave_up(self, t: int) -> None:
        """Reading was abandoned: it is still to be done."""
        self.changed(t)

    def ended(self, t: int, cpu_ns: int, same: bool) -> None:
        """Reading ended at `t`, cost so much time of this process, and found the same as before or not."""
        self._ended = t
        self._same = self._same + 1 if same else 0
        self._saved -= cpu_ns

    def wait(self, now: int) -> int | None:
        """How long until a tree may be read if nothing else happens: 0 now, None not before something changes."""
        self._saved = min(CPU_SAVED_NS, self._saved + (now - self._counted) * CPU_SHARE)
        self._counted = now
        if self._changed_first is None:
            return None
        settled = min(self._changed_last + SETTLED_NS, self._changed_first + RESTLESS_NS)
        rest = INTERVAL_NS
        if self._same:
            rest = min(SAME_INTERVAL_NS << min(self._same - 1, 8), SAME_INTERVAL_MAX_NS)
        afford = now + int(-self._saved / CPU_SHARE) if self._saved < 0 else now
        return max(0, settled - now, self._typed + QUIET_NS - now, self._ended + rest - now, afford - now)
