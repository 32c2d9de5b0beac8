"""Reads a pack: the test tasks that training runs are held against, and what its makers say of them. A plain JSONL
file, one task a line; docs/leaks.md has the fields."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.errors import InputError, UsageError
from curate.model.listed_task import ListedTask
from curate.model.task_ids import parent_of
from curate.model.trajectory import Step
from curate.stages.copies.tokens import tokens
from curate.stages.measures.app_names import app_keys, site_keys


class BenchmarkTask(msgspec.Struct, kw_only=True, frozen=True):
    """One test task. `id`: what it is called by; `names`: how a record may name it, its benchmark left out. `texts`:
    its instruction and other wordings (none where only its template is known, or its id). `apps`, `sites` by
    `stages.measures.app_names`; `held_out`: no training run may touch them. `parent`: the task that it was made from.
    `files`: names or paths of the benchmark's own files. `canaries`: strings that its makers put into its data.
    `screens`: what test screens look like. `solution`: what a known solution does (`stages.copies.tokens`)."""

    id: str
    texts: tuple[str, ...]
    names: tuple[str, ...] = ()
    domain: str | None = None
    benchmark: str | None = None
    apps: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    template: str | None = None
    parent: str | None = None
    files: tuple[str, ...] = ()
    canaries: tuple[str, ...] = ()
    held_out: bool = False
    screens: tuple[str, ...] = ()
    solution: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What it asks for, to be shown."""
        return self.texts[0] if self.texts else self.template or self.id


_HINT = "each line is an object with id and instruction (or template), and where known the fields of docs/leaks.md"


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
        raise InputError(f"{path}: no test task in it; {_HINT}")
    return tasks


def read_packs(paths: Sequence[Path]) -> list[BenchmarkTask]:
    """The tasks of several files, one after the other. Raises as `read_test_tasks`."""
    return [task for path in paths for task in read_test_tasks(path)]


def paths_of(tests: str | list[str] | None) -> list[Path]:
    """The files that the option leaks.tests names, each once."""
    named = [tests] if isinstance(tests, str) else tests or []
    return list(dict.fromkeys(Path(name) for name in named))


def _task(line: bytes, where: str) -> BenchmarkTask:
    try:
        row = msgspec.json.decode(line, type=ListedTask)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{where}: no test task ({error}); {_HINT}") from None
    return benchmark_task(row, where)


def benchmark_task(row: ListedTask, where: str) -> BenchmarkTask:
    """A listed task, ready to be held against. Raises InputError for one that says nothing, naming `where` it is."""
    more = row.wordings.values() if isinstance(row.wordings, dict) else row.wordings or ()
    said = (row.instruction or "", *more)
    texts = tuple(dict.fromkeys(text for text in said if text.strip()))
    if not texts and not (row.template or "").strip() and row.key is None:  # with a key, its id is what is looked for
        what = "is empty" if row.instruction is not None else "is missing, and so is a template"
        raise InputError(f"{where}: the instruction of test task {row.id} {what}")
    if row.held_out and not (row.apps or row.sites):
        raise InputError(f"{where}: test task {row.id} is held_out, but no app or site is named that would be")
    own = str(row.id)
    parent = parent_of(own) if row.parent is None else str(row.parent)
    return BenchmarkTask(
        id=own if row.key is None else row.key,
        texts=texts,
        names=tuple(dict.fromkeys((own, *((f"{row.domain}/{own}", row.path) if row.domain else ())))),
        domain=row.domain,
        benchmark=row.benchmark,
        apps=tuple(app_keys(row.apps or ())),
        sites=tuple(site_keys(row.sites or ())),
        template=row.template if (row.template or "").strip() else None,
        parent=parent,
        files=tuple(name for name in row.files or () if name.strip()),
        canaries=tuple(row.canaries or ()),
        held_out=bool(row.held_out),
        screens=tuple(row.screens or ()),
        solution=_solution(row.solution or [], where),
    )


def _solution(steps: list[dict[str, Any]], where: str) -> tuple[str, ...]:
    """The tokens of a solution given as steps of a record (`index` may be left out)."""
    try:
        read = [msgspec.convert({"index": index, **step}, Step) for index, step in enumerate(steps)]
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: the solution is no list of steps as in a record ({error})") from None
    return tuple(tokens(read))
