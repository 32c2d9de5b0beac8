"""The XKB keymap as the X server holds it: up to four groups (layouts) a key, and for each group a type that says which
modifiers choose which level. Rules as in the XKB protocol, section 12.1 (Transforming the KeyCode Associated with a Key
Event to a KeySym)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from recorders.events.keysyms import NO_SYMBOL

_GROUPS = 0x0F
_CLAMP, _REDIRECT = 0x40, 0x80
_MODIFIERS = 0xFF


def group_of(state: int) -> int:
    """The layout in effect: bits 13 and 14 of a core event's state."""
    return (state >> 13) & 3


@dataclass(frozen=True, slots=True)
class KeyType:
    """`mask`: the modifiers that matter. `levels`: the level each combination of them chooses (others: the first).
    `kept`: those of a combination that still count after choosing."""

    mask: int
    levels: dict[int, int]
    kept: dict[int, int] = field(default_factory=dict)

    def level(self, state: int) -> tuple[int, int]:
        """The level under a state and the modifiers that choosing it used up."""
        mods = state & self.mask
        return self.levels.get(mods, 0), self.mask & ~self.kept.get(mods, 0)


@dataclass(frozen=True, slots=True)
class KeySymbols:
    """A key's symbols, `width` for each group; `info` holds the number of groups and what happens beyond them."""

    types: tuple[int, ...]
    info: int
    width: int
    symbols: tuple[int, ...]

    def group(self, wanted: int) -> int | None:
        """The group that serves for one that the key may lack; None where the key has none."""
        count = self.info & _GROUPS
        if not count:
            return None
        if wanted < count:
            return wanted
        if self.info & _REDIRECT:
            other = (self.info >> 4) & 3
            return other if other < count else 0
        return count - 1 if self.info & _CLAMP else wanted % count


@dataclass(frozen=True, slots=True)
class XkbMap:
    """All keys by their code."""

    types: tuple[KeyType, ...]
    keys: dict[int, KeySymbols]

    def symbol(self, code: int, state: int) -> tuple[int, int]:
        """The keysym under a core event's state (NO_SYMBOL: none), and the modifiers used up in choosing it."""
        key = self.keys.get(code)
        group = key.group(group_of(state)) if key else None
        if key is None or group is None:
            return NO_SYMBOL, 0
        level, consumed = self.types[key.types[group]].level(state & _MODIFIERS)
        at = group * key.width + level
        return (key.symbols[at] if level < key.width and at < len(key.symbols) else NO_SYMBOL), consumed

    def symbols(self, code: int) -> Sequence[int]:
        """Every symbol of a key."""
        key = self.keys.get(code)
        return key.symbols if key else ()


def read_map(reply: Any) -> XkbMap:
    """From an XkbGetMap reply with key types and key symbols (xcffib)."""
    types = []
    for found in reply.types_rtrn:
        entries = [entry for entry in found.map if entry.active]
        kept = dict(
            zip((e.mods_mask for e in found.map), (p.mask for p in found.preserve), strict=False)
            if found.hasPreserve
            else ()
        )
        levels: dict[int, int] = {}
        for entry in entries:
            levels.setdefault(entry.mods_mask, entry.level)  # the first that fits counts
        types.append(KeyType(found.mods_mask, levels, kept))
    keys = {
        reply.firstKeySym + i: KeySymbols(tuple(k.kt_index), k.groupInfo, k.width, tuple(k.syms))
        for i, k in enumerate(reply.syms_rtrn)
    }
    return XkbMap(tuple(types), keys)
