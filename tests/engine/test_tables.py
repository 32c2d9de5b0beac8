"""Records to Arrow, the fast way, against Arrow's own way from Python rows."""

from __future__ import annotations

from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.actions import Click, Hotkey, Scroll, Write
from curate.model.arrow import SCHEMA, records, to_table
from curate.model.trajectory import Trajectory
from tests.factories import make_step, make_trajectory

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
fraction = st.floats(0, 1)
actions = st.one_of(
    st.builds(Click, x=fraction, y=fraction, raw_point=st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))),
    st.builds(Click, x=st.none(), y=st.none(), element_id=text),
    st.builds(Write, text=text),
    st.builds(Hotkey, keys=st.lists(text, min_size=1, max_size=3).map(tuple)),
    st.builds(Scroll, amount=st.floats(-1e9, 1e9)),
)
trajectories = st.builds(
    lambda name, words, doing, events, wordings: make_trajectory(
        name, steps=[make_step(k, what, events=events) for k, what in enumerate(doing)], wordings=wordings,
        instruction=words,
    ),
    text, text, st.lists(st.lists(actions, min_size=1, max_size=2), max_size=3),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=2), st.dictionaries(text, text, max_size=2),
)  # fmt: skip

MAPS = [field.name for field in SCHEMA if pa.types.is_map(field.type)]


def record_to_row(record: Trajectory) -> dict[str, Any]:
    """A record as the plain Python row that `pa.Table.from_pylist(..., SCHEMA)` takes."""
    row: dict[str, Any] = msgspec.to_builtins(record)
    return {**row, **{name: list(row[name].items()) for name in MAPS}}


@settings(max_examples=60, deadline=None)
@given(st.lists(trajectories, max_size=4))
def test_table_equals_arrows_own_from_rows_and_comes_back(given_records: list[Trajectory]) -> None:
    table = to_table(given_records)
    assert table.schema == SCHEMA
    assert table.equals(pa.Table.from_pylist([record_to_row(r) for r in given_records], schema=SCHEMA))
    assert list(records(table)) == given_records


def test_a_number_beyond_64_bits_is_an_error_and_not_another_number() -> None:
    with pytest.raises(pa.ArrowInvalid):
        to_table([make_trajectory(steps=[make_step(0, events=[2**70])])])
