"""The recorder's own shortcuts: the start shortcut's rest at the beginning of a recording; pause, private and others
wherever they come. (Its stop shortcut: `finish` of reducer.py.)"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from curate.model.constants import CONTROL_CHORD_S, START_CHORD_S
from curate.model.events import RawEvent
from curate.model.keys import key_name
from curate.model.trajectory import Platform
from curate.reduce.events.keyboard import read_key
from curate.reduce.events.mac_keys import OPTION

_START_EVENTS = 4096


def canonical_chord(chord: tuple[str, ...] | None, platform: Platform | None) -> frozenset[str]:
    """The keys of a declared shortcut by PyAutoGUI's names; empty where none is declared."""
    return frozenset(key_name(key, platform or "windows") or key.lower() for key in chord or ())


def without_start_chord(
    events: Iterable[RawEvent],
    chord: frozenset[str],
    platform: Platform | None,
    leave_out: Callable[[RawEvent], None],
) -> Iterator[RawEvent]:
    """The events without what the start shortcut left of itself: key events before any other input, within
    START_CHORD_S, all of keys of the shortcut, and either all its keys or only releases among them."""
    if not chord:
        yield from events
        return
    rest = iter(events)
    begun: list[RawEvent] = []
    for event in rest:
        begun.append(event)
        if event.time - begun[0].time > START_CHORD_S or len(begun) >= _START_EVENTS:
            break
        if event.kind in ("button", "scroll", "pause") or (event.kind == "key" and _of(event, platform) not in chord):
            break
    keys = [event for event in begun if event.kind == "key" and _of(event, platform) in chord]
    whole = {_of(event, platform) for event in keys} >= chord
    trim = bool(keys) and (whole or not any(event.pressed for event in keys))
    for event in begun:
        if trim and event in keys:
            leave_out(event)
        else:
            yield event
    for event in rest:  # a release may come late: of a key whose press was taken out or never seen
        yield event


def _of(event: RawEvent, platform: Platform | None) -> str | None:
    key = read_key(event, platform)
    if platform == "macos" and key.char in OPTION:
        return OPTION[key.char]  # ® is R with option held
    return key.control or key.name


class _Modifier:
    """A modifier that is down: `used` by something else than a shortcut of the recorder, or `out`, taken out as part
    of one."""

    def __init__(self, event: RawEvent, family: str) -> None:
        self.event, self.family = event, family
        self.used = self.out = False


class ControlChords:
    """Takes the recorder's other shortcuts (pause, private) out wherever they come: the last key, the modifiers that
    were pressed for it and for nothing else, and the releases of all these. What a modifier did before stays."""

    def __init__(
        self,
        chords: Iterable[frozenset[str]],
        platform: Platform | None,
        leave_out: Callable[[RawEvent], None],
    ) -> None:
        self._chords = {chord for chord in chords if chord}
        self._platform, self._leave_out = platform, leave_out
        self._waiting: deque[RawEvent] = deque()
        self._modifiers: dict[int | str | None, _Modifier] = {}
        self._out: set[int | str | None] = set()  # presses taken out: repeats and releases are too
        self._late: set[int | str | None] = set()  # taken out before a pause: a release of one may still come

    def without(self, events: Iterable[RawEvent]) -> Iterator[RawEvent]:
        """The other events. What comes after a modifier's press waits until it is known what it was pressed for, at
        most CONTROL_CHORD_S."""
        if not self._chords:
            yield from events
            return
        for event in events:
            if event.kind == "key" and self._belongs(event):
                self._leave_out(event)
                continue
            if event.kind == "resume":  # what was let go in the pause was not recorded
                self._late, self._out = self._late | self._out, set()
                self._modifiers.clear()
            if event.kind in ("button", "scroll"):
                self._use_all()
            self._waiting.append(event)
            for modifier in self._modifiers.values():
                modifier.used |= event.time - modifier.event.time > CONTROL_CHORD_S
            if len(self._waiting) > _START_EVENTS:
                self._use_all()
            if not any(not (m.used or m.out) for m in self._modifiers.values()):
                yield from self._flush()
        yield from self._flush()

    def _flush(self) -> Iterator[RawEvent]:
        while self._waiting:
            yield self._waiting.popleft()

    def _use_all(self) -> None:
        for modifier in self._modifiers.values():
            modifier.used = True

    def _belongs(self, event: RawEvent) -> bool:
        """Whether a key event is part of a shortcut of the recorder."""
        key: int | str | None = event.code if event.code is not None else (event.key or "").lower()
        if not event.pressed:
            self._modifiers.pop(key, None)
            out = key in self._out or key in self._late
            self._forget(key)
            return out
        is_repeat = event.repeat if event.repeat is not None else key in self._modifiers
        if key in self._out and is_repeat:
            return True
        self._forget(key)
        read = read_key(event, self._platform)
        if read.family is not None:
            family = "alt" if read.family == "altgr" else read.family
            if key not in self._modifiers or event.repeat is False:
                self._modifiers[key] = _Modifier(event, family)
            return False
        held = {modifier.family for modifier in self._modifiers.values()}
        name = _of(event, self._platform)
        if name is None or held | {name} not in self._chords:
            self._use_all()
            return False
        for code, modifier in self._modifiers.items():
            if not (modifier.used or modifier.out):
                modifier.out = True
                self._out.add(code)
                self._take_back(code)
        self._out.add(key)
        return True

    def _forget(self, key: int | str | None) -> None:
        self._out.discard(key)
        self._late.discard(key)

    def _take_back(self, key: int | str | None) -> None:
        """A modifier's press, and its repeats, have not been passed on yet."""
        kept: deque[RawEvent] = deque()
        for event in self._waiting:
            code = event.code if event.code is not None else (event.key or "").lower()
            if event.kind == "key" and code == key and event.time >= self._modifiers[key].event.time:
                self._leave_out(event)
            else:
                kept.append(event)
        self._waiting = kept
