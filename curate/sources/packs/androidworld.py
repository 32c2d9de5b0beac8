"""AndroidWorld's `task_metadata.json`, or a list of its templates: a task is a class whose name is its id, and says its
`{parameters}`. OS-Genesis names the class (`task_name`) of the start state that it collected a run in, and nothing
else of the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import USUAL, tasks_in
from curate.sources.packs.rows import first_row

_COLUMNS = USUAL._replace(
    id=("task_name", "id", "name"), template=("task_template", "template"), instruction=("instruction",)
)


class AndroidWorld:
    """See the module."""

    name = "androidworld"
    benchmark = "androidworld"

    def recognise(self, path: Path) -> bool:
        """By the columns of its metadata, or by the list's own word."""
        row = first_row(path)
        return row.get("benchmark") == self.benchmark or {"task_name", "task_template"} <= row.keys()

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A row a task."""
        return tasks_in(path, options, _COLUMNS)


LIST = AndroidWorld()
