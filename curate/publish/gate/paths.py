"""Absolute paths and names of this computer in the bytes of what is staged: every text of every table, what formats
write beside it, pictures' bytes, JSONL, pages, recipe, card, manifest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.model.errors import InputError
from curate.publish.gate.found import Found, GateRow
from curate.publish.gate.machine import CODE as MACHINE
from curate.publish.gate.machine import Machine
from curate.publish.gate.personal import look_at_text
from curate.publish.statements import count as counted

pc: Any = pyarrow.compute  # its stubs do not know lists
_types: Any = pa.types
ABSOLUTE = "paths.absolute"
_WHOLE = re.compile(r"(?:/[^/\s][^\n]*/|[A-Za-z]:[\\/]|\\\\[^\\]|file://|~[\w.-]*/)[^\n]*")
"""A text that is an absolute path, of any system."""
_PROVENANCE = ("source.", "video", "trace", "lineage", "attempt", "template")
"""Columns in which a record says what it is of. In others an absolute path is what somebody typed or saw."""
_STRETCH = 1 << 24  # bytes of a file without rows that are searched at a time
_OVERLAP = 1 << 10  # bytes that no name is longer than


class Leaf(NamedTuple):
    """The texts or bytes of a column below its lists: of each value the row it is in."""

    path: str
    values: Any
    rows: NDArray[np.int64]


def look_at_files(found: Found, machine: Machine, folder: Path, names: list[str]) -> None:
    """All staged files."""
    for name in names:
        path = folder / name
        if name.endswith(".parquet"):
            _parquet(found, machine, path, name)
        elif name.endswith(".jsonl"):
            _jsonl(found, machine, path, name)
        else:
            _other(found, machine, path, name)
    machine.finish()
    found.say(ABSOLUTE, f"{counted(found.count(ABSOLUTE), 'absolute path')} where a record says what it is of.")


def _parquet(found: Found, machine: Machine, path: Path, name: str) -> None:
    try:
        with pq.ParquetFile(path) as file:
            for key, value in (file.schema_arrow.metadata or {}).items():
                for _, shown in machine.names_in(value):
                    found.add(MACHINE, GateRow(file=name, what=f"{shown} in its metadata {key.decode()}"))
            for group in range(file.num_row_groups):
                table = file.read_row_group(group)
                ids = table["id"] if "id" in table.column_names else None
                for leaf in leaves(table):
                    _leaf(found, machine, leaf, ids, name)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"Cannot read what was staged, {name}: {error}.") from error


def leaves(table: pa.Table) -> Iterator[Leaf]:
    """All texts and bytes of a table."""
    for name in table.column_names:
        column: Any = table[name].combine_chunks()
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        start = 0
        for chunk in chunks:
            yield from _below(name, chunk, np.arange(start, start + len(chunk), dtype=np.int64))
            start += len(chunk)


def _below(path: str, array: Any, rows: NDArray[np.int64]) -> Iterator[Leaf]:
    kind = array.type
    if _types.is_struct(kind):
        for number, child in enumerate(array.flatten()):
            yield from _below(f"{path}.{kind.field(number).name}", child, rows)
    elif _types.is_list(kind) or _types.is_large_list(kind):
        lengths = pc.fill_null(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False)
        yield from _below(path, array.flatten(), np.repeat(rows, lengths))
    elif _types.is_string(kind) or _types.is_large_string(kind) or _types.is_binary(kind):
        yield Leaf(path, array, rows)


def _leaf(found: Found, machine: Machine, leaf: Leaf, ids: Any, name: str) -> None:
    if _types.is_binary(leaf.values.type):
        for at, value in enumerate(leaf.values):
            data = value.as_buffer() if value.is_valid else None
            shown = machine.places_in(memoryview(data).tobytes()) if data is not None else None
            if shown is not None:
                found.add(MACHINE, _row(leaf, at, ids, name, f"{shown} in the bytes of {leaf.path}"))
        return
    coded = leaf.values.dictionary_encode()
    provenance = leaf.path.startswith(_PROVENANCE)
    for number, text in enumerate(coded.dictionary.to_pylist()):
        shown_all = [shown for _, shown in machine.names_in(text.encode("utf-8", "surrogatepass"))]
        absolute = provenance and _WHOLE.fullmatch(text) is not None
        if not shown_all and not absolute:
            continue
        those = pc.equal(coded.indices, number).fill_null(False).to_numpy(zero_copy_only=False)
        for place in np.flatnonzero(those).tolist():
            if shown_all:
                found.add(MACHINE, _row(leaf, place, ids, name, f"{shown_all[0]} in {leaf.path}"))
            if absolute:
                found.add(ABSOLUTE, _row(leaf, place, ids, name, f"{leaf.path}: {text[:40]}"))


def _row(leaf: Leaf, at: int, ids: Any, name: str, what: str) -> GateRow:
    return GateRow(id=None if ids is None else ids[int(leaf.rows[at])].as_py(), file=name, what=what)


def _jsonl(found: Found, machine: Machine, path: Path, name: str) -> None:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            for _, shown in machine.names_in(line):
                found.add(MACHINE, GateRow(file=name, line=number, what=shown))


def _other(found: Found, machine: Machine, path: Path, name: str) -> None:
    """A file without rows: texts for personal data too, whatever it is for names."""
    with path.open("rb") as file:
        before, start, data = b"", 0, file.read(_STRETCH)
        while data:
            following = file.read(_STRETCH)
            whole = before + data
            known = max(0, len(before) - _OVERLAP)  # what ends in it was told with the stretch before
            end = len(whole) - _OVERLAP if following else len(whole)  # what ends behind it may go on
            for stop, shown in machine.names_in(whole):
                if known < stop <= end:
                    found.add(MACHINE, GateRow(file=name, what=f"{shown} before byte {start - len(before) + stop:,}"))
            before, start, data = whole[-2 * _OVERLAP :], start + len(data), following
    if name.endswith((".html", ".md", ".yaml", ".json")):
        text = path.read_text(encoding="utf-8", errors="replace")
        look_at_text(found, name, _without_pictures(text))
        if name.endswith(".json"):
            for field, value in _strings(msgspec.json.decode(text)):
                if (
                    _WHOLE.fullmatch(value)
                    and not value.startswith(("/api/", "/datasets/"))
                    and "instruction" not in field
                ):
                    found.add(ABSOLUTE, GateRow(file=name, what=f"{field}: {value[:40]}"))


def _without_pictures(text: str) -> str:
    """A page without the pictures in it, which are no words."""
    return re.sub(r"data:[a-z]+/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]+", "", text)


def _strings(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _strings(one, f"{field}.{name}" if field else str(name))
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one, field)
