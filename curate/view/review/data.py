"""A dataset or run folder opened for looking at: which record lies in which row group, what each stage decided.

Opening reads ids and metadata; a trajectory is read with its row group alone. Memory: the ids, and some 30 bytes a
trajectory and stage."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from curate.model.arrow import SCHEMA, records
from curate.model.errors import CurateError, InputError
from curate.model.trajectory import Trajectory
from curate.stages.leakage.evidence import RUN_WITNESS
from curate.store.dataset import MANIFEST, is_dataset, part_paths
from curate.store.media import MediaStore
from curate.store.run_folder import RunFolder, is_run
from curate.view.review.limits import GROUPS_HELD
from curate.view.review.stage_files import StageFile

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls


class NotThereError(CurateError):
    """What a page asks for that the data does not have; the message is the sentence it shows."""


class ChangedError(CurateError):
    """The data is no longer what was opened."""


class Group(NamedTuple):
    """A row group: its file, its number there, and the positions `first` to before `last` of its records."""

    path: Path
    number: int
    first: int
    last: int


class ReviewData:
    """A folder as it was when it was opened. Raises InputError for one that is no dataset or run folder, or whose
    tables cannot be read; every reader raises ChangedError once a file of it is another than then. `limit`: so many
    trajectories, as if there were no more."""

    def __init__(self, root: Path, limit: int | None = None) -> None:
        if not (is_dataset(root) or is_run(root)):
            raise InputError(f"{root} is no dataset or run folder: name what `curate run` or `curate reduce` wrote.")
        self.root = root
        self.kind: Literal["run", "dataset"] = "run" if is_run(root) else "dataset"
        self.run = RunFolder(root)
        self.media = MediaStore(root)
        self.groups: list[Group] = []
        ids: list[Any] = [pa.array([], pa.string())]
        self.version = self._version()
        for path in part_paths(root):
            ids += self._open_part(path, sum(map(len, ids)), limit)
        self.ids: Any = pa.concat_arrays(ids)
        paths = self.run.stage_paths() if self.kind == "run" else []
        self.stages = [StageFile(path, self.ids) for path in paths]
        self._held: OrderedDict[int, pa.Table] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.ids)

    def _open_part(self, path: Path, first: int, limit: int | None) -> list[Any]:
        found = []
        try:
            with pq.ParquetFile(path) as file:
                if not file.schema_arrow.equals(SCHEMA):
                    raise InputError(f"{path} does not have the schema of a trajectory: it is of another version.")
                for number in range(file.num_row_groups):
                    if limit is not None and first >= limit:
                        break
                    ids = file.read_row_group(number, columns=["id"])["id"].combine_chunks()
                    ids = ids if limit is None else ids.slice(0, limit - first)
                    self.groups.append(Group(path, number, first, first + len(ids)))
                    first += len(ids)
                    found.append(ids)
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"Cannot read {path}: {error}.") from error
        return found

    def check(self) -> None:
        """Raises ChangedError if the folder is no longer what was opened."""
        if self._version() != self.version:
            raise ChangedError("The data has changed since this page was opened: reload the page to see it as it is.")

    def _version(self) -> str:
        """A hash of names, sizes and times of every file that says something of trajectories."""
        named = [self.root / MANIFEST, self.run.run_json, self.run.report_json, *part_paths(self.root)]
        named += self.run.stage_paths()
        told = hashlib.sha256()
        for path in named:
            try:
                facts = path.stat()
                told.update(f"{path.name} {facts.st_size} {facts.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
            except OSError:
                told.update(f"{path.name} -\n".encode("utf-8", "surrogateescape"))
        return told.hexdigest()[:16]

    def columns(self, names: list[str]) -> Iterator[tuple[Group, pa.Table]]:
        """These columns of all records, a row group at a time (`steps.list.element.flags` names one of steps)."""
        current: Any = None
        open_path: Path | None = None
        try:
            for group in self.groups:
                if group.path != open_path:
                    if current is not None:
                        current.close()
                    current, open_path = pq.ParquetFile(group.path), group.path
                yield group, current.read_row_group(group.number, columns=names).slice(0, group.last - group.first)
        except (pa.ArrowException, OSError) as error:
            raise ChangedError(f"The data cannot be read any more: {error}.") from error
        finally:
            if current is not None:
                current.close()

    def record(self, position: int) -> Trajectory:
        """The record in a position. Raises NotThereError, ChangedError."""
        group = self.group_of(position)
        try:
            return next(records(self._table(group).slice(position - self.groups[group].first, 1)))
        except (pa.ArrowException, OSError) as error:
            raise ChangedError(f"The record cannot be read any more: {error}.") from error

    def group_of(self, position: int) -> int:
        """Which row group holds a position. Raises NotThereError."""
        if not 0 <= position < len(self):
            raise NotThereError(f"There is no trajectory {position}: the data holds {len(self)}, counted from 0.")
        return int(np.searchsorted(self._lasts, position, "right"))

    @cached_property
    def _lasts(self) -> Any:
        return np.array([group.last for group in self.groups])

    def _table(self, number: int) -> pa.Table:
        """A row group; the last few stay, for the neighbours that a person looks at next."""
        with self._lock:
            if number in self._held:
                self._held.move_to_end(number)
                return self._held[number]
        with pq.ParquetFile(self.groups[number].path) as file:
            table = file.read_row_group(self.groups[number].number)
        with self._lock:
            self._held[number] = table
            while len(self._held) > GROUPS_HELD:
                self._held.popitem(last=False)
        return table

    def position(self, identity: str | None) -> int | None:
        """The position of the first record of that id; None where there is none."""
        if identity is None:
            return None
        found = pc.index(self.ids, pa.scalar(identity, pa.string())).as_py()
        return None if found < 0 else int(found)

    def positions(self, identities: list[str | None]) -> list[int | None]:
        """The same of many."""
        found: list[int | None] = pc.index_in(pa.array(identities, pa.string()), value_set=self.ids).to_pylist()
        return [at if name is not None else None for at, name in zip(found, identities, strict=True)]

    def is_run(self, file: StageFile, reason: str | None) -> bool:
        """Whether the witness that a stage names is a run. A test task may be called as a run is: the first leak check
        compares with test tasks, a later one with the runs of our own test."""
        first = next((one for one in self.stages if one.stage == "leaks"), None)
        return file is not first or reason in RUN_WITNESS

    def split_of(self, position: int) -> str | None:
        """The split that the stage of that name put a run in."""
        for file in reversed(self.stages):
            told = file.verdicts
            if "split" in told.table.column_names:
                at = int(np.searchsorted(told.position, position))
                there = at < len(told.position) and told.position[at] == position
                return told.table["split"][at].as_py() if there else None
        return None

    @cached_property
    def untrained_kept(self) -> bool:
        """Whether steps that are no target have examples too, with their loss off."""
        recipe = self.run.read_run().get("recipe")
        unroll = recipe.get("unroll") if isinstance(recipe, dict) else None
        return isinstance(unroll, dict) and unroll.get("untrained") == "keep"

    @cached_property
    def told_tasks(self) -> dict[str, str]:
        """The words of test tasks by id, as far as report.json tells them."""
        try:
            leaks = self.run.read_report().get("leaks")
        except InputError:
            return {}
        rows = [row for row in leaks if isinstance(row, dict)] if isinstance(leaks, list) else []
        return {str(row["witness"]): str(row["task"]) for row in rows if row.get("witness") and row.get("task")}

    def close(self) -> None:
        """Let go of what is held."""
        self._held.clear()
