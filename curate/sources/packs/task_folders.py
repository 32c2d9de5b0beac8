"""Folders with a JSON file a task, as OSWorld and its kin have them: `evaluation_examples/examples/<domain>/<id>.json`,
and beside them lists such as `test_all.json`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from curate.model.listed_task import ListedTask
from curate.model.task_ids import parent_of
from curate.sources.packs.base import texts
from curate.sources.packs.rows import Row, files_below, some, whole_object

WINDOWS = "-wos"  # ends every id of WindowsAgentArena
_ROOTS = ("examples", "examples_windows", "evaluation_examples", "evaluation_examples_windows")
_PATH = re.compile(r"[^/\\]{2,}\.[A-Za-z0-9]{1,8}$")


def is_task(row: Row) -> bool:
    """Whether an object is a task file."""
    return isinstance(row.get("instruction"), str) and "id" in row and ("evaluator" in row or "snapshot" in row)


def looks_so(path: Path, windows: bool) -> bool:
    """Whether a folder holds task files, of WindowsAgentArena or of the others."""
    if not path.is_dir():
        return False
    for file in some(path, ".json"):
        if file.name.startswith("test_") or file.parent == path:
            continue
        row = whole_object(file) if file.stat().st_size < 1 << 20 else {}
        if is_task(row):
            return str(row["id"]).lower().endswith(WINDOWS) == windows
    return False


def read_folder(path: Path) -> Iterator[ListedTask]:
    """The tasks of all files below, each in its set (the folder above its domain)."""
    for file in files_below(path, ".json"):
        row = _object(file)
        if is_task(row):
            yield _task(row, file, path)


def _object(file: Path) -> Row:
    head = file.read_bytes()[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return whole_object(file) if head.startswith(b"{") else {}  # a list is none of a task


def _task(row: Row, file: Path, root: Path) -> ListedTask:
    own = str(row["id"])
    above = file.relative_to(root.parent).parts[:-2]
    set_ = next((part for part in reversed(above) if part in _ROOTS), None)
    return ListedTask(
        id=own,
        set=set_,
        domain=file.parent.name,
        instruction=row["instruction"],
        apps=texts(row.get("related_apps")) or None,
        parent=parent_of(own),
        files=sorted(set(_files(row.get("config")))) or None,
    )


def _files(config: Any) -> Iterator[str]:
    """Names of the files that are set up before the task: in what is downloaded, opened or copied."""
    if isinstance(config, dict):
        for name, value in config.items():
            if name in ("path", "url", "dest") and isinstance(value, str):
                file = value.replace("\\", "/").split("?")[0]
                if _PATH.search(file):
                    yield PurePosixPath(file).name
            else:
                yield from _files(value)
    elif isinstance(config, list):
        for one in config:
            yield from _files(one)
