"""How far a video tells what was on the screen. Where the recorder wrote the time of every frame, a screen that did not
change has no frames, and the last one stands until the recording ends; unless the file was cut (a crash, a full disk):
then its last frame says nothing of what came after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curate.reduce.video.decoding import Packet
from curate.reduce.video.pointer_track import Floats

_LAST_FRAME_S = 1.0  # by how much a container may state more than its last frame's time: that frame's own duration


@dataclass(frozen=True)
class VideoEnd:
    """What is on the screen is known before `until` (events' clock; infinite: to the end of the recording). `note`: a
    line for the record's lineage, None where nothing is missing."""

    until: float
    note: str | None = None


def end_of_video(frame_times: Floats | None, packets: list[Packet], times: Floats, stated: float | None) -> VideoEnd:
    """The end of a video whose frames (`packets`, in order) came at `times` of the events' clock. `frame_times`: of all
    frames, as the recorder wrote them, None where it did not: then the end is where the frames end, and nothing is
    missed. `stated`: the length in seconds that the container states, None where it was never finished."""
    if frame_times is None or not packets:
        return VideoEnd(np.inf)
    there, named, last = len(packets), len(frame_times), packets[-1].time
    if there < named:
        note = f"video ends at {last:.1f} s: {named - there} of {named} frames missing"
        return VideoEnd(float(frame_times[there]), note)
    if stated is not None and stated - last > _LAST_FRAME_S:
        note = f"video ends at {last:.1f} s of the {stated:.1f} s that it states: frames after that are missing"
        return VideoEnd(float(np.nextafter(times[-1], np.inf)), note)
    if there > named:
        untimed = f"frame times end after {named} of {there} frames: the others' are the video's own"
        # a finished file holds all its frames; of one that was not, nobody knows
        until = np.inf if stated is not None else float(np.nextafter(times[-1], np.inf))
        return VideoEnd(until, untimed)
    return VideoEnd(np.inf)
