"""Arrow arrays made of numpy's, as the modules beside this one use them (the stubs of Arrow know neither)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_arrow: Any = pa


def one_array(column: Any) -> Any:
    """A table's column as one array, without copying it where it is one already."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def strings(values: Any) -> Any:
    """An array of strings."""
    return pa.array(values, pa.string())


def take(values: Any, places: NDArray[Any]) -> Any:
    """The values at these places."""
    return values.take(pa.array(places))


def list_array(offsets: NDArray[Any], values: Any, missing: NDArray[np.bool_] | None = None) -> Any:
    """Lists of values: row `i` is `values[offsets[i]:offsets[i + 1]]`, or null where it is missing."""
    mask = None if missing is None else np.append(missing, False)
    return _arrow.ListArray.from_arrays(_arrow.array(offsets.astype(np.int32), mask=mask), values)


def lists_of(row: NDArray[Any], values: Any, count: int, *, none: bool = False) -> Any:
    """Values (ordered by row) as a list a row. `none`: of a row without any, null."""
    offsets = np.searchsorted(row, np.arange(count + 1))
    return list_array(offsets, values, np.diff(offsets) == 0 if none else None)


def flags(mask: Any) -> NDArray[np.bool_]:
    """An Arrow array of booleans without nulls as numpy's."""
    found: NDArray[np.bool_] = mask.to_numpy(zero_copy_only=False)
    return found


def numbers(values: Any) -> NDArray[np.int64]:
    """An Arrow array of whole numbers without nulls as numpy's."""
    found: NDArray[np.int64] = values.to_numpy(zero_copy_only=False).astype(np.int64)
    return found
