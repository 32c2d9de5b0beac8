"""How many runs nobody judges, against what the recipe allows."""

from __future__ import annotations

from curate.engine.publish_limits import PublishLimits
from curate.publish.gate.found import Found, at
from curate.publish.kept import Kept

CODE = "outcomes.unknown"


class Outcomes:
    """Counts runs whose outcome is null; they refuse together or not at all, so their rows wait in `ids`, which is
    bounded by what is told."""

    def __init__(self, found: Found, limits: PublishLimits) -> None:
        self._found, self._limits = found, limits
        self._runs = self._unknown = 0
        self._first: list[Kept] = []

    def add(self, kept: Kept) -> None:
        """The next run."""
        self._runs += 1
        if kept.record.outcome.completed is None:
            self._unknown += 1
            if len(self._first) < 20:
                self._first.append(kept)

    def finish(self) -> None:
        """What it comes to."""
        share = self._unknown / self._runs if self._runs else 0.0
        if share <= self._limits.unknown_outcomes:
            return
        self._found.add(CODE, times=self._unknown)
        for kept in self._first:
            self._found.add(CODE, at(kept, "nobody says how it ended"), times=0)
        allowed = f"the recipe allows {self._limits.unknown_outcomes:.0%} (publish.unknown_outcomes)"
        self._found.say(CODE, f"Nobody says how {share:.0%} of the runs ended; {allowed}.", self._runs)
