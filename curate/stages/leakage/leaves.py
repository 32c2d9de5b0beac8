"""The texts of a table of records as the bytes they are stored in, so that a string is looked for in all of them at
once (gigabytes a second), and where it stands is worked out only for what was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.stages.arrays import one_array

Numbers = NDArray[Any]


class Leaf:
    """One column of strings, however deep it lies. `path`: its name, such as `steps.element.name`."""

    def __init__(self, path: str, strings: Any, above: tuple[Numbers, ...]) -> None:
        self.path = path
        self._above = above  # by level, where each list of it begins and ends; the lowest first
        ends = np.frombuffer(strings.buffers()[1], np.int32)[strings.offset : strings.offset + len(strings) + 1]
        data = strings.buffers()[2]
        first, last = int(ends[0]), int(ends[-1])
        self.data: bytes = data.slice(first, last - first).to_pybytes() if data is not None else b""
        self._ends = ends - first

    def row(self, place: int) -> int:
        """The record in whose string the byte at this place stands."""
        at = _holds(self._ends, place)
        for ends in self._above:
            at = _holds(ends, at)
        return at

    def bounds(self, place: int) -> tuple[int, int]:
        """Where the string begins and ends that the byte at this place stands in."""
        at = _holds(self._ends, place)
        return int(self._ends[at]), int(self._ends[at + 1])


def leaves(table: pa.Table, paths: frozenset[str] | None = None) -> Iterator[Leaf]:
    """Every column of strings in the table, or those of these paths."""
    wanted = None if paths is None else frozenset(path[:end] for path in paths for end in _ends(path))
    for name in table.column_names:
        if wanted is None or name in wanted:
            yield from _inside(name, one_array(table[name]), (), wanted)


def _inside(path: str, column: Any, above: tuple[Numbers, ...], wanted: frozenset[str] | None) -> Iterator[Leaf]:
    kind = column.type
    if not len(column) or column.null_count == len(column):
        return
    if pa.types.is_string(kind):
        yield Leaf(path, column, above)
    elif pa.types.is_struct(kind):
        for place, field in enumerate(kind):
            inner = f"{path}.{field.name}"
            if wanted is None or inner in wanted:
                yield from _inside(inner, column.field(place), above, wanted)
    elif pa.types.is_list(kind) or pa.types.is_map(kind):
        ends = column.offsets.to_numpy()
        values = column.items if pa.types.is_map(kind) else column.values
        below = values.slice(ends[0], ends[-1] - ends[0])
        yield from _inside(path, below, (ends - ends[0], *above), wanted)


def _ends(path: str) -> list[int]:
    """Where the names of a path end: `steps.element.name` lies in `steps` and in `steps.element`."""
    return [place for place, char in enumerate(path) if char == "."] + [len(path)]


def _holds(ends: Numbers, place: int) -> int:
    """The row that holds what is at this place (of rows that begin and end there, the one that is not empty)."""
    return int(np.searchsorted(ends, place, "right")) - 1
