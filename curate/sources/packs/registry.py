"""Finds the readers of task lists: every module of this package with a `LIST` object."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path

import curate.sources.packs
from curate.model.errors import InputError, UsageError
from curate.model.near import did_you_mean
from curate.sources.packs.base import TaskList

_ANY = "table"  # takes whatever has columns, and so is asked last


@functools.cache
def task_lists() -> dict[str, TaskList]:
    """Every reader by name, in the order in which they are asked."""
    found: dict[str, TaskList] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(curate.sources.packs.__path__)):
        one = getattr(importlib.import_module(f"curate.sources.packs.{module}"), "LIST", None)
        if one is not None:
            found[one.name] = one
    return dict(sorted(found.items(), key=lambda item: item[0] == _ANY))


def reader_of(path: Path, name: str | None = None) -> TaskList:
    """The reader of this name, or the one that recognises the list. Raises UsageError, InputError."""
    known = task_lists()
    if not path.exists():
        raise InputError(f"{path} is not there.")
    if name is not None:
        if name not in known:
            hint = did_you_mean(name, known)
            raise UsageError(f"There is no reader of task lists {name!r}.{hint} There is {', '.join(known)}.")
        return known[name]
    for one in known.values():
        if one.recognise(path):
            return one
    raise InputError(f"{path} is no list of tasks that is known ({', '.join(known)}): give JSONL or CSV with columns.")
