"""Which modifiers are held: our own account of presses and releases, never the character a key arrives as."""

from __future__ import annotations

from dataclasses import dataclass, field

from curate.model.actions import MODIFIER_ORDER, Modifier
from curate.model.constants import (
    ALTGR_FAKE_CTRL_S,
    CHORD_GAP_S,
    MODIFIER_JOIN_S,
)
from curate.model.events import RawEvent
from curate.model.keys import modifier_order
from curate.model.trajectory import Platform
from curate.reduce.events.keyboard import Family, Key
from curate.reduce.events.ledger import Draft, Ledger
from curate.reduce.events.lost_releases import is_repeat, modifier_name

ALONE = {"win": "win", "alt": "alt"}
"""Modifiers that do something when they are pressed and released alone (start menu, menu bar)."""


@dataclass(eq=False)
class HeldModifier:
    """A modifier that is down. `time`: of its press or last repeat. `events`: its rows that are in no step yet.
    `expires`: when a modifier whose release was lost is no longer believed (None: its release was seen). `used`: by a
    step, the latest being `draft`. `crossed`: another modifier was down at the same time."""

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
    """The modifiers at one moment. `holders`: the keys that hold them. `commands`: those that make a shortcut of a
    key (all but shift and AltGr)."""

    holders: tuple[HeldModifier, ...] = ()
    commands: frozenset[Modifier] = frozenset()
    shift: bool = False
    altgr: bool = False

    @property
    def all(self) -> tuple[Modifier, ...]:
        """Modifiers as an action carries them."""
        return modifier_order([*self.commands, *(("shift",) if self.shift else ())])


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
            if held.name == modifier_name(event) and (held.code is None or held.code == event.code):
                if is_repeat(event, held.time):
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
                name=modifier_name(event), code=event.code, family=key.family, time=event.time, events=[event],
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
            if held.name == modifier_name(event) and (held.code is None or event.code is None):
                return held
        same = [h for h in self.down if h.family == key.family or (key.group and h.family in ("shift", "alt"))]
        same = [h for h in same if h.code is None or event.code is None]
        return same[-1] if same else None

    def snapshot(self, time: float, char: str | None = None, only_key: bool = False) -> Snapshot:
        """What is held now. `char`: of the key that asks, by which AltGr is told from ctrl and alt; `only_key`: that
        names a key and is no text."""
        believed = [held for held in self.down if held.expires is None or time <= held.expires]
        self.stuck = self.stuck or len(believed) < len(self.down)
        altgr, fake = _altgr(believed, char, only_key)
        sign = not only_key and char is not None and not (char.isascii() and char.isalnum())
        if self.platform == "windows" and not fake and not sign:
            altgr = []  # Windows sends a ctrl with AltGr; without it this is the right alt of a layout without AltGr
        if altgr and fake and only_key:  # AltGr and a key that has nothing there: Windows takes it for ctrl and alt
            return Snapshot(tuple(believed), frozenset({"ctrl", "alt"}), altgr=True)
        families = {
            "alt" if held.family == "altgr" else held.family
            for held in believed
            if held not in altgr and held not in fake
        }
        commands = frozenset(modifier for modifier in MODIFIER_ORDER if modifier in families and modifier != "shift")
        return Snapshot(tuple(believed), commands, "shift" in families, bool(altgr))

    @property
    def families(self) -> frozenset[Family]:
        """The kinds of modifiers that are down."""
        return frozenset(held.family for held in self.down)

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


def _altgr(held: list[HeldModifier], char: str | None, only_key: bool) -> tuple[list[HeldModifier], list[HeldModifier]]:
    """What holds AltGr, and the left ctrl that Windows sends with it. pynput on Windows calls AltGr `alt_r`: then it is
    AltGr if the key typed a sign, or if both went down as one and the key is no letter (that is ctrl+alt+letter)."""
    ctrl = [one for one in held if one.family == "ctrl" and one.name in ("ctrl_l", "ctrl", "ctrlleft")]
    altgr = [one for one in held if one.family == "altgr"]
    right = [one for one in held if one.name in ("alt_r", "altright") and one.family == "alt"]
    if not altgr and right and ctrl and char is not None:
        sign = not (char.isascii() and char.isalnum())
        as_one = ctrl[0].name != "ctrl" and abs(right[0].time - ctrl[0].time) <= ALTGR_FAKE_CTRL_S
        if sign or (as_one and not only_key and not char.isalpha()):
            altgr = right
    return altgr, ctrl if altgr else []
