"""Any list of tasks with named columns: JSONL, a JSON list, CSV, TSV, parquet, or text with an instruction a line
(DigiRL's `general_test.txt`). Packs of this project's own shape too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.errors import InputError
from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import tasks_in
from curate.sources.packs.rows import KINDS


class Table:
    """See the module."""

    name = "table"
    benchmark = None

    def recognise(self, path: Path) -> bool:
        """By its ending."""
        return path.is_file() and path.suffix.lower() in KINDS

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A row a task."""
        if path.is_dir():
            raise InputError(f"{path} is a folder: name the file that lists the tasks.")
        return tasks_in(path, options)


LIST = Table()
