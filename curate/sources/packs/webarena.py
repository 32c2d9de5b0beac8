"""WebArena (`test.raw.json`), WebArena-Lite and its second version (a JSON file a task): what is asked for is the
`intent`, made from an `intent_template`, on sites that every WebArena has under another address. Ids are small numbers,
and those of the lite versions are others: `old_task_id` is WebArena's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import USUAL, task_of
from curate.sources.packs.rows import files_below, first_row, rows, some

_COLUMNS = USUAL._replace(
    id=("task_id", "id"), instruction=("intent", "instruction"), template=("intent_template", "template"),
    sites=("sites",), parent=("parent",),
)  # fmt: skip


class WebArena:
    """See the module."""

    name = "webarena"
    benchmark = "webarena"

    def recognise(self, path: Path) -> bool:
        """By its columns, or by the list's own word."""
        for file in some(path, ".json", 3):
            row = first_row(file)
            if {"intent", "sites"} <= row.keys() or str(row.get("benchmark", "")).startswith("webarena"):
                return True
        return False

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A row, or a file of the folder, a task."""
        for file in files_below(path, ".json"):
            for number, row in rows(file):
                task = task_of(row, options, _COLUMNS, file, number)
                if task is not None:
                    old = row.get("old_task_id")
                    task.parent = f"{self.benchmark}:{old}" if isinstance(old, str | int) else task.parent
                    yield task


LIST = WebArena()
