"""Tables of the work folder come back as they were written, and a broken one is told with what to do."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from curate.engine.work import measures_rows, measures_schema, read_measures, read_table
from curate.model.errors import StoreError
from curate.store.arrow_file import write_arrow
from curate.store.dataset import write_parquet

_WORDS = pa.dictionary(pa.int32(), pa.string())
_ROWS = [{"size": n, "labels": ["one", f"word {n % 7}"][: n % 3], "step": n, "id": f"made:{n}"} for n in range(10)]
_SCHEMA = pa.schema({"size": pa.int64(), "labels": pa.list_(_WORDS), "step": pa.int64(), "id": pa.string()})


@pytest.mark.parametrize("rows", [0, 10])
def test_measures_come_back_with_their_keys(tmp_path: Path, rows: int) -> None:
    table = pa.Table.from_pylist(_ROWS[:rows], schema=_SCHEMA)
    write_arrow(tmp_path / "t.arrow", table)
    assert read_measures(tmp_path / "t.arrow").to_pylist() == table.to_pylist()
    some = read_measures(tmp_path / "t.arrow", ["labels"])
    assert some.column_names == ["id", "step", "labels"]
    assert some.to_pylist() == table.select(["id", "step", "labels"]).to_pylist()
    assert read_measures(tmp_path / "t.arrow", ["size"], 0, rows // 2)["size"].to_pylist() == list(range(rows // 2))
    assert measures_rows(tmp_path / "t.arrow") == rows
    assert measures_schema(tmp_path / "t.arrow") == _SCHEMA


@pytest.mark.parametrize("group_rows", [3, 100])
def test_whatever_row_groups_a_part_has(tmp_path: Path, group_rows: int) -> None:
    table = pa.Table.from_pylist(_ROWS, schema=_SCHEMA)
    write_parquet(tmp_path / "t.parquet", table, group_rows)
    assert read_table(tmp_path / "t.parquet").to_pylist() == table.to_pylist()


@pytest.mark.parametrize("left", [0, 8, 200])
def test_a_broken_file_is_told(tmp_path: Path, left: int) -> None:
    path = tmp_path / "t.arrow"
    write_arrow(path, pa.Table.from_pylist(_ROWS, schema=_SCHEMA))
    path.write_bytes(path.read_bytes()[:left])
    for read in (read_measures, measures_rows, measures_schema):
        with pytest.raises(StoreError, match="run the same command again"):
            read(path)
