"""Files that are no text are told by their first bytes, as real writers of each format make them; no text is taken for
one."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import pickle
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from curate.store.file_kinds import HEAD_BYTES, kind_of
from curate.store.jsonl import BadLine, read_lines

TABLE = pa.table({"text": ["a\nb\n", "c\xe9\n"] * 500, "n": list(range(1000))})


def arrow(path: Path, kind: str) -> None:
    make = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
    with make(str(path), TABLE.schema) as writer:
        writer.write_table(TABLE)


def picture(path: Path, kind: str) -> None:
    pixels = np.random.default_rng(7).integers(0, 255, (20, 20, 3), np.uint8)
    Image.fromarray(pixels).save(path, format=kind)


def archive(path: Path, kind: str) -> None:
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("a.txt", "a\nb\n" * 300)
    else:
        with tarfile.open(path, "w") as file:
            file.addfile(tarfile.TarInfo("a.txt"), io.BytesIO())


def database(path: Path) -> None:
    table = sqlite3.connect(path)
    table.execute("CREATE TABLE a (b TEXT)")
    table.commit()
    table.close()


WRITERS = {
    "a parquet table": lambda path: pq.write_table(TABLE, path),
    "an Arrow file": lambda path: arrow(path, "stream"),
    "an Arrow file ": lambda path: arrow(path, "file"),
    "a pickle": lambda path: path.write_bytes(pickle.dumps([{"a": "b\n"}] * 9)),
    "a picture": lambda path: picture(path, "PNG"),
    "a picture ": lambda path: picture(path, "JPEG"),
    "a picture  ": lambda path: picture(path, "WEBP"),
    "a picture   ": lambda path: picture(path, "GIF"),
    "a zip archive": lambda path: archive(path, "zip"),
    "a tar archive": lambda path: archive(path, "tar"),
    "packed with gzip": lambda path: path.write_bytes(gzip.compress(b"{}\n" * 50)),
    "packed with xz": lambda path: path.write_bytes(lzma.compress(b"{}\n" * 50)),
    "an SQLite database": database,
    "a file of NumPy": lambda path: np.save(path.open("wb"), np.arange(9)),
    "no text": lambda path: path.write_bytes(np.random.default_rng(7).integers(0, 255, 9000, np.uint8).tobytes()),
}


@pytest.mark.parametrize("what", WRITERS)
def test_a_file_of_another_kind_is_told_once(what: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    WRITERS[what](path)
    lines = list(read_lines(path))
    assert len(lines) == 1
    assert isinstance(lines[0], BadLine)
    assert (lines[0].number, lines[0].reason) == (None, "read.encoding")
    assert lines[0].detail.startswith(f"The file is {what.strip()}")


def test_what_is_packed_is_looked_at_unpacked(tmp_path: Path) -> None:
    inner, path = tmp_path / "inner", tmp_path / "rows.jsonl.gz"
    WRITERS["a parquet table"](inner)
    path.write_bytes(gzip.compress(inner.read_bytes()))
    assert [str(line.detail) for line in read_lines(path) if isinstance(line, BadLine)] == [
        "The file is a parquet table: end its name with .parquet."
    ]


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_no_json_and_no_text_is_taken_for_another_kind(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False), f"  {json.dumps([value, 'ustar' * 90])}"):
        assert kind_of(text.encode("utf-8", "replace")[:HEAD_BYTES]) is None


def test_a_line_that_is_broken_does_not_end_its_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": "\0\xe9"}\n{"a": 2}\n')
    bad, good = read_lines(path)
    assert isinstance(bad, BadLine)
    assert bad.number == 1
    assert not isinstance(good, BadLine)
