"""JSON files read element by element: what comes is what `json` would give, and what breaks is told."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.sources.common.json_stream import Member, Numbered, beginning, elements, first_object, members
from curate.store.jsonl import BadLine

texts = st.text(st.characters(codec="utf-8"))
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def values(found: Any) -> list[Any]:
    return [one.value for one in found if not isinstance(one, BadLine)]


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same type: 1 is not 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(records=st.lists(anything, min_size=1, max_size=5))
def test_elements_are_what_json_gives(records: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = written(tmp_path_factory.mktemp("json") / "a.json", json.dumps(records, ensure_ascii=False).encode())
    found = list(elements(path))
    assert [one.number for one in found] == list(range(1, len(records) + 1))
    assert same(values(found), records)
    assert same(beginning(path), records)


@given(record=st.dictionaries(texts, anything, min_size=1, max_size=5))
def test_members_are_what_json_gives(record: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = written(tmp_path_factory.mktemp("json") / "a.json", json.dumps(record).encode())
    found = [one for one in members(path) if isinstance(one, Member)]
    assert same({one.name: one.value for one in found}, record)
    assert same(first_object(path), record)


def test_a_list_within(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", b'{"general": [[1], [2]], "single": [[3]]}')
    assert values(elements(path, "general.item")) == [[1], [2]]
    assert values(elements(path, "single.item")) == [[3]]


def test_whole_numbers_of_any_length_stay_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", b'[{"x": 1}, {"id": 16990512663249717516, "x": 0.5}, {"x": 2.0}]')
    found = values(elements(path))
    assert same(found, [{"x": 1}, {"id": 16990512663249717516, "x": 0.5}, {"x": 2.0}])


@pytest.mark.parametrize(
    ("data", "whole", "reason"),
    [
        (b'[{"a": 1}, {"a": 2}, {"a": 3', 2, "read.json"),  # cut
        (b'[{"a": 1}] and more', 1, "read.json"),
        (b'[{"a": 1}, {"a": NaN}]', 1, "read.json"),
        (b"no json", 0, "read.json"),
        (b"", 0, "read.json"),
        (b"[]", 0, "read.empty"),
        (b'{"a": 1}', 0, "read.empty"),  # no list
        ('[{"a": 1}]'.encode("utf-16"), 0, "read.encoding"),
        (b'[{"a": "\xff\xfe"}]', 0, None),
    ],
)
def test_what_breaks_is_told_after_what_could_be_read(
    tmp_path: Path, data: bytes, whole: int, reason: str | None
) -> None:
    found = list(elements(written(tmp_path / "a.json", data)))
    assert len(values(found)) == whole
    *_, last = found
    assert isinstance(last, BadLine)
    assert last.reason in ((reason,) if reason else ("read.json", "read.encoding"))
    assert "\n" not in last.detail and last.detail


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", b"\xef\xbb\xbf[1, 2]")
    assert values(elements(path)) == [1, 2] == beginning(path)


def test_an_element_over_the_limit_is_told_and_not_held(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", json.dumps([1, "x" * 400_000, 2]).encode())
    one, two = elements(path, limit=100_000)
    assert one == Numbered(1, 1)
    assert isinstance(two, BadLine) and (two.number, two.reason) == (2, "read.too_long")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    (found,) = elements(tmp_path / "none.json")
    assert isinstance(found, BadLine) and found.reason == "read.error"
    assert beginning(tmp_path / "none.json") is None


def test_the_beginning_of_a_large_document(tmp_path: Path) -> None:
    """A first record larger than what is looked at still shows the keys that stand before it ends."""
    record = {"annotation_id": "a", "actions": [{"raw_html": "<p>" * 1_000_000}], "website": "w"}
    path = written(tmp_path / "a.json", json.dumps([record]).encode())
    start = first_object(path)
    assert list(start) == ["annotation_id", "actions"] and math.isclose(len(start["actions"]), 1)
