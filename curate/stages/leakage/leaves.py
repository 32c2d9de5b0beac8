"""The texts of a table of records as the bytes they are stored in, so that a string is looked for in all of them at
once (gigabytes a second), and where it stands is worked out only for what was found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.leakage.arrays import one_array

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

Rows = NDArray[np.int64]


class Leaf:
    """One column of strings, however deep it lies. `path`: its name, such as `steps.element.name`."""

    def __init__(self, path: str, strings: Any, rows: Rows | None) -> None:
        self.path = path
        self._rows = rows
        self._offsets: NDArray[np.int32] = np.frombuffer(strings.buffers()[1], np.int32)[
            strings.offset : strings.offset + len(strings) + 1
        ]
        data = strings.buffers()[2]
        first, last = int(self._offsets[0]), int(self._offsets[-1])
        self.data: bytes = data.slice(first, last - first).to_pybytes() if data is not None else b""
        self._offsets = self._offsets - first

    def row(self, place: int) -> int:
        """The record in whose string the byte at this place stands."""
        at = int(np.searchsorted(self._offsets, place, "right")) - 1
        return at if self._rows is None else int(self._rows[at])

    def bounds(self, place: int) -> tuple[int, int]:
        """Where the string begins and ends that the byte at this place stands in."""
        at = int(np.searchsorted(self._offsets, place, "right")) - 1
        return int(self._offsets[at]), int(self._offsets[at + 1])


def leaves(table: pa.Table, paths: frozenset[str] | None = None) -> Iterator[Leaf]:
    """Every column of strings in the table, or those of these paths."""
    for name in table.column_names:
        if paths is None or any(path == name or path.startswith(f"{name}.") for path in paths):
            yield from _inside(name, one_array(table[name]), None, paths)


def _inside(path: str, column: Any, rows: Rows | None, paths: frozenset[str] | None) -> Iterator[Leaf]:
    kind = column.type
    if pa.types.is_string(kind):
        if len(column) and (paths is None or path in paths):
            yield Leaf(path, column, rows)
    elif pa.types.is_struct(kind):
        for field in kind:
            inner = f"{path}.{field.name}"
            if paths is None or any(wanted == inner or wanted.startswith(f"{inner}.") for wanted in paths):
                yield from _inside(inner, pc.struct_field(column, field.name), rows, paths)
    elif pa.types.is_map(kind):
        of = _parents(column, rows)
        start, stop = column.offsets[0].as_py(), column.offsets[-1].as_py()
        yield from _inside(path, column.items.slice(start, stop - start), of, paths)
    elif pa.types.is_list(kind):
        yield from _inside(path, pc.list_flatten(column), _parents(column, rows), paths)


def _parents(lists: Any, rows: Rows | None) -> Rows:
    counts = np.diff(lists.offsets.to_numpy())
    of = np.repeat(np.arange(len(counts)), counts)
    return of if rows is None else rows[of]
