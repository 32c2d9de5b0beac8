"""The video of a recording that was killed: which of its frames are there, sound and timed, and the same video again,
finished, without encoding anything anew."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.constants import NS_PER_MS, RECOVERY_DECODES_S
from curate.model.errors import StoreError
from curate.store.atomic import store_error
from curate.store.matroska import sound_times
from curate.store.recording import FrameRow

_MUXER = {"fflags": "+bitexact", "cluster_time_limit": "0"}  # no random number; a checksum for every frame


class StoredFrame(msgspec.Struct, frozen=True):
    """One frame as the container has it: `pts` in milliseconds; `key`: decoding can start here."""

    pts: int
    key: bool


class Film(msgspec.Struct, kw_only=True):
    """What a video file holds. `finished`: it was closed as files are. `pictures` in the order of the file; `bad`: the
    pts of those that are damaged. `size`: width and height in pixels."""

    finished: bool = False
    pictures: list[StoredFrame] = []
    bad: set[int] = set()
    size: tuple[int, int] | None = None


class Matched(msgspec.Struct, kw_only=True):
    """Frames of the video and rows of the index, one to one. `rows`: the index anew. `kept`: pts of the frames that are
    sound. `lost`: times of frames that the index has and the video lost. `damaged`: how many frames of the video are no
    use, because they are damaged or build upon one that is missing. `retimed`: how many had no row; their times are the
    video's own, to 1 ms."""

    rows: list[FrameRow] = []
    kept: list[int] = []
    lost: list[int] = []
    damaged: int = 0
    retimed: int = 0


def look_at(path: Path) -> Film | None:
    """What is in a video file, None where it cannot be opened. Its checksums tell what is damaged; where it has none,
    its last minute is decoded."""
    film = Film()
    with contextlib.suppress(*_errors()), _opened(path) as (container, stream):
        film.finished = bool(container.duration)
        film.size = (int(stream.width), int(stream.height))
        for pts, packet in _packets(container, stream):
            film.pictures.append(StoredFrame(pts, bool(packet.is_keyframe)))
    if film.size is None:
        return None
    if film.pictures:
        sound = sound_times(path)
        there = {picture.pts for picture in film.pictures}
        film.bad = there - sound if sound is not None else _undecodable(path, film.pictures)
    return film


def match(pictures: Iterable[StoredFrame], bad: set[int], rows: Iterable[FrameRow]) -> Matched:
    """Bring frames and rows together by their pts. A frame that is missing or bad takes those with it that build upon
    it, up to the next key frame. Without any row no frame can be timed: `rows` is empty then."""
    indexed = {row.pts: row for row in rows}
    named = sorted(indexed)
    found, sound = Matched(), False
    last, place = -1, 0
    for picture in pictures:
        missing = 0
        while place < len(named) and named[place] < picture.pts:
            missing, place = missing + 1, place + 1
        if place < len(named) and named[place] == picture.pts:
            place += 1
        sound = (picture.key or (sound and not missing)) and picture.pts not in bad
        if not sound or picture.pts <= last:
            found.damaged += 1
            continue
        last = picture.pts
        row = indexed.pop(picture.pts, None)
        found.retimed += row is None
        found.rows.append(row or FrameRow(n=0, t=-1, pts=picture.pts))
    found.kept = [row.pts for row in found.rows]
    found.lost = sorted(row.t for row in indexed.values())
    found.rows = _timed(found.rows, [row for row in found.rows if row.t >= 0])
    return found


def _timed(rows: list[FrameRow], known: list[FrameRow]) -> list[FrameRow]:
    """Numbers from 0, and a time for each: pts count from the first frame's time, rounded down, so the end of that
    millisecond is not before the frame was taken. Nothing where no row tells which time that was."""
    if not known:
        return []
    zero = min(row.t - row.pts * NS_PER_MS for row in known)
    ends = [row.t if row.t >= 0 else zero + (row.pts + 1) * NS_PER_MS - 1 for row in rows]
    return [FrameRow(n=n, t=t, pts=row.pts) for n, (row, t) in enumerate(zip(rows, ends, strict=True))]


def finish_video(source: Path, target: Path, keep: set[int]) -> None:
    """Write the frames of these pts into a new file with the same times, closed as files are. Raises StoreError."""
    import av

    try:
        with (
            _opened(source) as (container, stream),
            av.open(str(target), "w", format="matroska", options=_MUXER) as out,
        ):
            copy = out.add_stream_from_template(stream)
            for pts, packet in _packets(container, stream):
                if pts in keep:
                    packet.stream = copy
                    out.mux(packet)
    except _errors() as error:
        if isinstance(error, OSError) or getattr(error, "errno", None):
            raise store_error("write", target.parent.parent, OSError(*error.args[:2])) from error
        raise StoreError(f"Cannot write the video again: {type(error).__name__}.") from error
    again = look_at(target)
    if again is None or [p.pts for p in again.pictures] != sorted(keep) or again.bad:
        raise StoreError(f"The video of {target.parent.parent} was not written whole; nothing was changed.")


def _undecodable(path: Path, pictures: list[StoredFrame]) -> set[int]:
    """Frames of the last minute that do not come out of the decoder, or damaged."""
    start = max(0, pictures[-1].pts - int(RECOVERY_DECODES_S * 1000))
    start = max((p.pts for p in pictures if p.key and p.pts <= start), default=pictures[0].pts)
    sound: set[int] = set()
    with contextlib.suppress(*_errors()), _opened(path, err_detect="explode") as (container, stream):
        if start > pictures[0].pts:
            container.seek(int(start / 1000 / stream.time_base), stream=stream)
        for _, packet in _packets(container, stream):
            with contextlib.suppress(*_errors()):
                sound.update(_ms(frame) for frame in packet.decode() if not frame.is_corrupt)
        with contextlib.suppress(*_errors()):
            sound.update(_ms(frame) for frame in stream.decode(None) if not frame.is_corrupt)
    return {p.pts for p in pictures if p.pts >= start} - sound


@contextlib.contextmanager
def _opened(path: Path, **options: str) -> Iterator[tuple[Any, Any]]:
    """The container and its video stream. Raises ValueError where it has none."""
    import av

    av.logging.set_level(av.logging.PANIC)  # what is damaged is told by us
    with av.open(str(path), options=options) as container:
        if not container.streams.video:
            raise ValueError("no video")
        yield container, container.streams.video[0]


def _packets(container: Any, stream: Any) -> Iterator[tuple[int, Any]]:
    """The packets of frames with their pts in milliseconds, as far as the file can be read."""
    packets = container.demux(stream)
    while True:
        packet = None
        with contextlib.suppress(StopIteration, *_errors()):
            packet = next(packets)
        if packet is None:
            return
        if packet.size and packet.pts is not None:
            yield _ms(packet), packet


def _ms(timed: Any) -> int:
    milliseconds: int = round(timed.pts * timed.time_base * 1000)
    return milliseconds


def _errors() -> tuple[type[Exception], ...]:
    import av

    return av.error.FFmpegError, OSError, ValueError
