"""Whether the pictures give the target away: the pointer lies on it, or it is lit up, more often than clicking where
the last action ended would hit (the floor). Known where keyframes were chosen from a video; of stills that were
published see `stills.py`."""

from __future__ import annotations

from collections.abc import Sequence

from curate.engine.check.collect import Collected, at
from curate.engine.check.types import Severity, Sure
from curate.model.constants import REPORT_ABOVE_FLOOR
from curate.model.trajectory import Trajectory
from curate.model.wilson import wilson


class Pointer:
    """Counts steps of which it is known, beside their floor."""

    def __init__(self, found: Collected) -> None:
        self._found = found
        self._yes, self._known = {"on_target": 0, "hover": 0, "floor": 0}, {"on_target": 0, "hover": 0, "floor": 0}

    def add(self, records: Sequence[Trajectory]) -> None:
        """The records of a batch."""
        for record in records:
            for step in record.steps:
                if step.keyframe is None:
                    continue
                frame = step.keyframe
                told = {"on_target": frame.pointer_on_target, "hover": frame.hover, "floor": frame.floor_on_target}
                for name, value in told.items():
                    self._known[name] += value is not None
                    self._yes[name] += value is True
                for name in ("on_target", "hover"):
                    if told[name]:
                        self._found.add(f"pointer.{name}", at(record, step.action, step.index))

    def finish(self) -> None:
        """What it comes to against the floor."""
        if not self._known["on_target"]:
            return  # stills.py says what there is of published ones
        floor = self._yes["floor"] / self._known["floor"] if self._known["floor"] else 0.0
        for name, words in (("on_target", "The pointer is on the target"), ("hover", "The target is lit up")):
            yes, known = self._yes[name], self._known[name]
            low, high = wilson(yes, known)
            sure = Sure(by="measured", yes=yes, known=known, low=round(low, 4), high=round(high, 4))
            beyond = low > floor + REPORT_ABOVE_FLOOR
            said = f"{words} in {yes} of {known} steps ({low:.0%} to {high:.0%}); the floor is {floor:.0%}"
            if beyond:
                self._found.say(f"pointer.{name}", said, of=known, sure=sure)
                continue
            title = "Steps where it is so, no more than the floor and its margin allow for certain."
            note: Severity = "note" if yes <= floor * known else "warning"
            self._found.say(f"pointer.{name}", said, of=known, sure=sure, severity=note, title=title)
            if not yes:
                self._found.add("pointer.clean", part=name, times=known).unit = "steps"
                self._found.say("pointer.clean", said, part=name, of=known, sure=sure)
