"""AgentNet's `meta_data_merged.jsonl`: one row a run, joined by `task_id`. Only it says which system a run was recorded
on and how large the screen was."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import msgspec

from curate.model.trajectory import Platform, Screen
from curate.store.jsonl import BadLine, read_lines
from curate.store.paths import own_file

NAME = "meta_data_merged.jsonl"
_SYSTEMS: dict[str, Platform] = {
    "windows": "windows", "darwin": "macos", "macos": "macos", "ubuntu": "linux", "linux": "linux",
}  # fmt: skip


class Known(msgspec.Struct, frozen=True, gc=False):
    """What is known of a run."""

    platform: Platform | None = None
    screen: Screen | None = None
    apps: tuple[str, ...] = ()


class _Row(msgspec.Struct):
    task_id: str
    system: Any = None
    applications: Any = None
    screen_width: Any = None
    screen_height: Any = None


def known_of(file: Path, task: str | None) -> Known:
    """What the metadata beside a file of runs (or a folder higher) says of a run. Memory: 300 bytes a row, read once
    a process."""
    for folder in (file.parent, file.parent.parent):
        if task and (path := own_file(folder, NAME)) is not None:
            status = path.stat()
            return _rows(path, status.st_mtime_ns, status.st_size).get(task, _NOTHING)
    return _NOTHING


_NOTHING = Known()


@functools.lru_cache(maxsize=2)
def _rows(path: Path, changed: int, size: int) -> dict[str, Known]:
    decoder = msgspec.json.Decoder(_Row)
    found: dict[str, Known] = {}
    for line in read_lines(path):
        if isinstance(line, BadLine):
            continue
        try:
            row = decoder.decode(line.data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue  # a join that fails leaves the platform and the screen unknown
        found.setdefault(row.task_id, _known(row))
    return found


def _known(row: _Row) -> Known:
    system = row.system.strip().lower() if isinstance(row.system, str) else ""
    screen = None
    if _is_side(row.screen_width) and _is_side(row.screen_height):
        screen = Screen(width=int(row.screen_width), height=int(row.screen_height))
    apps = row.applications if isinstance(row.applications, list) else re.split("[,;]", str(row.applications or ""))
    names = dict.fromkeys(app.strip().lower() for app in apps if isinstance(app, str) and app.strip())
    return Known(_SYSTEMS.get(system), screen, tuple(names))


def _is_side(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= 100_000 and value % 1 == 0
