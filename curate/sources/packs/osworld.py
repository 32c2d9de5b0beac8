"""OSWorld: its folder `evaluation_examples` (a file a task, the older copies and forks too), or a JSONL list of them
with `set`, `domain`, `id`. Ids alone are not unique: the Windows examples have those of Linux, forks moved tasks to
other domains. Records call a task `<domain>/<id>`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import tasks_in
from curate.sources.packs.rows import first_row
from curate.sources.packs.task_folders import looks_so, read_folder


class OSWorld:
    """See the module."""

    name = "osworld"
    benchmark = "osworld"

    def recognise(self, path: Path) -> bool:
        """By a task file of the folder, or by the list's own word."""
        return looks_so(path, windows=False) or first_row(path).get("benchmark") == self.benchmark

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A file or row a task."""
        return read_folder(path) if path.is_dir() else tasks_in(path, options)


LIST = OSWorld()
