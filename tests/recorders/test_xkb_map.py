"""XKB's rules on plain data, and the pieces of RECORD's stream."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorders.events.keymap import CONTROL, LOCK, SHIFT, Keymap
from recorders.events.x11_devices import arranged, injecting
from recorders.events.x11_keymaps import requests_in
from recorders.events.x11_record import StreamEndedError, split
from recorders.events.xkb_map import KeySymbols, KeyType, XkbMap

PLAIN = KeyType(0, {})
TWO = KeyType(SHIFT, {SHIFT: 1})
ALPHABETIC = KeyType(SHIFT | LOCK, {SHIFT: 1, LOCK: 1})
KEPT = KeyType(SHIFT | LOCK, {SHIFT: 1}, {LOCK: LOCK})  # lock chooses no level and goes on to make a capital
TYPES = (PLAIN, TWO, ALPHABETIC, KEPT)


def one(types: tuple[int, ...], info: int, width: int, *symbols: int) -> XkbMap:
    return XkbMap(TYPES, {38: KeySymbols(types, info, width, symbols)})


@pytest.mark.parametrize(
    ("info", "asked", "symbol"),
    [(2, 0, 0x61), (2, 1, 0x6C6), (2, 2, 0x61), (2, 3, 0x6C6), (2 | 0x40, 3, 0x6C6), (2 | 0x80, 3, 0x61),
     (2 | 0x80 | 0x10, 2, 0x6C6), (2 | 0x80 | 0x30, 2, 0x61), (0, 0, 0)],
)  # fmt: skip
def test_groups_that_a_key_lacks_wrap_clamp_or_lead_to_another(info: int, asked: int, symbol: int) -> None:
    found = one((2, 2, 0, 0), info, 2, 0x61, 0x41, 0x6C6, 0x6E6)
    assert found.symbol(38, asked << 13)[0] == symbol


@pytest.mark.parametrize(
    ("kind", "state", "text"),
    [(2, 0, "a"), (2, LOCK, "A"), (2, LOCK | SHIFT, "a"), (1, LOCK, "A"), (1, LOCK | SHIFT, "A"), (3, LOCK, "A"),
     (2, CONTROL, "")],
)  # fmt: skip
def test_caps_lock_chooses_a_level_or_makes_a_capital(kind: int, state: int, text: str) -> None:
    keymap = Keymap(xkb=one((kind, 0, 0, 0), 1, 2, 0x61, 0x41))
    assert keymap.meaning(38, state).text == text


def test_a_key_given_core_symbols_afterwards_has_those() -> None:
    keymap = Keymap(xkb=one((2, 0, 0, 0), 1, 2, 0x61, 0x41))
    keymap.load(38, 2, [0x010065E5, 0])
    assert keymap.meaning(38, 0).text == "日"
    assert keymap.codes_of("日") == [38]


def reply(category: int, data: bytes) -> bytes:
    return struct.pack("=BBHI24x", 1, category, 7, len(data) // 4) + data


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 20)), max_size=12), st.data())
def test_a_stream_cut_anywhere_gives_the_same_replies(parts: list[tuple[int, int]], data: st.DataObject) -> None:
    """Events for every client (a keymap changed) stand between the replies and are passed over."""
    wanted = [(category, bytes([category]) * 4 * words) for category, words in parts]
    event = struct.pack("=B31x", 34)
    stream = b"".join(event + reply(*part) for part in wanted)
    cut = data.draw(st.integers(0, len(stream)))
    first, rest = split(stream[:cut])
    second, left = split(rest + stream[cut:])
    assert first + second == wanted
    assert left == b""


def test_an_error_in_the_stream_is_one() -> None:
    with pytest.raises(StreamEndedError):
        split(struct.pack("=BB30x", 0, 2))


def test_requests_are_taken_apart_by_their_lengths() -> None:
    raw = struct.pack("=BBHI", 116, 1, 2, 0) + struct.pack("=BBH", 118, 0, 1)
    assert [(opcode, len(request)) for opcode, _, request in requests_in(raw)] == [(116, 8), (118, 4)]


def test_arrangements_of_buttons_and_names_of_injecting_keyboards() -> None:
    assert [arranged(n, [3, 2, 1, 4]) for n in (1, 2, 3, 9)] == [3, 2, 1, 9]
    assert arranged(1, [0]) == 0
    assert injecting([(5, "Virtual core XTEST keyboard"), (7, "AT keyboard"), (9, "my XTEST keyboardx")]) == {
        5: True, 7: False, 9: False,
    }  # fmt: skip
