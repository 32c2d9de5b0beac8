"""The same for binary forms: features of a TFRecord and columns of a table of any kind, and pieces missing."""

from __future__ import annotations

import gzip
import random
import struct
from pathlib import Path
from typing import Any

import crc32c
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tfrecord.example_pb2 import Example

from curate.model.rejected import Rejected
from curate.model.schemas import problem
from curate.model.trajectory import encode
from curate.sources.base import ReadContext
from curate.sources.common import tfrecord_rows
from curate.sources.registry import source
from curate.store.media import MediaStore

FIXTURES = Path(__file__).parent / "fixtures"
VALUES: list[list[Any]] = [
    [], [b""], [b"\xff\xfe"], [b"{}"], [b"[1]"], [b'{"action_type": "click", "x": 1e999, "y": []}'], [b"x"] * 3, [0],
    [-1], [2**62], [1, 2, 3], [0.5], [float("nan")], [float("inf"), 1.0], [-1.0, -1.0], [1e30] * 7,
]  # fmt: skip


def packed(features: list[dict[str, list[Any]]]) -> bytes:
    out = b""
    for row in features:
        example = Example()
        for name, values in row.items():
            kind = "float_list" if values and isinstance(values[0], float) else "int64_list"
            kind = kind if values and not isinstance(values[0], bytes) else "bytes_list"
            getattr(example.features.feature[name], kind).value.extend(values)
        data = example.SerializeToString()
        for part in (struct.pack("<Q", len(data)), data):
            value = crc32c.crc32c(part)
            out += part + struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)
    return gzip.compress(out)


def read(name: str, path: Path, media: Path) -> int:
    """How many items come; every record fits the schema."""
    count = 0
    for item in source(name).read(path, ReadContext(media=MediaStore(media), shown="a")):
        count += 1
        assert isinstance(item, Rejected) or problem(encode(item.trajectory)) is None
    return count


@pytest.mark.parametrize(
    ("name", "file"),
    [("androidcontrol", "tfrecord/raw/android_control-00000-of-00020"), ("aitw", "shards/raw/general-00000-of-00002")],
)
def test_features_of_any_kind(name: str, file: str, tmp_path: Path) -> None:
    some = random.Random(name)
    good = [one.features for one in tfrecord_rows.examples(FIXTURES / name / file) if hasattr(one, "features")]
    path = tmp_path / Path(file).name
    for _ in range(60):
        row = dict(some.choice(good))
        for _ in range(some.randint(1, 2)):
            field = some.choice(sorted(row))
            row[field] = some.choice(VALUES)
            if some.random() < 0.2:
                del row[field]
        path.write_bytes(packed([row]))
        assert read(name, path, tmp_path / "out") == 1


def test_columns_of_any_kind(tmp_path: Path) -> None:
    (file,) = (FIXTURES / "androidcontrol/parquet/raw").iterdir()
    table, path = pq.read_table(file), tmp_path / "a.parquet"
    columns: list[list[Any]] = [
        [None] * 2,
        [1, 2],
        ["a", None],
        [[None], []],
        [[1], [2]],
        [[{}], [{"a": None}]],
        [0.5, None],
    ]
    for name in table.column_names:
        for values in columns:
            try:
                odd = pa.array(values)
            except pa.ArrowException:
                continue
            try:
                pq.write_table(table.set_column(table.column_names.index(name), name, odd), path)
            except pa.ArrowException:
                continue  # no such table can be written
            assert read("androidcontrol", path, tmp_path / "out") == 2


def test_a_table_that_breaks_is_told(tmp_path: Path) -> None:
    (file,) = (FIXTURES / "androidcontrol/parquet/raw").iterdir()
    data = bytearray(file.read_bytes())
    data[40:400] = bytes(360)
    path = tmp_path / "a.parquet"
    path.write_bytes(data)
    found = list(source("androidcontrol").read(path, ReadContext(media=MediaStore(tmp_path), shown="a")))
    assert isinstance(found[-1], Rejected)
