"""Android in the Wild: splits as lists of ids, Google's own or Auto-GUI's, where an id of `single` is a slice of an
episode, `<parent>.<from>-<to>.<text>`. Nearly all slices of its test share their parent with one of its training split:
a slice is found by its parent too. The text in an id names a single step, which thousands of runs do: it is no
wording of the task."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions
from curate.sources.packs.split_ids import first_id, read_ids

_ID = re.compile(r"(?s)\d{12,}(?:\.\d+-\d+\..*)?")


class AndroidInTheWild:
    """See the module."""

    name = "aitw"
    benchmark = "aitw"

    def recognise(self, path: Path) -> bool:
        """By the form of its ids."""
        return path.suffix.lower() in (".json", ".txt") and _ID.fullmatch(first_id(path) or "") is not None

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """An id a task."""
        return read_ids(path, options)


LIST = AndroidInTheWild()
