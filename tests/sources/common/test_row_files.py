"""Rows are read in whichever form they stand, whatever the file's name says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.sources.base import ReadContext
from curate.sources.common.row_files import first_row, first_rows, rows_of
from curate.store.jsonl import BadLine
from curate.store.media import MediaStore

rows = st.lists(
    st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=5) | st.lists(st.booleans()), min_size=1),
    min_size=1, max_size=4,
)  # fmt: skip
FORMS = {
    "lines": lambda found: "".join(json.dumps(row) + "\n" for row in found),
    "list": json.dumps,
    "list over lines": lambda found: json.dumps(found, indent=1),
    "list of lines": lambda found: "[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n",
    "objects over lines": lambda found: "\n".join(json.dumps(row, indent=2) for row in found),
}


def read(path: Path) -> list[object]:
    context = ReadContext(media=MediaStore(path.parent))
    return [(one.number, one.reason) if isinstance(one, BadLine) else one.value for one in rows_of(path, context)]


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=20)
@given(found=rows)
def test_every_form_gives_the_rows(
    form: str, suffix: str, found: list[dict[str, object]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("rows") / f"a{suffix}"
    path.write_text(FORMS[form](found), encoding="utf-8")
    assert read(path) == found
    assert first_row(path) == found[0] and first_rows(path)[0] == found[0]


def test_a_broken_first_line_does_not_make_it_a_document(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": \n{"a": 2}\n{"a": 3}\n')
    assert read(path) == [(1, "read.json"), {"a": 2}, {"a": 3}]


def test_where_a_document_breaks_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{\n"a": 1\n}\n{\n"a": [\n')
    assert read(path) == [{"a": 1}, (2, "read.json")]
