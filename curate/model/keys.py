"""Names of keys. A record uses PyAutoGUI's; other recorders and datasets spell the same keys in other ways.

One key has one name here: where PyAutoGUI has several (`return`, `enter`), the first spelling of `_SAME` counts, and
left and right modifiers are one (`ctrlleft` is `ctrl`), except AltGr (`altright`), which makes characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from curate.model.actions import MODIFIER_ORDER, Modifier
from curate.model.trajectory import Platform

_PRINTABLE = "!\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
_NAMED = """
accept add alt altleft altright apps backspace browserback browserfavorites browserforward browserhome
browserrefresh browsersearch browserstop capslock clear command convert ctrl ctrlleft ctrlright decimal del delete
divide down end enter esc escape execute final fn hanguel hangul hanja help home insert junja kana kanji launchapp1
launchapp2 launchmail launchmediaselect left modechange multiply nexttrack nonconvert numlock option optionleft
optionright pagedown pageup pause pgdn pgup playpause prevtrack print printscreen prntscrn prtsc prtscr return right
scrolllock select separator shift shiftleft shiftright sleep space stop subtract tab up volumedown volumemute
volumeup win winleft winright yen
"""
_NUMBERED = tuple(f"f{n}" for n in range(1, 25)) + tuple(f"num{n}" for n in range(10))

PYAUTOGUI_KEYS: frozenset[str] = frozenset({*"\t\n\r ", *_PRINTABLE, *_NAMED.split(), *_NUMBERED})
"""Every name that PyAutoGUI 0.9.54 accepts (its KEY_NAMES)."""

_SAME: dict[str, str] = {
    "enter": "return \n \r kpenter numpadenter numenter",
    "tab": "\t isolefttab kptab",
    "space": "spacebar kpspace",
    "esc": "escape",
    "backspace": "bksp bkspc",
    "delete": "del kpdelete forwarddelete",
    "insert": "ins kpinsert",
    "pageup": "pgup prior kpprior kppageup",
    "pagedown": "pgdn next kpnext kppagedown",
    "home": "kphome",
    "end": "kpend",
    "up": "arrowup uparrow kpup",
    "down": "arrowdown downarrow kpdown",
    "left": "arrowleft leftarrow kpleft",
    "right": "arrowright rightarrow kpright",
    "printscreen": "prntscrn prtsc prtscr sysreq",
    "capslock": "caps",
    "numlock": "numlk",
    "ctrl": "control ctrlleft ctrlright ctrll ctrlr controll controlr lcontrol rcontrol controlleft controlright",
    "alt": "altleft altl altr lmenu rmenu option optionleft optionright optionl optionr",
    "altright": "altgr isolevel3shift altgraph",
    "shift": "shiftleft shiftright shiftl shiftr lshift rshift",
    "win": "winleft winright winl winr lwin rwin windows super superl superr metaleft metaright",
    "command": "commandleft commandright commandl commandr",
    "apps": "menu contextmenu",
    "hangul": "hanguel",
    "fn": "function",
    "clear": "kpbegin",
    "volumeup": "mediavolumeup audiovolumeup audioraisevolume xf86audioraisevolume",
    "volumedown": "mediavolumedown audiovolumedown audiolowervolume xf86audiolowervolume",
    "volumemute": "mediavolumemute audiovolumemute audiomute xf86audiomute",
    "playpause": "mediaplaypause xf86audioplay",
    "nexttrack": "medianext medianexttrack mediatracknext xf86audionext",
    "prevtrack": "mediaprevious mediaprevtrack mediatrackprevious xf86audioprev",
    "stop": "mediastop xf86audiostop",
    "add": "kpadd numpadadd",
    "subtract": "kpsubtract numpadsubtract",
    "multiply": "kpmultiply numpadmultiply",
    "divide": "kpdivide numpaddivide",
    "decimal": "kpdecimal numpaddecimal",
    "separator": "kpseparator",
}
_CHARACTER_WORDS: dict[str, str] = {  # keysym names, and the words some datasets use
    "exclam": "!", "quotedbl": '"', "numbersign": "#", "dollar": "$", "percent": "%", "ampersand": "&",
    "apostrophe": "'", "parenleft": "(", "parenright": ")", "asterisk": "*", "plus": "+", "comma": ",",
    "minus": "-", "period": ".", "slash": "/", "colon": ":", "semicolon": ";", "less": "<", "equal": "=",
    "greater": ">", "question": "?", "at": "@", "bracketleft": "[", "backslash": "\\", "bracketright": "]",
    "asciicircum": "^", "underscore": "_", "grave": "`", "braceleft": "{", "bar": "|", "braceright": "}",
    "asciitilde": "~", "hyphen": "-", "dot": ".",
}  # fmt: skip
_VK: dict[str, str] = {  # Windows' virtual key names that mean another key than the bare word does
    "menu": "alt", "capital": "capslock", "back": "backspace", "snapshot": "printscreen", "scroll": "scrolllock",
    "oem1": ";", "oemplus": "=", "oemcomma": ",", "oemminus": "-",
    "oemperiod": ".", "oem2": "/", "oem3": "`", "oem4": "[", "oem5": "\\", "oem6": "]", "oem7": "'",
}  # fmt: skip

_ALIASES: dict[str, str] = {other: name for name, others in _SAME.items() for other in others.split(" ") if other}
_ALIASES |= _CHARACTER_WORDS
_ALIASES |= {f"kp{n}": f"num{n}" for n in range(10)} | {f"numpad{n}": f"num{n}" for n in range(10)}
_MAC_COMMAND = ("cmd", "cmdl", "cmdr", "meta", "metal", "metar")
_ORDER: dict[str, int] = {"ctrl": 0, "alt": 1, "altright": 2, "shift": 3, "win": 4, "command": 5, "fn": 6}


def key_name(spelling: str, platform: Platform | None = None) -> str | None:
    """The one PyAutoGUI name of a key, however it is spelled: `ctrl_l`, `Key.page_down`, `VK_CONTROL`, `ArrowUp`,
    `F` (the key, without shift). None for what is no key.

    `cmd` and `meta` are the command key of a Mac and the Windows key elsewhere; without `platform` `cmd` is read as
    `command` and `meta` as `win`. A printable character outside ASCII is the key that types it; PyAutoGUI can press
    it only where the keyboard layout has it.
    """
    if len(spelling) == 1:
        return _character_key(spelling)
    word = re.sub(r"[\s_\-]+", "", spelling.strip().removeprefix("Key.")).lower()
    if word.startswith("vk") and word not in PYAUTOGUI_KEYS:
        word = word.removeprefix("vk")
        word = _VK.get(word, word)
    if len(word) == 1:
        return _character_key(word)
    if word in _MAC_COMMAND:
        mac = platform in ("macos", "ios") or (platform is None and word.startswith("cmd"))
        return "command" if mac else "win"
    if word in _ALIASES:
        return _ALIASES[word]
    return word if word in PYAUTOGUI_KEYS else None


def _character_key(character: str) -> str | None:
    if character == " ":
        return "space"
    if character in _ALIASES:
        return _ALIASES[character]
    if not character.isprintable() or character.isspace():
        return None
    small = character.lower()
    return small if len(small) == 1 else character


def modifier_of(key: str) -> Modifier | None:
    """The modifier that a canonical key name is, None for every other key (AltGr too: it makes characters)."""
    for modifier in MODIFIER_ORDER:
        if key == modifier:
            return modifier
    return None


def modifier_order(modifiers: Iterable[Modifier]) -> tuple[Modifier, ...]:
    """Each modifier once, in the order ctrl, alt, shift, win, command."""
    held = set(modifiers)
    return tuple(modifier for modifier in MODIFIER_ORDER if modifier in held)


def hotkey_order(keys: Iterable[str]) -> tuple[str, ...]:
    """Canonical key names in the order of a hotkey: modifiers (each once), then the other keys as they came."""
    once = tuple(dict.fromkeys(keys))
    return tuple(sorted(once, key=lambda key: _ORDER.get(key, len(_ORDER))))


def split_keys(text: str, platform: Platform | None = None) -> list[str] | None:
    """The keys in a text such as `ctrl+s`, `ctrl c`, `ctrl-shift-t` or `{VK_CONTROL}c`; None unless all are keys."""
    whole = key_name(text, platform)
    if whole is not None:
        return [whole]
    braced = re.findall(r"\{([^{}]+)\}|([^{}\s])", text) if "{" in text else []
    if braced:
        parts = [name or character for name, character in braced]
    else:
        parts = _split_on(text.strip(), "+") or _split_on(text.strip(), "-") or text.split()
    names = [key_name(part.strip(), platform) for part in parts]
    return [name for name in names if name is not None] if parts and None not in names else None


def _split_on(text: str, separator: str) -> list[str] | None:
    """Parts between separators; the separator itself may be the last key (`ctrl++`)."""
    if separator not in text[1:]:
        return None
    if text.endswith(separator * 2):
        return [*text[:-2].split(separator), separator]
    return text.split(separator)
