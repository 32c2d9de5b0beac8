"""X11 keysyms: what each stands for as text, and its name in pynput's words (the names AgentNetTool's and DuckTrack's
rows use, so that one reducer reads all). Pure tables; the test compares them with X11's own keysymdef.h."""

from __future__ import annotations

NO_SYMBOL = 0
UNICODE = 0x01000000  # keysyms from here on are code points
DEAD = range(0xFE50, 0xFEA0)

# Keysyms 0xNNxx that follow an 8-bit character set: the set of each NN.
_CODECS = {
    0x00: "latin1", 0x01: "iso8859_2", 0x02: "iso8859_3", 0x03: "iso8859_4", 0x05: "iso8859_6", 0x06: "koi8_r",
    0x07: "iso8859_7", 0x0C: "iso8859_8", 0x0D: "iso8859_11",
}  # fmt: skip
# Runs of keysyms that follow none, by their first; a zero byte where there is no keysym or no character.
_RUNS = {
    0x4A1: (
        "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテト"
        "ナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜"
    ),
    0x6A1: "ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏ",
    0x7A1: "ΆΈΉΊΪ\0ΌΎΫ\0Ώ\0\0΅―\0άέήίϊΐόύϋΰώ",
    0x7F2: "σς",
    0x8BC: (
        "≤≠≥∫∴∝∞\0\0∇\0\0∼≃\0\0\0⇔⇒≡\0\0\0\0\0\0√\0\0\0⊂⊃∩∪∧∨\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0∂\0\0\0\0\0\0ƒ\0\0\0\0←↑→↓"
    ),
    0xAA1: (
        "\u2003\u2002\u2004\u2005\u2007\u2008\u2009\u200a—–\0␣\0…‥⅓⅔⅕⅖⅗⅘⅙⅚℅\0\0‒〈.〉\0\0\0\0⅛⅜⅝⅞\0\0™☓\0◁▷○▯‘’“”℞‰′″"
    ),
    0xEA1: ("ㄱㄲㄳㄴㄵㄶㄷㄸㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅃㅄㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"),
    0x13BC: "ŒœŸ",
    0x47E: "‾",
    0x7D2: "Σ",
    0x20AC: "€",
}
_RUN_CHARACTERS = {first + i: char for first, run in _RUNS.items() for i, char in enumerate(run) if char != "\0"}
_KEYPAD = {0xFF80: " ", 0xFFAA: "*", 0xFFAB: "+", 0xFFAC: ",", 0xFFAD: "-", 0xFFAE: ".", 0xFFAF: "/", 0xFFBD: "="}
_KEYPAD |= {0xFFB0 + digit: str(digit) for digit in range(10)}
KEYPAD = range(0xFF80, 0xFFBE)

_NAMES = {
    0xFF08: "backspace", 0xFF09: "tab", 0xFE20: "tab", 0xFF0D: "enter", 0xFF13: "pause", 0xFF14: "scroll_lock",
    0xFF1B: "esc", 0xFFFF: "delete", 0xFF50: "home", 0xFF51: "left", 0xFF52: "up", 0xFF53: "right", 0xFF54: "down",
    0xFF55: "page_up", 0xFF56: "page_down", 0xFF57: "end", 0xFF61: "print_screen", 0xFF63: "insert", 0xFF67: "menu",
    0xFF7F: "num_lock", 0xFFE5: "caps_lock", 0x0020: "space",
    0xFFE1: "shift", 0xFFE2: "shift_r", 0xFFE3: "ctrl_l", 0xFFE4: "ctrl_r", 0xFFE7: "alt_l", 0xFFE8: "alt_r",
    0xFFE9: "alt_l", 0xFFEA: "alt_r", 0xFFEB: "cmd", 0xFFEC: "cmd_r", 0xFE03: "alt_gr", 0xFF7E: "alt_gr",
    # keypad: PyAutoGUI's words for what types, the plain ones for what moves
    0xFF8D: "enter", 0xFF89: "tab", 0xFF95: "home", 0xFF96: "left", 0xFF97: "up", 0xFF98: "right", 0xFF99: "down",
    0xFF9A: "page_up", 0xFF9B: "page_down", 0xFF9C: "end", 0xFF9E: "insert", 0xFF9F: "delete",
    0xFFAA: "multiply", 0xFFAB: "add", 0xFFAC: "separator", 0xFFAD: "subtract", 0xFFAE: "decimal", 0xFFAF: "divide",
    0x1008FF11: "media_volume_down", 0x1008FF12: "media_volume_mute", 0x1008FF13: "media_volume_up",
    0x1008FF14: "media_play_pause", 0x1008FF16: "media_previous", 0x1008FF17: "media_next",
}  # fmt: skip
_NAMES[0xFE53] = "dead_tilde"  # X11 lists its Greek name, perispomeni, first
_NAMES |= {0xFFBE + n: f"f{n + 1}" for n in range(24)}
_NAMES |= {0xFFB0 + digit: f"num{digit}" for digit in range(10)}


def text_of(keysym: int) -> str:
    """The character a keysym types, '' for one that types none."""
    if keysym >= UNICODE:
        point = keysym - UNICODE
        return chr(point) if 0x20 <= point <= 0x10FFFF and not 0xD800 <= point < 0xE000 and point != 0x7F else ""
    found = _KEYPAD.get(keysym) or _RUN_CHARACTERS.get(keysym)
    if found:
        return found
    codec, low = _CODECS.get(keysym >> 8), keysym & 0xFF
    if codec is None or low < 0x20 or 0x7F <= low < 0xA0:
        return ""
    return bytes([low]).decode(codec, errors="ignore")


def is_dead(keysym: int) -> bool:
    """Whether a keysym waits for a letter to sit on."""
    return keysym in DEAD


def name_of(keysym: int) -> str:
    """The key's name: a character, pynput's word, X11's own in lower case (`dead_acute`, `multi_key`), or `unknown`."""
    if keysym in _NAMES:
        return _NAMES[keysym]
    return text_of(keysym) or _x_names().get(keysym, "unknown")


def _x_names() -> dict[int, str]:
    global _x_names_cache
    if _x_names_cache is None:
        from xcffib import keysymdef

        pairs = [(name[3:].lower(), value) for name, value in vars(keysymdef).items() if name.startswith("XK_")]
        _x_names_cache = {value: name for name, value in reversed(pairs)}
    return _x_names_cache


_x_names_cache: dict[int, str] | None = None
