"""Arrow files of work in progress: whatever was written comes back, whole or in part, and the same rows give the same
bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.errors import StoreError
from curate.store.arrow_file import BATCH_ROWS, arrow_rows, arrow_schema, read_arrow, write_arrow

_WORDS = pa.list_(pa.dictionary(pa.int32(), pa.string()))
_SCHEMA = pa.schema({"id": pa.string(), "labels": _WORDS, "size": pa.int64()})
_rows = st.lists(
    st.fixed_dictionaries(
        {"id": st.text(max_size=4), "labels": st.none() | st.lists(st.sampled_from("abcde")), "size": st.integers(0, 9)}
    ),
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(pieces=st.lists(_rows, max_size=4))
def test_what_was_written_comes_back(tmp_path_factory: pytest.TempPathFactory, pieces: list[list[Any]]) -> None:
    """Pieces whose words are numbered differently, too."""
    path = tmp_path_factory.mktemp("arrow") / "t.arrow"
    tables = [_SCHEMA.empty_table(), *(pa.Table.from_pylist(rows, schema=_SCHEMA) for rows in pieces)]
    table = pa.concat_tables(tables)
    write_arrow(path, table)
    first = path.read_bytes()
    assert read_arrow(path).to_pylist() == table.to_pylist()
    assert read_arrow(path, ["size", "labels"]).to_pylist() == table.select(["labels", "size"]).to_pylist()
    assert arrow_rows(path) == table.num_rows
    assert arrow_schema(path) == _SCHEMA
    write_arrow(path, table)
    assert path.read_bytes() == first


@pytest.mark.parametrize("rows", [0, 1, BATCH_ROWS, BATCH_ROWS + 1, 2 * BATCH_ROWS + 7])
def test_a_part_is_the_rows_of_that_part(tmp_path: Path, rows: int) -> None:
    table = pa.table({"id": pa.array(range(rows), pa.int64()), "half": pa.array([n / 2 for n in range(rows)])})
    write_arrow(tmp_path / "t.arrow", table)
    assert arrow_rows(tmp_path / "t.arrow") == rows
    for first in (0, 1, BATCH_ROWS - 1, BATCH_ROWS, BATCH_ROWS + 3):
        for stop in (None, 2, BATCH_ROWS, BATCH_ROWS + 2, rows):
            if first <= (rows if stop is None else stop) <= rows:
                part = read_arrow(tmp_path / "t.arrow", ["id"], first, stop)
                assert part["id"].to_pylist() == list(range(first, rows if stop is None else stop))


def test_metadata_stays(tmp_path: Path) -> None:
    table = pa.table({"id": ["a"]}).replace_schema_metadata({b"version": b"3"})
    write_arrow(tmp_path / "t.arrow", table)
    assert (arrow_schema(tmp_path / "t.arrow").metadata or {})[b"version"] == b"3"


def test_a_disk_that_refuses_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError):
        write_arrow(tmp_path / "file" / "t.arrow", pa.table({"id": ["a"]}))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
