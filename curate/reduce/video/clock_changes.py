"""The clock by what follows clicks and keys, for videos without a pointer: a screen answers within a quarter of a
second. Nothing is decoded: a frame that shows something new is a large packet.
"""

from __future__ import annotations

import numpy as np

from curate.model.constants import CLOCK_ANSWER_S, CLOCK_MIN_SIGHTINGS
from curate.reduce.video.clock_pointer import Measured
from curate.reduce.video.decoding import Packet
from curate.reduce.video.pointer_track import PointerTrack

_STEP_S = 0.010
_QUIET_S = 0.4  # a change counts as an answer's beginning only after this much rest
_LARGE, _LARGE_BYTES = 4.0, 100.0  # a frame without news is some 40 bytes; a changed line of text 200
_FASTEST_S = 0.030  # from press to picture, at best: input, drawing, and waiting for the next frame


def offset_from_changes(track: PointerTrack, packets: list[Packet], low: float, high: float) -> Measured | None:
    """The offset in [low, high] under which changes begin just after presses and keys; None where too few do. It is
    some hundredths of a second unsure, as programs' answers are; its confidence is the share of acts answered in
    time, less what the best other offset would explain as well."""
    onsets = _onsets(packets)
    acts = _lone(track)
    if len(onsets) < CLOCK_MIN_SIGHTINGS or len(acts) < CLOCK_MIN_SIGHTINGS:
        return None
    offsets = np.arange(low, high + _STEP_S, _STEP_S)
    answered = np.array([_answered(onsets + offset, acts) for offset in offsets])
    best = answered.max()
    near = offsets[answered >= best - 1e-9]
    # within the window every offset explains the same answers: the earliest picture is the fastest answer
    offset = float(near.min()) + _FASTEST_S if len(near) else low
    rivals = answered[np.abs(offsets - float(near.mean())) > CLOCK_ANSWER_S]
    rival = float(rivals.max()) if len(rivals) else 0.0
    return Measured(offset, float(np.clip(best - rival, 0.0, 1.0)))


def _onsets(packets: list[Packet]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Times in the video at which something new appears after a rest."""
    sizes = np.array([0 if packet.key else packet.size for packet in packets], dtype=np.float64)
    times = np.array([packet.time for packet in packets])
    if not len(sizes):
        return times
    still = np.median(sizes[sizes > 0]) if (sizes > 0).any() else 0.0
    large = times[sizes > max(_LARGE * still, _LARGE_BYTES)]
    return large[np.diff(large, prepend=-np.inf) > _QUIET_S]


def _lone(track: PointerTrack) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Presses, wheel and key events that come after a rest."""
    presses = track.presses
    return presses[np.diff(presses, prepend=-np.inf) > _QUIET_S]


def _answered(
    onsets: np.ndarray[tuple[int], np.dtype[np.float64]], acts: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> float:
    """Share of acts with a change that begins within the answer's time."""
    following = np.searchsorted(onsets, acts)
    there = following < len(onsets)
    delay = onsets[np.minimum(following, len(onsets) - 1)] - acts
    return float((there & (delay <= CLOCK_ANSWER_S)).mean())
