"""Rows with columns, to tasks: which columns say what, by their usual names in task lists or as the user states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from curate.model.errors import InputError, UsageError
from curate.model.listed_task import ListedTask
from curate.model.near import did_you_mean
from curate.sources.packs.base import ListOptions, texts
from curate.sources.packs.rows import Row, rows


class Columns(NamedTuple):
    """By field of a task, the names that its column may have, the likeliest first."""

    id: tuple[str, ...] = ("id", "task_id", "annotation_id", "uid", "episode_id", "task_name", "index")
    instruction: tuple[str, ...] = (
        "instruction", "confirmed_task", "intent", "task", "goal", "task_description", "description", "query",
    )  # fmt: skip
    template: tuple[str, ...] = ("template", "task_template", "intent_template", "task_name")
    domain: tuple[str, ...] = ("domain",)
    apps: tuple[str, ...] = ("apps", "related_apps", "app", "app_name", "application")
    sites: tuple[str, ...] = ("sites", "site", "website", "start_url", "url")
    wordings: tuple[str, ...] = ("wordings", "variants")
    parent: tuple[str, ...] = ("parent",)
    benchmark: tuple[str, ...] = ("benchmark",)
    set: tuple[str, ...] = ("set",)
    split: tuple[str, ...] = ("split",)


USUAL = Columns()
_TRAINED = frozenset({"train", "training", "val", "valid", "validation", "dev"})  # splits that are no test


def tasks_in(path: Path, options: ListOptions, columns: Columns = USUAL) -> Iterator[ListedTask]:
    """The tasks of a file of rows (see `rows`)."""
    wanted = [name for names in columns for name in names] + [name for name in _stated(options).values() if name]
    for number, row in rows(path, list(dict.fromkeys(wanted))):
        task = task_of(row, options, columns, path, number)
        if task is not None:
            yield task


def task_of(row: Row, options: ListOptions, columns: Columns, path: Path, number: int) -> ListedTask | None:
    """A row as a task; None for one of another split. Raises InputError, UsageError."""
    where = f"{path}, row {number}"
    split = _cell(row, "split", columns, options, where)
    if _other_split(split, options):
        return None
    instruction, *more = texts(_cell(row, "instruction", columns, options, where)) or [""]
    template = texts(_cell(row, "template", columns, options, where))
    named = texts(_cell(row, "id", columns, options, where))
    if not instruction.strip() and not template:
        known = ", ".join(map(str, list(row)[:12]))
        raise InputError(
            f"{where}: there is no instruction in its columns ({known}); name it: --set tests.instruction=COLUMN."
        )
    identity = named[0] if named else f"#{number}"  # which no record says of itself
    return ListedTask(
        id=identity,
        benchmark=_one(_cell(row, "benchmark", columns, options, where)),
        set=_one(_cell(row, "set", columns, options, where)),
        domain=_one(_cell(row, "domain", columns, options, where)),
        instruction=instruction.strip() or None,
        wordings=list(dict.fromkeys([*more, *texts(_cell(row, "wordings", columns, options, where))])) or None,
        template=template[0] if template and template[0] != identity else None,
        apps=texts(_cell(row, "apps", columns, options, where)) or None,
        sites=texts(_cell(row, "sites", columns, options, where)) or None,
        parent=_one(_cell(row, "parent", columns, options, where)),
    )


def _stated(options: ListOptions) -> dict[str, str | None]:
    """The columns that the user names, by field."""
    fields = ("id", "instruction", "template", "domain", "apps", "sites", "wordings", "parent")
    return {field: getattr(options, field) for field in fields}


def _cell(row: Row, field: str, columns: Columns, options: ListOptions, where: str) -> Any:
    stated = _stated(options).get(field)
    if stated is not None:
        if stated not in row:
            raise UsageError(f"{where} has no column {stated!r} (tests.{field}).{did_you_mean(stated, map(str, row))}")
        return row[stated]
    return next((row[name] for name in getattr(columns, field) if row.get(name) not in (None, "")), None)


def _one(value: Any) -> str | None:
    said = texts(value)
    return said[0] if said else None


def _other_split(split: Any, options: ListOptions) -> bool:
    if options.split is not None:
        return split is not None and str(split) != options.split
    return isinstance(split, str) and split.lower() in _TRAINED


def is_test(name: str, options: ListOptions) -> bool:
    """Whether a split of this name holds test tasks."""
    return not _other_split(name, options)
