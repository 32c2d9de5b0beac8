"""WindowsAgentArena and its second version: OSWorld's folders, with ids that end in `-wos`. Half of its instructions
are OSWorld's, and an id without its ending is the OSWorld task's that it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import tasks_in
from curate.sources.packs.rows import first_row
from curate.sources.packs.task_folders import WINDOWS, looks_so, read_folder


class WindowsAgentArena:
    """See the module."""

    name = "windowsagentarena"
    benchmark = "windowsagentarena"

    def recognise(self, path: Path) -> bool:
        """By the ending of an id."""
        return looks_so(path, windows=True) or str(first_row(path).get("id", "")).lower().endswith(WINDOWS)

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A file or row a task."""
        return read_folder(path) if path.is_dir() else tasks_in(path, options)


LIST = WindowsAgentArena()
