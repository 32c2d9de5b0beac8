"""ScreenSpot, its second version and ScreenSpot-Pro: what to point at in a picture. The first two have no ids: a task
is called by its picture and the place of its row among that picture's. The pictures' names are files of the test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import USUAL, task_of
from curate.sources.packs.rows import files_below, first_row, rows, some

_COLUMNS = USUAL._replace(sites=(), template=(), apps=("application",))


class ScreenSpot:
    """See the module."""

    name = "screenspot"
    benchmark = "screenspot"

    def recognise(self, path: Path) -> bool:
        """By its columns: of a file, or of a file in a folder of them."""
        return any({"img_filename", "bbox", "instruction"} <= first_row(file).keys() for file in some(path, ".json", 3))

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """A row a task."""
        seen: Counter[str] = Counter()
        for file in files_below(path, ".json"):
            for number, row in rows(file):
                picture = str(row.get("img_filename", ""))
                seen[picture] += 1
                named = row if row.get("id") else {**row, "id": f"{picture}#{seen[picture]}"}
                task = task_of(named, options, _COLUMNS, file, number)
                if task is not None:
                    task.files = [picture] if picture else None
                    yield task


LIST = ScreenSpot()
