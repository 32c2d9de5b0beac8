"""Data as it lies on disk, as tables of records that say what runs were asked for and what they are of: to be held
against packs of test tasks. Lists of instructions (a text file with one a line, JSON or CSV with columns) count as
records without steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from curate.engine.check.unused import files_below
from curate.engine.importing import read_inputs
from curate.engine.progress import Tells
from curate.engine.recipe import read_settings
from curate.engine.remote_inputs import find_inputs
from curate.model.arrow import to_table
from curate.model.errors import InputError, UsageError
from curate.model.listed_task import ListedTask
from curate.model.trajectory import Origin, Trajectory
from curate.sources.base import Read
from curate.sources.packs.base import ListOptions, texts
from curate.sources.packs.columns import tasks_in
from curate.sources.packs.rows import KINDS
from curate.store.dataset import is_dataset, read_dataset
from curate.store.media import MediaStore
from curate.store.run_folder import is_run

_ROWS = 512  # records that are a table at a time


def tables_of_data(paths: Sequence[Path], sets: Sequence[str], scratch: Path, progress: Tells) -> Iterator[pa.Table]:
    """Tables of model.arrow.SCHEMA of all that is in the paths. `sets`: options of reading (`import.space=...`);
    `scratch`: where pictures go that nobody will look at. Raises InputError, UsageError."""
    for path in paths:
        if is_dataset(path) or is_run(path):
            yield from read_dataset(path)
        else:
            yield from _tables(_records(path, sets, scratch, progress))


def _tables(records: Iterator[Trajectory]) -> Iterator[pa.Table]:
    waiting: list[Trajectory] = []
    for record in records:
        waiting.append(record)
        if len(waiting) == _ROWS:
            yield to_table(waiting)
            waiting = []
    if waiting:
        yield to_table(waiting)


def _records(path: Path, sets: Sequence[str], scratch: Path, progress: Tells) -> Iterator[Trajectory]:
    """What a source reads of it; where none reads anything, the rows of its files as lists of instructions."""
    options = read_settings(sets if any(one.startswith("import.pictures") for one in sets) else [*sets, _WITHOUT])
    count, told = 0, ""
    try:
        inputs = find_inputs([path]).inputs
    except InputError as error:
        inputs, told = [], str(error)
    for _, item in read_inputs(inputs, options, MediaStore(scratch), scratch, progress=progress):
        if isinstance(item, Read):
            count += 1
            yield item.trajectory
        else:
            told = told or f"{item.reason}: {item.detail or ''}"
    if count:
        return
    lists = [one for one, _ in files_below([path]) if one.suffix.lower() in KINDS]
    if not lists:
        raise InputError(told or f"Nothing can be read of {path}.")
    for file in lists:
        try:
            yield from (_as_record(task, number, file) for number, task in enumerate(tasks_in(file, ListOptions()), 1))
        except (InputError, UsageError) as error:
            raise InputError(f"{told} {error}" if told else str(error)) from error


_WITHOUT = "import.pictures=optional"


def _as_record(task: ListedTask, number: int, path: Path) -> Trajectory:
    """A row of a list of instructions as a record without steps; its id says where it stands."""
    source = Origin(name=task.benchmark or "list", id=str(task.id), file=path.name, line=number)
    more = {f"more_{place}": text for place, text in enumerate(texts(task.wordings), 1)}
    return Trajectory(
        id=f"{path.name}:{number}", source=source, instruction=task.instruction or task.template or "", wordings=more,
        template=task.template, apps=task.apps or [], sites=task.sites or [], steps=[],
    )  # fmt: skip
