"""The `.work` folder of a run: finished pieces of work by what they depend on, so that a killed run goes on and a
changed option redoes only what depends on it.

    .work/edits.json                                 edits in force, where the run has edits (engine.editing)
    .work/read/<shard key>/part-000.parquet          records of one batch, ids unique in the shard
                           records-000.jsonl.lz4     the same as canonical JSON lines, for making examples
                           drafts-<key>-000.msgpack  bodies of their examples, until the run is done
                           origins.parquet           ids of all its records, and the lines they came from
                           reduced.parquet           stretches of raw events, where there are any
                           edits.json                what came of edits, where the run has some
                           index.json                what is there; written last
                           <stage>-<key>.arrow       measures of one stage (or its projection, for corpus stages)
    .work/corpus/<stage>-<key>.arrow                 measures over the whole corpus
    .work/examples/<key>/<split>.jsonl, index.json   training examples of some consecutive batches

At its end a run removes what it did not use, so equal runs leave equal folders."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.errors import StoreError
from curate.model.rejected import Rejected
from curate.store.arrow_file import arrow_rows, arrow_schema, read_arrow
from curate.store.atomic import atomic_path, make_durable, make_folder, store_error, write_json

INDEX = "index.json"
T = TypeVar("T")


class Batch(msgspec.Struct, kw_only=True, frozen=True):
    """One batch of a shard: how many records, and the bytes of their JSON."""

    rows: int
    bytes: int


class Unread(msgspec.Struct, kw_only=True, frozen=True):
    """A line or record that gave none; `after`: how many records of the shard come before it."""

    after: int
    row: Rejected


class ShardIndex(msgspec.Struct, kw_only=True):
    """What a shard held. `renamed`: by row, the id the record came with, where an earlier row of the shard had it.
    `content`: hash of all that was read. `missing`: a file that a record names was not there, so the shard is read
    again: it may be there now."""

    batches: list[Batch] = []
    unread: list[Unread] = []
    renamed: dict[int, str] = {}
    steps: int = 0
    content: str = ""
    missing: bool = False

    @property
    def rows(self) -> int:
        return sum(batch.rows for batch in self.batches)

    @property
    def items(self) -> int:
        """Records and unreadable lines."""
        return self.rows + len(self.unread)


class ShardFolder:
    """Paths of one shard's work."""

    def __init__(self, root: Path, key: str) -> None:
        self.path = root / ".work" / "read" / key

    def part(self, batch: int) -> Path:
        return self.path / f"part-{batch:03d}.parquet"

    def records(self, batch: int) -> Path:
        return self.path / f"records-{batch:03d}.jsonl.lz4"

    def drafts(self, key: str, batch: int) -> Path:
        return self.path / f"drafts-{key}-{batch:03d}.msgpack"

    @property
    def origins(self) -> Path:
        return self.path / "origins.parquet"

    @property
    def reduced(self) -> Path:
        return self.path / "reduced.parquet"

    @property
    def edits(self) -> Path:
        return self.path / "edits.json"

    def measures(self, stage: str, key: str) -> Path:
        return self.path / f"{stage}-{key}.arrow"

    def index(self) -> ShardIndex | None:
        """The index of a shard that was read whole, else None."""
        return read_marker(self.path / INDEX, ShardIndex)

    def begin(self) -> None:
        """Before the shard is read: what was read of it before counts no more, for it is written over."""
        make_folder(self.path)
        try:
            (self.path / INDEX).unlink(missing_ok=True)
        except OSError as error:
            raise store_error("remove", self.path / INDEX, error) from error

    def finish(self, index: ShardIndex) -> None:
        """The shard is read whole. Its files reach the disk together before the index does, which says that they are
        there: a flush for each and one of the folder, where one by one they would take two each."""
        make_durable(path for path in sorted(self.path.iterdir()) if path.is_file())
        write_json(self.path / INDEX, index)


def read_marker(path: Path, kind: type[T]) -> T | None:
    """A marker file, or None where there is none (or one this version does not understand)."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None
    except OSError as error:
        raise store_error("read", path, error) from error


def link_or_copy(source: Path, target: Path) -> bool:
    """Make `target` the same file as `source` (a copy where the file system has no links), whole or not at all. A
    target that is that file already is left alone; whether it was not."""
    with contextlib.suppress(OSError):
        if source.samefile(target):
            return False
    with atomic_path(target) as temporary:
        try:
            os.link(source, temporary)
        except OSError:
            shutil.copyfile(source, temporary)
    return True


def read_table(path: Path) -> pa.Table:
    """A table of the work folder (Parquet). Raises StoreError for one that is broken."""
    with _readable(path):
        return pq.read_table(path)


def read_measures(
    path: Path, columns: Sequence[str] | None = None, first: int = 0, stop: int | None = None
) -> pa.Table:
    """`id`, `step` where there is one, and these columns (None: all) of a file of measures, those first; of the rows
    from `first` to before `stop`. Raises StoreError for one that is broken."""
    with _readable(path):
        if columns is None:
            return read_arrow(path, None, first, stop)
        table = read_arrow(path, ["id", "step", *columns], first, stop)
        keys = [name for name in ("id", "step") if name in table.column_names]
        return table.select([*keys, *(name for name in columns if name not in keys)])


def measures_rows(path: Path) -> int:
    """How many rows a file of measures has. Raises StoreError for one that is broken."""
    with _readable(path):
        return arrow_rows(path)


def measures_schema(path: Path) -> pa.Schema:
    """The columns of a file of measures, and its metadata. Raises StoreError for one that is broken."""
    with _readable(path):
        return arrow_schema(path)


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """StoreError for a file of the work folder that is broken."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise StoreError(
            f"Cannot read {path} ({error}): remove {path.parent} and run the same command again."
        ) from error


def sweep(folder: Path, used: Iterable[Path]) -> None:
    """Remove every file below `folder` that is not one of `used`, and folders that are empty then."""
    keep = {Path(path) for path in used}
    for here, _, names in os.walk(folder, topdown=False):
        for name in names:
            path = Path(here, name)
            if path not in keep:
                path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty
            if Path(here) != folder:
                Path(here).rmdir()
