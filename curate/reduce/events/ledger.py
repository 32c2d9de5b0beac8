"""Where every raw event goes: into one step, or into one stretch with a reason. Nothing is counted twice or lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from curate.model.actions import Action
from curate.model.constants import LATE_RELEASE_S
from curate.model.events import RawEvent
from curate.model.reasons import REASONS
from curate.reduce.types import ReducedStep, Stretch

_TAIL_STRETCHES = 4096  # bound on what is held back after the last step


@dataclass(eq=False)
class Draft:
    """A step in the making. `waiting`: presses whose releases still belong to it. `chord`: the keys of a shortcut,
    by which the recorder's own is known. `continues`: a modifier is still held from the step before."""

    rule: str
    start: float
    end: float
    actions: list[Action] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    waiting: set[Hashable] = field(default_factory=set)
    chord: frozenset[str] | None = None
    continues: bool = False
    gone: bool = False
    into: Draft | None = None  # the draft that absorbed this one

    def real(self) -> Draft:
        """This draft, or the one it became part of."""
        return self if self.into is None else self.into.real()

    @classmethod
    def of(cls, rule: str, event: RawEvent) -> Draft:
        """A step that begins with an event."""
        return cls(rule=rule, start=event.time, end=event.time, events=[event.index])

    def take(self, event: RawEvent) -> None:
        """The event belongs to the step and lengthens it."""
        self.events.append(event.index)
        self.start = min(self.start, event.time)
        self.end = max(self.end, event.time)

    def flag(self, *flags: str) -> None:
        """Flags, each once."""
        self.flags += [flag for flag in flags if flag not in self.flags]

    def absorb(self, other: Draft) -> None:
        """The events, flags and waiting releases of another draft become this one's."""
        self.events += other.events
        self.start, self.end = min(self.start, other.start), max(self.end, other.end)
        self.flag(*other.flags)
        self.waiting |= other.waiting
        other.into = self

    def step(self) -> ReducedStep:
        """The finished step."""
        return ReducedStep(
            actions=self.actions, events=sorted(self.events), start=self.start, end=self.end, rule=self.rule,
            flags=sorted(self.flags), continues=self.continues,
        )  # fmt: skip


class Ledger:
    """Completed steps on their way out, and reasons for the events that are in none.

    A step is handed on when the next one is complete and its own keys are released (or LATE_RELEASE_S passed). The
    last step, and the reasons of what follows it, are held back: they may turn out to be the recorder's stop shortcut.
    """

    def __init__(self) -> None:
        self._steps: deque[Draft] = deque()
        self._out: deque[ReducedStep | Stretch] = deque()
        self._tail: list[tuple[int, int, str]] = []
        self.count = 0

    @property
    def last(self) -> Draft | None:
        """The latest complete step, unless it has been handed on."""
        return self._steps[-1] if self._steps else None

    def close(self, draft: Draft) -> None:
        """A step is complete."""
        self.count += 1
        self._steps.append(draft)
        self._flush_tail()

    def leave_out(self, index: int, reason: str) -> None:
        """An event is in no step, for a reason of `model.reasons`."""
        assert reason in REASONS
        if self._tail and self._tail[-1][1] + 1 == index and self._tail[-1][2] == reason:
            self._tail[-1] = (self._tail[-1][0], index, reason)
            return
        if len(self._tail) >= _TAIL_STRETCHES:
            self._flush_tail()
        self._tail.append((index, index, reason))

    def ready(self, now: float) -> Iterator[ReducedStep | Stretch]:
        """What can be handed on at this time."""
        while len(self._steps) > 1 and (not self._steps[0].waiting or now - self._steps[0].end > LATE_RELEASE_S):
            self._hand_on(self._steps.popleft())
        while self._out:
            yield self._out.popleft()

    def trim_last(self, chord: frozenset[str], reason: str, also: Callable[[str], bool]) -> Draft | None:
        """Take out the last step if its shortcut is `chord`; what followed it gets the same reason where `also` says
        so of its own. The step, or None if it is another."""
        draft = self.last
        if draft is None or draft.chord != chord:
            return None
        self._steps.pop()
        self.count -= 1
        tail, self._tail = self._tail, []
        for index in sorted(draft.events):
            self.leave_out(index, reason)
        for first, last, own in tail:
            self._tail.append((first, last, reason if also(own) else own))
        return draft

    def finish(self) -> Iterator[ReducedStep | Stretch]:
        """Everything that is left."""
        while self._steps:
            self._hand_on(self._steps.popleft())
        self._flush_tail()
        while self._out:
            yield self._out.popleft()

    def _hand_on(self, draft: Draft) -> None:
        draft.gone = True
        self._out.append(draft.step())

    def _flush_tail(self) -> None:
        self._out.extend(Stretch(first=first, last=last, reason=reason) for first, last, reason in self._tail)
        self._tail = []
