"""Keys that make no text: single presses, shortcuts, and series of keys under one held modifier."""

from __future__ import annotations

from dataclasses import dataclass, field

from curate.model.actions import Action, Hotkey, KeyDown, KeyUp, Modifier, Press
from curate.model.keys import hotkey_order, modifier_order
from curate.reduce.events.ledger import Draft
from curate.reduce.events.modifiers import HeldModifier

REPEATABLE = frozenset({
    "up", "down", "left", "right", "pageup", "pagedown", "backspace", "delete", "tab", "enter", "space",
    "z", "y", "v", "+", "-", "=", "add", "subtract", "f3", "volumeup", "volumedown",
})  # fmt: skip
"""Keys that act again each time the keyboard repeats them; all others act once however long they are held."""
_SERIES = frozenset({"alt", "altgr", "win", "command"})
_SWITCHER = "tab"  # under alt, or a Mac's command: it opens the switcher, which is open until the modifier is up


@dataclass(eq=False)
class Entry:
    """One key pressed with what was held: `count` times, with the keyboard's own repeats."""

    modifiers: tuple[Modifier, ...]
    key: str
    draft: Draft
    count: int = 1

    def repeat(self) -> None:
        """The keyboard repeated the key."""
        self.draft.flag("auto_repeat")
        if self.key in REPEATABLE:
            self.count += 1


@dataclass(eq=False)
class Shortcut:
    """Keys pressed under the same held modifiers. `holders`: the alt, win or command that is held throughout: while
    it is, a key pressed again belongs to a series (alt, tab, tab)."""

    holders: tuple[HeldModifier, ...] = ()
    entries: list[Entry] = field(default_factory=list)

    def goes_on(self, holders: tuple[HeldModifier, ...]) -> bool:
        """Whether the next key is pressed under the same held alt, win or command."""
        mine = [held for held in self.holders if held.family in _SERIES]
        return bool(mine) and any(held in holders for held in mine)

    def finish(self) -> list[Draft]:
        """One step for each key, except that a key pressed again under the same held alt or win makes one step of them
        all: keyDown, presses, keyUp. So does whatever follows tab under alt or command: the switcher is open until
        the modifier is released. Command held for cmd+v, cmd+v says nothing more than two shortcuts do, as ctrl."""
        if self._is_series():
            return [self._series()]
        for entry in self.entries:
            entry.draft.actions = _actions(entry.modifiers, entry.key, entry.count)
            entry.draft.chord = frozenset([*entry.modifiers, entry.key])
        return [entry.draft for entry in self.entries]

    def _is_series(self) -> bool:
        families = set(self.entries[0].modifiers).intersection(*(entry.modifiers for entry in self.entries))
        keys = [entry.key for entry in self.entries]
        times = sum(entry.count for entry in self.entries)
        if keys[0] == _SWITCHER and times > 1 and not families.isdisjoint({"alt", "command"}):
            return True
        return times > len(set(keys)) and not families.isdisjoint({"alt", "win"})

    def _series(self) -> Draft:
        shared = set(self.entries[0].modifiers).intersection(*(entry.modifiers for entry in self.entries))
        base = modifier_order(shared)
        actions: list[Action] = [KeyDown(key) for key in base]
        for entry in self.entries:
            more = tuple(key for key in entry.modifiers if key not in base)
            actions += _actions(more, entry.key, entry.count)
        draft = self.entries[0].draft
        for entry in self.entries[1:]:
            draft.absorb(entry.draft)
        draft.rule = "key_series"
        draft.actions = [*_joined(actions), *(KeyUp(key) for key in reversed(base))]
        if len({(entry.modifiers, entry.key) for entry in self.entries}) == 1:
            draft.chord = frozenset([*base, self.entries[0].key])
        return draft


def _actions(modifiers: tuple[Modifier, ...], key: str, count: int) -> list[Action]:
    """The key `count` times, with modifiers held."""
    if modifiers:
        return [Hotkey(hotkey_order([*modifiers, key]))] * count
    return [Press(key, count)]


def _joined(actions: list[Action]) -> list[Action]:
    """Neighbouring presses of one key as one."""
    joined: list[Action] = []
    for action in actions:
        before = joined[-1] if joined else None
        if isinstance(action, Press) and isinstance(before, Press) and before.key == action.key:
            joined[-1] = Press(action.key, before.presses + action.presses)
        else:
            joined.append(action)
    return joined
