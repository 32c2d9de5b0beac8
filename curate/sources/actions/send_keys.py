"""Keys as Windows' automation tools write them (UFO, pywinauto): `{VK_CONTROL}c`, `^s`, `{ENTER}`, `{TAB 3}`,
`{VK_SHIFT down}`, and text as it stands."""

from __future__ import annotations

import re

from curate.model import actions as act
from curate.model.actions import Action, Modifier
from curate.model.keys import hotkey_order, key_name, modifier_of
from curate.sources.common.reading import UnreadableError

_TOKEN = re.compile(r"\{([^{}]+|[{}])\}|(.)", re.DOTALL)
_SIGNS: dict[str, Modifier] = {"^": "ctrl", "%": "alt", "+": "shift"}
_MOST = 1000  # presses of one key


def read_keys(text: str) -> list[Action]:
    """The actions of a text of keys. A modifier goes with the next key, and alone it is pressed. Raises
    UnreadableError."""
    found: list[Action] = []
    held: list[Modifier] = []
    typed = ""
    for token in _TOKEN.finditer(text):
        name, character = token[1], token[2]
        plain = character or (name if name is not None and len(name) == 1 else None)
        if plain is not None and not held and not (character and plain in _SIGNS):
            typed += plain
            continue
        found += [act.Write(typed)] if typed else []
        typed = ""
        if character is not None and character in _SIGNS:
            held.append(_SIGNS[character])
            continue
        key, times, way = _named(name) if plain is None and name is not None else (_key(plain or ""), 1, "")
        modifier = modifier_of(key)
        if way:
            found.append(act.KeyDown(key) if way == "down" else act.KeyUp(key))
        elif modifier is not None:
            held.append(modifier)
        else:
            found += [act.Hotkey(hotkey_order([*held, key]))] * times if held else [act.Press(key, times)]
            held.clear()
    found += [act.Write(typed)] if typed else []
    return found + [act.Press(key) for key in held]


def _named(token: str) -> tuple[str, int, str]:
    """Key, how often, and whether it goes down or up, of what stands between braces."""
    name, _, rest = token.partition(" ")
    rest = rest.strip().lower()
    if rest in ("down", "up"):
        return _key(name), 1, rest
    if rest and not (rest.isdecimal() and 1 <= int(rest) <= _MOST):
        raise UnreadableError("read.code", f"{{{token[:40]}}} is no key.")
    return _key(name), int(rest or 1), ""


def _key(name: str) -> str:
    key = key_name(name, "windows")
    if key is None:
        raise UnreadableError("read.code", f"{name[:40]!r} is no key.")
    return key
