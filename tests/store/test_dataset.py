"""The dataset folder: whole, checked, the same bytes for the same records."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.model.arrow import SCHEMA
from curate.model.errors import GateError, InputError, StoreError
from curate.model.rejected import Rejected
from curate.model.trajectory import encode
from curate.reduce.types import Stretch
from curate.store.dataset import (
    DatasetWriter,
    file_sha256,
    is_dataset,
    part_paths,
    read_dataset,
    read_manifest,
    read_records,
    verify,
    write_part,
)
from tests.factories import make_trajectory, png

RECORDS = [make_trajectory(f"made:{n}") for n in range(150)]
STRETCHES = [Stretch(first=0, last=4, reason="reduce.pointer_motion"), Stretch(first=5, last=6, step=0)]


def write(root: Path, made: dict[str, object] | None = None, part_rows: int = 60) -> Path:
    with DatasetWriter(root, made, part_rows) as writer:
        for record in RECORDS:
            writer.add(record, STRETCHES)
    return root


def tree(root: Path) -> dict[str, str]:
    return {p.relative_to(root).as_posix(): file_sha256(p) for p in sorted(root.rglob("*")) if p.is_file()}


def test_records_come_back(tmp_path: Path) -> None:
    root = write(tmp_path / "ds")
    assert [encode(r) for r in read_records(root, check_hashes=True)] == [encode(r) for r in RECORDS]
    tables = list(read_dataset(root))
    assert all(table.schema.equals(SCHEMA) for table in tables) and max(t.num_rows for t in tables) <= 64
    manifest = read_manifest(root)
    assert (manifest.trajectories, manifest.steps) == (150, sum(len(r.steps) for r in RECORDS))
    assert len(part_paths(root)) == 3
    assert set(manifest.files) == {p.relative_to(root).as_posix() for p in root.rglob("*.parquet")}


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    assert tree(write(tmp_path / "a")) == tree(write(tmp_path / "b"))


def test_writing_it_again_changes_nothing_and_something_else_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path / "ds", {"inputs": ["a"]})
    before = tree(root)
    assert tree(write(root, {"inputs": ["a"]})) == before
    with pytest.raises(GateError, match="other inputs or options"):
        write(root, {"inputs": ["b"]})
    assert tree(root) == before


def test_an_attempt_that_failed_is_no_dataset_and_leaves_no_trace_in_the_next(tmp_path: Path) -> None:
    root = tmp_path / "ds"
    with pytest.raises(RuntimeError), DatasetWriter(root, {"attempt": 1}, part_rows=10) as writer:
        writer.media.add_bytes(png(), "png")
        for record in RECORDS[:25]:
            writer.add(record, STRETCHES)
        writer.reject(Rejected(id=None, file="a", line=1, stage="validate", reason="read.json"))
        raise RuntimeError("stopped")
    assert not is_dataset(root) and len(part_paths(root)) == 2
    assert not list(root.rglob(".tmp-*"))
    assert tree(write(root)) == tree(write(tmp_path / "fresh"))


def test_other_peoples_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(b"x")
    with pytest.raises(GateError, match=r"a\.jpg"):
        write(tmp_path / "photos")
    (tmp_path / "media" / "media" / "ab").mkdir(parents=True)
    (tmp_path / "media" / "media" / "ab" / "mine.png").write_bytes(b"x")
    write(tmp_path / "media")
    assert (tmp_path / "media" / "media" / "ab" / "mine.png").read_bytes() == b"x"
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(StoreError, match="a file of that name"):
        write(tmp_path / "file")


def test_stretches_and_rejected_rows(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        writer.add(RECORDS[0], STRETCHES)
        writer.reject(Rejected(id=None, file="é", line=3, stage="validate", reason="read.json", detail="x"))
    rows = pq.read_table(tmp_path / "ds" / "reduced.parquet").to_pylist()
    assert rows == [
        {"id": "made:0", "first": 0, "last": 4, "step": None, "reason": "reduce.pointer_motion"},
        {"id": "made:0", "first": 5, "last": 6, "step": 0, "reason": None},
    ]
    assert json.loads((tmp_path / "ds" / "rejected.jsonl").read_text(encoding="utf-8"))["file"] == "é"


def test_an_empty_dataset(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds"):
        pass
    assert list(read_records(tmp_path / "ds")) == [] and read_manifest(tmp_path / "ds").trajectories == 0
    assert not (tmp_path / "ds" / "reduced.parquet").exists()


def test_what_was_changed_or_lost_is_said(tmp_path: Path) -> None:
    root = write(tmp_path / "ds")
    part = part_paths(root)[1]
    whole = part.read_bytes()
    part.write_bytes(whole[:-50] + b"x" * 50)
    with pytest.raises(InputError, match=r"part-00001\.parquet.*sha256"):
        verify(root)
    with pytest.raises(InputError, match="part-00001"):
        list(read_dataset(root))
    part.unlink()
    with pytest.raises(InputError, match="missing"):
        verify(root)
    (root / "dataset.json").write_text("{")
    with pytest.raises(InputError, match=r"dataset\.json"):
        read_manifest(root)
    (root / "dataset.json").write_text(
        '{"schema": "dataset.v9", "trajectories": 0, "steps": 0, "files": {}, "media": {}}'
    )
    with pytest.raises(InputError, match=r"dataset\.v9"):
        read_manifest(root)


def test_a_foreign_table_is_no_part(tmp_path: Path) -> None:
    (tmp_path / "trajectories").mkdir()
    pq.write_table(pa.table({"id": ["a"]}), tmp_path / "trajectories" / "part-00000.parquet")
    with pytest.raises(InputError, match="lacks"):
        list(read_dataset(tmp_path))


def test_parts_written_apart_are_the_same_dataset(tmp_path: Path) -> None:
    write(tmp_path / "a")
    for number in (2, 0, 1):  # as workers finish
        write_part(tmp_path / "b", number, RECORDS[number * 60 : (number + 1) * 60])
    assert [p.read_bytes() for p in part_paths(tmp_path / "a")] == [p.read_bytes() for p in part_paths(tmp_path / "b")]
