"""What a path looks like that no source recognises: the source whose names most of it has, and what is missing.

Only for the sentence of an error. MARKS is no second way of recognising: names that a file of the source holds, most
telling first; the tests hold each against the fixture of its source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.sources.broken_files import broken

MARKS: Mapping[str, tuple[str, ...]] = {
    "agentnet": ("traj", "instruction", "task_id"),
    "agentnetbench": ("high_level_task_description", "steps", "task_id"),
    "androidcontrol": ("accessibility_trees", "step_instructions", "screenshot_widths", "goal", "actions"),
    "aitz": ("ui_positions", "result_touch_yx", "result_action_type", "episode_id"),
    "aitw": ("goal_info", "results/yx_touch", "results/action_type", "episode_id"),
    "mind2web": ("confirmed_task", "annotation_id", "action_reprs", "actions"),
    "multimodal_mind2web": ("confirmed_task", "annotation_id", "target_action_index", "pos_candidates", "operation"),
    "os_genesis": ("screen_before", "screen_after", "action"),
    "explorer": ("task_summary", "verifier_agent_response", "init_url", "viewport-width"),
    "digirl": ("trajectory_reward", "mc_return", "image_path", "action"),
    "digidata": ("episode_len", "action_history", "image_history", "xml", "goal"),
    "gui_odyssey": ("device_info", "task_info", "step_length", "steps"),
    "guiact": ("actions_label", "uid", "image_id", "question"),
    "omniact": ("task", "image", "box"),
    "osworld": ("step_num", "action_timestamp", "screenshot_file"),
    "pc_agent": ("marked_screenshot", "screenshot", "rect", "action"),
    "openadapt": ("episode_id", "instruction", "steps", "schema_version"),
    "screenagent": ("task_prompt", "saved_image_name", "LLM_response", "session_id"),
    "gui360": ("execution_id", "app_domain", "request", "step_id"),
    "adp": ("id", "content", "details"),
    "records": ("schema", "id", "source", "instruction", "steps"),
}
_HEAD_BYTES = 1 << 16
_LIST_BYTES = 1 << 24  # of a file of ids
_FILES = 200  # of a folder, so many are looked at
_ENOUGH = 0.5  # share of a source's names without which a hint misleads
_NAME = re.compile(rb'"([A-Za-z_][\w /-]{0,60})"\s*:')
_BINARY = {
    ".pt": "a file of PyTorch, which may run code when it is opened and is never opened here: write its rows as JSONL",
    ".pth": "a file of PyTorch, which may run code when it is opened and is never opened here: write its rows as JSONL",
    ".pkl": "a pickle, which may run code when it is opened and is never opened here: write its rows as JSONL",
    ".npz": "a file of NumPy, which may hold a pickle and is never opened here: write its rows as JSONL",
    ".npy": "a file of NumPy, which may hold a pickle and is never opened here: write its rows as JSONL",
    ".zip": "an archive: pictures are read out of it where it lies beside the file that names them",
    ".tar": "an archive that is not read: unpack it",
    ".tgz": "an archive that is not read: unpack it",
    ".mp4": "a video alone: the folder with its events is a recording",
}


def nearest(path: Path) -> str | None:
    """What the path looks like and what it lacks, as half a sentence; None where nothing is near."""
    best: tuple[float, str, tuple[str, ...], Path] | None = None
    for file in _files(path):
        names = names_of(file)
        for source, marks in MARKS.items():
            share = sum(mark in names for mark in marks) / len(marks)
            if share >= _ENOUGH and (best is None or share > best[0]):
                best = share, source, tuple(mark for mark in marks if mark not in names), file
    if best is not None:
        return _sentence(path, *best)
    return _no_runs(path) if path.is_file() else _broken_below(path)


def _no_runs(path: Path) -> str | None:
    """What a file is that holds no runs of any source."""
    if (wrong := broken(path)) is not None:
        return f"it {wrong}"
    hint = _BINARY.get(path.suffix.lower()) or _lists(path)
    return None if hint is None else f"it is {hint}"


def _broken_below(path: Path) -> str | None:
    """The first file of a folder that cannot be what its name says; else what the first files there are."""
    hints: list[str] = []
    for file in islice(sorted(path.rglob("*")), _FILES):
        if not file.is_file():
            continue
        if (wrong := broken(file)) is not None:
            return f"{file.name} {wrong}"
        hint = _BINARY.get(file.suffix.lower()) or _lists(file)
        hints += [f"{file.name} is {hint}"] if hint else []
    return hints[0] if hints else None if any(path.rglob("*")) else "it is empty"


_LISTING = "a list of files of rows, as LLaMA-Factory keeps it: give the files that it names"
_SPLITS = "lists of ids, as splits are published: they are read with the data that they lie beside"
_TASKS = "a text without runs; tasks, one a line, are what `curate tests add` takes"


def _lists(path: Path) -> str | None:
    """What a file is that lists things: LLaMA-Factory's dataset_info.json, ids of splits, or a text."""
    if path.suffix.lower() == ".txt":
        return _TASKS
    if path.suffix.lower() != ".json":
        return None
    try:
        with path.open("rb") as file:
            entries = msgspec.json.decode(file.read(_LIST_BYTES))
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    values = list(entries.values()) if isinstance(entries, dict) else []
    kinds = [entry for entry in values if isinstance(entry, dict)]
    if kinds and all("file_name" in entry for entry in kinds):
        return _LISTING
    ids = [one for entry in values if isinstance(entry, list) for one in entry]
    named = len(values) > 1 and all(isinstance(entry, list) for entry in values)
    return _SPLITS if named and ids and all(type(one) in (int, str) for one in ids) else None


def _sentence(path: Path, share: float, source: str, missing: tuple[str, ...], file: Path) -> str:
    where = "it" if file == path else file.name
    if (wrong := broken(file)) is not None:
        return f"{where} looks like {source}, but {wrong}"
    if missing:
        return f"{where} looks most like {source}, but has no {' and no '.join(missing)}"
    return f"{where} looks like {source}, but is not laid out as that is published (docs/sources.md)"


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    found = (file for file in sorted(path.rglob("*")) if file.suffix.lower() in (".json", ".jsonl", ".parquet"))
    for number, file in enumerate(found):
        if number >= _FILES:
            return
        if file.is_file():
            yield file


def names_of(file: Path) -> frozenset[str]:
    """Names of columns, or of the fields of the first object, of a file that is data; else none."""
    try:
        if file.suffix.lower() == ".parquet":
            return frozenset(pq.read_schema(file).names)
        with file.open("rb") as data:
            return _fields(data.read(_HEAD_BYTES))
    except (OSError, pa.ArrowException):
        return frozenset()


def _fields(head: bytes) -> frozenset[str]:
    """Every name before a colon in a piece of JSON: half an object has no other way to be read."""
    decoded = _whole(head)
    if decoded is not None:
        return frozenset(_keys(decoded))
    return frozenset(name.decode("utf-8", "replace") for name in _NAME.findall(head))


def _whole(head: bytes) -> Any:
    try:
        return msgspec.json.decode(head.split(b"\n", 1)[0] if head[:1] == b"{" else head)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _keys(found: Any) -> Iterator[str]:
    first = found[0] if isinstance(found, list) and found else found
    if isinstance(first, dict):
        yield from first
