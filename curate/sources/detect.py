"""Which inputs there are: arguments of a command line to inputs, each with the source that reads it.

A folder stands for everything in it at any depth. The order of the arguments and what else lies around do not matter:
inputs come in order of their paths. What is shown of a path in outputs is the part below the argument, without names
that identify a person; a folder that is one recording shows as a hash of its events.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from curate.model.errors import InputError
from curate.model.privacy import Masker
from curate.sources.base import Input
from curate.sources.registry import source, sources
from curate.store.paths import is_inside

_DATA_SUFFIXES = (".jsonl", ".ndjson", ".json", ".parquet", ".gz", ".zst")
"""Of files that are listed where no source recognises them; most others of a dump are pictures."""
_EXPECTED = (
    "a folder of recordings (recording.json or events.jsonl), a dataset or run folder, or JSONL with one record a line"
)


class Found(msgspec.Struct, kw_only=True, frozen=True):
    """`inputs` in order of path; `unknown`: data files below the arguments that no source recognises, as shown in
    outputs."""

    inputs: list[Input]
    unknown: list[str] = []


def find_inputs(paths: Iterable[Path | str]) -> Found:
    """The inputs that the paths stand for. Raises InputError for a path that is not there or holds no input."""
    found: dict[Path, Input] = {}
    unknown: dict[Path, str] = {}
    for argument in sorted({Path(path).absolute() for path in paths}, key=_order):
        if not argument.exists():
            raise InputError(f"{argument} is not there.")
        here = list(_below(argument, argument))
        if not any(isinstance(entry, Input) for entry in here):
            raise InputError(f"No source recognises {argument}: expected {_EXPECTED}.")
        for entry in here:
            if isinstance(entry, Input):
                found.setdefault(entry.path.resolve(), entry)
            else:
                unknown.setdefault(entry.resolve(), _shown(entry, argument))
    inputs = sorted(found.values(), key=lambda entry: _order(entry.path))
    return Found(inputs=_told_apart(inputs), unknown=[unknown[path] for path in sorted(unknown, key=_order)])


_TOOLS_OWN_NAMES = frozenset({
    "recording.json", "events.jsonl", "frames.jsonl", "a11y.jsonl", "screen.mkv", "metadata.json", "task_name.json",
    "element.jsonl", "html.jsonl", "top_window.jsonl", "reduced_events_complete.jsonl", "reduced_events_vis.jsonl",
})  # fmt: skip


def shown_file(entry: Input, relative: str) -> str:
    """How a file of an input may be named in outputs. Inside a recording only names that the tools themselves give
    stand as they are; a video is named after its moment or its person, and is `*.mp4`."""
    if not relative:
        return entry.shown
    name = relative.rsplit("/", 1)[-1]
    if source(entry.source).raw and not (relative in _TOOLS_OWN_NAMES or relative == f"pointers/{name}"):
        relative = "*" + Path(name).suffix
    return f"{entry.shown}/{Masker()(relative)}"


def _order(path: Path) -> tuple[str, ...]:
    return path.parts


def _below(path: Path, root: Path) -> Iterator[Input | Path]:
    """Inputs at or below a path, and data files that are none; links are followed only inside `root`."""
    if path != root and path.is_symlink():
        if not is_inside(root, path):
            yield Input(path=path, source="refused", shown=_shown(path, root))
        return  # what it leads to inside the input is met on its own
    for name, candidate in sources().items():
        if candidate.recognise(path):
            yield Input(path=path, source=name, shown=_shown_input(path, root))
            return
    if path.is_dir():
        try:
            children = sorted(path.iterdir(), key=lambda child: child.name)
        except OSError as error:
            raise InputError(f"Cannot read {path}: {error.strerror}.") from error
        for child in children:
            if not child.name.startswith("."):
                yield from _below(child, root)
    elif path.suffix.lower() in _DATA_SUFFIXES:
        yield path


def _shown_input(path: Path, root: Path) -> str:
    events = path / "events.jsonl"
    if path.is_dir() and events.is_file():
        # Tools name recordings after people (AgentNetTool: by e-mail address); the events name them as well.
        with events.open("rb") as file:
            return f"recording-{hashlib.file_digest(file, 'sha256').hexdigest()[:12]}"
    return _shown(path, root)


def _shown(path: Path, root: Path) -> str:
    relative = path.relative_to(root) if path != root else Path(path.name)
    return Masker()(relative.as_posix())


def _told_apart(inputs: list[Input]) -> list[Input]:
    """Two inputs of one name (`a/x.jsonl b/x.jsonl`) get numbers, in order of path."""
    seen: dict[str, int] = {}
    result = []
    for entry in inputs:
        seen[entry.shown] = seen.get(entry.shown, 0) + 1
        number = seen[entry.shown]
        shown = entry.shown if number == 1 else f"{entry.shown} ({number})"
        result.append(msgspec.structs.replace(entry, shown=shown))
    return result
