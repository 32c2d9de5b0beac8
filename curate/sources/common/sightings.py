"""What a source's raw numbers looked like while they were read: the evidence that the detector judges frames and signs
by. Nobody collects it unless asked (`ReadContext.sightings`)."""

from __future__ import annotations

from typing import NamedTuple

from curate.sources.common.facts import Facts

Pair = tuple[float, float]


class PointSeen(NamedTuple):
    """A raw point as it stands in the data (in the data's own order), with the sizes known of its step in pixels
    (width, height), and the target's box, left, top, right, bottom in `box_space` (`sources.common.facts.Space`)."""

    record: str
    step: int
    raw: Pair
    picture: tuple[int, int] | None = None
    screen: tuple[int, int] | None = None
    box: tuple[float, float, float, float] | None = None
    box_space: str | None = None


class ScrollSeen(NamedTuple):
    """A raw scroll: a signed number along an axis ("x", "y") or a word (up, down, left, right); the step's words.
    `meaning`: what this one call means whatever the source's others do, where that is known."""

    record: str
    step: int
    raw: float | str
    axis: str
    words: str | None
    meaning: str | None = None


class Sightings:
    """At most `limit` of each kind are kept, the first ones: a detector needs thousands, not millions."""

    def __init__(self, limit: int = 100_000) -> None:
        self.points: list[PointSeen] = []
        self.scrolls: list[ScrollSeen] = []
        self.used: list[Facts] = []  # facts in force, where an input holds several kinds of rows more than one
        self.passed_over = 0
        self._limit = limit

    def uses(self, facts: Facts) -> None:
        """One more set of facts in force."""
        if facts not in self.used:
            self.used.append(facts)

    def point(self, seen: PointSeen) -> None:
        """One more point."""
        if len(self.points) < self._limit:
            self.points.append(seen)
        else:
            self.passed_over += 1

    def scroll(self, seen: ScrollSeen) -> None:
        """One more scroll."""
        if len(self.scrolls) < self._limit:
            self.scrolls.append(seen)
        else:
            self.passed_over += 1

    def take(self) -> tuple[list[PointSeen], list[ScrollSeen]]:
        """What was seen since the last time, and forget it: a survey goes record by record."""
        taken = self.points, self.scrolls
        self.points, self.scrolls = [], []
        return taken
