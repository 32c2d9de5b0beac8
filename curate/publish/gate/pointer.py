"""Whether pictures give the target away by the pointer on it, or by what it lights up: the 95 % upper bound of each
rate against its floor, which is how often clicking where the last action ended would hit."""

from __future__ import annotations

from curate.engine.publish_limits import PublishLimits
from curate.model.wilson import wilson
from curate.publish.gate.found import Found, at
from curate.publish.kept import Kept

_WORDS = {"on_target": "The pointer lies on the target", "hover": "The target is lit up"}
_UNSURE = "pointer.unsure"


class Pointer:
    """Counts the steps that are learnt and of which it is known."""

    def __init__(self, found: Found, limits: PublishLimits) -> None:
        self._found, self._margin = found, limits.pointer_points / 100
        self._yes, self._known = {"on_target": 0, "hover": 0, "floor": 0}, {"on_target": 0, "hover": 0, "floor": 0}
        self._first: dict[str, list[tuple[Kept, int]]] = {"on_target": [], "hover": []}

    def add(self, kept: Kept) -> None:
        """The next run."""
        learnt = set(kept.targets)
        for step in kept.record.steps:
            if step.keyframe is None or step.index not in learnt:
                continue
            frame = step.keyframe
            told = {"on_target": frame.pointer_on_target, "hover": frame.hover, "floor": frame.floor_on_target}
            for name, value in told.items():
                self._known[name] += value is not None
                self._yes[name] += value is True
            for name, first in self._first.items():
                if told[name] and len(first) < 20:
                    first.append((kept, step.index))

    def finish(self) -> None:
        """What it comes to."""
        if not self._known["on_target"]:
            self._found.cannot(
                "pointer and hover", "where the pointer was is known only of recordings, from their events"
            )
            return
        unsure: list[str] = []
        floor = self._yes["floor"] / self._known["floor"] if self._known["floor"] else 0.0
        for name, words in _WORDS.items():
            yes, known = self._yes[name], self._known[name]
            high = wilson(yes, known)[1]
            if not known or high <= floor + self._margin:
                continue
            said = (
                f"{words} in {yes:,} of {known:,} steps, at most {high:.1%} of all with 95 % certainty; the floor is "
                f"{floor:.1%}, and {self._margin * 100:g} points above it are allowed (publish.pointer_points)."
            )
            beyond = yes / known > floor + self._margin
            code = f"pointer.{name}" if beyond else _UNSURE
            unsure += [] if beyond else [said]
            self._found.add(code, times=yes if beyond else 1)
            for kept, step in self._first[name]:
                self._found.add(code, at(kept, words, step), times=0)
            self._found.say(code, said if beyond else " ".join(unsure), known if beyond else None)
