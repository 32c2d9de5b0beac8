"""The config `examples`: the training examples that the run wrote, byte for byte."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.engine.work import link_or_copy
from curate.model.errors import InputError
from curate.publish.json_columns import columns_of, settled
from curate.store.run_folder import RunFolder

FOLDER = "examples"


class Examples(msgspec.Struct, kw_only=True, frozen=True):
    """`rows`: by path below the publication; `columns`: of all of them, with their types."""

    rows: dict[str, int]
    columns: dict[str, str]


def stage_examples(run: RunFolder, out: Path) -> Examples:
    """Bring the files. Raises InputError for one that is no JSONL of objects, StoreError."""
    rows: dict[str, int] = {}
    columns: dict[str, str] = {}
    for path in run.example_paths():
        shown = f"{FOLDER}/{path.name}"
        rows[shown] = _look(path, columns)
        link_or_copy(path, out / shown)
    return Examples(rows=rows, columns=settled(columns))


def _look(path: Path, columns: dict[str, str]) -> int:
    """Note the columns of a file; how many lines it has."""
    number = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):  # noqa: B007  (the error names it)
                columns_of([line], columns)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}, line {number}: {error}.") from error
    return number
