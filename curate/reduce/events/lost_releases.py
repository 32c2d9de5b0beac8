"""Modifiers whose release was never recorded: they must not stick to everything that follows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from curate.model.constants import AUTO_REPEAT_GAP_S, LOST_RELEASE_S
from curate.model.events import RawEvent
from curate.model.trajectory import Platform
from curate.reduce.events.keyboard import Family, Key, read_key

_LOOKAHEAD_EVENTS = 60_000  # LOST_RELEASE_S of a mouse that reports 1,000 times a second


class Noted(NamedTuple):
    """An event, and whether it presses a modifier whose release is not in the recording."""

    event: RawEvent
    lost: bool


@dataclass(eq=False)
class _Asked:
    """An event on its way through. `open`: it presses a modifier, and its release has not come by yet."""

    event: RawEvent
    name: str = ""
    family: Family | None = None
    open: bool = False
    lost: bool = False

    def answer(self, lost: bool) -> None:
        self.open, self.lost = False, lost


def modifier_name(event: RawEvent) -> str:
    """The name by which presses and releases of one modifier are known to each other."""
    return (event.key or "").removeprefix("Key.").lower()


def is_repeat(event: RawEvent, before: float) -> bool:
    """Whether a press of a modifier that is down is the keyboard's own repeat; `before`: time of its last row."""
    return event.repeat if event.repeat is not None else event.time - before <= AUTO_REPEAT_GAP_S


def note_lost_releases(events: Iterable[RawEvent], platform: Platform | None) -> Iterator[Noted]:
    """Look ahead from each press of a modifier for its release. None by the end, none within LOST_RELEASE_S, or a
    fresh press of the same key before it: the release is not in the recording (Windows' secure desktop and the lock
    screen swallow them). A repeat shows that the key was down until then, and is asked about in its turn.

    Memory: what lies between a modifier's press and its release, at most _LOOKAHEAD_EVENTS.
    """
    waiting: deque[_Asked] = deque()
    unanswered: list[_Asked] = []
    for event in events:
        asked = _Asked(event)
        waiting.append(asked)
        if event.kind in ("pause", "resume"):
            for other in unanswered:
                other.answer(lost=True)
        elif event.kind == "key":
            _key(asked, read_key(event, platform), unanswered)
        for other in unanswered:
            if other.open and (event.time - other.event.time > LOST_RELEASE_S or len(waiting) > _LOOKAHEAD_EVENTS):
                other.answer(lost=True)
        unanswered = [other for other in unanswered if other.open]
        while waiting and not waiting[0].open:
            done = waiting.popleft()
            yield Noted(done.event, done.lost)
    for asked in waiting:
        yield Noted(asked.event, asked.open or asked.lost)


def _key(asked: _Asked, key: Key, unanswered: list[_Asked]) -> None:
    """A key event answers an earlier press of its modifier; a press asks."""
    event = asked.event
    asked.name, asked.family = modifier_name(event), key.family
    if event.pressed:
        if key.family is None:
            return
        for other in unanswered:
            if other.name == asked.name:
                other.answer(lost=not is_repeat(event, other.event.time))
        asked.open = True
        unanswered.append(asked)
        return
    found = _released(asked, key, [other for other in unanswered if other.open])
    if found is not None:
        found.answer(lost=False)


def _released(asked: _Asked, key: Key, presses: list[_Asked]) -> _Asked | None:
    """The press that a release answers: of the same key, else of the same kind (see `Modifiers.find`)."""
    code = asked.event.code
    for other in presses:
        if other.name == asked.name or (code is not None and code == other.event.code):
            return other
    for other in presses:
        same = key.group or (key.family is not None and key.family == other.family)
        if same and (code is None or other.event.code is None):
            return other
    return None
