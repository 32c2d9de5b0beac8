"""The keyboard on X11, read from the server: PyAutoGUI's own table is right for the US layout only (and for `<` not
even there), and drops what it lacks.

Characters that the layout lacks are lent keys that the layout leaves free, as xdotool does, but all of them before the
first key is pressed and until after the last: programs read the new keymap in their own time, and a key whose meaning
changes between two presses is read wrongly by slow ones. Unlike the clipboard this works in terminals and leaves alone
what the record itself copies and pastes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from recorders.events.keysyms import UNICODE, text_of
from recorders.replay import x11_lent
from recorders.replay.keyboard import Stroke
from recorders.x11 import connect, root_of

LENT_MOST = 80
"""Keys lent at most; the usual layouts leave about as many free."""
READ_S = 1.5
"""How long programs are given to read a keymap that has changed, beside the countdown that comes after it. A browser
that has not read it yet drops characters; on a machine with six times more to do than it can, for up to 3 s."""
SETTLE_S = 0.3
"""The same before keys are taken back: what was typed last must have been read."""

_LOCK, _GROUP_SHIFT = 0x02, 13
# Columns of a core keymap by group: plain, shift, AltGr, shift and AltGr.
_COLUMNS = {0: (0, 1, 4, 5), 1: (2, 3, 6, 7)}
_HELD = ((), ("shift",), ("altright",), ("altright", "shift"))
_KEYSYMS = {  # names that PyAutoGUI's table lacks or has wrong
    "altright": (0xFE03, 0xFF7E, 0xFFEA), "enter": (0xFF0D,), "command": (0xFFEB,), "clear": (0xFF0B, 0xFF9D),
    "volumeup": (0x1008FF13,), "volumedown": (0x1008FF11,), "volumemute": (0x1008FF12,), "playpause": (0x1008FF14,),
    "prevtrack": (0x1008FF16,), "nexttrack": (0x1008FF17,), "apps": (0xFF67,), "space": (0x20,),
    "browserback": (0x1008FF26,), "browserforward": (0x1008FF27,), "browserrefresh": (0x1008FF29,),
}  # fmt: skip


class X11Keyboard:
    """See Keyboard."""

    def __init__(self, pyautogui: Any) -> None:
        self._names: dict[str, int | None] = pyautogui.platformModule.keyboardMapping
        self._connection = connect()
        self._lent: dict[int, list[int]] = {}  # key code -> what it was
        x11_lent.give_back(self._connection)
        self._read()

    def _read(self) -> None:
        setup = self._connection.get_setup()
        first, last = setup.min_keycode, setup.max_keycode
        reply = self._connection.core.GetKeyboardMapping(first, last - first + 1).reply()
        self._width, symbols = reply.keysyms_per_keycode, list(reply.keysyms)
        self._rows = {first + i: symbols[i * self._width : (i + 1) * self._width] for i in range(last - first + 1)}
        self._state = self._connection.core.QueryPointer(root_of(self._connection).root).reply().mask
        columns = _COLUMNS.get(self._state >> _GROUP_SHIFT & 3, _COLUMNS[0])
        self._strokes: dict[str, Stroke] = {}
        for column, held in zip(columns, _HELD, strict=True):
            if "altright" in held and self.key("altright") is None:
                continue
            for code, row in self._rows.items():
                character = text_of(row[column]) if column < len(row) else ""
                if character and not 0xFF80 <= row[column] < 0xFFBE:  # the keypad's depend on num lock
                    self._strokes.setdefault(character, Stroke(self._name(code), held))

    @property
    def trouble(self) -> str | None:
        """Caps lock turns letters round."""
        return "Caps lock is on: switch it off, text would come out in the wrong case." if self._state & _LOCK else None

    def character(self, character: str) -> Stroke | None:
        """The key of the layout with the fewest others held."""
        return self._strokes.get(character)

    def key(self, name: str) -> Stroke | None:
        """By keysym where PyAutoGUI's table does not serve, by the layout for characters, else by its table."""
        for keysym in _KEYSYMS.get(name, ()):
            for code, row in self._rows.items():
                if row and row[0] == keysym:
                    return Stroke(self._name(code))
        if len(name) == 1:
            return self.character(name)
        return Stroke(name) if self._names.get(name) else None

    def lend(self, characters: Iterable[str]) -> set[str]:
        """Free keys get the characters, in one go."""
        wanted = [c for c in dict.fromkeys(characters) if c not in self._strokes]
        lent = dict(zip(self._free(), wanted, strict=False))
        for code, character in lent.items():
            self._lent[code] = self._rows[code]
            self._strokes[character] = Stroke(self._name(code))
        if lent:
            x11_lent.note(self._connection, {code: _keysym(character) for code, character in lent.items()})
            # The same with shift, or programs make a capital of it.
            self._change({code: [_keysym(character)] * 2 for code, character in lent.items()})
            time.sleep(READ_S)
        return set(lent.values())

    def _free(self) -> list[int]:
        """Keys without a meaning, those in the longest rows first: every request that changes some makes all programs
        read all keys again."""
        rows: list[list[int]] = []
        for code, row in self._rows.items():
            if any(row):
                continue
            if rows and rows[-1][-1] == code - 1:
                rows[-1].append(code)
            else:
                rows.append([code])
        return [code for row in sorted(rows, key=len, reverse=True) for code in row][:LENT_MOST]

    def give_back(self) -> None:
        """Lent keys are free again."""
        if not self._lent:
            return
        time.sleep(SETTLE_S)
        self._change(self._lent)
        self._lent.clear()
        x11_lent.forget(self._connection)

    def _change(self, meanings: dict[int, list[int]]) -> None:
        """Give keys other symbols, all of the same number, neighbours in one request."""
        codes = sorted(meanings)
        while codes:
            count = next((i for i in range(1, len(codes)) if codes[i] != codes[0] + i), len(codes))
            symbols = [symbol for code in codes[:count] for symbol in meanings[code]]
            self._connection.core.ChangeKeyboardMapping(count, codes[0], len(meanings[codes[0]]), symbols)
            codes = codes[count:]
        self._connection.core.GetInputFocus().reply()

    def _name(self, code: int) -> str:
        """A name for a key code that PyAutoGUI's keyDown takes as it is, and holds no shift for."""
        name = f"key code {code}"
        self._names[name] = code
        return name


def _keysym(character: str) -> int:
    return ord(character) if ord(character) < 0x100 else UNICODE + ord(character)
