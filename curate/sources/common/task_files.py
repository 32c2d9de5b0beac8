"""Task files of benchmarks (OSWorld and its kin), found by the run they belong to: what the task was, which programs it
is about, what is set up before it and how it is checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from curate.sources.common.json_stream import whole
from curate.sources.common.reading import UnreadableError
from curate.store.paths import own_file

_UPWARDS = 7  # results/<action space>/<observations>/<model>/<domain>/<task>: the tasks may lie beside `results`
_PLACES = ("", "examples", "evaluation_examples/examples", "evaluation_examples/examples_windows", "examples_windows")


class TaskFile(msgspec.Struct):
    """One task."""

    instruction: str
    id: str | None = None
    snapshot: str | None = None
    source: Any = None
    related_apps: list[str] | None = None
    config: Any = None
    evaluator: Any = None

    @property
    def prerequisites(self) -> str | None:
        """What is set up before the task, as JSON."""
        return _text(self.config)

    @property
    def expected(self) -> str | None:
        """How the result is checked, as JSON."""
        return _text(self.evaluator)


def task_of(run: Path, domain: str, task: str) -> tuple[TaskFile, Path] | None:
    """The file of a task, in the run's folder or in those above it. None where there is none that can be read."""
    names = [f"{task}.json", "task.json", "task_config.json", "config.json"]
    found = [path for name in names if (path := own_file(run, name)) is not None]
    for above in list(run.parents)[:_UPWARDS]:
        for place in _PLACES:
            for name in (f"{place}/{domain}/{task}.json", f"{place}/{task}.json"):
                path = own_file(above, name.strip("/"))
                found += [path] if path is not None else []
    for path in found:
        try:
            return whole(path, TaskFile), path
        except (UnreadableError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
    return None


def _text(value: Any) -> str | None:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None
