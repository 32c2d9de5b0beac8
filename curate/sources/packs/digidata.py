"""DigiData-Bench: a goal a row, with the app that it is done in. Its makers' own file was not at hand; what is read are
rows with a `goal` (or instruction) and an app, under the names that their data has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import USUAL, tasks_in
from curate.sources.packs.rows import first_row

_COLUMNS = USUAL._replace(instruction=("goal", "instruction", "task"), template=())


class DigiDataBench:
    """See the module."""

    name = "digidata_bench"
    benchmark = "digidata"

    def recognise(self, path: Path) -> bool:
        """By its columns."""
        row = first_row(path)
        return "goal" in row and bool({"app", "app_name", "application"} & row.keys())

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A row a task."""
        return tasks_in(path, options, _COLUMNS)


LIST = DigiDataBench()
