"""What a key means under the X server's keymap: name and text from key code, modifiers and group, as the program in
front is given it. Kept by ourselves so that it can change between two keys, in the order the server changed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from recorders.events.keysyms import KEYPAD, NO_SYMBOL, is_dead, name_of, text_of
from recorders.events.xkb_map import XkbMap, group_of

SHIFT, LOCK, CONTROL = 0x01, 0x02, 0x04
_GROUP_SHIFT, _GROUP_BITS = 13, 0x6000
_NUM_LOCK, _LEVEL3, _MODE_SWITCH = 0xFF7F, 0xFE03, 0xFF7E
_ALT, _COMMAND = {0xFFE7, 0xFFE8, 0xFFE9, 0xFFEA}, {0xFFEB, 0xFFEC}  # Meta and Alt, Super; left and right
# Core columns: group 1 levels 1 2, group 2 levels 1 2, group 1 levels 3 4, group 2 levels 3 4.
_COLUMN = {(0, 0): 0, (1, 0): 2, (0, 1): 4, (1, 1): 6}


@dataclass(frozen=True, slots=True)
class Meaning:
    """`name`: the key without modifiers. `text`: what a press types. `dead`: it waits for the next letter."""

    name: str
    text: str
    dead: bool


@dataclass
class Keymap:
    """The keymap and which modifier bits mean what; bits as X's `state` has them. Keys are looked up in `xkb` where it
    is known, except those that a program gave core symbols afterwards."""

    symbols: dict[int, list[int]] = field(default_factory=dict)
    num_lock: int = 0x10
    level3: int = 0x80
    alt: int = 0x08
    command: int = 0x40
    xkb: XkbMap | None = None

    def load(self, first: int, per_code: int, symbols: Sequence[int]) -> None:
        """Replace the core rows of the key codes from `first` on (of a GetKeyboardMapping reply or a
        ChangeKeyboardMapping request)."""
        for i in range(len(symbols) // per_code if per_code else 0):
            self.symbols[first + i] = list(symbols[i * per_code : (i + 1) * per_code])

    def load_modifiers(self, per_modifier: int, codes: Sequence[int]) -> None:
        """Find num lock, AltGr and the command modifiers in a GetModifierMapping reply (8 rows of key codes)."""
        self.num_lock = self.level3 = self.alt = self.command = 0
        for bit in range(8):
            held = {s for code in codes[bit * per_modifier : (bit + 1) * per_modifier] for s in self._row(code)}
            if _NUM_LOCK in held:
                self.num_lock |= 1 << bit
            if held & {_LEVEL3, _MODE_SWITCH}:
                self.level3 |= 1 << bit
            elif held & _ALT and bit > 2:
                self.alt |= 1 << bit
            elif held & _COMMAND and bit > 2:
                self.command |= 1 << bit

    def meaning(self, code: int, state: int) -> Meaning:
        """The key and what a press of it types under `state`."""
        symbol, consumed = self._symbol(code, state)
        plain = self._symbol(code, state & _GROUP_BITS)[0]
        symbol = symbol or plain
        dead = is_dead(symbol)
        commands = state & (CONTROL | self.alt | self.command)
        text = "" if dead or commands else text_of(symbol)
        if state & LOCK & ~consumed and text.isalpha():
            capital = text.upper() if self._in_xkb(code) else text.swapcase()
            text = capital if len(capital) == 1 else text
        if commands and not text_of(plain).isascii():
            plain = self._latin(code) or plain
        named = symbol if dead or symbol in KEYPAD else plain
        return Meaning(name_of(named), text, dead)

    def mask_of(self, modifier: str) -> int:
        """The state bits of `ctrl`, `shift`, `alt` or `cmd`."""
        return {"ctrl": CONTROL, "shift": SHIFT, "alt": self.alt, "cmd": self.command}[modifier]

    def codes_of(self, name: str) -> list[int]:
        """The keys of this name."""
        codes = {*self.symbols, *(self.xkb.keys if self.xkb else ())}
        return sorted(code for code in codes if self.meaning(code, 0).name == name)

    def _row(self, code: int) -> Sequence[int]:
        core = self.symbols.get(code, [])
        return core if core or self.xkb is None else self.xkb.symbols(code)

    def _in_xkb(self, code: int) -> bool:
        return self.xkb is not None and code not in self.symbols

    def _symbol(self, code: int, state: int) -> tuple[int, int]:
        """The keysym under a state, and the modifiers that chose it."""
        if self.xkb is not None and self._in_xkb(code):
            return self.xkb.symbol(code, state)
        first, second = self._levels(code, group_of(state), bool(state & self.level3))
        shift = bool(state & SHIFT)
        if second in KEYPAD and text_of(second):
            return (second if bool(state & self.num_lock) != shift else first), 0
        return (second if shift and second else first), 0

    def _latin(self, code: int) -> int:
        """The key's letter in a layout that has Latin ones: programs look there for what ctrl and alt do."""
        for group in range(4):
            symbol = self._symbol(code, group << _GROUP_SHIFT)[0]
            if text_of(symbol).isascii() and text_of(symbol).isalnum():
                return symbol
        return NO_SYMBOL

    def _levels(self, code: int, group: int, level3: bool) -> tuple[int, int]:
        """Keysyms without and with shift; a group the key lacks is its first, as the server wraps it."""
        row = self._row(code)
        column = _COLUMN.get((group, int(level3)), 0)
        pair = [*row[column : column + 2], NO_SYMBOL, NO_SYMBOL]
        if group and not any(pair[:2]):
            return self._levels(code, 0, level3)
        if level3 and not any(pair[:2]):
            return self._levels(code, group, False)
        first, second = pair[0], pair[1]
        if first and not second:  # one symbol: a letter's second level is its capital
            upper = text_of(first).upper()
            if len(upper) == 1 and upper != text_of(first):
                second = ord(upper) if ord(upper) < 0x100 else 0x01000000 + ord(upper)
        return first, second
