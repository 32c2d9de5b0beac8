"""TFRecord: what another writer wrote is read; what is damaged is told at its record."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tfrecord.writer import TFRecordWriter

from curate.sources.common.tfrecord_rows import BadExample, Example, examples, head

ROWS = [{"name": (f"row {n}".encode(), "byte"), "place": (n, "int"), "at": ([0.5, n / 4], "float")} for n in range(3)]


def written(folder: Path, packed: bool) -> Path:
    plain = folder / "set-00000-of-00001"
    writer = TFRecordWriter(str(plain))
    for row in ROWS:
        writer.write(row)
    writer.close()
    if not packed:
        return plain
    path = folder / "set.tfrecord"
    path.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_another_writer_s_records(tmp_path: Path, packed: bool) -> None:
    path = written(tmp_path, packed)
    read = list(examples(path))
    assert [one.number for one in read] == [1, 2, 3]
    assert isinstance(read[1], Example)
    assert read[1].features == {"name": [b"row 1"], "place": [1], "at": [0.5, 0.25]}
    start = head(path)
    assert start is not None and start.features == {"name", "place", "at"}


def test_a_changed_byte_is_told_and_the_next_record_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, packed=False)
    data = path.read_bytes()
    second = len(data) // 3 + 20
    path.write_bytes(data[:second] + bytes([data[second] ^ 1]) + data[second + 1 :])
    first, bad, third = examples(path)
    assert isinstance(first, Example) and isinstance(third, Example)
    assert isinstance(bad, BadExample) and (bad.number, bad.reason) == (2, "read.tfrecord")
    assert "checksum" in bad.detail


@pytest.mark.parametrize("packed", [False, True])
def test_a_cut_file_is_told_at_every_length(tmp_path: Path, packed: bool) -> None:
    whole = written(tmp_path, packed).read_bytes()
    path = tmp_path / "cut"
    for length in range(len(whole) - 1, 12, -7):
        path.write_bytes(whole[:length])
        *good, last = examples(path)
        assert all(isinstance(one, Example) for one in good) and len(good) < 4
        if not (isinstance(last, Example) and not packed and length % (len(whole) // 3) == 0):
            assert isinstance(last, BadExample) and last.number == len(good) + 1, length


def test_a_changed_length_ends_the_file_at_its_record(tmp_path: Path) -> None:
    path = written(tmp_path, packed=False)
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    first, bad = examples(path)
    assert isinstance(first, Example)
    assert isinstance(bad, BadExample) and bad.number == 2 and "length" in bad.detail


def test_the_beginning_of_a_cut_file_is_one_without_features(tmp_path: Path) -> None:
    path = written(tmp_path, packed=False)
    path.write_bytes(path.read_bytes()[:40])
    start = head(path)
    assert start is not None and start.features == frozenset()


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"PK\x03\x04" + bytes(40), gzip.compress(b'{"a": 1}\n', mtime=0), b"\x1f\x8b"]
)
def test_what_is_no_tfrecord_has_no_head(tmp_path: Path, content: bytes) -> None:
    for name in ("a-00000-of-00001", "a.tfrecord", "other"):
        (tmp_path / name).write_bytes(content)
        assert head(tmp_path / name) is None
