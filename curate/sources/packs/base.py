"""What a reader of task lists is: one file of this package with a `LIST` object. Adding one is adding one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from curate.model.errors import InputError
from curate.model.listed_task import ListedTask


class ListOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What a user states of a task list. `benchmark`, `set`: their names (null: what the list or its reader says).
    `split`: of a list that has several, the one that is the test. The others name columns (null: the usual names):
    `id`, `instruction`, `template`, `domain`, `apps`, `sites`, `wordings`, `parent`."""

    benchmark: str | None = None
    set: str | None = None
    split: str | None = None
    id: str | None = None
    instruction: str | None = None
    template: str | None = None
    domain: str | None = None
    apps: str | None = None
    sites: str | None = None
    wordings: str | None = None
    parent: str | None = None


class TaskList(Protocol):
    """One way in which a benchmark's makers list its tasks. `name`: of the format; `benchmark`: under which name
    records of these tasks say that they are of it (None: what the list or the user says)."""

    name: str
    benchmark: str | None

    def recognise(self, path: Path) -> bool:
        """Whether a file or folder is such a list. Cheap: looks at names and the first row."""
        ...

    def read(self, path: Path, options: ListOptions) -> Iterator[ListedTask]:
        """Its tasks. Raises InputError for what is none, with its place."""
        ...


def keyed(tasks: Iterable[ListedTask], benchmark: str, options: ListOptions) -> list[ListedTask]:
    """The tasks under their keys, each once: rows of one key are one task said in several ways. Raises InputError where
    there is none."""
    found: dict[str, ListedTask] = {}
    for task in tasks:
        task.benchmark = options.benchmark or task.benchmark or benchmark
        task.set = options.set or task.set
        task.id = str(task.id)
        task.key = f"{task.benchmark}:{task.path}"
        first = found.setdefault(task.key, task)
        if first is not task:
            _join(first, task)
    if not found:
        raise InputError("There is no task in it.")
    return list(found.values())


def _join(first: ListedTask, other: ListedTask) -> None:
    """What another row of the same key adds."""
    said = [*texts(first.wordings), *texts(other.instruction), *texts(other.wordings)]
    first.wordings = [text for text in dict.fromkeys(said) if text != first.instruction] or None
    first.template = first.template or other.template
    for name in ("apps", "sites", "files"):
        both = [*(getattr(first, name) or ()), *(getattr(other, name) or ())]
        setattr(first, name, list(dict.fromkeys(both)) or None)


def texts(value: Any) -> list[str]:
    """The texts in a cell: one, a list, an object of them, or objects that hold an instruction."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, dict):
        return texts(value["instruction"]) if "instruction" in value else texts(list(value.values()))
    if isinstance(value, list | tuple):
        return [text for one in value for text in texts(one)]
    return [] if value is None or isinstance(value, bool | float) else [str(value)]
