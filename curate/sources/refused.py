"""What is not read: links that lead out of the input, folders nested without end, and what may not be looked at. Always
told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from curate.model.constants import FOLDERS_DEEP
from curate.model.rejected import Rejected
from curate.sources.base import Read, ReadContext
from curate.sources.common.reading import rejected


class Refused:
    """The source of what is not read. It recognises nothing; `recognise` names it."""

    name = "refused"
    raw = True
    divisible = False
    facts = None

    def recognise(self, path: Path) -> bool:
        """Never."""
        return False

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """One row that says why."""
        if path.is_symlink():
            yield rejected(context.shown, "read.path_refused", "A link that leads out of the input is not followed.")
        elif path.is_dir() and os.access(path, os.R_OK | os.X_OK):
            why = f"It lies over {FOLDERS_DEEP} folders below the input; give a folder that is nearer to it."
            yield rejected(context.shown, "read.error", why)
        else:
            yield rejected(context.shown, "read.error", "Reading it is not permitted.")


SOURCE = Refused()
