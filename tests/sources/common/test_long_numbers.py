"""A number of thousands of digits is told in a sentence of our own; the parser never sees it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from curate.sources.common.json_stream import Numbered, beginning, elements, guarded
from curate.store.jsonl import BadLine
from curate.store.late import ijson

MOST = 4300  # digits that CPython reads as a whole number, by default (its docs, sys.int_info)


@pytest.mark.parametrize("before", [0, 1, 4299, 65_000, 65_535, 65_536, 131_000])
@pytest.mark.parametrize("digits", [MOST + 1, 6000, 200_000])
def test_a_number_too_long_ends_the_file_with_a_sentence(tmp_path: Path, before: int, digits: int) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'[{" " * before}{{"n": 1}}, {{"n": {"7" * digits}}}]')
    assert beginning(path)[0] == {"n": 1}
    first, bad = elements(path)
    assert first == Numbered(1, {"n": 1})
    assert isinstance(bad, BadLine)
    assert (bad.number, bad.reason) == (2, "read.json")
    assert bad.detail == "A number has over 4,300 digits; what follows is lost."


@pytest.mark.parametrize("before", [0, 4299, 65_000, 65_535])
def test_the_longest_number_is_read(tmp_path: Path, before: int) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'[{" " * before}{{"n": {"7" * MOST}}}]')
    assert list(elements(path)) == [Numbered(1, {"n": int("7" * MOST)})]


def test_the_parser_is_guarded_wherever_it_is_used() -> None:
    with pytest.raises(ValueError, match="over 4,300 digits"):
        list(ijson.parse(guarded(io.BytesIO(b'{"n": ' + b"7" * 6000 + b"}"))))
