"""The recorder's shortcuts: which keys they are, and hearing them in the recording's own key rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from curate.model.errors import UsageError
from curate.store.recording import KeyRow

MODIFIERS = frozenset({"ctrl", "alt", "shift", "cmd"})
_ORDER = ("ctrl", "alt", "shift", "cmd")
_ALIASES = {
    "control": "ctrl", "option": "alt", "win": "cmd", "super": "cmd", "command": "cmd", "meta": "cmd",
    "pageup": "page_up", "pgup": "page_up", "pagedown": "page_down", "pgdn": "page_down", "del": "delete",
    "ins": "insert", "escape": "esc", "break": "pause", "printscreen": "print_screen",
}  # fmt: skip
_KEYS = frozenset(
    {"end", "home", "page_up", "page_down", "insert", "delete", "pause", "scroll_lock", "print_screen", "esc",
     "left", "right", "up", "down", "tab", "enter", "space", "backspace", "menu"}
    | {f"f{number}" for number in range(1, 25)}
)  # fmt: skip
_EXAMPLE = "stop=ctrl+shift+f9"
_SYSTEMS = {
    **dict.fromkeys((f"f{number}" for number in range(1, 13)), "the system switches to another console with it"),
    "delete": "the system takes it",
    "backspace": "it ends the X server on some systems",
}  # fmt: skip
"""Keys that are not free together with ctrl+alt, and why."""
_HELD_NS = 60_000_000_000  # a key without a sign of life for so long was let go where nobody saw it

Command = Literal["start", "stop", "pause", "private", "discard"]


class Chords(msgspec.Struct, kw_only=True, frozen=True):
    """The shortcuts. No desktop takes these, and they type nothing on any layout (letters with ctrl+alt are AltGr on
    Windows). `start` works while the recorder waits to begin; the same keys then pause and go on."""

    start: tuple[str, ...] = ("ctrl", "alt", "home")
    stop: tuple[str, ...] = ("ctrl", "alt", "end")
    pause: tuple[str, ...] = ("ctrl", "alt", "home")
    private: tuple[str, ...] = ("ctrl", "alt", "page_up")
    discard: tuple[str, ...] = ("ctrl", "alt", "shift", "end")

    def while_recording(self) -> dict[Command, tuple[str, ...]]:
        """Those that are listened for in a recording."""
        return {"stop": self.stop, "pause": self.pause, "private": self.private, "discard": self.discard}


def shown(chord: Sequence[str]) -> str:
    """`ctrl+alt+end`."""
    return "+".join(chord)


def read_chords(given: Iterable[str]) -> Chords:
    """The shortcuts with changes like `stop=ctrl+shift+f9`. Raises UsageError for what is none, and for two that are
    the same."""
    changed: dict[str, tuple[str, ...]] = {}
    for word in given:
        name, equals, keys = word.partition("=")
        if not equals or name not in Chords.__struct_fields__:
            names = ", ".join(Chords.__struct_fields__)
            raise UsageError(
                f"--keys {word!r} names no shortcut: write one of {names} and its keys, stop=ctrl+shift+f9."
            )
        changed[name] = _read_chord(keys, word)
    if "pause" in changed and "start" not in changed:
        changed["start"] = changed["pause"]
    chords = Chords(**changed)
    taken: dict[tuple[str, ...], str] = {}
    for command, chord in chords.while_recording().items():
        if chord in taken:
            raise UsageError(f"{shown(chord)} cannot both {taken[chord]} and {command}: give one of them other --keys.")
        taken[chord] = command
    return chords


def _read_chord(keys: str, word: str) -> tuple[str, ...]:
    names = [part.strip().lower().replace(" ", "_").replace("-", "_") for part in keys.split("+")]
    names = [_ALIASES.get(name, name) for name in names]
    *held, last = names
    if not set(held) <= MODIFIERS or not set(held) & {"ctrl", "alt", "cmd"}:
        raise UsageError(
            f"--keys {word!r}: write ctrl, alt, shift or cmd joined by +, then one key: stop=ctrl+shift+f9."
        )
    if last not in _KEYS and not (len(last) == 1 and last.isascii() and last.isalnum()):
        raise UsageError(f"--keys {word!r}: there is no key {last!r}; function keys (f9), end, insert and such serve.")
    if {"ctrl", "alt"} <= set(held) and last in _SYSTEMS:
        raise UsageError(f"--keys {word!r} would never be heard: {_SYSTEMS[last]}. Write {_EXAMPLE}, say.")
    if "alt" in held and (len(last) == 1 or last == "space"):
        raise UsageError(f"--keys {word!r} types text on some layouts (AltGr, option): take a key like f9 or end.")
    return (*sorted(set(held), key=_ORDER.index), last)


def without_side(name: str) -> str:
    """A key's name without its side: `ctrl_l` is `ctrl`; AltGr is a key of its own."""
    side = name.removesuffix("_l").removesuffix("_r")
    return side if side in MODIFIERS else name


class Heard(NamedTuple):
    """A shortcut was pressed at `t` (monotonic ns: its last key went down with exactly its modifiers held), or,
    `released`, all its keys are up again."""

    command: Command
    t: int
    released: bool


class ChordWatch:
    """Hears shortcuts in key rows, in their order. Not thread-safe."""

    def __init__(self, chords: Mapping[Command, Sequence[str]]) -> None:
        self._chords = {command: (frozenset(chord[:-1]), chord[-1]) for command, chord in chords.items()}
        self._held: dict[int | str, tuple[str, int]] = {}
        self._open: set[Command] = set()

    @property
    def pressed(self) -> bool:
        """Whether keys of a shortcut that was heard are still down."""
        return bool(self._open)

    def feed(self, row: KeyRow) -> list[Heard]:
        """What one key row completes. Keys are told apart by their code (a release may have another name)."""
        key = row.code if row.code is not None else row.key
        if not row.pressed:
            self._held.pop(key, None)
            return self._released(row.t)
        name = without_side(row.key)
        self._held = {k: held for k, held in self._held.items() if row.t - held[1] <= _HELD_NS}
        self._held[key] = name, row.t
        modifiers = MODIFIERS & {name for name, _ in self._held.values()}
        if row.repeat:
            return []
        pressed: list[Command] = [c for c, (held, last) in self._chords.items() if last == name and held == modifiers]
        self._open.update(pressed)
        return [Heard(command, row.t, released=False) for command in pressed]

    def _released(self, t: int) -> list[Heard]:
        names = {name for name, _ in self._held.values()}
        done = [c for c in self._open if not names & {*self._chords[c][0], self._chords[c][1]}]
        self._open.difference_update(done)
        return [Heard(command, t, released=True) for command in done]
