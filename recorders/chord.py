"""The keys that stop a recording, seen in the recording's own key rows."""

from __future__ import annotations

from collections.abc import Iterable

from curate.store.recording import KeyRow

STOP_CHORD = ("ctrl", "alt", "end")
"""Taken by no desktop and typing nothing on any layout (letters with ctrl+alt are AltGr on Windows)."""
MODIFIERS = frozenset({"ctrl", "alt", "shift", "cmd"})


def plain(name: str) -> str:
    """A key's name without its side: `ctrl_l` is `ctrl`; AltGr is a key of its own."""
    side = name.removesuffix("_l").removesuffix("_r")
    return side if side in MODIFIERS else name


class ChordWatch:
    """Feed it every key row; `complete` once the chord's last key went down with exactly its modifiers held, and
    `released` once its keys are up again, so that the recording holds their releases."""

    def __init__(self, chord: Iterable[str]) -> None:
        *modifiers, self._last = chord
        self._modifiers = frozenset(modifiers)
        self._held: dict[int | str, str] = {}
        self.complete = self.released = False

    def feed(self, row: KeyRow) -> None:
        """One key row, in order. Keys are told apart by their code (a release may have another name)."""
        key = row.code if row.code is not None else row.key
        if row.pressed:
            self._held[key] = plain(row.key)
            modifiers = MODIFIERS & set(self._held.values())
            if plain(row.key) == self._last and modifiers == self._modifiers:
                self.complete = True
        else:
            self._held.pop(key, None)
            chord = {*self._modifiers, self._last}
            self.released = self.complete and not chord & set(self._held.values())
