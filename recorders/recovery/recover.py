"""`recover`: a recording whose recorder was killed becomes a whole one, with everything that is on the disk.

Half a last row is cut off, an `end` row says `interrupted`, the video is finished without encoding it again and
agrees with its index frame by frame, recording.json counts what is there and says what is lost. All of that happens
at once or not at all, and a second time changes nothing.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from curate.model.constants import NS_PER_S
from curate.model.errors import InputError, StoreError
from curate.model.trajectory import Screen
from curate.store.atomic import store_error, write_json, write_jsonl
from curate.store.paths import own_file
from curate.store.recording import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    INFO,
    LOCK,
    VIDEO,
    Counts,
    EndRow,
    RecordingInfo,
    RedactionRow,
    read_info,
)
from recorders.lock import FolderLock
from recorders.recovery import staging
from recorders.recovery.rows import Accessibility, Events, Frames, Tail, scan_accessibility, scan_events, scan_frames
from recorders.recovery.video import Film, Matched, finish_video, look_at, match

INTERRUPTED = "interrupted"


class Recovered(msgspec.Struct, kw_only=True, frozen=True):
    """`changed`: False where the recording was whole and was left as it is. `said`: what was found, a sentence each."""

    info: RecordingInfo
    changed: bool
    said: list[str] = []


class _Found(msgspec.Struct, kw_only=True):
    """Everything that can be read of a recording."""

    info: RecordingInfo | None
    events: Events
    frames: Frames
    trees: Accessibility
    film: Film | None
    matched: Matched

    @property
    def last(self) -> int:
        """The last time that anything tells of."""
        frames = [row.t for row in self.matched.rows[-1:]]
        return max([t for t in (self.events.last_t, self.trees.last_t, *frames) if t is not None], default=0)

    @property
    def whole(self) -> bool:
        """Whether the recorder closed it and all its files are as they were closed."""
        torn = self.events.tail.torn or self.frames.tail.torn or self.trees.tail.torn
        closed = self.info is not None and self.info.ended and self.events.ended is not None
        return closed and not torn and not self.pictures_changed

    @property
    def pictures_changed(self) -> bool:
        """Whether video and index have to be written again."""
        if self.film is None:
            return bool(self.frames.rows)
        index, kept = self.frames.rows, self.matched.rows
        return not self.film.finished or (bool(index) and (index != kept or len(kept) != len(self.film.pictures)))


def recover(folder: Path) -> RecordingInfo:
    """Make an interrupted recording whole; its recording.json. See `recovered`."""
    return recovered(folder).info


def recovered(folder: Path) -> Recovered:
    """Make an interrupted recording whole, or find that it is. Raises InputError where the folder holds no recording,
    RecorderError where it is still being made, StoreError where it cannot be written; then it is as it was."""
    if not is_recording(folder) and not (folder / staging.STAGE).is_dir():
        raise InputError(f"{folder} is no recording: it holds neither {INFO} nor {EVENTS} nor {VIDEO}.")
    begun = (folder / staging.STAGE).exists()
    info = _info(folder)
    if info is not None and info.ended and not begun:
        found = _look(folder)
        if found.info is not None and found.whole:
            _forget_lock(folder)
            return Recovered(info=found.info, changed=False)
    lock = FolderLock(folder)
    try:
        finished = staging.finish(folder)
        found = _look(folder)
        if found.info is not None and found.whole:
            return Recovered(info=found.info, changed=finished, said=found.info.faults if finished else [])
        return _mend(folder, found)
    finally:
        lock.release()


def _forget_lock(folder: Path) -> None:
    """Take away the lock that a process left which was killed after its last word."""
    if own_file(folder, LOCK) is not None:
        with contextlib.suppress(StoreError):  # a folder that cannot be written to may keep it
            FolderLock(folder).release()


def find_recordings(paths: Iterable[Path]) -> Iterator[Path]:
    """The recordings that are named, or lie at any depth in what is named, in the order of their names. Raises
    InputError for a path that is none and holds none."""
    for path in paths:
        if not path.is_dir():
            raise InputError(f"{path} is no folder{'' if path.exists() else ': it is not there'}.")
        if is_recording(path):
            yield path
            continue
        below = sorted(folder for folder in path.rglob("*") if folder.is_dir() and is_recording(folder))
        inner = [f for f in below if f.name not in (staging.STAGE, staging.ASIDE)]
        if not inner:
            raise InputError(f"{path} holds no recording: none of its folders has {INFO}, {EVENTS} or {VIDEO}.")
        yield from inner


def is_recording(folder: Path) -> bool:
    """Whether a folder holds a recording or what is left of one."""
    return any(own_file(folder, name) is not None for name in (INFO, EVENTS, VIDEO))


def _info(folder: Path) -> RecordingInfo | None:
    try:
        return read_info(folder) if own_file(folder, INFO) else None
    except InputError:
        return None


def _look(folder: Path) -> _Found:
    for name in (EVENTS, FRAMES, VIDEO, ACCESSIBILITY):
        if (folder / name).exists() and own_file(folder, name) is None:
            raise InputError(f"{folder / name} is no file of this folder: it is not touched.")
    try:
        events, frames, trees = scan_events(folder), scan_frames(folder), scan_accessibility(folder)
    except OSError as error:
        raise store_error("read", folder, error) from error
    video = own_file(folder, VIDEO)
    film = look_at(video) if video is not None and video.stat().st_size else None
    matched = match(film.pictures, film.bad, frames.rows) if film else match([], set(), frames.rows)
    return _Found(info=_info(folder), events=events, frames=frames, trees=trees, film=film, matched=matched)


def _mend(folder: Path, found: _Found) -> Recovered:
    change = staging.Change(folder)
    try:
        said = [*_mend_rows(folder, found, change), *_mend_pictures(folder, found, change)]
        info = _mended_info(folder, found, said)
        write_json(change.new(INFO), info)
        video = folder / VIDEO
        useless = (found.film is None or not found.matched.kept) and video.is_file()
        change.commit(aside=[VIDEO] if useless else [])
    except OSError as error:
        raise store_error("write to", folder, error) from error
    finally:
        change.give_up()
    return Recovered(info=info, changed=True, said=said)


def _mend_rows(folder: Path, found: _Found, change: staging.Change) -> list[str]:
    """events.jsonl with its end, a11y.jsonl without half a row; what is to be said of them."""
    events = found.events
    said = [*events.tail.told(EVENTS), *found.trees.tail.told(ACCESSIBILITY)]
    if events.missing:
        said.append(f"{EVENTS}: {events.missing} rows are missing before the end, by their numbers.")
    if events.ended is None or events.tail.torn:
        _cut(folder, EVENTS, events.tail, change, [] if events.ended else _closing_rows(found))
    if found.trees.tail.torn:
        _cut(folder, ACCESSIBILITY, found.trees.tail, change, [])
    return said


def _closing_rows(found: _Found) -> list[RedactionRow | EndRow]:
    """The ends of spans that were still hidden, and the end of the recording, at the last time that is known."""
    seq, hidden = found.events.next_seq, found.events.hidden
    last = max([found.last, *(row.since + 1 for row in hidden)])  # `since` = `t` would be a beginning
    ends = [msgspec.structs.replace(row, seq=seq + n, t=last) for n, row in enumerate(hidden)]
    return [*ends, EndRow(seq=seq + len(ends), t=last, reason=INTERRUPTED)]


def _cut(folder: Path, name: str, tail: Tail, change: staging.Change, more: list[RedactionRow | EndRow]) -> None:
    """The file up to its last row, with more rows; what was cut off is kept unless it is half a row."""
    source = folder / name
    with change.new(name).open("wb") as target:
        if source.is_file():
            with source.open("rb") as file:
                _copy(file, target, tail.keep)
                if tail.cut and not tail.half:
                    with change.kept(name).open("wb") as rest:
                        shutil.copyfileobj(file, rest)
        if tail.open_line:
            target.write(b"\n")
        for row in more:
            target.write(msgspec.json.encode(row) + b"\n")


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    while size > 0:
        piece = source.read(min(size, 1 << 20))
        if not piece:
            raise StoreError("A file of the recording became shorter while it was read; is it still being written?")
        target.write(piece)
        size -= len(piece)


def _mend_pictures(folder: Path, found: _Found, change: staging.Change) -> list[str]:
    """screen.mkv finished and frames.jsonl in step with it; what is to be said of them."""
    matched, film = found.matched, found.film
    said = found.frames.tail.told(FRAMES)
    if found.frames.tail.torn:
        _cut(folder, FRAMES, found.frames.tail, change, [])
    if matched.lost:
        said.append(f"{len(matched.lost)} pictures were not in the video any more: {_when(found, matched.lost)}.")
    if matched.damaged:
        said.append(f"{matched.damaged} pictures of the video were no use (damaged, or building upon a lost one).")
    if film is None or not matched.kept:
        if found.frames.rows or (folder / VIDEO).is_file():
            said.append("No picture of the video can be used: the recording is left without pictures.")
            change.new(FRAMES).write_bytes(b"")
        return said
    if not matched.rows:
        said.append("The times of the pictures are lost: the video's clock has to be measured.")
        if not film.finished or len(matched.kept) != len(film.pictures):
            finish_video(folder / VIDEO, change.new(VIDEO), set(matched.kept))
        return said
    if matched.retimed:
        said.append(f"{matched.retimed} pictures had lost their times: they are the video's own, to a millisecond.")
    if found.pictures_changed:
        finish_video(folder / VIDEO, change.new(VIDEO), {row.pts for row in matched.rows})
        write_jsonl(change.new(FRAMES), matched.rows)
    return said


def _when(found: _Found, times: list[int]) -> str:
    zero = found.events.first_t
    if zero is None:
        return "before the end"
    first, last = ((t - zero) / NS_PER_S for t in (times[0], times[-1]))
    return f"at {first:.2f} s" if first == last else f"between {first:.2f} and {last:.2f} s"


def _mended_info(folder: Path, found: _Found, said: list[str]) -> RecordingInfo:
    """recording.json with what is there. Where it was lost, what it said stays unknown."""
    info = found.info or RecordingInfo(
        id=_id_of(folder), recorder=None, platform=None, instruction=None, screen=_screen_of(found)
    )
    events, closing = found.events, 0 if found.events.ended else 1 + len(found.events.hidden)
    late = info.counts.late_frames if info.counts else 0
    end = "" if events.first_t is None else f" at {(found.last - events.first_t) / NS_PER_S:.2f} s"
    how = "The recorder could not close it" if info.ended else "The recorder was interrupted"
    told = [] if found.info is not None else [f"{INFO} was lost: what was asked, and on what system, is not known."]
    return msgspec.structs.replace(
        info,
        ended=True,
        recovered=True,
        counts=Counts(
            events=events.tail.rows + closing,
            frames=len(found.matched.rows),
            late_frames=late,
            trees=found.trees.trees,
            elements=found.trees.elements,
        ),
        faults=[*info.faults, f"{how}: what is known ends{end}.", *told, *said],
    )


def _screen_of(found: _Found) -> Screen | None:
    """The video's size is the screen's at the start."""
    size = found.film.size if found.film is not None else None
    return Screen(width=size[0], height=size[1], scale=None) if size and min(size) > 0 else None


def _id_of(folder: Path) -> str:
    """The folder's name as far as an id can hold it."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", folder.resolve().name).strip("-")[:64] or "recovered"
