"""The columns of JSONL, by what its lines hold: one type a column over all lines, so that every split is read with the
same types, and nested values (chat messages whose content is now text, now a list) come back as they are."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

NESTED = "json"
"""The type of a column whose values are lists or objects, or of several types."""

_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
_FIRST = {ord('"'): "string", ord("t"): "bool", ord("f"): "bool", ord("["): NESTED, ord("{"): NESTED}


def columns_of(lines: Iterable[bytes], known: dict[str, str] | None = None) -> dict[str, str]:
    """The columns in order of their first appearance, each with `string`, `bool`, `int64`, `float64` or NESTED, and
    `null` where no line so far says. `known`: of the lines before; it is changed and returned. Raises
    msgspec.DecodeError for a line that is no object."""
    found = {} if known is None else known
    for line in lines:
        for name, value in _decoder.decode(line).items():
            kind = _kind(bytes(value))
            found[name] = _wider(found[name], kind) if name in found else kind
    return found


def settled(columns: dict[str, str]) -> dict[str, str]:
    """The same with a type for columns that are null on all lines."""
    return {name: "string" if kind == "null" else kind for name, kind in columns.items()}


def _kind(value: bytes) -> str:
    if value == b"null":
        return "null"
    found = _FIRST.get(value[0])
    if found is not None:
        return found
    return "float64" if any(mark in value for mark in (b".", b"e", b"E")) else "int64"


def _wider(one: str, other: str) -> str:
    if one == other or other == "null":
        return one
    if one == "null":
        return other
    return "float64" if {one, other} == {"int64", "float64"} else NESTED
