"""Doubts about where an action points, or in which frame."""

from __future__ import annotations

import re

from curate.model.constants import PUBLISH_FRAME_SURE
from curate.model.flags import FLAGS
from curate.publish.gate.found import Found, at
from curate.publish.kept import Kept
from curate.publish.statements import count as counted

FRAME, POINT = "coordinates.frame", "coordinates.point"
_DECIDED = re.compile(r"^import: decided from the data, (\d+)% sure at least: (.+)$")
DOUBTS = ("point_inferred", "scroll_from_words", "screen_unknown", "picture_unsure")
"""Flags of steps whose point, scroll or picture may be another's."""


class Coordinates:
    """Looks at lineages and flags."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._runs = self._steps = 0

    def add(self, kept: Kept) -> None:
        """The next run."""
        self._runs += 1
        self._steps += len(kept.record.steps)
        decided = [match for line in kept.record.lineage if (match := _DECIDED.match(line))]
        doubtful = [match[2] for match in decided if int(match[1]) < PUBLISH_FRAME_SURE]
        if doubtful:
            self._found.add(FRAME, at(kept, "; ".join(doubtful)))
        for step in kept.record.steps:
            doubts = [flag for flag in DOUBTS if flag in step.flags]
            if doubts:
                self._found.add(POINT, at(kept, FLAGS[doubts[0]], step.index))

    def finish(self) -> None:
        """Totals."""
        runs, steps = counted(self._found.count(FRAME), "run"), counted(self._found.count(POINT), "step")
        self._found.say(FRAME, f"{runs} whose frame, order, sign or moment was decided from the data, less than "
                        f"{PUBLISH_FRAME_SURE} % sure.", self._runs)  # fmt: skip
        self._found.say(POINT, f"{steps} whose point, scroll or picture is in doubt.", self._steps)
