"""Rows of one key, gathered and in order, whatever order they come in."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from curate.sources.common.grouping import Group, Keyed, grouped

KEYS = st.sampled_from(["a", "b", "c", "\ud800", ""])
ROWS = st.lists(st.tuples(KEYS, st.integers(-3, 3) | st.just(2**62), st.binary(max_size=5)), max_size=30)


@given(ROWS)
def test_nothing_is_lost_and_equals_keep_their_order(rows: list[tuple[str, int, bytes]]) -> None:
    given_rows = [Keyed(key, order, "f", n + 1, data) for n, (key, order, data) in enumerate(rows)]
    with tempfile.TemporaryDirectory() as folder:
        found = list(grouped(given_rows, Path(folder)))
        assert list(Path(folder).iterdir()) == []
    first_seen = dict.fromkeys(row.key for row in given_rows)
    wanted = [
        Group(key, sorted((r for r in given_rows if r.key == key), key=lambda r: (r.order, r.line)))
        for key in first_seen
    ]
    assert found == wanted


def test_what_is_not_asked_for_leaves_nothing_behind(tmp_path: Path) -> None:
    groups = grouped((Keyed(str(n), n, "f", n + 1, b"") for n in range(3)), tmp_path)
    assert next(groups).key == "0"
    groups.close()  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []
