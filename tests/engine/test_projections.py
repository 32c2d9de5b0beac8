"""Shards that know nothing of each other are one table, with one dictionary for each column of words."""

from __future__ import annotations

import tempfile
from pathlib import Path
from unittest import mock

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.engine.projections import Projection, Projections
from curate.store.arrow_file import ArrowBatches, read_arrow, write_arrow

WORDS = pa.list_(pa.dictionary(pa.int32(), pa.string()))
SCHEMA = pa.schema([("id", pa.string()), ("labels", WORDS), ("said", pa.string()), ("scope", WORDS)])
LISTS = st.none() | st.lists(st.sampled_from(["click A", "click B", "", "write é", "\u202e"]), max_size=4)
SHARDS = st.lists(st.lists(st.tuples(LISTS, LISTS), max_size=4), min_size=1, max_size=5)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SHARDS)
def test_shards_are_one_table(shards):
    rows = [
        [{"id": f"{k}-{n}", "labels": a, "said": str(n), "scope": b} for n, (a, b) in enumerate(shard)]
        for k, shard in enumerate(shards)
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k, shard in enumerate(rows):
            path = Path(folder, f"{k}.arrow")
            write_arrow(path, pa.Table.from_pylist(shard, schema=SCHEMA).replace_schema_metadata({"failed": "{}"}))
            files.append(Projection(path, {f"{k}-0": f"first of {k}"}))
        for k, shard in enumerate(rows):
            for row in shard[:1]:
                row["id"] = f"first of {k}"
        with mock.patch("curate.engine.projections._AT_A_TIME", 2):  # so that some shards come after others
            projections = Projections(files)
        tables = list(projections.tables())
        expected = [row for shard in rows for row in shard]
        assert [row for table in tables for row in table.to_pylist()] == expected
        some = pa.concat_tables(projections.tables(["scope"])).combine_chunks()
        assert some.column_names == (["id", "scope"])
        assert some.to_pylist() == [{name: row[name] for name in some.column_names} for row in expected]
        for name in ("labels", "scope"):
            words = [table[name].chunk(0).values.dictionary for table in tables if table.num_rows]
            assert all(one.equals(words[0]) for one in words)
            assert not words or len(set(words[0].to_pylist())) == len(words[0])
        with ArrowBatches(Path(folder, "whole.arrow")) as writer:
            for table in tables:
                writer.add(table)
        assert read_arrow(Path(folder, "whole.arrow")).to_pylist() == expected


def test_batches_have_the_size_that_readers_count_on(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("curate.store.arrow_file.BATCH_ROWS", 10)
    table = pa.table({"id": [str(n) for n in range(47)], "n": range(47)})
    write_arrow(tmp_path / "one.arrow", table)
    with ArrowBatches(tmp_path / "parts.arrow") as writer:
        for first in range(0, 47, 7):
            writer.add(table.slice(first, 7))
    for first, stop in ((0, None), (0, 10), (9, 31), (40, 47)):
        assert read_arrow(tmp_path / "parts.arrow", None, first, stop) == read_arrow(
            tmp_path / "one.arrow", None, first, stop
        )
