"""Typed text: which characters a run of key presses leaves behind."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from curate.model.actions import Write
from curate.model.constants import TYPING_GAP_S
from curate.model.events import RawEvent
from curate.reduce.events.keyboard import MARKS, Key
from curate.reduce.events.ledger import Draft

_OFTEN_DEAD = frozenset(MARKS) - {"°"}
_RARE_LETTERS = 0x1E00  # ḱ: a letter, but hardly a keyboard that composes it instead of typing ´k
_NEVER_BY_ITSELF = frozenset("´¨ˇ˝˘˙¸˛¯")
"""Signs for which keyboards have dead keys only (but for rare layouts): one before a letter is on it."""


@dataclass(frozen=True)
class Typed:
    """What one press types. `certain`: the recorder, or the keys, leave no doubt about it."""

    char: str
    certain: bool = True


@dataclass
class CapsLock:
    """Caps lock as far as the recording shows it: off until it is pressed, unless the letters typed without shift
    until then are capitals. `told`: the recorder's letters follow it (macOS); then they count, and it does not."""

    on: bool = False
    seen: bool = False
    told: bool = False
    capitals: bool = False  # the latest letter typed without shift before caps lock was first pressed

    def toggle(self) -> None:
        """Caps lock was pressed."""
        self.on, self.seen = not (self.on or (self.capitals and not self.seen)), True

    def note(self, char: str) -> None:
        """A letter was typed without shift."""
        if char.isalpha():
            self.capitals = char.isupper()


def character(key: Key, text: str | None, shift: bool, caps: CapsLock, after_ctrl: bool) -> Typed | None:
    """The character that a press types without ctrl, alt or win; None for a key that types none.

    What the recorder knows (`text`) counts. Else the key's own name: a letter's case follows shift and caps lock, as
    on every layout; where that is not the case the recorder wrote, it is not certain. All other characters are as
    recorded: only the layout knows what shift makes of them. A control character is its letter, when ctrl is up
    (pynput#202); AgentNetTool writes it as a capital.
    """
    if text:
        joined = unicodedata.normalize("NFC", text)
        if joined.isprintable():
            return Typed(joined)
    if key.control is not None and key.name is not None and len(key.name) == 1 and key.name.isalpha():
        return Typed(_cased(key.control, shift != caps.on), certain=not caps.seen)
    if key.char is None:
        return None
    char = key.char
    if caps.told and not shift:
        return Typed(char)
    if not _follows_shift(char):
        return Typed(char, certain=not (shift and char.islower() and len(char.upper()) == 1))
    upper = shift or caps.on if caps.told else shift != caps.on
    if char.isupper() and not upper and not shift:
        if after_ctrl and char.isascii():
            return Typed(char.lower(), certain=False)
        return Typed(char)  # shift or caps lock was down before the recording began
    cased = _cased(char, upper)
    return Typed(cased, certain=cased == char)


def _follows_shift(char: str) -> bool:
    """Letters whose capital is on the same key on every layout: ASCII, and scripts other than Latin. é is not: shift
    makes 2 of it on a French keyboard."""
    if len(char) != 1 or not char.isalpha() or len(char.upper()) != 1 or len(char.lower()) != 1:
        return False
    return char.isascii() or not unicodedata.name(char, "").startswith("LATIN")


def _cased(char: str, upper: bool) -> str:
    return char.upper() if upper else char.lower()


def compose(mark: str, char: str) -> str | None:
    """A letter with the mark of a dead key on it; a dead key and space give the sign itself; None: they do not join."""
    if char == " ":
        return next((sign for sign, own in MARKS.items() if own == mark), None)
    joined = unicodedata.normalize("NFC", char + mark)
    return joined if len(joined) == 1 else None


def carries(char: str, sign: str) -> bool:
    """Whether a letter already has the mark of the sign on it: ê after ^."""
    return MARKS.get(sign, "") in unicodedata.normalize("NFD", char)[1:]


@dataclass
class TypedText:
    """A run of typing, broken by anything but characters and backspace. Backspace takes back what the run itself
    typed and nothing else."""

    draft: Draft
    chars: list[str] = field(default_factory=list)
    last_press: float = 0.0
    dead: tuple[str, str] | None = None  # a dead key that waits: its mark and its sign
    lost: bool = False  # a key of which nobody knows what it typed

    def goes_on(self, time: float) -> bool:
        """Whether a key now still belongs to the run."""
        return time - self.last_press <= TYPING_GAP_S

    def hold_dead(self, mark: str, sign: str) -> None:
        """A dead key was pressed. A second one: both signs appear (on Windows and macOS; one of them on X11)."""
        if self.dead is not None:
            self.draft.flag("text_unverified")
            self.chars += [self.dead[1], sign]
            self.dead = None
            return
        self.dead = (mark, sign)

    def add(self, typed: Typed, is_text_known: bool = False) -> None:
        """A character was typed, perhaps onto a dead key or as the second half of a pair."""
        if not typed.certain:
            self.draft.flag("text_unverified")
        char = typed.char
        if self.dead is not None:
            self._on_dead(char)
            return
        before = self.chars[-1] if self.chars else ""
        if "\ud800" <= before <= "\udbff" and "\udc00" <= char <= "\udfff":
            self.chars[-1] = (before + char).encode("utf-16", "surrogatepass").decode("utf-16")
            return
        if not is_text_known and before in _OFTEN_DEAD:
            if carries(char, before):  # the log holds the dead key, then what it made: ^ then ê
                self.chars[-1] = char
                self.draft.flag("composed")
                return
            joined = compose(MARKS[before], char)
            if joined is not None:
                if before in _NEVER_BY_ITSELF:
                    self.chars[-1] = joined
                    self.draft.flag("composed")
                    return
                self.draft.flag("text_unverified")  # ^ then e: two characters, or ê (^ then space: ^) on other layouts
        self.chars.append(char)

    def _on_dead(self, char: str) -> None:
        assert self.dead is not None
        mark, sign = self.dead
        self.dead = None
        if mark in unicodedata.normalize("NFD", char)[1:]:
            self.chars.append(char)
        elif (joined := compose(mark, char)) is not None:
            self.chars.append(joined)
            if ord(joined) >= _RARE_LETTERS:
                self.draft.flag("text_unverified")
        else:
            self.chars += [sign, char]
            self.draft.flag("text_unverified")
        self.draft.flag("composed")

    def backspace(self) -> bool:
        """Take back the run's last character; False if the run has none left: it deletes what was there before."""
        if self.dead is not None:
            self.dead = None
            return True
        if not self.chars:
            return False
        self.chars.pop()
        return True

    def unknown(self) -> None:
        """A key nobody can name was pressed within the run: nothing is typed for it."""
        self.draft.flag("unknown_key", "text_unverified")
        self.lost = True

    def finish(self) -> Draft | None:
        """The step; None if nothing is left of the text. Where only unknown keys are left, a step without actions:
        something was typed, and nothing is guessed for it."""
        if self.dead is not None:
            self.draft.flag("text_unverified")  # the sign never appeared in the recording
            self.dead = None
        text = "".join(self.chars)
        if any(0xD800 <= ord(char) < 0xE000 for char in text):
            text = "".join(char for char in text if not 0xD800 <= ord(char) < 0xE000)
            self.unknown()
        if not text and not self.lost:
            return None
        self.draft.actions = [Write(text)] if text else []
        return self.draft


def waits_for_letter(event: RawEvent, key: Key) -> tuple[str, str] | None:
    """The mark and the sign of a dead key, None for any other."""
    if key.dead is None and not event.dead:
        return None
    sign = key.char or ""
    return (key.dead or MARKS.get(sign, ""), sign)
