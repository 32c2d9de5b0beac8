"""A published dataset that is not whole, or not what it says, is told; nothing of it is believed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.model.rejected import Rejected
from curate.sources.base import Read, ReadContext
from curate.sources.hub_dataset import SOURCE
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore
from tests.publish.made import make_run, staged


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = make_run(tmp_path_factory.mktemp("hub"))
    return staged(run, run.with_name("run.publish")).folder


@pytest.fixture
def downloaded(published: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(published, tmp_path / "downloaded"))


def read(folder: Path, media: Path) -> list[Read | Rejected]:
    return list(SOURCE.read(folder, ReadContext(media=MediaStore(media), shown="downloaded")))


def rewrite(file: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    table = pq.read_table(file)
    pq.write_table(change(table), file)


def test_it_is_recognised_as_one_input(downloaded: Path) -> None:
    found = find_inputs([downloaded])
    assert [entry.source for entry in found.inputs] == ["hub_dataset"] and not found.unknown


def test_records_come_in_the_runs_order(downloaded: Path, tmp_path: Path) -> None:
    """Not split by split."""
    apps = [item.trajectory.id for item in read(downloaded, tmp_path / "media") if isinstance(item, Read)]
    assert apps == [f"made:{app}" for app in ("notes", "sheets", "mail", "maps", "paint", "music")]


@pytest.mark.parametrize("what", ["manifest.json", "data/trajectories/train-00000.parquet"])
def test_a_file_that_is_broken_ends_the_reading(downloaded: Path, tmp_path: Path, what: str) -> None:
    data = (downloaded / what).read_bytes()
    (downloaded / what).write_bytes(data[: len(data) // 2])
    (told,) = read(downloaded, tmp_path / "media")
    assert isinstance(told, Rejected) and told.reason == "read.error"
    assert told.detail is not None and what.rsplit("/", 1)[-1] in told.detail and str(tmp_path) not in told.detail


def test_a_table_that_is_missing_ends_the_reading(downloaded: Path, tmp_path: Path) -> None:
    (downloaded / "data/trajectories/test-00000.parquet").unlink()
    (told,) = read(downloaded, tmp_path / "media")
    assert isinstance(told, Rejected) and "download the dataset whole" in str(told.detail)


def test_another_version_is_refused(downloaded: Path, tmp_path: Path) -> None:
    manifest = msgspec.json.decode((downloaded / "manifest.json").read_bytes())
    (downloaded / "manifest.json").write_bytes(msgspec.json.encode({**manifest, "schema": "publish.v9"}))
    (told,) = read(downloaded, tmp_path / "media")
    assert isinstance(told, Rejected) and "publish.v9" in str(told.detail)


def test_steps_of_other_records_are_told(downloaded: Path, tmp_path: Path) -> None:
    rewrite(downloaded / "data/steps/train-00000.parquet", lambda table: table.slice(1))
    items = read(downloaded, tmp_path / "media")
    assert [item.reason for item in items if isinstance(item, Rejected)] == ["read.error"]


def test_a_picture_of_other_bytes_refuses_its_record(downloaded: Path, tmp_path: Path) -> None:
    def exchanged(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        rows[0]["image"]["bytes"] = b"somebody else's"
        return pa.Table.from_pylist(rows, schema=table.schema)

    rewrite(downloaded / "data/steps/train-00000.parquet", exchanged)
    items = read(downloaded, tmp_path / "media")
    assert [item.reason for item in items if isinstance(item, Rejected)] == ["read.media_damaged"]
    assert sum(isinstance(item, Read) for item in items) == 5


def test_a_picture_that_is_null_is_missing(downloaded: Path, tmp_path: Path) -> None:
    def without(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        rows[0]["image"] = None
        return pa.Table.from_pylist(rows, schema=table.schema)

    rewrite(downloaded / "data/steps/train-00000.parquet", without)
    steps = [step for item in read(downloaded, tmp_path / "media") if isinstance(item, Read)
             for step in item.trajectory.steps]  # fmt: skip
    assert [(step.image, step.flags) for step in steps if "picture_missing" in step.flags] == [
        (None, ["picture_missing"])
    ]


def test_a_manifest_that_names_files_elsewhere_reads_none_of_them(downloaded: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.parquet").write_bytes(b"secret")
    manifest = msgspec.json.decode((downloaded / "manifest.json").read_bytes())
    manifest["files"].append({"path": "data/trajectories/../../../secret.parquet", "sha256": "0", "bytes": 6})
    (downloaded / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    items = read(downloaded, tmp_path / "media")
    assert all(isinstance(item, Read) for item in items) and len(items) == 6
