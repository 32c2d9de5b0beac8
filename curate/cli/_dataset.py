"""What `show` and `export` share: a dataset or run folder, and the records a person asks for by id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from curate.model.errors import InputError, UsageError
from curate.model.near import did_you_mean
from curate.model.trajectory import Trajectory
from curate.store.dataset import is_dataset, read_records
from curate.store.run_folder import is_run


def checked_folder(path: Path) -> Path:
    """The folder, if it is a dataset or run folder. Raises InputError with what to do otherwise."""
    if is_dataset(path) or is_run(path):
        return path
    if not path.exists():
        raise InputError(f"{path} is not there.")
    raise InputError(
        f"{path} is no dataset or run folder: make one of recordings with `curate reduce {path} --out DATASET`."
    )


def chosen(folder: Path, ids: Sequence[str]) -> Iterator[Trajectory]:
    """The records of a folder, all or those of the ids, in the folder's order. Raises UsageError for an unknown id,
    after the others have been given."""
    wanted = dict.fromkeys(ids)
    known: list[str] = []
    for record in read_records(folder):
        if not ids:
            yield record
        elif record.id in wanted:
            del wanted[record.id]
            yield record
        elif len(known) < 100_000:
            known.append(record.id)
    for missing in wanted:
        raise UsageError(f"There is no record {missing!r} in {folder}.{did_you_mean(missing, known)}")
