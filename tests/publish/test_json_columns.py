"""Columns of JSONL: whatever lines hold, the table gives the same values back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curate.publish.json_columns import NESTED, columns_of, settled
from curate.publish.tables.examples import stage_examples
from curate.store.run_folder import RunFolder

numbers = st.one_of(st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False, width=32))
scalars = st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=8))
values = st.recursive(scalars, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)), max_leaves=6)  # fmt: skip  # noqa: E501
rows = st.lists(st.dictionaries(st.sampled_from("abcd"), values, max_size=4), min_size=1, max_size=6)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows)
def test_a_table_of_any_lines_gives_them_back(tmp_path_factory: Any, rows: list[dict[str, Any]]) -> None:
    """Read as `datasets` reads a column of JSON: what a line does not have is null."""
    import pyarrow.parquet as pq

    folder = tmp_path_factory.mktemp("lines")
    (folder / "run/examples").mkdir(parents=True)
    (folder / "run/examples/train-00000.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = stage_examples(RunFolder(folder / "run"), folder / "out")
    if not done.columns:
        assert not any(rows)
        return
    table = pq.read_table(folder / "out/data/examples/train-00000.parquet")
    found = table.to_pylist()
    assert len(found) == len(rows) == done.rows["data/examples/train-00000.parquet"]
    for row, expected in zip(found, rows, strict=True):
        for name, kind in done.columns.items():
            value = row[name] if kind != NESTED or row[name] is None else json.loads(row[name])
            assert value == expected.get(name)


def test_types_hold_for_all_lines() -> None:
    lines = [b'{"a":1,"b":"x","c":null,"d":[1]}', b'{"a":2.5,"b":"y","c":null,"d":"now a text","e":true}']
    assert settled(columns_of(lines)) == {"a": "float64", "b": "string", "c": "string", "d": NESTED, "e": "bool"}


def test_a_line_that_is_none_is_told(tmp_path: Path) -> None:
    import pytest

    from curate.model.errors import InputError

    (tmp_path / "run/examples").mkdir(parents=True)
    (tmp_path / "run/examples/train-00000.jsonl").write_bytes(b'{"a":1}\n[1]\n')
    with pytest.raises(InputError, match="line 2"):
        stage_examples(RunFolder(tmp_path / "run"), tmp_path / "out")
