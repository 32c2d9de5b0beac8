"""Which inputs there are: arguments of a command line to inputs, each with the source that reads it.

A folder stands for everything in it at any depth. The order of the arguments and what else lies around do not matter:
inputs come in order of their paths. What is shown of a path in outputs is the part below the argument, without names
that identify a person; a folder that is one recording shows as a hash of its events.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import msgspec

from curate.model.constants import FOLDERS_DEEP
from curate.model.errors import InputError
from curate.model.privacy import Masker
from curate.sources.base import Input
from curate.sources.nearest import nearest
from curate.sources.registry import source, sources
from curate.store.paths import is_inside, own_file

_DATA_SUFFIXES = (".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".gz", ".zst")
"""Of files that are listed where no source recognises them; most others of a dump are pictures."""
_EXPECTED = (
    "a folder of recordings (recording.json or events.jsonl), a dataset or run folder, or JSONL with one record a line"
)


class Found(msgspec.Struct, kw_only=True, frozen=True):
    """`inputs` in order of path; `unknown`: data files below the arguments that no source recognises, as shown in
    outputs."""

    inputs: list[Input]
    unknown: list[str] = []


def find_inputs(paths: Iterable[Path | str], only: str | None = None) -> Found:
    """The inputs that the paths stand for. `only`: no source but this is asked. Raises InputError for a path that is
    not there or holds no input."""
    found: dict[Path, Input] = {}
    unknown: dict[Path, str] = {}
    for argument in sorted({Path(path).absolute() for path in paths}, key=_order):
        if not argument.exists():
            raise InputError(f"{argument} is not there.")
        here = list(_below(argument, argument, only))
        if not any(isinstance(entry, Input) for entry in here):
            raise _none_recognises(argument, only)
        companions = _companions(here)
        for entry in here:
            if isinstance(entry, Input):
                # A refused link is not what it leads to, which may be an input of its own.
                found.setdefault(entry.path if entry.source == "refused" else entry.path.resolve(), entry)
            elif not any(fnmatch(entry.relative_to(argument).as_posix(), pattern) for pattern in companions):
                unknown.setdefault(entry.resolve(), _shown(entry, argument))
    inputs = sorted(found.values(), key=lambda entry: _order(entry.path))
    return Found(inputs=told_apart(inputs), unknown=[unknown[path] for path in sorted(unknown, key=_order)])


def _companions(here: Iterable[Input | Path]) -> list[str]:
    """Patterns of the files that are read with the inputs there."""
    names = {entry.source for entry in here if isinstance(entry, Input)}
    facts = [known.facts for name, known in sources().items() if name in names and known.facts is not None]
    return [pattern for one in facts for pattern in one.companions]


def _none_recognises(path: Path, only: str | None) -> InputError:
    """What is wrong with a path in which there is no input: whose it is, or what it looks like."""
    if only is None:
        guess = nearest(path)
        return InputError(f"No source recognises {path}: {guess or f'expected {_EXPECTED}'}.")
    others = sorted({entry.source for entry in _below(path, path) if isinstance(entry, Input)} - {"refused"})
    if others:
        return InputError(
            f"{only} does not recognise {path}, but {' and '.join(others)} does: name that source or auto."
        )
    guess = nearest(path)
    return InputError(f"{only} does not recognise {path}, and no other source does{f': {guess}' if guess else ''}.")


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


def _below(path: Path, root: Path, only: str | None = None) -> Iterator[Input | Path]:
    """Inputs at or below a path, and data files that are none; links are followed only inside `root`. What may not be
    looked at is an input of the source `refused`, which says so: it does not stop the rest."""
    refused = Input(path=path, source="refused", shown=_shown(path, root))
    if path != root and path.is_symlink():
        # A picture is the matter of the record that names it.
        if not is_inside(root, path) and (path.is_dir() or path.suffix.lower() in ("", *_DATA_SUFFIXES)):
            yield refused
        return  # what it leads to inside the input is met on its own
    try:
        for name, candidate in sources().items():
            if only in (None, name) and candidate.recognise(path):
                yield Input(path=path, source=name, shown=shown_recording(path) if candidate.raw else refused.shown)
                return
        if path.is_dir() and len(path.parts) - len(root.parts) > FOLDERS_DEEP:
            yield refused
            return
        children = sorted(path.iterdir(), key=lambda child: child.name) if path.is_dir() else []
    except OSError as error:
        if path == root:
            raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
        yield refused
        return
    for child in children:
        if not child.name.startswith("."):
            yield from _below(child, root, only)
    if path.suffix.lower() in _DATA_SUFFIXES and not path.is_dir():
        yield path


_TELLING = ("events.jsonl", "recording.json", "metadata.json", "task_name.json")


def shown_recording(path: Path) -> str:
    """A recording's name in outputs: tools name the folder after people (AgentNetTool: by e-mail address), the events
    name it as well, or whatever else is there."""
    for name in _TELLING:
        if (file := own_file(path, name)) is not None:
            with contextlib.suppress(OSError), file.open("rb") as content:
                return f"recording-{hashlib.file_digest(content, 'sha256').hexdigest()[:12]}"
    return "recording"


def _shown(path: Path, root: Path) -> str:
    relative = path.relative_to(root) if path != root else Path(path.name)
    return Masker()(relative.as_posix())


def told_apart(inputs: list[Input]) -> list[Input]:
    """Two inputs of one name (`a/x.jsonl b/x.jsonl`) get numbers, in order of path."""
    seen: dict[str, int] = {}
    result = []
    for entry in inputs:
        seen[entry.shown] = seen.get(entry.shown, 0) + 1
        number = seen[entry.shown]
        shown = entry.shown if number == 1 else f"{entry.shown} ({number})"
        result.append(msgspec.structs.replace(entry, shown=shown))
    return result
