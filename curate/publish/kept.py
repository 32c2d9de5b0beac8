"""The records that a run kept, as they were decided, and as they may be shown to anybody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PureWindowsPath

import msgspec

from curate.engine.exporting import decided
from curate.engine.unrolling import as_decided
from curate.model.errors import UsageError
from curate.model.trajectory import Trajectory
from curate.store.dataset import read_records
from curate.store.run_folder import RunFolder, is_run


class Kept(msgspec.Struct, kw_only=True, frozen=True):
    """A record that gave examples: where it stands among those (from 0), its split, and the indices of its steps that
    are learnt."""

    position: int
    split: str
    record: Trajectory
    targets: list[int]


def finished_run(path: Path) -> RunFolder:
    """The run in a folder. Raises UsageError for a folder that holds none."""
    if not is_run(path):
        raise UsageError(f"{path} is no run folder with records: `curate run ... --out RUN` writes one.")
    return RunFolder(path)


def kept_records(run: RunFolder) -> Iterator[Kept]:
    """The records that gave examples, in the run's order, one shard at a time. Raises InputError for a run that is not
    finished or cannot be read."""
    fates = decided(run.root)
    position = 0
    for row, record in enumerate(read_records(run.root)):
        fate = None if fates is None else fates.of(row)
        if fate is None:
            continue
        out = {*fate.no_target, *fate.no_history}
        record = shown(as_decided(record, fate))
        targets = [step.index for step in record.steps if step.index not in out]
        yield Kept(position=position, split=fate.split, record=record, targets=targets)
        position += 1


def shown(record: Trajectory) -> Trajectory:
    """The record, changed in place, with a source that names no place on anybody's disk: of a file that is absolute or
    leads upwards, only its name."""
    record.source.file = relative_file(record.source.file)
    return record


def relative_file(name: str | None) -> str | None:
    """A file's name as it may be published: as it is where it is relative, else its last part; None where it has
    none."""
    if name is None:
        return None
    path = PureWindowsPath(name)  # reads both kinds of slashes, drives and shares
    if not (path.drive or path.root or ".." in path.parts or name.startswith("~") or "://" in name):
        return name
    last = path.name.lstrip("~")
    return relative_file(last) if last not in ("", ".", "..", name) else None
