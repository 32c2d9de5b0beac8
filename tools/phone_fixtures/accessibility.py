"""Protocol buffers of accessibility trees, by hand: field numbers as android_env's .proto files give them."""

from __future__ import annotations

from typing import Any


def _varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def message(*fields: tuple[int, Any]) -> bytes:
    """A message of (number, value): numbers and truths as varints, text and messages with their length; a list of
    numbers packed."""
    out = b""
    for number, value in fields:
        if isinstance(value, list):
            value = b"".join(map(_varint, value))
        if isinstance(value, int):
            out += _varint(number << 3) + _varint(int(value))
        else:
            data = value.encode() if isinstance(value, str) else value
            out += _varint(number << 3 | 2) + _varint(len(data)) + data
    return out


def rect(left: int, top: int, right: int, bottom: int) -> bytes:
    return message((1, left), (2, top), (3, right), (4, bottom))


def forest(title: str, package: str, *elements: tuple[Any, ...]) -> bytes:
    """A status bar behind and an app in front; an element is (id, class, text, box, more fields)."""
    nodes = [message((1, i), (2, rect(*box)), (3, kind), (6, package), (7, text), (16, True), (23, True), *more)
             for i, kind, text, box, *more in elements]  # fmt: skip
    app = message((1, rect(0, 0, 90, 160)), (3, 7), (4, 2), (5, title), (6, 1), (8, True),
                  (11, message(*((1, node) for node in nodes))))  # fmt: skip
    bar = message((1, rect(0, 0, 90, 8)), (4, 1), (6, 3), (11, b""))
    return message((1, app), (1, bar))


FRAME, TEXT = "android.view.ViewGroup", "android.widget.TextView"
BUTTON, EDIT = "android.widget.Button", "android.widget.EditText"
