"""What keys mean that pynput reports on Windows and macOS: plain logic over the values its listeners give.

Origin of the constants, pynput 1.8.2: `keyboard/_win32.py` and `keyboard/_darwin.py` (names and codes of `Key`),
`_util/win32.py` (KeyTranslator finds characters by scan code, without caps lock and num lock, in the layout of pynput's
own thread), `_util/darwin_vks.py` (US places of a Mac's codes). Windows' own virtual-key codes: 0x30-0x39 and 0x41-0x5A
are digits and letters, 0x60-0x6F the keypad (its digits share scan codes with the arrows, so pynput finds no
character)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

COMMANDS = {"ctrl", "cmd", "alt", "alt_gr"}  # alt_gr: Windows' right alt is that in pynput, on every layout
_FAMILY = {"ctrl_l": "ctrl", "ctrl_r": "ctrl", "cmd_l": "cmd", "cmd_r": "cmd", "alt_l": "alt", "alt_r": "alt"}
_MODIFIERS = COMMANDS | {"shift", "shift_l", "shift_r", *_FAMILY}
_WINDOWS_KEYPAD = {0x60 + digit: (f"num{digit}", str(digit)) for digit in range(10)} | {
    0x6A: ("multiply", "*"), 0x6B: ("add", "+"), 0x6D: ("subtract", "-"), 0x6E: ("decimal", ""), 0x6F: ("divide", "/"),
}  # fmt: skip  # what decimal types depends on the region
_MAC_KEYPAD = {65: "decimal", 67: "multiply", 69: "add", 75: "divide", 76: "enter", 78: "subtract"}
_MAC_KEYPAD |= {82 + digit + (digit > 7): f"num{digit}" for digit in range(10)}
_MAC_PLACES = dict(zip(
    (0, 11, 8, 2, 14, 3, 5, 4, 34, 38, 40, 37, 46, 45, 31, 35, 12, 15, 1, 17, 32, 9, 13, 7, 16, 6,
     29, 18, 19, 20, 21, 23, 22, 26, 28, 25), "abcdefghijklmnopqrstuvwxyz0123456789", strict=True,
))  # fmt: skip
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_FUNCTION_KEYS = range(0xF700, 0xF900)  # characters by which macOS names keys that type nothing

System = Literal["windows", "macos"]


@dataclass(frozen=True, slots=True)
class Reported:
    """One call of a keyboard listener: `special` is the name of pynput's `Key`, else `char` and `vk` are a KeyCode's.
    All None: pynput could not tell the key. `layout_known`: its characters are those of the layout in front."""

    pressed: bool
    special: str | None = None
    char: str | None = None
    vk: int | None = None
    dead: bool = False
    layout_known: bool = True


@dataclass(frozen=True, slots=True)
class Meant:
    """What a row says of it (KeyRow)."""

    key: str
    code: int | None
    pressed: bool
    text: str | None
    dead: bool
    repeat: bool


class KeyReader:
    """Reads reports in their order; `caps`: whether caps lock is on as it begins (Windows' characters are without)."""

    def __init__(self, system: System, caps: bool = False) -> None:
        self._system, self._caps = system, caps
        self._down: dict[int | str, str] = {}
        self._learnt: dict[int, str] = {}
        self._half = ""

    def read(self, key: Reported) -> Meant:
        """One key going down or up. A release has the name of its press."""
        char = self._whole(key)
        name = self._name(key, char)
        code = key.vk or None  # 0 is what Windows says of keys that it cannot name
        which = code if code is not None else name
        pressed = key.pressed
        if self._system == "macos" and pressed and which in self._down and name in _MODIFIERS:
            pressed = False  # a Mac tells of a change of flags; with both shifts down the second's release says shift
        repeat = pressed and which in self._down
        name = self._down.get(which, name) if not pressed else name
        if pressed:
            self._down[which] = name
            self._caps ^= name == "caps_lock" and not repeat
        else:
            self._down.pop(which, None)
        dead = key.dead and not self._commands()
        return Meant(name, code, pressed, self._text(key, char, name) if pressed else None, dead, repeat)

    def _commands(self) -> set[str]:
        return {_FAMILY.get(name, name) for name in self._down.values()} & COMMANDS

    def _whole(self, key: Reported) -> str | None:
        """The character; Windows injects those beyond U+FFFF in halves, of which the second stands for both."""
        char = key.char
        if char is None or len(char) != 1 or not (ord(char) in _HIGH or ord(char) in _LOW):
            return char
        if ord(char) in _HIGH:
            self._half = char
            return None
        whole = (self._half + char).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return whole if self._half else None

    def _name(self, key: Reported, char: str | None) -> str:
        """The key without modifiers: by its code where codes name keys, by what it was called without modifiers
        before, by its place on a US keyboard, by its character."""
        if key.special is not None:
            return key.special
        by_code = name_by_code(self._system, key.vk)
        if by_code is not None:
            return by_code
        plain = char is not None and len(char) == 1 and char.isprintable()
        if plain and char is not None and key.vk and not self._shifting():
            self._learnt[key.vk] = char.lower()
        learnt = self._learnt.get(key.vk or -1)
        if learnt is not None:
            return learnt
        if self._system == "macos" and (self._commands() or not plain) and key.vk in _MAC_PLACES:
            return _MAC_PLACES[key.vk]
        if plain and char is not None:
            return char.lower()
        return letter_of_control(char) or "unknown"

    def _shifting(self) -> bool:
        return bool(set(self._down.values()) & (_MODIFIERS - {"cmd", "cmd_l", "cmd_r"}))

    def _text(self, key: Reported, char: str | None, name: str) -> str | None:
        """What the press types: '' nothing, None not known."""
        if key.special is not None:
            return " " if key.special == "space" and not self._commands() else ""
        if key.dead or not types(self._system, self._commands()):
            return ""
        if not key.layout_known:
            return None
        if self._system == "windows" and key.vk in _WINDOWS_KEYPAD:
            return _WINDOWS_KEYPAD[key.vk][1] or None
        if char is None:
            return "" if self._system == "windows" else None
        if any(ord(c) < 0x20 or ord(c) == 0x7F or ord(c) in _FUNCTION_KEYS for c in char):
            return ""
        if self._system == "windows" and self._caps and len(char.swapcase()) == 1:
            return char.swapcase()
        return char


def types(system: System, commands: set[str]) -> bool:
    """Whether keys type under these held modifiers: not with a command, but AltGr (on Windows ctrl and right alt
    together; ctrl and alt stand for it) and a Mac's option choose other characters."""
    if system == "macos":
        return commands <= {"alt", "alt_gr"}
    return not commands or ("ctrl" in commands and bool(commands & {"alt", "alt_gr"}) and "cmd" not in commands)


def name_by_code(system: System, code: int | None) -> str | None:
    """The key's name where its code says it in every layout: Windows' letters, digits and keypad, a Mac's keypad."""
    if code is None:
        return None
    if system == "macos":
        return _MAC_KEYPAD.get(code)
    if code in _WINDOWS_KEYPAD:
        return _WINDOWS_KEYPAD[code][0]
    return chr(code).lower() if 0x30 <= code <= 0x39 or 0x41 <= code <= 0x5A else None


def letter_of_control(char: str | None) -> str | None:
    """The letter that a control character comes of (ctrl+a is U+0001)."""
    return chr(ord(char) + 96) if char is not None and len(char) == 1 and 1 <= ord(char) <= 26 else None
