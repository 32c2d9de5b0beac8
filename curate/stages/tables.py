"""Small helpers for the Arrow tables that stages give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa


def schema(**fields: pa.DataType) -> pa.Schema:
    """A schema of nullable fields in the order given."""
    return pa.schema(fields)


def struct(**fields: pa.DataType) -> pa.DataType:
    """A struct of nullable fields in the order given."""
    return pa.struct(list(fields.items()))


def from_tuples(rows: Sequence[tuple[Any, ...]], kind: pa.Schema) -> pa.Table:
    """Rows whose values stand in the schema's order."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(kind)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, kind, strict=True)]
    return pa.Table.from_arrays(arrays, schema=kind)
