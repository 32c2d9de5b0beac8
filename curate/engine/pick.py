"""One record out of whatever a person names: a recording (reduced on the way), a dataset or run folder, JSONL."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from curate.engine.recipe import read_settings
from curate.model.errors import InputError, UsageError
from curate.model.near import did_you_mean
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import Input, ReadContext
from curate.sources.recognise import find_inputs
from curate.sources.registry import source
from curate.store.dataset import is_dataset, read_records
from curate.store.media import MediaStore
from curate.store.run_folder import is_run

_NAMED = 10  # ids told where one must be chosen


def pick_record(path: Path, identity: str | None = None) -> Trajectory:
    """The record with this id (of a folder of recordings also: in the folder of this name), or the only one there is.
    Its pictures are not kept. Raises InputError for what cannot be read, UsageError where there are several or none of
    that id."""
    if is_dataset(path) or is_run(path):  # their pictures need not be copied
        return _choose(read_records(path), path, identity)
    inputs = find_inputs([path]).inputs
    named = [entry for entry in inputs if identity is not None and entry.path.name == identity]
    if identity is None and len(inputs) > 1:
        names = ", ".join(entry.path.name for entry in inputs[:_NAMED])
        raise UsageError(f"{path} holds {len(inputs)} recordings or files: name one of {names}.")
    with tempfile.TemporaryDirectory(prefix="curate-") as media:
        return _choose(_records(named or inputs, Path(media)), path, None if named else identity)


def _choose(records: Iterator[Trajectory], path: Path, identity: str | None) -> Trajectory:
    """The record with the id, or the only one."""
    known: list[str] = []
    only: Trajectory | None = None
    for record in records:
        if identity is not None and record.id == identity:
            return record
        known.append(record.id)
        only = record
        if identity is None and len(known) > _NAMED:
            break
    if identity is None and len(known) == 1 and only is not None:
        return only
    if not known:
        raise InputError(f"{path} holds no records.")
    if identity is None:
        raise UsageError(f"{path} holds several records: name one of {', '.join(known)}.")
    raise UsageError(f"There is no record {identity!r} in {path}.{did_you_mean(identity, known)}")


def _records(inputs: list[Input], media: Path) -> Iterator[Trajectory]:
    """The inputs' records. Raises InputError with what was wrong where none can be read."""
    options, refused = read_settings(()), []
    count = 0
    for entry in inputs:
        context = ReadContext(media=MediaStore(media), options=options, shown=entry.shown)
        for item in source(entry.source).read(entry.path, context):
            if isinstance(item, Rejected):
                refused.append(item)
            else:
                count += 1
                yield item.trajectory
    if not count:
        detail = refused[0].detail if refused else "there is no record in it"
        raise InputError(f"Cannot read {inputs[0].path}: {detail}")
