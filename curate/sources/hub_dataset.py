"""A published dataset, as it is downloaded (`store.published`): its records as they were published, with the pictures
that stand in the table of steps, each under the name that its bytes have."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.errors import InputError
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.reading import UnreadableError, rejected
from curate.store.dataset import file_sha256
from curate.store.media import MediaStore, is_reference
from curate.store.published import (
    MANIFEST,
    MANIFEST_VERSION,
    STEP_MEDIA,
    STEPS_FOLDER,
    TRAJECTORIES_FOLDER,
    is_published,
    name_of,
    record_of,
)

_ROWS = 16  # rows of a table at a time; those of a row group are read with them
_STEP_COLUMNS = ["id", "index", "position", *STEP_MEDIA]
_COUNTED = ("image", "image_after", "tree")
"""Columns of media that are fields of a step."""


class _File(msgspec.Struct):
    path: str
    sha256: str


class _Manifest(msgspec.Struct):
    """What reading needs of manifest.json."""

    schema: str
    files: list[_File]


class HubDataset:
    """The source `hub_dataset`: a folder with manifest.json, data/trajectories and data/steps."""

    name = "hub_dataset"
    raw = False
    divisible = False
    facts = None

    def recognise(self, path: Path) -> bool:
        """A downloaded publication."""
        return is_published(path)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every record, in the order that it was published in. A table that is not what manifest.json says ends the
        reading with a reason; of pictures each is held against its own name."""
        try:
            for name, sha256 in _tables(path):
                _check(path / name, name, sha256)
            splits = [_split(path, split) for split in _splits(path)]
            for _, record, media in heapq.merge(*splits, key=lambda item: item[0]):
                try:
                    _carry(record, media, path, context.media)
                except UnreadableError as error:
                    yield rejected(context.shown, error.reason, str(error), record.id)
                    continue
                yield Read(trajectory=record)
        except UnreadableError as error:
            yield rejected(context.shown, error.reason, str(error))
        except InputError as error:
            yield rejected(context.shown, "read.error", str(error).replace(str(path), context.shown))


def _tables(path: Path) -> Iterator[tuple[str, str]]:
    """The tables of records with their hashes. Raises InputError."""
    try:
        manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=_Manifest)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path / MANIFEST}: {error}.") from error
    if manifest.schema != MANIFEST_VERSION:
        raise InputError(f"{path / MANIFEST} is {manifest.schema[:40]!r}; this program reads {MANIFEST_VERSION!r}.")
    for file in manifest.files:
        folder, _, name = file.path.rpartition("/")
        if folder == TRAJECTORIES_FOLDER and name not in ("", ".", ".."):
            yield file.path, file.sha256


def _check(file: Path, name: str, sha256: str) -> None:
    if not file.is_file():
        raise InputError(f"{name} is missing, though {MANIFEST} names it: download the dataset whole.")
    if file_sha256(file) != sha256:
        raise InputError(f"{name} is not the file that {MANIFEST} names: its sha256 differs.")


def _splits(path: Path) -> list[str]:
    """The splits that have records."""
    return sorted({file.stem.rpartition("-")[0] for file in (path / TRAJECTORIES_FOLDER).glob("*.parquet")})


_Media = list[dict[str, Any]]
"""Of each step of a record, its row of media."""


def _split(path: Path, split: str) -> Iterator[tuple[int, Trajectory, _Media]]:
    """The records of a split by position, with their steps' media. Raises InputError."""
    steps = _rows(path / STEPS_FOLDER, split, _STEP_COLUMNS)
    for row in _rows(path / TRAJECTORIES_FOLDER, split, None):
        try:
            position, record = int(row["position"]), record_of(row)
        except (msgspec.ValidationError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{TRAJECTORIES_FOLDER}: a row is no record: {error}.") from error
        media = [next(steps, None) for _ in record.steps]
        for step, own in zip(record.steps, media, strict=True):
            if own is None or (own["position"], own["index"]) != (position, step.index):
                raise InputError(
                    f"{STEPS_FOLDER}: the steps of {split} are not those of its records, from {record.id}."
                )
        yield position, record, [own for own in media if own is not None]


def _rows(folder: Path, split: str, columns: list[str] | None) -> Iterator[dict[str, Any]]:
    """The rows of a table of a split, in order, a row group of it in memory. Raises InputError."""
    for file in sorted(folder.glob(f"{split}-*.parquet")):
        if file.stem.rpartition("-")[0] != split:
            continue
        try:
            with pq.ParquetFile(file) as table:
                for batch in table.iter_batches(_ROWS, columns=columns):
                    yield from batch.to_pylist()
        except (pa.ArrowException, OSError, KeyError) as error:
            raise InputError(f"Cannot read {file}: {error}.") from error


def _carry(record: Trajectory, media: _Media, path: Path, into: MediaStore) -> None:
    """Bring the media of a record along: the record is changed where one is not there, and its step flagged. Raises
    UnreadableError for bytes that are not those of their name."""
    for step, row in zip(record.steps, media, strict=True):
        for field in _COUNTED:
            reference = getattr(step, field)
            if reference is not None and not _store(reference, row[field], into):
                setattr(step, field, None)
                step.flags = sorted({*step.flags, "picture_missing"})
    final = media[-1]["final_image"] if media else None
    if record.final_image is not None and not _store(record.final_image, final, into):
        record.final_image = None
    for field in ("video", "trace"):
        reference = getattr(record, field)
        if reference is not None and not _bring(reference, path, into):
            setattr(record, field, None)


def _store(reference: str, medium: dict[str, Any] | None, into: MediaStore) -> bool:
    """Store the bytes that stand for a reference; whether there are any."""
    if medium is None or medium["bytes"] is None or not is_reference(reference):
        return False
    extension = name_of(reference).partition(".")[2]
    if into.add_bytes(medium["bytes"], extension) != reference:
        raise UnreadableError("read.media_damaged", f"The bytes of {reference} are not those of its name.")
    return True


def _bring(reference: str, path: Path, into: MediaStore) -> bool:
    """Store a file of the publication; whether it is there."""
    file = path / reference
    if not is_reference(reference) or not file.is_file():
        return False
    if into.add_file(file, name_of(reference).partition(".")[2]) != reference:
        raise UnreadableError("read.media_damaged", f"The bytes of {reference} are not those of its name.")
    return True


SOURCE = HubDataset()
