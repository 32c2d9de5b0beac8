"""Row groups and files stay within what the Hub takes, and lose nothing."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.errors import StoreError
from curate.publish.tables.shards import Groups, Shards, leaf_paths
from curate.store.published import STEPS

SCHEMA = pa.schema([("n", pa.int64()), ("data", pa.binary())])


@settings(max_examples=40)
@given(
    st.lists(st.lists(st.integers(0, 900), max_size=12), max_size=8),
    st.integers(1, 7),
    st.integers(100, 2000),
)
def test_groups_and_rows(tmp_path_factory: object, pieces: list[list[int]], rows: int, limit: int) -> None:
    """`pieces`: sizes of rows, handed over in tables. However they are cut, groups are the same: they depend on the
    rows alone."""
    folder: Path = tmp_path_factory.mktemp("shards")  # type: ignore[attr-defined]
    sizes = [size for piece in pieces for size in piece]
    table = pa.table({"n": range(len(sizes)), "data": [bytes([n % 251]) * s for n, s in enumerate(sizes)]}, SCHEMA)
    for name, cuts in (("cut", pieces), ("whole", [sizes])):
        with Shards(folder / name, "t", "train", SCHEMA, Groups(rows=rows, bytes=limit), shard_bytes=1 << 21) as shards:
            first = 0
            for piece in cuts:
                shards.add(table.slice(first, len(piece)), piece)
                first += len(piece)
        files = sorted((folder / name / "t").glob("*.parquet"))
        assert sum(shards.rows.values()) == len(sizes) and len(shards.rows) == len(files)
        if files:
            assert pa.concat_tables([pq.read_table(file) for file in files]).equals(table)
        for file in files:
            about = pq.read_metadata(file)
            for group in range(about.num_row_groups):
                count = about.row_group(group).num_rows
                data = pq.ParquetFile(file).read_row_group(group)["data"].to_pylist()
                assert count <= rows
                assert sum(map(len, data)) <= limit or count == 1  # a row cannot be cut
    names = sorted(path.name for path in (folder / "cut").rglob("*.parquet"))
    for name in names:
        assert (folder / "cut/t" / name).read_bytes() == (folder / "whole/t" / name).read_bytes()


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    limit = 4 << 20
    data = [bytes([n]) * 900_000 for n in range(12)]  # one byte over and over, stored without packing
    table = pa.table({"n": range(12), "data": data}, SCHEMA)
    with Shards(
        tmp_path, "t", "train", SCHEMA, Groups(rows=1, bytes=1 << 20), stored=["data"], shard_bytes=limit
    ) as shards:
        shards.add(table, [900_000] * 12)
    files = sorted((tmp_path / "t").glob("*"))
    assert [file.name for file in files] == [f"train-{n:05d}.parquet" for n in range(len(files))] and len(files) > 2
    assert all(file.stat().st_size <= limit for file in files)
    assert pa.concat_tables([pq.read_table(file) for file in files]).equals(table)
    assert list(shards.rows.values()) == [pq.read_metadata(file).num_rows for file in files]


def test_a_file_that_fails_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError):  # noqa: SIM117
        with Shards(tmp_path, "t", "train", SCHEMA, Groups(rows=1, bytes=100)) as shards:
            shards.add(pa.table({"n": [1, 2], "data": [b"a", b"b"]}, SCHEMA), [1, 1])
            raise StoreError("the disk is full")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_leaf_paths_are_parquets_own(tmp_path: Path) -> None:
    pq.write_table(STEPS.empty_table(), tmp_path / "x.parquet")
    schema = pq.ParquetFile(tmp_path / "x.parquet").schema
    assert list(leaf_paths(STEPS)) == [schema.column(n).path for n in range(len(schema))]
