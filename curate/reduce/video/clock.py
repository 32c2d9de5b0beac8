"""The video's clock against the events' clock: event time = video time + offset.

Best first: the recorder's own frame times; the pointer as it is seen to move (`clock_pointer`); changes of the screen
after clicks and keys (`clock_changes`); what the recording declares. A measurement that is not clear is not believed:
the declared start stands, with confidence 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from curate.model.constants import CLOCK_MIN_CONFIDENCE, CLOCK_SEARCH_S
from curate.model.events import RawRecording
from curate.reduce.video.clock_changes import offset_from_changes
from curate.reduce.video.clock_pointer import offset_from_pointer
from curate.reduce.video.decoding import Packet, Video
from curate.reduce.video.pointer_track import Floats, PointerTrack

Method = Literal["frame_times", "pointer", "changes", "declared", "first_event"]


@dataclass(frozen=True)
class Clock:
    """`confidence` is from 0 (not measured) to 1; `method` says how; `pointer_seen` whether the pointer was found in
    the picture where its events say it was (None: not looked for, or no move to tell by). `declared` is the start
    that the recording states, for the report."""

    offset: float
    confidence: float
    method: Method
    pointer_seen: bool | None = None
    declared: float | None = None
    frame_times: Floats | None = None

    def event_time(self, index: int, video_time: float) -> float:
        """The time of a frame on the events' clock: `index` counts frames from 0, `video_time` is in seconds."""
        if self.frame_times is not None and index < len(self.frame_times):
            return float(self.frame_times[index])
        return video_time + self.offset

    def event_times(self, packets: list[Packet]) -> Floats:
        """The times of all frames, also of those that the recorder timed and the video lost."""
        times = [self.event_time(index, packet.time) for index, packet in enumerate(packets)]
        lost = self.frame_times[len(packets) :] if self.frame_times is not None else ()
        return np.array([*times, *lost], dtype=np.float64)


def estimate_clock(recording: RawRecording, track: PointerTrack, video: Video, packets: list[Packet]) -> Clock:
    """Measure a recording's clock. Decodes at most a tenth of the video (up to eight seconds of a short one), and none
    where frame times are recorded. Raises VideoError where the video does not open."""
    declared = recording.video_start
    if recording.frame_times:
        times = np.maximum.accumulate(np.asarray(recording.frame_times, dtype=np.float64))
        first = packets[0].time if packets else 0.0
        return Clock(float(times[0]) - first, 1.0, "frame_times", recording.pointer_in_video, declared, times)
    low, high = _range(declared, track, packets)
    if recording.pointer_in_video is not False:
        seen = offset_from_pointer(recording, track, video, packets, low, high)
        if seen is not None and seen.confidence >= CLOCK_MIN_CONFIDENCE:
            return Clock(seen.offset, seen.confidence, "pointer", True, declared)
    after = offset_from_changes(track, packets, low, high)
    if after is not None and after.confidence >= CLOCK_MIN_CONFIDENCE:
        return Clock(after.offset, after.confidence, "changes", recording.pointer_in_video, declared)
    if declared is not None:
        return Clock(declared, 0.0, "declared", recording.pointer_in_video, declared)
    return Clock(track.first, 0.0, "first_event", recording.pointer_in_video, None)


def _range(declared: float | None, track: PointerTrack, packets: list[Packet]) -> tuple[float, float]:
    """Offsets that are possible: around the declared start, else all that let video and events overlap by half. A
    start at which nothing of the video was filmed while anything happened is of another clock, and tells nothing."""
    length = packets[-1].time if packets else 0.0
    if (
        declared is not None
        and track.first - length <= declared + CLOCK_SEARCH_S
        and declared - CLOCK_SEARCH_S <= track.last
    ):
        return declared - CLOCK_SEARCH_S, declared + CLOCK_SEARCH_S
    overlap = 0.5 * min(length, track.last - track.first)
    return track.first + overlap - length, track.last - overlap
