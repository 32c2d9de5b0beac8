"""Raw recordings of AgentNetTool and DuckTrack: a folder with events.jsonl, everything else optional.

    events.jsonl                    one row an event: time_stamp, action, x, y, button, pressed, dx, dy, name, ...
    metadata.json                   system, screen_width, screen_height, video_start_timestamp; nothing else is used
    task_name.json                  task_name, the instruction; without it the instruction is empty, which `validate`
                                    answers as too short (`validate.instruction_length`)
    *.mp4                           the video, under any name
    element.jsonl  a11y.jsonl       the element under the pointer at a press; whole accessibility trees
    top_window.jsonl                the program in front
    reduced_events_complete.jsonl   what an annotator's review kept (an empty file is no review)

The outcome is not in the folder: unknown. Identifying names (folder, host, user, addresses) are left behind: the
record's id is a hash of the events.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from curate.model.events import ElementAt, RawRecording, WindowAt
from curate.model.finite import finite_number
from curate.model.privacy import Masker
from curate.model.rejected import Rejected
from curate.model.roles import role_of
from curate.model.trajectory import Platform, Screen
from curate.sources.base import Read, ReadContext
from curate.sources.common.facts import Facts
from curate.sources.common.raw import read_raw
from curate.sources.common.reading import UnreadableError, file_in
from curate.sources.parts.agentnettool_rows import read_events
from curate.sources.parts.screen_evidence import box_of, watch
from curate.store.jsonl import BadLine, read_lines

EVENTS = "events.jsonl"
REVIEW = "reduced_events_complete.jsonl"
# Files that only AgentNetTool writes, and what only DuckTrack does: it has no shortcuts.
_AGENTNET_FILES = (
    "task_name.json", "element.jsonl", "a11y.jsonl", "top_window.jsonl", "html.jsonl", REVIEW,
    "reduced_events_vis.jsonl",
)  # fmt: skip
_DUCKTRACK_FILE = "README.md"
_DUCKTRACK_KEYS = ("node", "id")  # of metadata.json: the host's name and address, which AgentNetTool leaves out
_VIDEOS = (".mp4", ".mkv", ".mov")
SCREEN_MAX_PX = 65_535  # no display and no codec goes further (X11 stops at 32,767): such metadata is broken
_PLATFORMS: dict[str, Platform] = {"windows": "windows", "darwin": "macos", "macos": "macos", "linux": "linux"}
_NAMING = ("host", "node", "user", "name", "uuid", "id", "mac", "owner", "mail")


FACTS = Facts(
    title="AgentNetTool and DuckTrack recordings",
    card="https://github.com/xlang-ai/AgentNet",
    space="screen_pixel",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="Not in the folder: unknown.",
    licences={"": None},
)


class AgentNetTool:
    """The source `agentnettool`: one folder is one record."""

    name = "agentnettool"
    raw = True
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A folder with events.jsonl, or with what belongs beside it (then the record says what is missing)."""
        if not path.is_dir() or (path / "recording.json").exists():
            return False
        if (path / EVENTS).exists():
            return True
        return (path / "metadata.json").exists() and any((path / name).exists() for name in _AGENTNET_FILES)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The folder's one record."""
        review = context.options.get("reduce", {}).get("review") != "ignore"
        yield from read_raw(lambda: open_recording(path, review), "agentnettool@1", context)


SOURCE = AgentNetTool()


def open_recording(folder: Path, review: bool = True) -> RawRecording:
    """Open a recording for reading; `review`: take in the annotator's review where there is one.

    Events are read once here (for the hash and the screen), and again by whoever iterates `events()`.
    Raises UnreadableError (with a reason code) for what must be there and is not, or cannot be believed.
    """
    events_file = file_in(folder, EVENTS)
    if events_file is None:
        raise UnreadableError("read.empty", f"{EVENTS} is missing or empty.")
    metadata = _json_object(folder, "metadata.json")
    task = _json_object(folder, "task_name.json")
    masker = Masker(_identifying(metadata, folder.name))
    screen = _screen(metadata)
    seen = list(_trees(folder, "element.jsonl"))
    recording = RawRecording(
        folder=folder,
        source="agentnettool",
        id=f"agentnettool:{_content_hash(events_file)[:16]}",
        events=lambda: iter(()),
        instruction=_text(task.get("task_name")),
        wordings={"description": description} if (description := _text(task.get("description"))) else {},
        platform=_PLATFORMS.get(_text(metadata.get("system")).lower()),
        screen=screen,
        video=_video(folder),
        video_start=finite_number(metadata.get("video_start_timestamp")),
        elements=_elements(seen, masker),
        windows=_windows(folder, masker),
        kept_starts=_kept_starts(folder) if review else None,
        unreadable=[],
    )
    recording.events = lambda: read_events(events_file, recording.unreadable, recording.platform)
    if not _is_ducktrack(folder, metadata, events_file):
        recording.start_chord, recording.stop_chord = shortcuts(recording.platform)
    recording.screens = watch(screen, recording.events(), chain(seen, _trees(folder, "a11y.jsonl")))
    return recording


def shortcuts(platform: Platform | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """AgentNetTool's own: to start and to stop. On a Mac they are held with command."""
    first = "command" if platform == "macos" else "ctrl"
    return (first, "alt", "r"), (first, "alt", "t")


def _is_ducktrack(folder: Path, metadata: dict[str, Any], events: Path) -> bool:
    """Whether DuckTrack recorded the folder. Bare events with nothing that tells are taken for AgentNetTool's."""
    if any((folder / name).exists() for name in _AGENTNET_FILES) or b'"event_idx"' in _first_bytes(events):
        return False
    return (folder / _DUCKTRACK_FILE).exists() or any(key in metadata for key in _DUCKTRACK_KEYS)


def _content_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1000)


def _json_object(folder: Path, name: str) -> dict[str, Any]:
    """A JSON object of the folder; empty where the file is absent or empty. UnreadableError where it is neither."""
    path = file_in(folder, name)
    if path is None:
        return {}
    try:
        return msgspec.json.decode(path.read_bytes().decode("utf-8-sig"), type=dict[str, Any])
    except UnicodeDecodeError as error:
        raise UnreadableError("read.encoding", f"{name} is not UTF-8.") from error
    except msgspec.MsgspecError as error:
        raise UnreadableError("read.json", f"{name}: {error}.") from error


class _Node(msgspec.Struct):
    """The root of a tree; its children, which can be thousands, are never built."""

    Name: Any = None
    ControlType: Any = None
    BoundingRectangle: Any = None


class _Row(msgspec.Struct):
    """A row of element.jsonl, a11y.jsonl or top_window.jsonl."""

    time_stamp: float
    a11y_tree: msgspec.Raw = msgspec.Raw()
    axtree: msgspec.Raw = msgspec.Raw()
    top_window_name: Any = None


def _rows(folder: Path, name: str) -> Iterator[_Row]:
    """The rows of an optional JSONL file that are JSON objects with a time; others are passed over, since no step
    depends on them being there."""
    path = file_in(folder, name)
    if path is None:
        return
    decoder = msgspec.json.Decoder(_Row)
    for line in read_lines(path):
        if isinstance(line, BadLine):
            continue
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            yield decoder.decode(line.data)


def _trees(folder: Path, name: str) -> Iterator[tuple[float, dict[str, Any]]]:
    """Times and roots of the trees of a file."""
    decoder = msgspec.json.Decoder(_Node)
    for row in _rows(folder, name):
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            node = decoder.decode(bytes(row.a11y_tree) or bytes(row.axtree))
            yield row.time_stamp, msgspec.structs.asdict(node)


def _elements(trees: list[tuple[float, dict[str, Any]]], masker: Masker) -> list[ElementAt]:
    found = []
    for time, node in trees:
        name = masker(_text(node["Name"])) or None
        found.append(ElementAt(time=time, role=role_of(_text(node["ControlType"])), name=name, box=box_of(node)))
    return sorted(found, key=lambda element: element.time)


def _windows(folder: Path, masker: Masker) -> list[WindowAt]:
    """The program in front: AgentNetTool writes its name, never its window's title."""
    found = [
        WindowAt(time=row.time_stamp, app=masker(_text(row.top_window_name)) or None, title=None)
        for row in _rows(folder, "top_window.jsonl")
    ]
    return sorted(found, key=lambda window: window.time)


def _kept_starts(folder: Path) -> set[int] | None:
    """First raw rows of the actions that the review kept; None without a review.

    A review that cannot be read whole is refused: without its lost lines, actions would be dropped that were kept,
    and without the review, actions would come back that were taken out.
    """
    path = file_in(folder, REVIEW)
    if path is None:
        return None
    kept: set[int] = set()
    for line in read_lines(path):
        if isinstance(line, BadLine):
            raise _bad_review(line.reason, line.number, line.detail)
        try:
            row = msgspec.json.decode(line.data, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise _bad_review("read.json", line.number, f"{error}.") from error
        start = row.get("event_start_idx")
        if not isinstance(start, int) or isinstance(start, bool):
            raise _bad_review("read.json", line.number, "event_start_idx is missing.")
        kept.add(start)
    return kept


def _bad_review(reason: str, line: int | None, detail: str) -> UnreadableError:
    where = REVIEW if line is None else f"{REVIEW}, line {line}"
    return UnreadableError(reason, f"{where}: {detail} reduce.review=ignore reads the recording without it.")


def _video(folder: Path) -> Path | None:
    """The folder's video; of several the first by name."""
    names = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in _VIDEOS and path.name[0] != ".")
    for name in names:
        path = file_in(folder, name)
        if path is not None:
            return path
    return None


def _screen(metadata: dict[str, Any]) -> Screen | None:
    width, height = (finite_number(metadata.get(side)) for side in ("screen_width", "screen_height"))
    if width is None or height is None or not (1 <= width <= SCREEN_MAX_PX and 1 <= height <= SCREEN_MAX_PX):
        return None
    return Screen(width=round(width), height=round(height))


def _identifying(value: Any, *more: str) -> list[str]:
    """What the metadata calls the machine and its owner, to be masked wherever else it stands."""
    found = [part for name in more for part in name.replace("@", " ").split() if "@" in name]
    todo = [value]
    while todo:
        entry = todo.pop()
        if isinstance(entry, dict):
            for key, inner in entry.items():
                if isinstance(inner, str) and any(word in key.lower() for word in _NAMING):
                    found.append(inner)
                todo.append(inner)
        elif isinstance(entry, list):
            todo.extend(entry)
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
