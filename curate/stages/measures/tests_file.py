"""Reads the test tasks that training runs are held against: a plain JSONL file, one task a line."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.model.errors import InputError, UsageError
from curate.stages.measures.app_names import app_keys, site_keys


class BenchmarkTask(msgspec.Struct, kw_only=True, frozen=True):
    """One test task. `texts`: its instruction and other wordings. `apps`, `sites` by `stages.measures.app_names`."""

    id: str
    texts: tuple[str, ...]
    apps: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


class _Row(msgspec.Struct):
    """A line of the file; other keys are ignored."""

    id: str | int
    instruction: str
    wordings: dict[str, str] | list[str] | None = None
    apps: list[str] | None = None
    sites: list[str] | None = None


def read_test_tasks(path: Path) -> list[BenchmarkTask]:
    """The tasks of the file in its order. Raises UsageError where there is no such file, and InputError for a line that
    is no task, with its number. A file without a single task is an error too: it would check nothing in silence."""
    try:
        lines = path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except OSError as error:
        what = error.strerror or error
        raise UsageError(f"leaks.tests: {path} cannot be read ({what}); name a JSONL file of test tasks") from None
    tasks = [_task(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not tasks:
        raise InputError(f"{path}: no test task in it; each line is an object with id and instruction")
    return tasks


def _task(line: bytes, where: str) -> BenchmarkTask:
    try:
        row = msgspec.json.decode(line, type=_Row)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        hint = "each line is an object with id and instruction, and where known wordings, apps, sites"
        raise InputError(f"{where}: no test task ({error}); {hint}") from None
    more = row.wordings.values() if isinstance(row.wordings, dict) else row.wordings or ()
    texts = tuple(dict.fromkeys(text for text in (row.instruction, *more) if text.strip()))
    if not texts:
        raise InputError(f"{where}: the instruction of test task {row.id} is empty")
    return BenchmarkTask(
        id=str(row.id),
        texts=texts,
        apps=tuple(app_keys(row.apps or ())),
        sites=tuple(site_keys(row.sites or ())),
    )
