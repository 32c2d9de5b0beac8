"""Splits as lists of ids, and nothing else: `{"train": [...], "test": [...]}`, one below another
(`{"general": {"test": [...]}}`), or a text file with an id a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curate.model.errors import InputError
from curate.model.listed_task import ListedTask
from curate.model.task_ids import parent_of
from curate.sources.packs.base import ListOptions
from curate.sources.packs.columns import is_test
from curate.sources.packs.rows import lines, whole_object

_LARGEST = 1 << 26  # bytes of a file of ids; the largest known has 2 MB


def first_id(path: Path) -> str | None:
    """The first id of such a file; None for any other."""
    if not path.is_file() or path.stat().st_size > _LARGEST:
        return None
    try:
        return next((id for _, id in _ids(path, ListOptions(split=None), every=True)), None)
    except InputError:
        return None


def read_ids(path: Path, options: ListOptions) -> Iterator[ListedTask]:
    """The tasks of the test splits: all but those called train or validation, or the one that `options` name. One below
    another name (`general`) is in the set of that name."""
    for set_, id in _ids(path, options, every=False):
        yield ListedTask(id=id, set=set_, parent=parent_of(id))


def _ids(path: Path, options: ListOptions, every: bool) -> Iterator[tuple[str | None, str]]:
    if path.suffix.lower() == ".txt":
        for _, text in lines(path):
            yield None, text
        return
    if path.suffix.lower() != ".json":
        return
    for name, value in whole_object(path).items():
        inner = value if isinstance(value, dict) else {name: value}
        for split, ids in inner.items():
            if not isinstance(ids, list):
                raise InputError(f"{path}: {split!r} is no list of ids.")
            if every or is_test(str(split), options):
                yield from ((_set(name, value, split), _id(one, path)) for one in ids)


def _set(name: str, value: Any, split: str) -> str | None:
    if isinstance(value, dict):
        return name
    return None if split == "test" else name


def _id(value: Any, path: Path) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"{path}: {str(value)[:40]!r} is no id.")
    return str(value)
