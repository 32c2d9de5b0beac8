"""Task lists: JSONL with `id` and `instruction`, or one task a line; and which tasks were recorded already."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from curate.model.errors import InputError
from curate.model.printed import printable
from curate.store.recording import INFO, RecordingInfo, lines, read_info
from recorders.lock import is_held

INSTRUCTION_MAX = 10_000
"""Characters: longer is no task but another file."""


class Task(msgspec.Struct, kw_only=True, frozen=True):
    """What is to be done. `id`: by which its list knows it, if it does."""

    instruction: str
    id: str | None = None

    @property
    def mark(self) -> str:
        """By which a recording is known to be of this task."""
        return f"id {self.id}" if self.id is not None else f"text {self.instruction}"


class TaskList(msgspec.Struct, kw_only=True):
    """The tasks in their order, and a sentence for each line that holds none."""

    tasks: list[Task]
    bad: list[str]
    comments: int = 0  # lines of a plain list that begin with #


def read_tasks(path: Path) -> TaskList:
    """A task list. Raises InputError where it cannot be read or holds no task at all."""
    found = TaskList(tasks=[], bad=[])
    seen: set[str] = set()
    try:
        as_json = _is_json(path)
        for number, data, *_ in lines(path):
            if not as_json and data is not None and data.lstrip().startswith(b"#"):
                found.comments += 1
                continue
            task = _task(data, as_json)
            if isinstance(task, Task) and task.id is not None and task.id in seen:
                task = f"the id {task.id!r} is there already."
            if isinstance(task, str):
                found.bad.append(f"{path}, line {number}: {task}")
            elif task is not None:
                found.tasks.append(task)
                seen.add(task.id or "")
    except OSError as error:
        raise InputError(f"The task list {path} cannot be read: {error.strerror}.") from error
    if not found.tasks:
        why = f" {found.bad[0]}" if found.bad else ""
        raise InputError(f"{path} holds no task.{why}")
    return found


def _task(data: bytes | None, as_json: bool) -> Task | str | None:
    """The task of a line, what is wrong with it, or None for an empty line."""
    try:
        text = data.decode("utf-8").strip() if data is not None else None
    except UnicodeDecodeError:
        return "not UTF-8; write the list as UTF-8."
    if text is None or len(text) > 10 * INSTRUCTION_MAX:
        return "too long for a task."
    if not text:
        return None
    if "\0" in text:
        return "no text; write the list as UTF-8."
    task = _of_json(text) if as_json else Task(instruction=text)
    if isinstance(task, Task) and len(task.instruction) > INSTRUCTION_MAX:
        return f"the task has {len(task.instruction)} characters; {INSTRUCTION_MAX} is the limit."
    return task


def _is_json(path: Path) -> bool:
    if path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return True
    with path.open("rb") as file:
        return file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _of_json(text: str) -> Task | str:
    """A task, or what is wrong with the line."""
    try:
        found = json.loads(text)
    except ValueError as error:
        return f"not JSON ({error})."
    if not isinstance(found, dict):
        return 'not an object like {"id": "...", "instruction": "..."}.'
    instruction, name = found.get("instruction"), found.get("id")
    if not isinstance(instruction, str) or not instruction.strip():
        return "`instruction` is missing or no text."
    if isinstance(name, bool) or not isinstance(name, str | int | None):
        return "`id` is neither text nor a whole number."
    return Task(instruction=instruction.strip(), id=str(name) if name is not None else None)


class ToDo(msgspec.Struct, kw_only=True):
    """`tasks`: those still to be recorded. `again`: a sentence for each of them that has a recording which is not
    whole."""

    tasks: list[Task]
    again: list[str]


def still_to_do(tasks: Iterable[Task], out: Path) -> ToDo:
    """The tasks without those that `out` has a whole recording of already; a task that stands twice in the list wants
    two."""
    recorded: Counter[str] = Counter()
    halves: dict[str, str] = {}
    for folder, info in recordings_in(out):
        if info.instruction is None:
            continue
        mark = Task(instruction=info.instruction, id=info.task).mark
        why = _why_not_whole(folder, info)
        if why is None:
            recorded[mark] += 1
        else:
            halves[mark] = f"{folder.name} {why}"
    left, again = [], []
    for task in tasks:
        if recorded[task.mark]:
            recorded[task.mark] -= 1
            continue
        left.append(task)
        if task.mark in halves:
            name = task.id or _short(task.instruction)
            again.append(f"Offered again: {printable(name)}, whose recording {printable(halves[task.mark])}.")
    return ToDo(tasks=left, again=again)


def _why_not_whole(folder: Path, info: RecordingInfo) -> str | None:
    """Why a recording is not taken for one of the whole task; None where it is."""
    if info.recovered:
        return "was interrupted (recovered since)"
    if not info.ended:
        return "is being made" if is_held(folder) else "was interrupted"
    return "had a fault" if info.faults else None


def interrupted_in(out: Path) -> list[Path]:
    """Folders of recordings that nobody ended and nobody makes any more: for `curate recover`."""
    return [f for f, info in recordings_in(out) if not info.ended and not info.recovered and not is_held(f)]


def recordings_in(out: Path) -> Iterator[tuple[Path, RecordingInfo]]:
    """Each recording's folder and recording.json, of a folder of them; broken ones are passed over."""
    if not out.is_dir():
        return
    for folder in sorted(out.iterdir()):
        if (folder / INFO).is_file():
            try:
                yield folder, read_info(folder)
            except InputError:
                continue


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59].rstrip()}…"
