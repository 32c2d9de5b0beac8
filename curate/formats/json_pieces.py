"""JSON in pieces: rows are put together from texts that were encoded once, however many rows hold them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from curate.formats.escaping import json_may_hold_marks

_json_lines = msgspec.json.Encoder().encode_lines
json_text = msgspec.json.Encoder().encode
"""A text, number or bool as JSON."""

json_of_few = lru_cache(64, typed=True)(json_text)
"""The same for texts and bools that stand in many rows: a source, a split."""


def json_inside(text: str) -> bytes:
    """A text as it stands inside a JSON string. That of two texts, one behind the other, is that of their sum."""
    return json_text(text)[1:-1]


def json_inside_all(texts: Sequence[str], escape: Callable[[str], str] | None = None) -> list[bytes]:
    """`json_inside` of each text, escaped first (`escape_text` or `escape_code`): all
    at once, for the cost of a few."""
    return parted(inside_together(texts, escape))


def inside_together(texts: Sequence[str], escape: Callable[[str], str] | None = None) -> bytes:
    """The same as one piece, each text a line, for `parted`."""
    together = _json_lines(texts)
    if escape is not None and json_may_hold_marks(together):
        together = _json_lines([escape(text) for text in texts])
    return together


def parted(together: bytes) -> list[bytes]:
    """The texts of `inside_together`. No line ends inside a JSON string, so what parts two of them is in none."""
    return together[1:-2].split(b'"\n"') if together else []
