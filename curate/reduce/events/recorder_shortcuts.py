"""The recorder's own shortcuts: the start shortcut's rest at the beginning of a recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from curate.model.constants import START_CHORD_S
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
