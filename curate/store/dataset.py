"""The dataset folder:

    dataset.json                    schema version, counts, sha256 of each table, written last
    trajectories/part-00000.parquet one row a trajectory, nested (schema model.arrow.SCHEMA)
    media/<2 hex>/<sha256>.<ext>    each picture once; its name is its hash
    reduced.parquet                 where it comes from recordings: every stretch of raw events, with its step or reason
    rejected.jsonl                  only if something could not be read: what and why

The same records in the same order give the same bytes. A folder without dataset.json is not finished.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.arrow import SCHEMA, records, to_table
from curate.model.errors import GateError, InputError, StoreError
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.store.atomic import JsonlWriter, atomic_path, make_folder, remove_leftovers, store_error, write_json
from curate.store.media import MediaStore

DATASET_VERSION = "dataset.v1"
MANIFEST = "dataset.json"
PART_ROWS = 256  # trajectories a part: a shard of a run; at 20 steps each about 2 MB compressed
REDUCED_ROWS = 65536  # stretches a row group
GROUP_ROWS = 64  # trajectories a row group, the unit that reading holds in memory

_REDUCED: list[tuple[str, pa.DataType]] = [
    ("id", pa.string()), ("first", pa.int64()), ("last", pa.int64()), ("step", pa.int64()), ("reason", pa.string()),
]  # fmt: skip
REDUCED: pa.Schema = pa.schema(_REDUCED)
"""reduced.parquet: raw events `first` to `last` (inclusive) of trajectory `id` are in `step`, or why in none."""


class FileEntry(msgspec.Struct, kw_only=True):
    """A file of the dataset: its size in bytes and its hash."""

    bytes: int
    sha256: str


class Manifest(msgspec.Struct, kw_only=True):
    """dataset.json. `made` says what the folder was made from and how (no paths of this machine); `files` names
    every table by its relative path; media are counted, their names are their hashes."""

    schema: str = DATASET_VERSION
    trajectories: int
    steps: int
    files: dict[str, FileEntry]
    media: dict[str, int]
    made: dict[str, Any] = {}


def part_name(number: int) -> str:
    """Relative path of a part, from 0."""
    return f"trajectories/part-{number:05d}.parquet"


def write_parquet(path: Path, table: pa.Table, group_rows: int = 65536, *, durable: bool = True) -> None:
    """Write a table, whole or not at all; the same rows give the same bytes. `durable`: as of `atomic_path`. Raises
    StoreError."""
    with atomic_path(path, durable=durable) as temporary:
        pq.write_table(table, temporary, compression="zstd", row_group_size=group_rows, store_schema=True)


def write_part(root: Path, number: int, trajectories: pa.Table | Sequence[Trajectory]) -> Path:
    """Write one part of a dataset: a table of SCHEMA or records. Safe to call from several processes for
    different numbers. Raises StoreError."""
    table = trajectories if isinstance(trajectories, pa.Table) else to_table(trajectories)
    path = root / part_name(number)
    write_parquet(path, table.cast(SCHEMA), GROUP_ROWS)
    return path


def part_paths(root: Path) -> list[Path]:
    """The parts of a dataset or run folder, in order."""
    return sorted((root / "trajectories").glob("part-*.parquet"))


def write_manifest(root: Path, made: dict[str, Any] | None = None) -> Manifest:
    """Hash what is there and write dataset.json, which makes the folder a finished dataset. Raises StoreError."""
    manifest = Manifest(trajectories=0, steps=0, files={}, media=_media_counts(root), made=made or {})
    tables = part_paths(root)
    for path in tables:
        about = pq.read_metadata(path)
        manifest.trajectories += about.num_rows
        manifest.steps += sum(_steps_in(about.row_group(group)) for group in range(about.num_row_groups))
    if (root / "reduced.parquet").is_file():
        tables = [*tables, root / "reduced.parquet"]
    for path in tables:
        entry = FileEntry(bytes=path.stat().st_size, sha256=file_sha256(path))
        manifest.files[path.relative_to(root).as_posix()] = entry
    write_json(root / MANIFEST, manifest)
    return manifest


def _steps_in(group: pq.RowGroupMetaData) -> int:
    """How many steps a row group holds: values of their index, which a step always has and an empty list is null in."""
    columns = (group.column(number) for number in range(group.num_columns))
    index = next(column for column in columns if column.path_in_schema == "steps.list.element.index")
    nulls = index.statistics.null_count if index.statistics is not None else index.num_values  # none: no records
    return index.num_values - int(nulls or 0)


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, read in pieces. Raises StoreError."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise store_error("read", path, error) from error


def _media_counts(root: Path) -> dict[str, int]:
    sizes = [path.stat().st_size for path in (root / "media").glob("*/*") if not path.name.startswith(".")]
    return {"files": len(sizes), "bytes": sum(sizes)}


class DatasetWriter:
    """Writes a dataset folder in one pass: `with DatasetWriter(root) as writer: writer.add(record, stretches)`.

    Parts appear one by one, dataset.json at the end; when the block fails the folder has no dataset.json and the
    next attempt starts over. A finished dataset of something else (another `made`) is never overwritten.
    """

    def __init__(self, root: Path | str, made: dict[str, Any] | None = None, part_rows: int = PART_ROWS) -> None:
        self.root = Path(root)
        self.made = msgspec.to_builtins(made or {})
        self.media = MediaStore(self.root, deferred=True)
        self.manifest: Manifest | None = None
        self._part_rows = part_rows
        self._rows: list[Trajectory] = []
        self._parts = 0
        self._rejected: JsonlWriter | None = None
        self._stretches: list[dict[str, Any]] = []
        self._reduced: pq.ParquetWriter | None = None
        self._stack = contextlib.ExitStack()
        refuse_other(self.root, self.made)

    def __enter__(self) -> DatasetWriter:
        make_folder(self.root / "trajectories")
        remove_leftovers(self.root)
        if not (self.root / MANIFEST).is_file():
            self.media.clear()  # pictures of an attempt that did not end, maybe with other options
        more = [self.root / "reduced.parquet", self.root / "rejected.jsonl"]
        for stale in [self.root / MANIFEST, *part_paths(self.root), *more]:
            stale.unlink(missing_ok=True)
        return self

    def add(self, trajectory: Trajectory, stretches: Sequence[Any] = ()) -> None:
        """Add a record, and the stretches of raw events it was reduced from (reduce.types.Stretch: first, last,
        step, reason)."""
        self._rows.append(trajectory)
        self._stretches.extend(reduced_row(trajectory.id, stretch) for stretch in stretches)
        if len(self._stretches) >= REDUCED_ROWS:
            self._flush_stretches()
        if len(self._rows) >= self._part_rows:
            self._flush()

    def reject(self, row: Rejected) -> None:
        """A line of rejected.jsonl, which appears when the dataset is finished."""
        if self._rejected is None:
            self._rejected = self._stack.enter_context(JsonlWriter(self.root / "rejected.jsonl"))
        self._rejected.write(row)

    def _flush_stretches(self) -> None:
        """Write a row group of reduced.parquet, which appears when the dataset is finished."""
        if self._reduced is None:
            temporary = self._stack.enter_context(atomic_path(self.root / "reduced.parquet"))
            self._reduced = self._stack.enter_context(pq.ParquetWriter(temporary, REDUCED, compression="zstd"))
        self._reduced.write_table(pa.Table.from_pylist(self._stretches, schema=REDUCED))
        self._stretches = []

    def _flush(self) -> None:
        write_part(self.root, self._parts, self._rows)
        self._parts += 1
        self._rows = []

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            if error is not None:
                raise error  # through the stack, which removes what is not whole
            if self._rows or not self._parts:
                self._flush()
            if self._stretches:
                self._flush_stretches()
            self.media.sync()
        self.manifest = write_manifest(self.root, self.made)


def reduced_row(trajectory_id: str, stretch: Any) -> dict[str, Any]:
    """A row of reduced.parquet for a stretch (an object with first, last, step, reason)."""
    return {
        "id": trajectory_id,
        "first": stretch.first,
        "last": stretch.last,
        "step": stretch.step,
        "reason": stretch.reason,
    }


def refuse_other(root: Path, made: dict[str, Any]) -> None:
    """Raise StoreError if `root` holds a finished dataset that was made from something else, or other files."""
    if not root.exists():
        return
    if not root.is_dir():
        raise StoreError(f"Cannot write a dataset to {root}: there is a file of that name.")
    if (root / MANIFEST).is_file():
        if read_manifest(root).made != made:
            raise GateError(f"{root} already holds a dataset of other inputs or options: choose a new --out.")
        return
    ours = ("trajectories", "media", "reduced.parquet", "rejected.jsonl")  # of an attempt that did not end
    foreign = [path.name for path in root.iterdir() if path.name not in ours and path.name[0] != "."]
    if foreign:
        raise GateError(f"{root} holds other files ({sorted(foreign)[0]}): choose a new or empty folder for --out.")


def is_dataset(path: Path) -> bool:
    """Whether a folder is a finished dataset, by its dataset.json."""
    return path.is_dir() and (path / MANIFEST).is_file()


def read_manifest(root: Path) -> Manifest:
    """dataset.json. Raises InputError when it is missing, broken or of another version."""
    path = root / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}: {error}.") from error
    if manifest.schema != DATASET_VERSION:
        raise InputError(f"{path} is of version {manifest.schema!r}; this program reads {DATASET_VERSION!r}.")
    return manifest


def read_dataset(root: Path | str, check_hashes: bool = False, columns: list[str] | None = None) -> Iterator[pa.Table]:
    """The trajectories of a dataset or run folder as tables of SCHEMA in their order, one row group at a time.

    `check_hashes`: first compare each part with dataset.json. Raises InputError for a part that is broken, changed
    or missing.
    """
    folder = Path(root)
    if check_hashes:
        verify(folder)
    for path in part_paths(folder):
        try:
            with pq.ParquetFile(path) as file:
                _check_schema(file.schema_arrow, path)
                for group in range(file.num_row_groups):
                    yield file.read_row_group(group, columns=columns)
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"Cannot read {path}: {error}.") from error


def read_records(root: Path | str, check_hashes: bool = False) -> Iterator[Trajectory]:
    """The records of a dataset or run folder in their order, in bounded memory. Raises InputError."""
    for table in read_dataset(root, check_hashes):
        yield from records(table)


def verify(root: Path) -> None:
    """Compare every table with its hash in dataset.json. Raises InputError naming the first that differs."""
    for name, entry in read_manifest(root).files.items():
        path = root / name
        if not path.is_file():
            raise InputError(f"{path} is missing, though dataset.json names it.")
        if file_sha256(path) != entry.sha256:
            raise InputError(f"{path} is not the file that dataset.json names: its sha256 differs.")


def _check_schema(found: pa.Schema, path: Path) -> None:
    if not found.equals(SCHEMA):
        missing = sorted(set(SCHEMA.names) - set(found.names))
        what = f"it lacks {missing[0]!r}" if missing else "its columns have other types"
        raise InputError(f"{path} does not have the schema of a trajectory: {what}.")
