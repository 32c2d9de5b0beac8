"""Small helpers for the Arrow tables that stages give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


def schema(**fields: pa.DataType) -> pa.Schema:
    """A schema of nullable fields in the order given."""
    return pa.schema(fields)


def struct(**fields: pa.DataType) -> pa.DataType:
    """A struct of nullable fields in the order given."""
    return pa.struct(list(fields.items()))


def from_tuples(rows: Sequence[tuple[Any, ...]], kind: pa.Schema) -> pa.Table:
    """Rows whose values stand in the schema's order."""
    return from_columns(list(zip(*rows, strict=True)) if rows else [()] * len(kind), kind)


def from_columns(columns: Sequence[Any], kind: pa.Schema) -> pa.Table:
    """Columns (values, or an Arrow array) in the schema's order."""
    arrays = [
        column if isinstance(column, pa.Array) else pa.array(column, field.type)
        for column, field in zip(columns, kind, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=kind)


def nulls(count: int, kind: pa.DataType) -> Any:
    """A column of nothing."""
    make: Any = pa.nulls  # its stubs know each type by itself
    return make(count, kind)


def places(rows: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> Any:
    """Row numbers as an Arrow array, for `take`; null (which takes null) where `missing`."""
    return pa.array(rows, mask=missing)
