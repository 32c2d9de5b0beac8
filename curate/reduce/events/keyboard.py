"""What a key event means: its name, the character it types, and which press a release belongs to."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from curate.model.constants import AUTO_REPEAT_GAP_S, FAKE_RELEASE_S, KEYS_DOWN_MAX
from curate.model.events import RawEvent
from curate.model.keys import key_name
from curate.model.trajectory import Platform
from curate.reduce.events import mac_keys
from curate.reduce.events.ledger import Draft

Family = Literal["ctrl", "alt", "altgr", "shift", "win", "command"]
_FAMILIES: dict[str, Family] = {
    "ctrl": "ctrl", "alt": "alt", "altright": "altgr", "shift": "shift", "win": "win", "command": "command",
}  # fmt: skip

SILENT = frozenset({"capslock", "numlock", "fn", "kana", "hangul"})
"""Keys that only change what other keys do: they are in no step by themselves."""
_SILENT_NAMES = ("iso_next_group", "iso_prev_group", "iso_level5_shift", "eisu_toggle")

_DEAD_NAMES = {  # X11's names, and the mark each puts on the next letter
    "grave": "\u0300", "acute": "\u0301", "circumflex": "\u0302", "tilde": "\u0303", "macron": "\u0304",
    "breve": "\u0306", "abovedot": "\u0307", "diaeresis": "\u0308", "abovering": "\u030a", "doubleacute": "\u030b",
    "caron": "\u030c", "cedilla": "\u0327", "ogonek": "\u0328",
}  # fmt: skip
MARKS = {  # spacing characters that a dead key shows, and their marks
    "`": "\u0300", "´": "\u0301", "^": "\u0302", "~": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "°": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
_SPACING = {mark: char for char, mark in reversed(MARKS.items())}
# Vietnamese keys, and the Greek name that X11 lists first for the tilde.
_MORE_DEAD_NAMES = {"belowdot": "\u0323", "hook": "\u0309", "horn": "\u031b", "perispomeni": "\u0303"}
_DEAD_KEYSYMS = dict(zip(range(0xFE50, 0xFE5D), _DEAD_NAMES.values(), strict=True))

# X11 keysyms that pynput has no name for, as AgentNetTool writes their numbers: $Unknown (65457)$.
_KEYSYMS = {
    0xFE20: "tab", 0xFFE7: "alt_l", 0xFFE8: "alt_r", 0xFE03: "alt_gr", 0xFE11: "alt_gr", 0xFF7E: "alt_gr",
    0xFE08: "iso_next_group", 0xFE0A: "iso_prev_group", 0xFF20: "multi_key",
    0xFF8D: "enter", 0xFF89: "tab", 0xFF95: "home", 0xFF96: "left", 0xFF97: "up", 0xFF98: "right", 0xFF99: "down",
    0xFF9A: "page_up", 0xFF9B: "page_down", 0xFF9C: "end", 0xFF9D: "clear", 0xFF9E: "insert", 0xFF9F: "delete",
    0xFFAA: "multiply", 0xFFAB: "add", 0xFFAC: "separator", 0xFFAD: "subtract", 0xFFAE: "decimal", 0xFFAF: "divide",
    0xFFBD: "=", 0xFF80: " ",
}  # fmt: skip
_KEYSYMS |= {0xFFB0 + digit: f"num{digit}" for digit in range(10)}
# Windows' virtual keys for which pynput has no character; a keypad digit is one only with num lock on.
_VIRTUAL_KEYS = {
    0x0C: "clear", 0x6A: "multiply", 0x6B: "add", 0x6C: "separator", 0x6D: "subtract", 0x6E: "decimal",
    0x6F: "divide", 0xBB: "oem_plus", 0xBC: "oem_comma", 0xBD: "oem_minus", 0xBE: "oem_period", 0x5D: "apps",
}  # fmt: skip
_VIRTUAL_KEYS |= {0x60 + digit: f"num{digit}" for digit in range(10)}
_IME = (0xE5, 0xE7)  # VK_PROCESSKEY, VK_PACKET
_KEYPAD_TEXT = {"multiply": "*", "add": "+", "subtract": "-", "divide": "/", "decimal": ".", "separator": ","}
_KEYPAD_TEXT |= {f"num{digit}": str(digit) for digit in range(10)}
_OEM = {"oem_plus": "=", "oem_comma": ",", "oem_minus": "-", "oem_period": "."}
_CONTROL_KEYS = {"\r": "enter", "\n": "enter", "\t": "tab", "\x08": "backspace", "\x1b": "esc", "\x7f": "backspace"}
_CONTROL_SIGNS = {0: "space", 27: "[", 28: "\\", 29: "]", 30: "^", 31: "-"}
_NUMBER = re.compile(r"(?:\$Unknown \((\d+)\)\$|<(\d+)>)")


@dataclass(frozen=True)
class Key:
    """A key as its event names it. `name`: PyAutoGUI's (None: not known). `char`: what it types by itself, as the
    recorder says. `family`: of a modifier. `control`: the letter of a control character. `keypad`: a keypad key that
    types. `dead`: the combining mark of a dead key. `only_key`: names a key (as in a shortcut), not what it types.
    `numbered`: known by a number that only the typing key has (num lock on).
    `ime`: went to an input method, which typed what nobody recorded."""

    name: str | None
    char: str | None = None
    family: Family | None = None
    control: str | None = None
    keypad: bool = False
    dead: str | None = None
    only_key: bool = False
    numbered: bool = False
    ime: bool = False

    @property
    def group(self) -> bool:
        """Shift and alt together, as X11 calls them."""
        return self.name in ("iso_next_group", "iso_prev_group")

    @property
    def silent(self) -> bool:
        """Whether the key only changes what others do."""
        return self.name in SILENT or (self.name is not None and self.name.startswith("iso_"))


def read_key(event: RawEvent, platform: Platform | None = None) -> Key:
    """What the key of an event is, however its recorder spells it."""
    raw = event.key if event.key is not None else (event.text or "")
    raw = raw if len(raw) == 1 else raw.strip().removeprefix("Key.")
    number = _NUMBER.fullmatch(raw)
    if number:
        return _numbered(int(number[1] or number[2]), platform)
    if raw.lower().startswith("dead_") or (len(raw) == 1 and unicodedata.combining(raw)):
        name = raw.lower().removeprefix("dead_")
        return _dead(_DEAD_NAMES.get(name) or _MORE_DEAD_NAMES.get(name, raw))
    if event.dead and len(raw) == 1:
        return _dead(MARKS.get(raw, raw))
    if len(raw) == 1:
        return _single(raw)
    return _named(raw, platform)


def _dead(mark: str) -> Key:
    return Key(name=_SPACING.get(mark, mark if len(mark) == 1 else None), char=_SPACING.get(mark), dead=mark)


def _single(char: str) -> Key:
    code = ord(char)
    if char == " ":
        return Key("space", " ")
    if code < 32 or code == 127:
        letter = chr(code + 96) if 1 <= code <= 26 else _CONTROL_SIGNS.get(code)
        return Key(_CONTROL_KEYS.get(char) or letter, None, control=letter)
    if 0xD800 <= code < 0xE000:  # half of a character: an emoji comes as two
        return Key(None, char)
    return Key(key_name(char), char) if char.isprintable() else Key(None)


def _named(raw: str, platform: Platform | None) -> Key:
    low = raw.lower().replace(" ", "_")
    if low in _SILENT_NAMES or low == "multi_key":
        return Key("iso_" + low if not low.startswith("iso_") else low)
    name = key_name(raw, platform or "windows")
    if name is None:
        return Key(None, raw if _is_one_character(raw) else None)
    if name in _FAMILIES:
        return Key(name, family=_FAMILIES[name])
    if name == "space":
        return Key("space", " ")
    if name in _KEYPAD_TEXT:
        return Key(name, _KEYPAD_TEXT[name], keypad=True)
    return Key(name, name if len(name) == 1 else None)


def _is_one_character(raw: str) -> bool:
    """Several code points that are seen as one: an emoji with its selectors and joiners, a letter with its marks."""
    joined = unicodedata.normalize("NFC", raw)
    return len(joined) == 1 or (
        bool(joined) and all(unicodedata.category(char) in ("So", "Sk", "Mn", "Me", "Cf") for char in joined)
    )


def _numbered(number: int, platform: Platform | None) -> Key:
    """A key of which only the number is known: an X11 keysym, or a virtual key of Windows or macOS."""
    if number >= 0x01000000:
        point = number - 0x01000000
        return _single(chr(point)) if 32 < point <= 0x10FFFF else Key(None)
    if number in _DEAD_KEYSYMS:
        return _dead(_DEAD_KEYSYMS[number])
    if number >= 0xFE00:
        name = _KEYSYMS.get(number)
        if name is None:
            return Key(None)
        return replace(_single(name) if len(name) == 1 else _named(name, platform), numbered=True)
    if number in _IME and platform != "macos":
        return Key(None, ime=True)
    name = mac_keys.KEYPAD.get(number) if platform == "macos" else _VIRTUAL_KEYS.get(number)
    if platform == "macos" and name is None and number in mac_keys.LETTERS:
        return Key(mac_keys.LETTERS[number], only_key=True)
    if name in _OEM:
        return Key(_OEM[name], only_key=True)
    return Key(None) if name is None else replace(_named(name, platform), numbered=True)


def on_a_mac(key: Key, held: frozenset[Family]) -> Key:
    """What a key is on a Mac with the modifiers held, where it is another elsewhere: the keypad's Enter, and option's
    dead keys."""
    if key.control == mac_keys.KEYPAD_ENTER and "ctrl" not in held:
        return Key("enter")
    if key.only_key and key.name in mac_keys.OPTION_DEAD and held - {"shift"} == {"alt"}:
        mark, sign = mac_keys.OPTION_DEAD[key.name]
        return Key(key.name, sign, dead=mark)
    return key


def letter_by_code(code: int | None, platform: Platform | None) -> str | None:
    """The Latin letter of a physical key, where its system's codes tell: Windows' virtual keys, macOS' key codes."""
    if code is None:
        return None
    if platform == "windows" and 0x41 <= code <= 0x5A:
        return chr(code).lower()
    return mac_keys.LETTERS.get(code) if platform == "macos" else None


@dataclass(eq=False)
class Pressed:
    """A key that is down: `code`, `name` identify it, `time` is that of its press or last repeat, `draft` the step
    that its release belongs to (None: the event is in no step, for `reason`)."""

    code: int | None
    name: str
    time: float
    shift: bool
    draft: Draft | None = None
    reason: str = "reduce.late_release"


class KeysDown:
    """Which keys are down. A release belongs to the press of the same physical key (`code`), else of the same name
    whatever its case: shift may be up before its letter is (pynput#139)."""

    def __init__(self) -> None:
        self._down: list[Pressed] = []
        self._last: Pressed | None = None
        self._released: tuple[str, int | None, float] | None = None

    def find(self, event: RawEvent, key: Key) -> Pressed | None:
        """The press that the event's key belongs to."""
        name = identity(event, key)
        if event.code is not None:
            for pressed in self._down:
                if pressed.code == event.code:
                    return pressed
        for pressed in self._down:
            if pressed.name == name and (pressed.code is None or event.code is None):
                return pressed
        return None

    def is_repeat(self, event: RawEvent, key: Key) -> bool:
        """Whether a press is the keyboard's own repeat: nothing else was pressed since, and not long ago."""
        if event.repeat is not None:
            return event.repeat
        pressed = self.find(event, key)
        if pressed is not None:
            return pressed is self._last and event.time - pressed.time <= AUTO_REPEAT_GAP_S
        if self._released is None or self._last is None:
            return False
        name, code, time = self._released
        same = code == event.code if code is not None and event.code is not None else name == identity(event, key)
        return same and 0 <= event.time - time <= FAKE_RELEASE_S and self._last.name == name

    def press(
        self, event: RawEvent, key: Key, shift: bool, draft: Draft | None, reason: str = "reduce.late_release"
    ) -> Pressed:
        """The key goes down (again)."""
        pressed = self.find(event, key)
        if pressed is None:
            pressed = Pressed(event.code, identity(event, key), event.time, shift)
            self._down.append(pressed)
            if len(self._down) > KEYS_DOWN_MAX:
                self._forget(self._down.pop(0))
        elif pressed.draft is not None and pressed.draft.real() is not draft:
            pressed.draft.real().waiting.discard(pressed)
        pressed.time, pressed.shift, pressed.draft, pressed.reason = event.time, shift, draft, reason
        if draft is not None:
            draft.waiting.add(pressed)
        self._last = pressed
        return pressed

    def release(self, event: RawEvent, key: Key, shift: bool) -> Pressed | None:
        """The press that a release ends; None for a release without its press."""
        pressed = self.find(event, key) or self._other_level(event, key, shift)
        if pressed is not None:
            self._down.remove(pressed)
            self._released = (identity(event, key), event.code, event.time)
            if pressed.draft is not None:
                pressed.draft = pressed.draft.real()
                pressed.draft.waiting.discard(pressed)
        return pressed

    def other_key_pressed(self) -> None:
        """A modifier was pressed: whatever is down repeats no more."""
        self._last = None

    def clear(self) -> None:
        """Nothing is known to be down any more."""
        for pressed in self._down:
            self._forget(pressed)
        self._down, self._last, self._released = [], None, None

    @staticmethod
    def _forget(pressed: Pressed) -> None:
        if pressed.draft is not None:
            pressed.draft.real().waiting.discard(pressed)

    def _other_level(self, event: RawEvent, key: Key, shift: bool) -> Pressed | None:
        """`!` goes down, shift goes up, `1` goes up: the one key that is down since before shift changed."""
        if event.code is not None or key.char is None:
            return None
        changed = [p for p in self._down if p.code is None and len(p.name) == 1 and p.shift != shift]
        return changed[0] if len(changed) == 1 else None


def identity(event: RawEvent, key: Key) -> str:
    """The name by which press and release of one key are known to each other."""
    return (key.control or key.char or key.name or event.key or "").lower()
