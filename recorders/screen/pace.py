"""How fast pictures are taken: never faster than asked for, slower while they are too large for any disk, and what is
worth saying about it afterwards."""

from __future__ import annotations

from collections import deque

BYTES_A_SECOND = 4_000_000
"""What pictures may come to in the long run (240 MB a minute; work at a desktop makes 2 to 12)."""
BYTES_SAVED_UP = 40_000_000
"""How much may come at once: ten seconds of the worst."""
SLOWEST_S = 0.5
"""Even the largest pictures are taken this often."""
RATE_OVER_S = 3.0
RESTLESS_S = 10.0
"""A screen that changes for so long without a pause is worth a note: a film, an animation."""
PAUSE_S = 0.25
"""Pictures this far apart have a pause between them."""


class FramePace:
    """Times are seconds of any one clock. `fps`: most pictures a second."""

    def __init__(self, fps: float) -> None:
        self.gap = 1 / fps
        self._fps = fps
        self._saved, self._at = float(BYTES_SAVED_UP), 0.0
        self._times: deque[float] = deque(maxlen=max(2, int(RATE_OVER_S * fps) + 1))
        self._streak: tuple[float, int] = (0.0, 0)
        self._longest: tuple[float, int] = (0.0, 0)
        self._last = float("-inf")
        self._held_back = 0

    def taken(self, at: float, size: int) -> None:
        """A picture was taken at this time and is so many bytes long."""
        if self._last == float("-inf"):
            self._at = at
        self._saved = min(BYTES_SAVED_UP, self._saved + (at - self._at) * BYTES_A_SECOND) - size
        self._at = at
        since, count = self._streak
        self._streak = (since, count + 1) if at - self._last <= max(PAUSE_S, 2 * self.wait()) else (at, 1)
        if self._streak[0] < at and at - self._streak[0] > self._longest[0]:
            self._longest = at - self._streak[0], self._streak[1]
        self._held_back += self.wait() > self.gap
        self._last = at
        self._times.append(at)

    def wait(self) -> float:
        """Seconds from one picture to the next at the least."""
        return self.gap if self._saved >= 0 else min(SLOWEST_S, max(self.gap, -self._saved / BYTES_A_SECOND))

    def rate(self, now: float) -> float:
        """Pictures a second over the last seconds."""
        return sum(now - t <= RATE_OVER_S for t in self._times) / RATE_OVER_S

    def notes(self) -> list[str]:
        """What a reader of the recording should know."""
        said = []
        seconds, count = self._longest
        if seconds >= RESTLESS_S:
            said.append(
                f"Something on the screen changed without a pause for {seconds:.0f} s; "
                f"{count / seconds:.1f} pictures a second were taken of it (at most {self._fps:g})."
            )
        if self._held_back:
            said.append(
                f"{self._held_back} pictures were so large that the next one was put off, "
                f"by up to {SLOWEST_S:g} s, to spare the disk."
            )
        return said
