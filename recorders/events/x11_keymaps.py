"""The keymaps of an X server's keyboards, loaded and kept up to date from the requests that change them. Each keyboard
has its own (the injecting one too): the server swaps its current one when another keyboard is used."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

from recorders.events.keymap import Keymap
from recorders.events.xkb_map import XkbMap, read_map

CHANGE_KEYBOARD_MAPPING, SET_MODIFIER_MAPPING = 100, 118
XKB_SET_MAP, XKB_GET_KBD_BY_NAME = 9, 23  # what setxkbmap and keyboard settings send
_USE_CORE_KEYBOARD = 0x100
_TYPES_AND_SYMBOLS = 0b11


class Keymaps:
    """`of(source)`: the keymap of a keyboard. `xkb`: the extension's request number."""

    def __init__(self, connection: Any, keyboards: Iterable[int]) -> None:
        import xcffib.xkb as xkb

        self._connection = connection
        self._xkb = connection(xkb.key)
        self._xkb.UseExtension(1, 0).reply()
        self._keyboards = set(keyboards)
        self.xkb = connection.core.QueryExtension(9, "XKEYBOARD").reply().major_opcode
        self.load()

    def load(self) -> None:
        """Ask for all of them."""
        setup = self._connection.get_setup()
        first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
        mapping = self._connection.core.GetKeyboardMapping(first, count).reply()
        self._rows = first, mapping.keysyms_per_keycode, list(mapping.keysyms)
        modifiers = self._connection.core.GetModifierMapping().reply()
        self._modifiers = modifiers.keycodes_per_modifier, list(modifiers.keycodes)
        self.current = self._made(_USE_CORE_KEYBOARD)
        self._maps = {source: self._made(source) for source in self._keyboards}

    def of(self, source: int | None) -> Keymap:
        """The keymap of a keyboard; where that is not known, the one in use when the maps were last loaded."""
        if source is None:
            return self.current
        if source not in self._maps:  # plugged in since
            self._keyboards.add(source)
            self._maps[source] = self._made(source)
        return self._maps[source]

    def request(self, opcode: int, detail: int, request: bytes) -> None:
        """Another program's request that may change keymaps, in order with the keys around it."""
        if opcode == CHANGE_KEYBOARD_MAPPING:
            first, per_code = struct.unpack_from("=BB", request, 4)
            symbols = struct.unpack_from(f"={detail * per_code}I", request, 8)
            for keymap in (self.current, *self._maps.values()):  # the server changes every attached keyboard
                keymap.load(first, per_code, symbols)
        elif opcode == SET_MODIFIER_MAPPING or (opcode == self.xkb and detail in (XKB_SET_MAP, XKB_GET_KBD_BY_NAME)):
            self.load()

    def _made(self, device: int) -> Keymap:
        keymap = Keymap(xkb=self._ask(device))
        if keymap.xkb is None:
            keymap.load(*self._rows)
        keymap.load_modifiers(*self._modifiers)
        return keymap

    def _ask(self, device: int) -> XkbMap | None:
        try:
            return read_map(self._xkb.GetMap(device, _TYPES_AND_SYMBOLS, *[0] * 16).reply())
        except Exception as error:
            if type(error).__name__ == "ConnectionException":
                raise
            return None  # a device that is no keyboard after all: the core map serves


def requests_in(raw: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The requests that RECORD reports in one piece: opcode, the byte after it, and all of the request."""
    offset = 0
    while offset + 4 <= len(raw):
        opcode, detail, words = struct.unpack_from("=BBH", raw, offset)
        size = max(words, 1) * 4
        yield opcode, detail, raw[offset : offset + size]
        offset += size
