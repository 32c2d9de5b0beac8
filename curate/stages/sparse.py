"""A column most of whose rows are null: only what is set costs memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.stages.tables import nulls, places

Values: TypeAlias = (
    "Sequence[Any] | NDArray[Any] | pa.Array[Any] | pa.ChunkedArray[Any]"  # pyarrow's stubs alone have []
)


class SparseColumn:
    """`count` rows of type `kind`, null until set; what is set last stands."""

    def __init__(self, count: int, kind: pa.DataType) -> None:
        self._count, self._kind = count, kind
        self._place: NDArray[np.int64] | None = None  # by row, the place of its value in the blocks; -1: null
        self._blocks: list[Any] = []
        self._length = 0
        self._waiting: dict[int, Any] = {}  # set one by one since the last block

    def set(self, row: int, value: Any) -> None:
        """One row; None makes it null."""
        if value is not None or self._place is not None:
            self._waiting[row] = value
        else:
            self._waiting.pop(row, None)

    def set_all(self, rows: NDArray[np.int64], values: Values | None) -> None:
        """These rows, each once, with a value for each; None makes them null."""
        self._flush()
        if values is not None:
            self._add(rows, as_array(values, self._kind))
        elif self._place is not None:
            self._place[rows] = -1

    def _add(self, rows: NDArray[np.int64], values: Any) -> None:
        if len(rows) != len(values):
            raise ValueError(f"{len(values)} values for {len(rows)} rows")
        if self._place is None:
            self._place = np.full(self._count, -1, np.int64)
        self._place[rows] = np.arange(self._length, self._length + len(rows))
        self._blocks.append(values)
        self._length += len(rows)

    def _flush(self) -> None:
        if self._waiting:
            rows, values = np.fromiter(self._waiting, np.int64), list(self._waiting.values())
            self._waiting = {}
            self._add(rows, pa.array(values, self._kind))

    def array(self) -> Any:
        """The whole column."""
        self._flush()
        if self._place is None:
            return nulls(self._count, self._kind)
        if len(self._blocks) == 1 and np.array_equal(self._place, np.arange(self._count)):
            return self._blocks[0]
        empty: list[Any] = [pa.array([], self._kind)]
        return pa.concat_arrays(self._blocks or empty).take(places(self._place, self._place < 0))


def as_array(values: Values, kind: pa.DataType) -> Any:
    """Values as one Arrow array of that type."""
    if isinstance(values, pa.ChunkedArray):
        values = values.combine_chunks()
    if isinstance(values, pa.Array):
        return values if values.type == kind else values.cast(kind)
    return pa.array(values, kind)
