"""Which keys typed or pasted a secret.

Typing is read in three ways, since nobody knows what was on the screen: every character in the order typed; with
backspace taking back; with the cursor keys moving within what was typed. Letters compare without case and marks. A
secret in any of them makes a span: every key from the first of its characters to the last, with whatever was deleted
in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from curate.model.events import RawEvent
from curate.model.trajectory import Platform
from curate.reduce.events.keyboard import Key, read_key
from curate.reduce.redaction.spellings import Spellings, plain
from curate.store.recording import ButtonRow, ClipboardRow, KeyRow, WindowRow

_COMMANDS = frozenset({"ctrl", "alt", "win", "command"})


class Press(msgspec.Struct, kw_only=True, frozen=True):
    """A key pressed, as far as redaction needs it: `line` of its row (from 0), `t` in nanoseconds, the character it
    typed by itself (`text`; empty for none), and its PyAutoGUI name."""

    line: int
    t: int
    text: str
    name: str


class TypedSpan(msgspec.Struct, kw_only=True, frozen=True):
    """Key rows from line `first` to line `last` typed a secret; `since`, `until`: their times. `keeps_keys`: it was
    pasted, and the keys that did it tell nothing."""

    first: int
    last: int
    since: int
    until: int
    keeps_keys: bool = False


class KeyLog:
    """Takes the rows of a recording in their order; the presses, and pastes of a clipboard that held a secret."""

    def __init__(self, spellings: Spellings, platform: Platform | None) -> None:
        self._spellings, self._platform = spellings, platform
        self._held: set[str] = set()
        self._clipboard = False
        self.presses: list[Press] = []
        self.acts: list[int] = []  # times at which something was done: keys, buttons
        self.pastes: list[TypedSpan] = []
        self.windows: list[WindowRow] = []

    def add(self, line: int, row: object) -> None:
        """The next row."""
        if isinstance(row, ClipboardRow):
            self._clipboard = self._spellings.holds(row.text)
        elif isinstance(row, ButtonRow) and row.pressed:
            self.acts.append(row.t)
            if row.button == "middle":
                self._pasted(line, row.t)
        elif isinstance(row, WindowRow):
            self.windows.append(row)
        elif isinstance(row, KeyRow):
            self._key(line, row)

    def _key(self, line: int, row: KeyRow) -> None:
        event = RawEvent(index=line, time=0.0, kind="key", key=row.key, text=row.text, code=row.code, dead=row.dead)
        key = read_key(event, self._platform)
        if key.family is not None:
            (self._held.add if row.pressed else self._held.discard)(key.family)
            return
        if not row.pressed:
            return
        self.acts.append(row.t)
        commands = self._held & _COMMANDS
        is_paste = key.name == "v" or key.control == "v"
        if (is_paste and commands & {"ctrl", "command"}) or (key.name == "insert" and "shift" in self._held):
            self._pasted(line, row.t)
        text = _typed_by(row, key, bool(commands))
        self.presses.append(Press(line=line, t=row.t, text=text, name=key.name or ""))

    def _pasted(self, line: int, t: int) -> None:
        if self._clipboard:
            self.pastes.append(TypedSpan(first=line, last=line, since=t, until=t, keeps_keys=True))


def _typed_by(row: KeyRow, key: Key, commands: bool) -> str:
    if row.text:
        return "".join(char for char in row.text if char.isprintable())
    if row.text == "" or commands:
        return ""
    return key.char or ""


def typed_spans(presses: Sequence[Press], spellings: Spellings) -> list[TypedSpan]:
    """The spans in which a secret was typed, in order; those that overlap are one. What is left without them types no
    secret either."""
    left, found = list(presses), list[tuple[Press, Press]]()
    while new := _spans_of(left, spellings):
        found += new
        left = [press for press in left if not any(first.line <= press.line <= last.line for first, last in new)]
    return joined(TypedSpan(first=first.line, last=last.line, since=first.t, until=last.t) for first, last in found)


def joined(spans: Iterable[TypedSpan]) -> list[TypedSpan]:
    """In order; those that overlap are one."""
    out: list[TypedSpan] = []
    for span in sorted(spans, key=lambda span: (span.first, span.last)):
        before = out[-1] if out else None
        if before is None or span.first > before.last:
            out.append(span)
        elif span.last > before.last:
            out[-1] = msgspec.structs.replace(before, last=span.last, until=span.until)
    return out


def _spans_of(presses: Sequence[Press], spellings: Spellings) -> list[tuple[Press, Press]]:
    found: set[tuple[int, int]] = set()
    for read in (_as_typed, _taken_back, _with_cursor):
        text, at = _plain_text(read(presses))
        for first, end in spellings.typed_in(text):
            places = at[first:end]
            found.add((min(places), max(places)))
    return [(presses[first], presses[last]) for first, last in sorted(found)]


_Read = Iterator[tuple[str, int]]  # characters with the press each came of


def _as_typed(presses: Iterable[Press]) -> _Read:
    for number, press in enumerate(presses):
        if press.text:
            yield press.text, number


def _taken_back(presses: Iterable[Press]) -> _Read:
    left: list[tuple[str, int]] = []
    for number, press in enumerate(presses):
        if press.text:
            left += [(char, number) for char in press.text]
        elif press.name == "backspace" and left:
            left.pop()
    yield from left


def _with_cursor(presses: Iterable[Press]) -> _Read:
    """As one line in which the cursor goes left and right; any other key puts it at the end."""
    line: list[tuple[str, int]] = []
    at = 0
    moves: dict[str, Callable[[int, int], int]] = {
        "left": lambda at, _: max(at - 1, 0), "right": lambda at, end: min(at + 1, end),
        "home": lambda _, __: 0, "end": lambda _, end: end,
    }  # fmt: skip
    for number, press in enumerate(presses):
        if press.text:
            line[at:at] = [(char, number) for char in press.text]
            at += len(press.text)
        elif press.name == "backspace" and at:
            at -= 1
            del line[at]
        elif press.name == "delete" and at < len(line):
            del line[at]
        elif press.name in moves:
            at = moves[press.name](at, len(line))
        elif press.name != "delete":
            at = len(line)
    yield from line


def _plain_text(read: Iterable[tuple[str, int]]) -> tuple[str, list[int]]:
    """Joined text as secrets are compared, and the press of each of its characters."""
    parts: list[str] = []
    at: list[int] = []
    for text, number in read:
        simple = plain(text)
        parts.append(simple)
        at += [number] * len(simple)
    return "".join(parts), at
