"""Our own recordings (`recording.v1`): a folder with recording.json is one record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curate.model.constants import NS_PER_S
from curate.model.errors import InputError
from curate.model.events import PointerShape, RawEvent, RawRecording, WindowAt
from curate.model.rejected import Rejected
from curate.model.trajectory import Screen
from curate.sources.base import Read, ReadContext
from curate.sources.common.raw import read_raw
from curate.sources.common.reading import UnreadableError, is_utf8
from curate.sources.parts.recording_a11y import Accessibility, read_accessibility
from curate.store import recording as rec
from curate.store.paths import PathError, inside


class Recording:
    """The source `recording`: one folder is one record."""

    name = "recording"
    raw = True
    divisible = False
    facts = None

    def recognise(self, path: Path) -> bool:
        """A folder with recording.json."""
        return path.is_dir() and (path / rec.INFO).exists()

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The folder's one record."""
        yield from read_raw(lambda: open_recording(path), "recording@1", context)


SOURCE = Recording()


def open_recording(folder: Path) -> RawRecording:
    """Open a recording for reading. Times are seconds since its first readable row (frames may be earlier: negative).

    Control rows are looked through once, for windows and pointer shapes; input rows are read as `events()` is
    iterated, which also fills `unreadable` (line from 1, why). A recording that was killed opens like any other, up to
    where it was cut. Raises InputError where recording.json or frames.jsonl cannot be believed, or there are no events.
    """
    info = _info(folder)
    events = _file(folder, rec.EVENTS)
    if events is None:
        raise UnreadableError("read.empty", f"{rec.EVENTS} is missing or empty: the recording holds no events.")
    zero = _first_time(events)
    windows, shapes = _control_rows(folder, events, zero)
    video, frames = _file(folder, rec.VIDEO), _file(folder, rec.FRAMES)
    a11y = _file(folder, rec.ACCESSIBILITY)
    told = read_accessibility(a11y, zero) if a11y is not None else Accessibility()
    rows = rec.read_frames(frames) if video and frames else []
    outcome = info.outcome or rec.Outcome()
    opened = RawRecording(
        folder=folder,
        source="recording",
        id=info.id,
        events=lambda: iter(()),
        instruction=info.instruction or "",
        platform=info.platform,
        screen=info.screen,
        video=video,
        frame_times=[_seconds(row.t, zero) for row in rows] if rows else None,
        frame_stamps=[row.pts / 1000 for row in rows] if rows else None,
        frame_count=info.counts.frames if info.counts else None,
        video_ended=info.ended and not info.recovered and not info.faults,
        pointer_in_video=info.pointer_in_video,
        elements=told.elements,
        trees=told.trees,
        windows=windows,
        shapes=shapes,
        start_chord=tuple(info.start_chord) if info.start_chord else None,
        stop_chord=tuple(info.stop_chord) if info.stop_chord else None,
        control_chords=tuple(tuple(chord) for chord in info.control_chords),
        completed=None if outcome.status is None else outcome.status == "success",
        status=outcome.status,
        outcome_reason=outcome.reason,
        actor=info.actor,
        unreadable=[],
        remarks=told.remarks,
    )
    opened.events = lambda: _events(events, zero, opened.unreadable)
    return opened


def _info(folder: Path) -> rec.RecordingInfo:
    path = _file(folder, rec.INFO)
    if path is None:
        raise UnreadableError("read.empty", f"{rec.INFO} is empty, or no file.")
    try:
        return rec.read_info(folder)
    except InputError as error:
        if is_utf8(path):
            raise UnreadableError("read.json", str(error)) from error
        raise UnreadableError("read.encoding", f"{rec.INFO} is not UTF-8; write it as UTF-8.") from error


def _file(folder: Path, name: str) -> Path | None:
    try:
        path = inside(folder, name)
    except PathError as refused:
        raise UnreadableError("read.path_refused", f"{name}: {refused}") from refused
    return path if path.is_file() and path.stat().st_size else None


def _seconds(t: int, zero: int) -> float:
    return (t - zero) / NS_PER_S  # subtracted as integers: nanoseconds stay exact however long the machine has been up


def _first_time(events: Path) -> int:
    unreadable: list[tuple[int, str]] = []
    for _, row in rec.read_rows(events, unreadable):
        return row.t
    if not is_utf8(events):
        raise UnreadableError("read.encoding", f"{rec.EVENTS} is not UTF-8; write it as UTF-8.")
    why = f" Line {unreadable[0][0]}: {unreadable[0][1]}" if unreadable else ""
    raise UnreadableError("read.empty", f"{rec.EVENTS} holds no event that can be read.{why}")


def _control_rows(folder: Path, events: Path, zero: int) -> tuple[list[WindowAt], list[PointerShape]]:
    windows: list[WindowAt] = []
    shapes: list[PointerShape] = []
    for _, row in rec.read_rows(events, [], only=("window", "pointer")):
        if isinstance(row, rec.WindowRow):
            windows.append(WindowAt(time=_seconds(row.t, zero), app=row.app, title=row.title))
        elif isinstance(row, rec.PointerRow):
            try:
                image = inside(folder, row.image)
            except PathError:
                continue  # the row itself is told as unreadable when events are read
            if image.is_file():
                shapes.append(PointerShape(time=_seconds(row.t, zero), image=image, hot_x=row.hot_x, hot_y=row.hot_y))
    return windows, shapes


def _events(events: Path, zero: int, unreadable: list[tuple[int, str]]) -> Iterator[RawEvent]:
    unreadable.clear()
    for line, row in rec.read_rows(events, unreadable):
        if isinstance(row, rec.PointerRow):
            try:
                inside(events.parent, row.image)
            except PathError as refused:
                unreadable.append((line, f"The pointer's picture: {refused}"))
                continue
        yield raw_event(row, line - 1, zero)


def raw_event(row: rec.AnyRow | rec.UnknownRow, index: int, zero: int) -> RawEvent:
    """One row as the reducer takes it; a row of a later version's kind is `unknown` with the kind as `detail`."""
    time = _seconds(row.t, zero)
    match row:
        case rec.MoveRow():
            return RawEvent(index=index, time=time, kind="move", x=float(row.x), y=float(row.y))
        case rec.ButtonRow():
            return RawEvent(
                index=index, time=time, kind="button", x=float(row.x), y=float(row.y), button=row.button,
                pressed=row.pressed, injected=row.injected,
            )  # fmt: skip
        case rec.ScrollRow():
            return RawEvent(
                index=index, time=time, kind="scroll", x=float(row.x), y=float(row.y), dx=row.dx, dy=row.dy,
                injected=row.injected,
            )  # fmt: skip
        case rec.KeyRow():
            return RawEvent(
                index=index, time=time, kind="key", key=row.key, code=row.code, pressed=row.pressed, text=row.text,
                dead=row.dead, repeat=row.repeat, injected=row.injected,
            )  # fmt: skip
        case rec.ScreenRow():
            screen = Screen(width=row.width, height=row.height, scale=row.scale)
            return RawEvent(index=index, time=time, kind="screen", screen=screen)
        case rec.WindowRow():
            return RawEvent(index=index, time=time, kind="window", app=row.app, title=row.title, own=row.own)
        case rec.PauseRow():
            return RawEvent(index=index, time=time, kind="pause")
        case rec.ResumeRow():
            return RawEvent(index=index, time=time, kind="resume")
        case rec.PointerRow():
            return RawEvent(index=index, time=time, kind="pointer", detail=row.name)
        case rec.ClipboardRow():
            return RawEvent(index=index, time=time, kind="clipboard")
        case rec.RedactionRow():
            since = _seconds(row.since, zero)
            return RawEvent(index=index, time=time, kind="redaction", detail=row.reason, since=since)
        case rec.EndRow():
            return RawEvent(index=index, time=time, kind="end", detail=row.reason)
        case rec.UnknownRow():
            return RawEvent(index=index, time=time, kind="unknown", detail=row.kind)
