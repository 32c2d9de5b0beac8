"""Every line of a file comes out, as itself or with a reason, in bounded memory."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.store.jsonl import BadLine, Line, read_lines


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_numbers_count_every_line_blank_ones_too(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", b'{"a":1}\n\n   \n{"a":2}\r\n{"a":3}')
    assert list(read_lines(path)) == [Line(1, b'{"a":1}'), Line(4, b'{"a":2}'), Line(5, b'{"a":3}', cut=True)]


@settings(max_examples=60)
@given(st.lists(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\n\r")), max_size=20))
def test_against_splitting_the_whole_text(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    lines = [json.dumps(text, ensure_ascii=False) for text in texts]
    path = write(tmp_path_factory.mktemp("j") / "a.jsonl", "".join(line + "\n" for line in lines).encode())
    found = list(read_lines(path))
    if not lines:
        assert [bad.reason for bad in found if isinstance(bad, BadLine)] == ["read.empty"]
        return
    assert [(line.number, line.data.decode()) for line in found if isinstance(line, Line)] == list(
        enumerate(lines, start=1)
    )


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=30).filter(lambda b: b"\n" not in b), min_size=1, max_size=20), st.data())
def test_parts_of_a_file_give_what_the_whole_gives(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], data: st.DataObject
) -> None:
    lines = [b"x" + piece + b"\n" for piece in pieces]
    path = write(tmp_path_factory.mktemp("j") / "a.jsonl", b"".join(lines))
    cut = data.draw(st.integers(0, len(lines)))
    offset = sum(map(len, lines[:cut]))
    whole = list(read_lines(path, limit=20))
    size = path.stat().st_size
    first = list(read_lines(path, limit=20, start=0, stop=offset)) if cut else []
    second = list(read_lines(path, limit=20, start=offset, stop=size, first_line=cut + 1)) if cut < len(lines) else []
    assert first + second == whole


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_other_encodings_are_named(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "a.jsonl", '{"a": "é"}\n{"a": 2}\n'.encode(encoding))
    (bad,) = read_lines(path)
    assert isinstance(bad, BadLine) and bad.reason == "read.encoding" and "UTF-" in bad.detail


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"a":1}\n'.encode("utf-8-sig"))
    assert list(read_lines(path)) == [Line(1, b'{"a":1}')]


def test_latin_1_spoils_only_the_lines_it_is_in(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", b'{"a":1}\n{"a":"caf\xe9"}\n{"a":"caf\xc3\xa9"}\n')
    first, bad, last = read_lines(path)
    assert isinstance(bad, BadLine) and (bad.number, bad.reason) == (2, "read.encoding") and "Byte 10" in bad.detail
    assert isinstance(first, Line) and isinstance(last, Line) and last.number == 3


@pytest.mark.parametrize("content", [b"", b"\n\n", b"   "])
def test_a_file_without_lines(tmp_path: Path, content: bytes) -> None:
    (bad,) = read_lines(write(tmp_path / "a.jsonl", content))
    assert isinstance(bad, BadLine) and bad.reason == "read.empty"


def test_a_missing_file_is_a_reason_too(tmp_path: Path) -> None:
    (bad,) = read_lines(tmp_path / "none.jsonl")
    assert isinstance(bad, BadLine) and bad.reason == "read.error" and str(tmp_path) not in bad.detail


def test_a_line_of_200_mb_is_a_reason_and_costs_no_200_mb(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:  # sparse: the hole reads as zero bytes
        file.write(b'{"first":1}\n{"a":"')
        file.seek(200_000_000, 1)
        file.write(b'"}\n{"last":1}\n')
    tracemalloc.start()
    first, bad, last = read_lines(path, limit=8 << 20)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(first, Line) and first.number == 1
    assert isinstance(bad, BadLine) and (bad.number, bad.reason) == (2, "read.too_long") and "200,000" in bad.detail
    assert last == Line(3, b'{"last":1}')
    assert peak < (8 << 20) * 1.3


def test_a_line_at_the_limit_is_read(tmp_path: Path) -> None:
    line = b'"' + b"a" * 3_000_000 + b'"'
    path = write(tmp_path / "a.jsonl", line + b"\n" + line + b"\n")
    assert list(read_lines(path, limit=len(line) + 1)) == [Line(1, line), Line(2, line)]
    assert {bad.reason for bad in read_lines(path, limit=len(line)) if isinstance(bad, BadLine)} == {"read.too_long"}


def test_packed_files(tmp_path: Path) -> None:
    data = b'{"a":1}\n{"a":2}\n'
    zipped = write(tmp_path / "a.jsonl.gz", gzip.compress(data))
    packed = write(tmp_path / "a.jsonl.zst", pa.compress(data, codec="zstd", asbytes=True))
    for path in (zipped, packed):
        assert list(read_lines(path)) == [Line(1, b'{"a":1}'), Line(2, b'{"a":2}')]


def test_a_packed_file_cut_short(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"n": n, "text": str(n * 7919) * 50}) + "\n" for n in range(3000)).encode()
    whole = gzip.compress(lines)
    found = list(read_lines(write(tmp_path / "a.jsonl.gz", whole[: len(whole) // 2])))
    assert isinstance(found[0], Line) and len(found) > 100
    assert isinstance(found[-1], BadLine) or (isinstance(found[-1], Line) and found[-1].cut)
    (bad,) = read_lines(write(tmp_path / "b.jsonl.gz", b"no gzip at all"))
    assert isinstance(bad, BadLine) and bad.reason == "read.error"
