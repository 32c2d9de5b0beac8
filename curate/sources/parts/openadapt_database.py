"""OpenAdapt's `recording.db`, read as the raw recording that it is: the reducer makes the actions. The database is only
ever read; where a journal lies beside it, a copy is.

Times are unix seconds, points logical pixels, as the monitor's size is (`pixel_ratio` is what a picture's pixels are of
them)."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from curate.model.events import EventKind, RawEvent, RawRecording, WindowAt
from curate.model.finite import finite_number
from curate.model.privacy import Masker
from curate.model.trajectory import Platform, Screen
from curate.sources.common.reading import UnreadableError

FILE = "recording.db"
_MAGIC = b"SQLite format 3\x00"
_KINDS: dict[str, EventKind] = {"move": "move", "click": "button", "scroll": "scroll", "press": "key", "release": "key"}
_PLATFORMS: dict[str, Platform] = {"win32": "windows", "windows": "windows", "darwin": "macos", "linux": "linux"}
_VIDEOS = (".mp4", ".mkv", ".mov")
_URL = re.compile(r"https?://\S+")


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


@contextlib.contextmanager
def opened(path: Path, scratch: Path) -> Iterator[sqlite3.Connection]:
    """The database, for reading alone. Raises UnreadableError."""
    with contextlib.ExitStack() as stack:
        journal = path.with_name(f"{path.name}-wal")
        try:
            if journal.is_file() and journal.stat().st_size:  # what is in it would be missing, or be written back
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="openadapt-", dir=scratch)))
                for file in (path, journal):
                    shutil.copy(file, folder / file.name)
                path = folder / path.name
                mode = ""
            else:
                mode = "?mode=ro&immutable=1"
            table = sqlite3.connect(f"file:{quote(str(path))}{mode}", uri=True)
        except (OSError, sqlite3.Error) as error:
            raise UnreadableError("read.error", f"The database cannot be opened: {error}.") from error
        stack.enter_context(contextlib.closing(table))
        table.row_factory = sqlite3.Row
        try:
            yield table
        except sqlite3.Error as error:
            raise UnreadableError("read.error", f"The database cannot be read: {error}.") from error


def recordings(table: sqlite3.Connection) -> list[sqlite3.Row]:
    """The recordings of a database, oldest first."""
    return list(table.execute("SELECT * FROM recording ORDER BY timestamp, id"))


def raw_recording(table: sqlite3.Connection, row: sqlite3.Row, folder: Path, identity: str) -> RawRecording:
    """One recording as the reducer takes it."""
    known = dict(row)
    width, height = finite_number(known.get("monitor_width")), finite_number(known.get("monitor_height"))
    ratio = finite_number(known.get("pixel_ratio"))
    screen = Screen(width=round(width), height=round(height), scale=ratio) if width and height else None
    platform = _PLATFORMS.get(str(known.get("platform") or "").lower())
    return RawRecording(
        folder=folder,
        source="openadapt",
        id=identity,
        events=lambda: _events(table, row["id"]),
        instruction=str(known.get("task_description") or ""),
        platform=platform,
        screen=screen,
        video=_video(folder),
        video_start=finite_number(known.get("video_start_time")),
        windows=list(_windows(table, row["id"])),
    )


def _events(table: sqlite3.Connection, recording: int) -> Iterator[RawEvent]:
    """Its raw events; those that OpenAdapt has put together of others (they have no raw name) are passed over."""
    wanted = "recording_id = ? AND (disabled IS NULL OR disabled = 0) AND parent_id IS NULL"
    for row in table.execute(f"SELECT * FROM action_event WHERE {wanted} ORDER BY timestamp, id", (recording,)):
        time = finite_number(row["timestamp"])
        kind = _KINDS.get(str(row["name"]), "unknown")
        if time is None or kind == "unknown":
            continue
        yield _event(dict(row), time, kind)


def _event(row: dict[str, Any], time: float, kind: EventKind) -> RawEvent:
    x, y = finite_number(row.get("mouse_x")), finite_number(row.get("mouse_y"))
    index = int(row["id"])
    if kind == "button":
        pressed = row.get("mouse_pressed")
        return RawEvent(
            index=index, time=time, kind=kind, x=x, y=y, button=row.get("mouse_button_name"),
            pressed=None if pressed is None else bool(pressed),
        )  # fmt: skip
    if kind == "scroll":
        across, down = finite_number(row.get("mouse_dx")) or 0.0, finite_number(row.get("mouse_dy")) or 0.0
        return RawEvent(index=index, time=time, kind=kind, x=x, y=y, dx=across, dy=down)
    if kind == "key":
        return RawEvent(index=index, time=time, kind=kind, key=_key(row), pressed=row.get("name") == "press")
    return RawEvent(index=index, time=time, kind=kind, x=x, y=y)


def _key(row: dict[str, Any]) -> str | None:
    """The key's character, and of a control character the letter that made it; else its name."""
    character = row.get("key_char")
    if isinstance(character, str) and character and not character.isprintable():
        character = row.get("canonical_key_char") or None
    name = character or row.get("key_name") or row.get("canonical_key_name")
    return name if isinstance(name, str) else None


def _windows(table: sqlite3.Connection, recording: int) -> Iterator[WindowAt]:
    masker = Masker()
    ask = "SELECT timestamp, title FROM window_event WHERE recording_id = ? ORDER BY timestamp, id"
    for row in table.execute(ask, (recording,)):
        time = finite_number(row["timestamp"])
        if time is not None:
            yield WindowAt(time=time, app=None, title=masker.maybe(row["title"]) or None)


class Shots:
    """The pictures and addresses of a recording, by time. Pictures stay in the database until one is asked for."""

    def __init__(self, table: sqlite3.Connection, recording: int) -> None:
        self._table, self._recording = table, recording

    def before(self, time: float) -> bytes | None:
        """The last picture up to a time."""
        return self._picture("timestamp <= ? ORDER BY timestamp DESC, id DESC", time)

    def last(self) -> bytes | None:
        """The last picture of all."""
        return self._picture("? IS NOT NULL ORDER BY timestamp DESC, id DESC", 0.0)

    def _picture(self, condition: str, time: float) -> bytes | None:
        ask = f"SELECT png_data FROM screenshot WHERE recording_id = ? AND png_data IS NOT NULL AND {condition} LIMIT 1"
        found = self._table.execute(ask, (self._recording, time)).fetchone()
        return bytes(found["png_data"]) if found is not None and found["png_data"] else None

    def url(self, time: float) -> str | None:
        """The address that the browser was last known to be at."""
        known = "recording_id = ? AND timestamp <= ? ORDER BY timestamp DESC LIMIT 20"
        ask = f"SELECT message FROM browser_event WHERE {known}"
        for row in self._table.execute(ask, (self._recording, time)):
            with contextlib.suppress(ValueError, TypeError, RecursionError):
                address = _address(json.loads(row["message"]))
                if address is not None:
                    return address
        return None


def _address(message: Any) -> str | None:
    inner = message.get("message", message) if isinstance(message, dict) else None
    inside = inner.get("payload", inner) if isinstance(inner, dict) else None
    for one in (inside, inner):
        url = one.get("url") if isinstance(one, dict) else None
        if isinstance(url, str) and _URL.fullmatch(url):
            return url
    return None


def _video(folder: Path) -> Path | None:
    names = sorted(path for path in folder.iterdir() if path.suffix.lower() in _VIDEOS and path.name[0] != ".")
    return next((path for path in names if path.is_file() and path.stat().st_size), None)


def moment_of(table: sqlite3.Connection, event: int) -> float | None:
    """The time at which the picture before an event was taken, else the event's own."""
    row = table.execute("SELECT * FROM action_event WHERE id = ?", (event,)).fetchone()
    if row is None:
        return None
    known = dict(row)
    taken = finite_number(known.get("screenshot_timestamp"))
    return taken if taken is not None else finite_number(known.get("timestamp"))
