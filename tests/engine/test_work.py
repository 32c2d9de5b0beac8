"""Tables of the work folder come back as they were written."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from curate.engine.work import read_columns, read_table
from curate.store.dataset import write_parquet

_WORDS = pa.dictionary(pa.int32(), pa.string())
_ROWS = [{"id": f"made:{n}", "labels": ["one", f"word {n % 7}"][: n % 3], "size": n} for n in range(10)]


@pytest.mark.parametrize("group_rows", [3, 5, 100])
@pytest.mark.parametrize("rows", [0, 10])
def test_whatever_row_groups_a_table_has(tmp_path: Path, rows: int, group_rows: int) -> None:
    schema = pa.schema({"id": pa.string(), "labels": pa.list_(_WORDS), "size": pa.int64()})
    table = pa.Table.from_pylist(_ROWS[:rows], schema=schema)
    write_parquet(tmp_path / "t.parquet", table, group_rows)
    assert read_columns(tmp_path / "t.parquet", None).to_pylist() == table.to_pylist()
    assert read_table(tmp_path / "t.parquet").to_pylist() == table.to_pylist()
    some = read_columns(tmp_path / "t.parquet", ["labels"], dictionary=["id"])
    assert some.column_names == ["id", "labels"]
    assert some.to_pylist() == table.select(["id", "labels"]).to_pylist()
