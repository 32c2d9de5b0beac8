"""Which modifiers are held: our own account of presses and releases, never the character a key arrives as."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from curate.model.actions import Modifier
from curate.model.constants import (
    ALTGR_FAKE_CTRL_S,
    AUTO_REPEAT_GAP_S,
    CHORD_GAP_S,
    LOST_RELEASE_S,
    MODIFIER_JOIN_S,
)
from curate.model.events import RawEvent
from curate.model.keys import modifier_order
from curate.model.trajectory import Platform
from curate.reduce.keyboard import Family, Key, read_key
from curate.reduce.ledger import Draft, Ledger

_LOOKAHEAD_EVENTS = 60_000  # LOST_RELEASE_S of a mouse that reports 1,000 times a second
ALONE = {"win": "win", "alt": "alt"}
"""Modifiers that do something when they are pressed and released alone (start menu, menu bar)."""


@dataclass(eq=False)
class HeldModifier:
    """A modifier that is down. `events`: its rows that are in no step yet. `expires`: when a modifier whose release
    was lost is no longer believed (None: its release was seen)."""

    name: str
    code: int | None
    family: Family
    time: float
    events: list[RawEvent]
    expires: float | None = None
    used: bool = False
    crossed: bool = False
    draft: Draft | None = None


@dataclass(frozen=True)
class Snapshot:
    """The modifiers at one moment. `commands`: those that make a shortcut of a key (all but shift and AltGr).
    `believed_lost`: a modifier's release was lost before, and it counts as up."""

    holders: tuple[HeldModifier, ...] = ()
    commands: frozenset[Modifier] = frozenset()
    shift: bool = False
    altgr: bool = False

    @property
    def all(self) -> tuple[Modifier, ...]:
        """Modifiers as an action carries them."""
        return modifier_order([*self.commands, *(("shift",) if self.shift else ())])


class Noted(NamedTuple):
    """An event, and whether it presses a modifier whose release is not in the recording."""

    event: RawEvent
    lost: bool


def note_lost_releases(events: Iterable[RawEvent], platform: Platform | None) -> Iterator[Noted]:
    """Look ahead from each press of a modifier for its release. None by the end, none within LOST_RELEASE_S, or a
    fresh press of the same key before it: the release is not in the recording (Windows' secure desktop and the lock
    screen swallow them), and the modifier must not stick to everything that follows.

    Memory: what lies between a modifier's press and its release, at most _LOOKAHEAD_EVENTS.
    """
    waiting: deque[tuple[RawEvent, list[bool]]] = deque()
    asked: dict[str, tuple[RawEvent, list[bool], int | None]] = {}  # by name: the press, [open, lost], its code
    for event in events:
        note = [False, False]
        waiting.append((event, note))
        if event.kind in ("pause", "resume"):
            for _, other, _ in asked.values():
                other[:] = [False, True]
            asked.clear()
        elif event.kind == "key":
            _ask(event, note, asked, platform)
        for name, (pressed, other, _) in list(asked.items()):
            if event.time - pressed.time > LOST_RELEASE_S or len(waiting) > _LOOKAHEAD_EVENTS:
                other[:] = [False, True]
                del asked[name]
        while waiting and not waiting[0][1][0]:
            first, answer = waiting.popleft()
            yield Noted(first, answer[1])
    for event, note in waiting:
        yield Noted(event, note[0] or note[1])


def _ask(
    event: RawEvent,
    note: list[bool],
    asked: dict[str, tuple[RawEvent, list[bool], int | None]],
    platform: Platform | None,
) -> None:
    key = read_key(event, platform)
    if key.family is None and not key.group:
        return
    name = _name(event)
    if event.pressed:
        if key.family is None:
            return
        if name in asked:
            pressed, other, _ = asked.pop(name)
            repeat = event.repeat if event.repeat is not None else event.time - pressed.time <= AUTO_REPEAT_GAP_S
            other[:] = [False, not repeat]
        note[0] = True
        asked[name] = (event, note, event.code)
        return
    for other_name, (_, other, code) in list(asked.items()):
        if other_name == name or (code is not None and code == event.code):
            other[:] = [False, False]
            del asked[other_name]
            return
    for other_name, (pressed, other, code) in list(asked.items()):
        same = key.family is not None and read_key(pressed, platform).family == key.family
        if (code is None or event.code is None) and (same or key.group):
            other[:] = [False, False]
            del asked[other_name]
            return


def _name(event: RawEvent) -> str:
    return (event.key or "").removeprefix("Key.").lower()


@dataclass
class Modifiers:
    """The modifiers that are down. Rows of a modifier go to the first step that uses it, else to a reason."""

    ledger: Ledger
    platform: Platform | None = None
    down: list[HeldModifier] = field(default_factory=list)
    ctrl_released: float = float("-inf")
    stuck: bool = False

    def press(self, event: RawEvent, key: Key, lost: bool) -> None:
        """A modifier goes down; again while it is down is the keyboard's own repeat, or its release was lost."""
        assert key.family is not None
        self._drop_expired(event.time)
        for held in self.down:
            if held.name == _name(event) and (held.code is None or held.code == event.code):
                gap = event.time - held.time
                if event.repeat if event.repeat is not None else gap <= AUTO_REPEAT_GAP_S:
                    held.time = event.time
                    held.expires = event.time + CHORD_GAP_S if lost else None
                    self.ledger.leave_out(event.index, "reduce.auto_repeat")
                    return
                self._forget(held)
                break
        for held in self.down:
            held.crossed = True
            if held.expires is not None and event.time <= held.expires:
                held.expires = event.time + CHORD_GAP_S
        self.down.append(
            HeldModifier(
                name=_name(event), code=event.code, family=key.family, time=event.time, events=[event],
                expires=event.time + CHORD_GAP_S if lost else None, crossed=bool(self.down),
            )
        )  # fmt: skip

    def release(self, event: RawEvent, key: Key, current: Draft | None) -> HeldModifier | None:
        """A modifier goes up: the one that a tap of it alone is an action of (the caller makes it), else None. Its row
        belongs to the step that used it, if that is `current`, the latest."""
        held = self.find(event, key)
        if key.family == "ctrl":
            self.ctrl_released = event.time
        if held is None:
            self.ledger.leave_out(event.index, "reduce.orphan_release")
            return None
        self.down.remove(held)
        tapped = not held.used and not held.crossed and held.expires is None and held.family in ALONE
        if tapped and self.platform != "macos":
            held.events.append(event)
            return held
        self._leave_out(held)
        draft = held.draft.real() if held.draft is not None else None
        if draft is not None and not draft.gone and draft is current:
            draft.take(event)
        else:
            self.ledger.leave_out(event.index, "reduce.modifier")
        return None

    def find(self, event: RawEvent, key: Key) -> HeldModifier | None:
        """The modifier that a release belongs to: by physical key, by name, then by family; X11 may release
        shift under another name than it pressed."""
        if event.code is not None:
            for held in self.down:
                if held.code == event.code:
                    return held
        for held in self.down:
            if held.name == _name(event) and (held.code is None or event.code is None):
                return held
        same = [h for h in self.down if h.family == key.family or (key.group and h.family in ("shift", "alt"))]
        same = [h for h in same if h.code is None or event.code is None]
        return same[-1] if same else None

    def snapshot(self, time: float, char: str | None = None, only_key: bool = False) -> Snapshot:
        """What is held now. `char`: of the key that asks, by which AltGr is told from ctrl and alt; `only_key`: that
        names a key and is no text."""
        believed = [held for held in self.down if held.expires is None or time <= held.expires]
        self.stuck = self.stuck or len(believed) < len(self.down)
        altgr = [held for held in believed if held.family == "altgr"]
        fake = [held for held in believed if held.family == "ctrl" and held.name in ("ctrl_l", "ctrl", "ctrlleft")]
        right = [held for held in believed if held.name in ("alt_r", "altright")]
        if not altgr and right and fake:  # pynput on Windows calls AltGr alt_r
            close = abs(right[0].time - fake[0].time) <= ALTGR_FAKE_CTRL_S and fake[0].name != "ctrl"
            sign = char is not None and not (char.isascii() and char.isalnum())
            if char is not None and (sign or (close and not only_key and not char.isalpha())):
                altgr = right
        plain = [held for held in believed if held not in altgr and not (altgr and held in fake)]
        if altgr and fake and only_key:  # AltGr and a key that has nothing there: Windows takes it for ctrl and alt
            commands: set[Modifier] = {"ctrl", "alt"}
        else:
            commands = {held.family for held in plain if held.family not in ("shift", "altgr")}  # type: ignore[misc]
        shift = any(held.family == "shift" for held in plain)
        return Snapshot(tuple(believed), frozenset(commands), shift, bool(altgr))

    def use(self, snapshot: Snapshot, draft: Draft, time: float) -> None:
        """A step uses what is held. The rows of a modifier belong to the first step that does; pressed long before,
        it does not make the step begin earlier."""
        for held in snapshot.holders:
            for event in held.events:
                if time - event.time <= MODIFIER_JOIN_S:
                    draft.take(event)
                else:
                    draft.events.append(event.index)
            draft.continues = draft.continues or (held.draft is not None and held.draft.real() is not draft)
            held.events, held.used, held.draft = [], True, draft
            if held.expires is not None:
                held.expires = time + CHORD_GAP_S
        if self.stuck:
            draft.flag("stuck_key")
            self.stuck = False
        self._drop_expired(time)

    def clear(self, reason: str | None = None, chord: frozenset[str] = frozenset()) -> bool:
        """Nothing is known to be held any more; rows in no step get a reason (`reason` for keys of `chord`). Whether
        the last step still held one."""
        open_at_end = any(held.draft is not None and held.draft.real() is self.ledger.last for held in self.down)
        for held in self.down:
            for event in held.events:
                own = reason if reason and (held.family in chord or held.family == "altgr") else "reduce.modifier"
                self.ledger.leave_out(event.index, own)
        self.down = []
        return open_at_end

    def _drop_expired(self, time: float) -> None:
        for held in [held for held in self.down if held.expires is not None and time > held.expires]:
            self._forget(held)

    def _forget(self, held: HeldModifier) -> None:
        self.down.remove(held)
        self._leave_out(held)
        self.stuck = True

    def _leave_out(self, held: HeldModifier) -> None:
        for event in held.events:
            self.ledger.leave_out(event.index, "reduce.modifier")
        held.events = []
