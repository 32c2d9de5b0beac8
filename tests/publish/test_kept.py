"""What is shown of a record's source names no place on a disk."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.publish.kept import relative_file


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (None, None),
        ("runs.jsonl", "runs.jsonl"),
        ("part/runs.jsonl", "part/runs.jsonl"),
        ("/Users/anna/runs.jsonl", "runs.jsonl"),
        ("C:\\Users\\anna\\runs.jsonl", "runs.jsonl"),
        ("\\\\server\\share\\runs.jsonl", "runs.jsonl"),
        ("../anna/runs.jsonl", "runs.jsonl"),
        ("~/runs.jsonl", "runs.jsonl"),
        ("~anna/runs.jsonl", "runs.jsonl"),
        ("file:///Users/anna/runs.jsonl", "runs.jsonl"),
        ("runs (2).jsonl", "runs (2).jsonl"),
        ("/", None),
        ("..", None),
    ],
)
def test_files(given: str | None, shown: str | None) -> None:
    assert relative_file(given) == shown


@given(st.text(alphabet="ab/\\.:~ ", max_size=20))
def test_no_file_is_absolute_or_leads_upwards(name: str) -> None:
    shown = relative_file(name)
    if shown is None:
        return
    assert not shown.startswith("~") and "://" not in shown
    for kind in (PurePosixPath, PureWindowsPath):
        path = kind(shown)
        assert not path.is_absolute() and ".." not in path.parts and not path.drive
