"""Mind2Web's test files (JSON, a task an element), Multimodal-Mind2Web's tables (a step a row, so a task's rows are
one), Mind2Web-Live and Online-Mind2Web: an `annotation_id`, what is asked for in `confirmed_task`, a `website` by its
name. Its `domain` (Travel) is a kind of site, and no part of a key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import USUAL, tasks_in
from curate.sources.packs.rows import first_row

_COLUMNS = USUAL._replace(
    id=("annotation_id", "task_id", "index", "id"), instruction=("confirmed_task", "task", "instruction"),
    domain=(), apps=(), template=(),
)  # fmt: skip


class Mind2Web:
    """See the module."""

    name = "mind2web"
    benchmark = "mind2web"

    def recognise(self, path: Path) -> bool:
        """By its columns."""
        row = first_row(path)
        return "confirmed_task" in row or {"task", "reference_task_length"} <= row.keys()

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A task for each id."""
        last = None
        for task in tasks_in(path, options, _COLUMNS):
            if task.id != last:  # the rows of a task follow each other
                yield task
            last = task.id


LIST = Mind2Web()
