"""The index: files of signatures (`signatures`) of runs that were published, one file for each batch. They are read to
find near-copies of everything published before; a run writes its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.errors import InputError, UsageError
from curate.stages.copies.signatures import SIGNATURES, VERSION
from curate.store.row_groups import RowGroups

_ABOUT = b"batch"
SUFFIX = ".parquet"
_ROWS = 1 << 14  # signatures that are written at a time: hashes do not compress, and take 20 MB on the way


class About(msgspec.Struct, kw_only=True, frozen=True):
    """What a batch is. `key`: of the run that it came from: its inputs and its recipe; `n`: tokens in a shingle;
    `made`: hash of all that decided which of its runs are in."""

    key: str
    n: int
    version: int = VERSION
    recipe: str | None = None
    curate: str | None = None
    made: str | None = None


def write_batches(path: Path, signatures: Iterable[pa.Table], about: About) -> None:
    """Write one batch from tables of SIGNATURES, whole or not at all."""
    with RowGroups(path, _ROWS) as writer:
        writer.add(SIGNATURES.empty_table())
        for table in signatures:
            writer.add(table)
        writer.finish({_ABOUT: msgspec.json.encode(about)})


def read_about(path: Path) -> About:
    """What a batch says of itself. Raises InputError for a file that is none, or of another version."""
    try:
        return msgspec.json.decode((pq.read_metadata(path).metadata or {})[_ABOUT], type=About)
    except (OSError, pa.ArrowException, KeyError, msgspec.MsgspecError) as error:
        raise InputError(
            f"{path} is no batch of an index ({type(error).__name__}): give a folder that --against made, or a run "
            "folder of this version."
        ) from error


def batches_in(folder: Path) -> list[Path]:
    """The files of an index, by name; none where the folder is not there yet. A run folder's are in its `index/`."""
    inside = folder / "index" if (folder / "run.json").is_file() else folder
    return sorted(inside.glob(f"*{SUFFIX}")) if inside.is_dir() else []


def read_published(files: Sequence[Path], n: int) -> pa.Table | None:
    """The signatures in these files; None for none. Raises UsageError for another `n` or version than the run's."""
    tables = [table for path in files for table in _read(path, n)]
    return pa.concat_tables(tables) if tables else None


def _read(path: Path, n: int) -> Iterator[pa.Table]:
    about = read_about(path)
    if about.version != VERSION:
        raise UsageError(
            f"{path} holds signatures of version {about.version}, and this curate compares version {VERSION}: run its "
            "batch again into a new index."
        )
    if about.n != n:
        raise UsageError(f"{path} holds shingles of {about.n} tokens, and the recipe says nearcopies.n={n}.")
    try:
        yield pq.read_table(path, columns=SIGNATURES.names).replace_schema_metadata(None).cast(SIGNATURES)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"Cannot read {path}: {error}.") from error
