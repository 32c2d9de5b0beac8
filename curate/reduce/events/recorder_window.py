"""What was done to the recorder's own window, and how the person got there: no action of the task.

own window in front                         everything is taken out, until another window is
before the first other window               everything is taken out
the gesture that brought it to the front    a click (with the pointer's walk to it), or a switch of windows by
                                            alt+tab and the like; other shortcuts are acts (one that closes a
                                            window may leave the recorder's in front)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from curate.model.constants import OWN_SHOWS_S, OWN_WALK_S, STOP_WALK_PAUSE_S
from curate.model.events import RawEvent
from curate.model.trajectory import Platform
from curate.reduce.events.keyboard import read_key

_INPUT = frozenset({"move", "button", "scroll", "key"})
_WAITING_EVENTS = 60_000  # OWN_WALK_S of a mouse that reports 8,000 times a second is more: then less is looked at
_SWITCHES = frozenset({"tab", "esc", "`", "§", "^", "left", "right", "up", "down"})


class RecorderWindow:
    """One pass (`without`). `since`: when the present stay at the recorder's window began with the gesture that led
    there; None while another window is in front."""

    def __init__(self, platform: Platform | None, leave_out: Callable[[RawEvent], None]) -> None:
        self._platform, self._leave_out = platform, leave_out
        self._waiting: deque[RawEvent] = deque()
        self._seen_other = False
        self._down: set[tuple[str, int | str | None]] = set()  # pressed at the recorder's window
        self.since: float | None = None

    def without(self, events: Iterable[RawEvent]) -> Iterator[RawEvent]:
        """The other events. Each waits OWN_WALK_S, because only what follows tells where it led."""
        for event in events:
            if event.kind == "window":
                self._window(event)
            elif event.kind == "resume":
                self._down.clear()  # what was let go in the pause was not recorded
            elif event.kind in _INPUT and self._is_own(event):
                self._leave_out(event)
                continue
            self._waiting.append(event)
            while event.time - self._waiting[0].time > OWN_WALK_S or len(self._waiting) > _WAITING_EVENTS:
                yield self._waiting.popleft()
        yield from self._waiting

    def _window(self, event: RawEvent) -> None:
        if not event.own:
            self._seen_other, self.since = True, None
        elif self.since is None:
            begin = self._gesture(event.time) if self._seen_other else 0
            walk = list(islice(self._waiting, begin, None))
            self.since = next((one.time for one in walk if one.kind in _INPUT), event.time)
            kept = list(islice(self._waiting, begin))
            for one in walk:
                if one.kind in _INPUT:
                    self._take_out(one)
                else:
                    kept.append(one)
            self._waiting = deque(kept)

    def _is_own(self, event: RawEvent) -> bool:
        """Whether an input event belongs to the recorder's window: it came while that was in front, or it releases
        what was pressed there."""
        if self.since is not None:
            self._note(event)
            return True
        if event.pressed is False and _held(event) in self._down:
            self._down.discard(_held(event))
            return True
        return event.kind == "key" and bool(event.repeat) and _held(event) in self._down

    def _take_out(self, event: RawEvent) -> None:
        self._note(event)
        self._leave_out(event)

    def _note(self, event: RawEvent) -> None:
        if event.kind in ("key", "button"):
            (self._down.add if event.pressed else self._down.discard)(_held(event))

    def _gesture(self, shown: float) -> int:
        """Where in what waits the gesture begins that brought the recorder's window to the front at `shown`; its end
        where none did."""
        waiting = list(self._waiting)
        acts = [i for i, event in enumerate(waiting) if event.kind in ("key", "button", "scroll")]
        if not acts or shown - waiting[acts[-1]].time > OWN_SHOWS_S:
            return len(waiting)
        last = waiting[acts[-1]]
        if last.kind == "button":
            return _click(waiting, acts[-1])
        return self._switch(waiting, acts[-1]) if last.kind == "key" else len(waiting)

    def _switch(self, waiting: list[RawEvent], last: int) -> int:
        """Where a switch of windows by keys begins: with the press of the first key that is still down then."""
        down: dict[tuple[str, int | str | None], int] = {}
        begin = last
        for i, event in enumerate(waiting[: last + 1]):
            if event.kind != "key":
                continue
            down.setdefault(_held(event), i)
            begin = min(down.values())
            if not event.pressed:
                del down[_held(event)]
        keys = [read_key(event, self._platform) for event in waiting[begin : last + 1] if event.kind == "key"]
        families = {key.family for key in keys} - {None}
        switches = any(key.name in _SWITCHES for key in keys) and families & {"alt", "ctrl"}
        return begin if switches or families & {"win", "command"} else len(waiting)


def _click(waiting: list[RawEvent], last: int) -> int:
    """Where a click begins: with the pointer's walk to it."""
    begin = last
    if not waiting[last].pressed:
        presses = (i for i in range(last, -1, -1) if _held(waiting[i]) == _held(waiting[last]) and waiting[i].pressed)
        begin = next(presses, last)
    later = waiting[begin].time
    for i in range(begin - 1, -1, -1):
        event = waiting[i]
        if event.kind in ("key", "button", "scroll") or later - event.time > STOP_WALK_PAUSE_S:
            break
        if event.kind == "move":
            begin, later = i, event.time
    return begin


def _held(event: RawEvent) -> tuple[str, int | str | None]:
    """What is pressed and released: a button, or a key by its place."""
    if event.kind == "button":
        return "button", event.button
    return event.kind, event.code if event.code is not None else (event.key or "").lower()
