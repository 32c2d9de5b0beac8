"""AndroidControl's `splits.json` and `test_subsplits.json`: ids of episodes, small numbers that count with the name of
the source alone. What the episodes ask for stands in the data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import tasks_in
from curate.sources.packs.rows import first_row
from curate.sources.packs.split_ids import first_id, read_ids

_ID = re.compile(r"\d{1,6}")


class AndroidControl:
    """See the module."""

    name = "androidcontrol"
    benchmark = "androidcontrol"

    def recognise(self, path: Path) -> bool:
        """By the form of its ids, or the columns of its episodes."""
        if path.suffix.lower() == ".json" and path.is_file() and _ID.fullmatch(first_id(path) or ""):
            return True
        row = first_row(path) if path.suffix.lower() in (".jsonl", ".parquet") else {}
        return {"episode_id", "goal", "step_instructions"} <= row.keys()

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """An id, or an episode, a task."""
        if first_id(path) is not None:
            return read_ids(path, options)
        return tasks_in(path, options)


LIST = AndroidControl()
