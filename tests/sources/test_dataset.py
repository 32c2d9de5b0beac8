"""Our own dataset folders as input."""

from __future__ import annotations

from pathlib import Path

from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory, encode
from curate.reduce.types import Stretch
from curate.sources.base import Read, ReadContext
from curate.sources.recognise import find_inputs
from curate.sources.registry import source
from curate.store.dataset import DatasetWriter
from curate.store.media import MediaStore
from tests.factories import make_trajectory, png
from tests.sources.folders import read_all


def make_dataset(root: Path, count: int = 3) -> list[Trajectory]:
    records = []
    with DatasetWriter(root) as writer:
        for number in range(count):
            record = make_trajectory(f"made:{number}")
            record.steps[0].image = writer.media.add_bytes(png(shade=number), "png")
            records.append(record)
            writer.add(record, [Stretch(first=0, last=number, reason="reduce.pointer_motion")])
    return records


def test_a_dataset_is_read_as_it_was_written(tmp_path: Path) -> None:
    records = make_dataset(tmp_path / "ds")
    (one,) = find_inputs([tmp_path / "ds"]).inputs
    media = MediaStore(tmp_path / "out")
    items = list(source(one.source).read(one.path, ReadContext(media=media, shown=one.shown)))
    assert all(isinstance(item, Read) for item in items)
    read = [item for item in items if isinstance(item, Read)]
    assert [encode(item.trajectory) for item in read] == [encode(record) for record in records]
    assert [item.stretches[0].last for item in read] == [0, 1, 2]
    assert all(media.check(record.steps[0].image or "") for record in records)


def test_a_changed_table_is_said(tmp_path: Path) -> None:
    make_dataset(tmp_path / "ds")
    part = tmp_path / "ds" / "trajectories" / "part-00000.parquet"
    part.write_bytes(part.read_bytes() + b"x")
    (bad,) = read_all(tmp_path / "ds", tmp_path / "out")
    assert isinstance(bad, Rejected) and bad.reason == "read.error" and "sha256" in (bad.detail or "")
    assert str(tmp_path) not in (bad.detail or "")


def test_a_picture_that_went_missing(tmp_path: Path) -> None:
    records = make_dataset(tmp_path / "ds")
    (tmp_path / "ds" / (records[1].steps[0].image or "")).unlink()
    first, second, third = read_all(tmp_path / "ds", tmp_path / "out")
    assert isinstance(first, Trajectory) and isinstance(third, Trajectory)
    assert isinstance(second, Rejected) and (second.id, second.reason) == ("made:1", "read.media_missing")
