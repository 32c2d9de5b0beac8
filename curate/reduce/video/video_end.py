"""Up to when, and between which damages, a video tells what was on the screen. Where the recorder wrote the time of
every frame, a screen that did not change has no frames, and the last one stands until the recording ends; unless the
file was cut (a crash, a full disk), or nobody closed it: then its last frame says nothing of what came after it. Frames
that are missing or damaged in the middle take those with them that build upon them, up to the next key frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from curate.model.events import RawRecording
from curate.reduce.video.decoding import Packet
from curate.reduce.video.pointer_track import Floats
from curate.store.matroska import sound_times

_LAST_FRAME_S = 1.0  # by how much a container may state more than its last frame's time: that frame's own duration
_SAME_STAMP_S = 0.0006  # time stamps are whole milliseconds in our recordings
Gap = tuple[float, float]


@dataclass(frozen=True)
class FramesFound:
    """Frames of a video and the times that the recorder wrote, brought together. `times`: of every packet in order,
    then of those that the video lost at its end; None where the recorder wrote none. `gaps`: from a frame that is
    missing or damaged to the next key frame, on the events' clock. `lost`: how many are missing or damaged before the
    end. `untimed`: how many have no time of the recorder's; they got the video's own. `ended`: the recorder closed the
    video, and all of it is there."""

    times: list[float] | None
    gaps: tuple[Gap, ...] = ()
    lost: int = 0
    untimed: int = 0
    ended: bool = True


@dataclass(frozen=True)
class VideoEnd:
    """What is on the screen is known before `until` (events' clock; infinite: to the end of the recording), but not
    in the `gaps`. `notes`: lines for the record's lineage, none where nothing is missing."""

    until: float
    notes: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()

    def knows(self, time: float) -> bool:
        """Whether nothing is known to be missing of the screen at a time."""
        return time < self.until and not self.in_gap(time)

    def in_gap(self, time: float) -> bool:
        """Whether a frame of that time builds upon one that is missing or damaged."""
        return any(start <= time < end for start, end in self.gaps)

    def with_gap(self, start: float, end: float) -> VideoEnd:
        """The same with frames missing that did not decode, from `start` to the next key frame."""
        if self.in_gap(start):
            return self
        note = f"frames of the video do not decode from {start:.1f} s on"
        noted = any(line.startswith("frames of the video do not decode") for line in self.notes)
        return replace(self, gaps=(*self.gaps, (start, end)), notes=self.notes if noted else (*self.notes, note))


def match_frames(recording: RawRecording, packets: Sequence[Packet], video: Path | None = None) -> FramesFound:
    """Bring packets (in order) and the recorder's frame times together by their stamps. With `video`, checksums in the
    file are looked at. A recording whose frames have no stamps is taken in order."""
    times, stamps = recording.frame_times, recording.frame_stamps
    there = max(len(packets), len(stamps or ()))
    ended = recording.video_ended and (recording.frame_count or 0) <= there
    if not times or not stamps or len(stamps) != len(times):
        return FramesFound(times, ended=ended)
    row_of = _rows_of(packets, stamps)
    if sum(row is not None for row in row_of) * 2 < min(len(packets), len(stamps)):
        return FramesFound(times, ended=ended)  # other stamps: a copy of the video, made elsewhere
    sound = sound_times(video) if video is not None else None
    found, gaps = list[float](), list[Gap]()
    lost, next_row, since, offset = 0, 0, None, times[0] - stamps[0]
    for packet, row in zip(packets, row_of, strict=True):
        if row is not None:
            if row > next_row:
                lost += row - next_row
                since = times[next_row] if since is None else since
            next_row, offset = row + 1, times[row] - stamps[row]
        time = packet.time + offset if row is None else times[row]
        if sound is not None and round(packet.time * 1000) not in sound:
            lost += 1
            since = time if since is None else since
        elif packet.key and since is not None:
            gaps.append((since, time))
            since = None
        found.append(time)
    if since is not None:
        gaps.append((since, np.inf))
    return FramesFound([*found, *times[next_row:]], tuple(gaps), lost, row_of.count(None), ended)


def _rows_of(packets: Sequence[Packet], stamps: Sequence[float]) -> list[int | None]:
    """For each packet, which of the recorder's frames it is."""
    marks = np.asarray(stamps)
    near = np.searchsorted(marks, np.array([packet.time - _SAME_STAMP_S for packet in packets]))
    return [
        int(row) if row < len(marks) and abs(marks[row] - packet.time) <= _SAME_STAMP_S else None
        for row, packet in zip(near, packets, strict=True)
    ]


def end_of_video(
    frame_times: Floats | None,
    packets: list[Packet],
    times: Floats,
    stated: float | None,
    matched: FramesFound | None = None,
) -> VideoEnd:
    """The end of a video whose frames (`packets`, in order) came at `times` of the events' clock. `frame_times`: of all
    frames, as the recorder wrote them, None where it did not: then the end is where the frames end, and nothing is
    missed. `stated`: the length in seconds that the container states, None where it was never finished."""
    if frame_times is None or not packets:
        return VideoEnd(np.inf)
    matched = matched or FramesFound(None)
    until, note = _end(frame_times, packets, times, stated, matched)
    notes = [note] if note is not None else []
    if matched.lost:
        notes.append(f"{matched.lost} frames are missing or damaged before the end of the video")
    return VideoEnd(until, tuple(notes), matched.gaps)


def _end(
    frame_times: Floats, packets: list[Packet], times: Floats, stated: float | None, matched: FramesFound
) -> tuple[float, str | None]:
    there, named, last = len(packets), len(frame_times), packets[-1].time
    after_the_last = float(np.nextafter(times[-1], np.inf))
    if there < named:
        note = f"video ends at {last:.1f} s: {named - there} of {named} frames missing"
        return float(frame_times[there]), note
    if stated is not None and stated - last > _LAST_FRAME_S:
        note = f"video ends at {last:.1f} s of the {stated:.1f} s that it states: frames after that are missing"
        return after_the_last, note
    if there > named or matched.untimed:
        named = min(named, there - matched.untimed)
        untimed = f"frame times end after {named} of {there} frames: the others' are the video's own"
        # a finished file holds all its frames; of one that was not, nobody knows
        return np.inf if stated is not None and matched.ended else after_the_last, untimed
    if not matched.ended:
        return after_the_last, f"the recorder was interrupted: the screen after {last:.1f} s of the video is not known"
    return np.inf, None
