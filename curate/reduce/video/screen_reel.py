"""A recording's screen on the events' clock: decoded once, in order, as far as asked, and forgotten behind.

Steps, waits and hovers ask in order of time, so one pass over the video answers them all.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from curate.model.constants import (
    EXACT_MARGIN_S,
    KEYFRAME_MARGIN_S,
    LOOK_EVERY_S,
    LOOK_SELDOM_S,
    POINTER_REACH_PX,
    TILE_PX,
    WINDOW_BYTES,
)
from curate.model.events import RawRecording
from curate.reduce.video.clock import Clock, estimate_clock
from curate.reduce.video.decoding import Frame, Packet, Video, VideoError
from curate.reduce.video.frame_window import FrameWindow, Grid, TileMap
from curate.reduce.video.idle_changes import IdleChanges
from curate.reduce.video.pointer_track import Box, PointerTrack
from curate.reduce.video.sampling import act_is_near, in_a_drag, needed_frames
from curate.reduce.video.shown_region import View
from curate.reduce.video.video_end import FramesFound, end_of_video, match_frames

_BEFORE_S, _AFTER_S = 0.05, 0.04  # a frame's pointer may be this much older or newer than its time says
_LAST_FRAME_S = 0.5  # how long the last frame of a video of unknown end is believed to have stayed


class ScreenReel:
    """The frames since `forget` in `window`, with times on the events' clock. `exact`: the recorder wrote when each
    frame was taken and left the pointer out, so that a frame is good up to the very moment before an act (`margin`)."""

    def __init__(
        self,
        recording: RawRecording,
        track: PointerTrack,
        video: Video,
        packets: list[Packet],
        clock: Clock,
        matched: FramesFound | None = None,
    ) -> None:
        self.track, self.clock, self.video = track, clock, video
        self.pointer_visible = _visible(recording, clock)
        self._needed = np.ones(0, bool)
        self._video_times = np.array([packet.time for packet in packets])
        self._keys = np.array([number for number, packet in enumerate(packets) if packet.key], dtype=np.int64)
        self._frames = video.frames(needed=self._must_come)
        first = next(self._frames, None)
        if first is None:
            raise VideoError(f"{video.path.name}: no frame of the video can be decoded.")
        self.window = FrameWindow(first.layout, WINDOW_BYTES)
        self.grid: Grid = self.window.grid
        self.view = View.of(recording, first.layout)
        self._times = clock.event_times(packets)
        self._known = end_of_video(clock.frame_times, packets, self._times[: len(packets)], video.stated, matched)
        self.exact = clock.frame_times is not None and not self.pointer_visible
        self.idle = IdleChanges(self.grid, self.exact)
        self.margin = EXACT_MARGIN_S if self.exact else KEYFRAME_MARGIN_S
        self._needed = needed_frames(self._times, track, recording.elements, self.view, self.margin)
        self._pending: Frame | None = first
        self._end: float | None = None

    def advance(self, until: float) -> None:
        """Look at all frames up to `until` (events' clock)."""
        while self._pending is not None:
            number = self._number(self._pending.time)
            time = self._time(number, self._pending.time)
            if time > until:
                return
            following = next(self._frames, None)
            self._look_for_lost(number, following)
            # a clock that goes back, as where two videos were joined, is out of order
            in_order = not self.window.changes or time > self.window.changes[-1].time
            in_order = in_order and not self._known.in_gap(time)
            # the last frame stays; one after which others were lost is looked at as if they were there
            stays = following is None and not self.cut
            if in_order and (stays or self._worth_a_look(number, time)):
                self._take(self._pending, time, self._time(number + 1, self._pending.time + _LAST_FRAME_S))
            if following is None and self.window.changes:
                self._end = self.window.changes[-1].until
            self._pending = following

    def at(self, time: float) -> int | None:
        """Position in the window of the frame that was on the screen at a time; None before the first one kept, and
        after the last one's end or where the video was cut."""
        if not self.knows(time):
            return None
        self.advance(time)
        position = self.window.position(time)
        if position < 0 or not self.knows(time):  # what does not decode is seen on the way
            return None
        return None if self._end is not None and time > self._end else position

    @property
    def cut(self) -> bool:
        """Whether frames are known to be missing at the video's end."""
        return self._known.until < np.inf

    def knows(self, time: float) -> bool:
        """Whether nothing is known to be missing of the screen up to a time."""
        return self._known.knows(time)

    def notes(self) -> list[str]:
        """What was found out about the video's clock, unless the recorder wrote it, and about its end: a line each."""
        clock, end = self.clock, list(self._known.notes)
        if clock.method == "frame_times":
            return end
        stated = "" if clock.declared is None else f", stated {clock.declared:.3f} s"
        return [f"clock: {clock.method}, zero at {clock.offset:.3f} s{stated}, confidence {clock.confidence:.2f}", *end]

    def forget(self, before: float) -> None:
        """Let go of frames older than `before`, all but the one that was on the screen then."""
        self.window.forget(before)

    def pointer_tiles(self, time: float) -> TileMap:
        """The tiles that the pointer may cover in the frame of that time (none if the video is without it)."""
        tiles = self.grid.empty()
        if self.pointer_visible:
            self._mark_pointer(tiles, time, 0.0)
        return tiles

    def tiles_of(self, box: Box, margin: float = 0.0) -> TileMap:
        """The tiles that a box on the screen, widened by `margin` screen pixels, touches."""
        tiles = self.grid.empty()
        tiles[self.grid.covering(self.view.box_to_frame(box), margin / self.view.scale_x)] = True
        return tiles

    def _mark_pointer(self, tiles: TileMap, time: float, margin: float) -> None:
        x, y = self.track.at(self._moments(time))
        if not len(x) or np.isnan(x[0]):
            return
        near, far = POINTER_REACH_PX
        sides = []
        for places, scale, end in (
            (x, self.view.scale_x, self.grid.columns),
            (y, self.view.scale_y, self.grid.rows),
        ):
            reach = np.stack([places - near - margin, places + far + margin]) / (scale * TILE_PX)
            sides.append(np.clip(np.floor(reach).astype(np.int32) + np.array([[0], [1]]), 0, end))
        for left, right, top, bottom in set(zip(*sides[0].tolist(), *sides[1].tolist(), strict=True)):
            tiles[top:bottom, left:right] = True

    def _moments(self, time: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        times = self.track.times
        first, last = np.searchsorted(times, [time - _BEFORE_S, time + _AFTER_S])
        return np.concatenate([[time - _BEFORE_S], times[first:last]])

    def _look_for_lost(self, number: int, following: Frame | None) -> None:
        """Frames that should have come out of the decoder between this one and the following, and did not, or come
        damaged: what builds upon them is not to be believed."""
        after = len(self._video_times) if following is None else self._number(following.time)
        lost = [k for k in range(number + 1, after) if self._must_come(float(self._video_times[k]))]
        if not lost and following is not None and following.owner.is_corrupt:
            lost = [after]
        if lost and lost[0] < len(self._times):
            keys = self._keys[self._keys > lost[0]]
            end = self._time(int(keys[0]), np.inf) if len(keys) else np.inf
            self._known = self._known.with_gap(float(self._times[lost[0]]), end)

    def _number(self, video_time: float) -> int:
        return int(np.searchsorted(self._video_times, video_time - 1e-4))

    def _must_come(self, video_time: float) -> bool:
        number = self._number(video_time)
        return number >= len(self._needed) or bool(self._needed[number])

    def _worth_a_look(self, number: int, time: float) -> bool:
        if not self.window.changes or number >= len(self._needed) or self._needed[number]:
            return True
        every = LOOK_EVERY_S if act_is_near(time, self.track) else LOOK_SELDOM_S
        return time - self.window.changes[-1].time >= every - 1e-3 and not in_a_drag(time, self.track)

    def _time(self, number: int, video_time: float) -> float:
        """When a frame came to the screen. After the last one recorded with its time, the screen stays as it is; of
        the end of other videos only the next moment is known."""
        if number < len(self._times):
            return float(self._times[number])
        return np.inf if self.clock.frame_times is not None else self.clock.event_time(number, video_time)

    def _take(self, frame: Frame, time: float, until: float) -> None:
        change = self.window.add(frame, time, until)
        if len(change.clearly):
            near = self.grid.empty()
            self._mark_pointer(near, time, POINTER_REACH_PX[1])
            act = self.track.last_act_before(time)
            self.idle.observe(change, time - act if act is not None else np.inf, near, frame.planes[0])


def _visible(recording: RawRecording, clock: Clock) -> bool:
    """Whether pictures show the pointer: as the recording says; unknown: unless it was looked for in vain."""
    if recording.pointer_in_video is not None:
        return recording.pointer_in_video
    return clock.pointer_seen is not False


def open_screen(recording: RawRecording, track: PointerTrack) -> ScreenReel | None:
    """The screen of a recording, with its clock measured; None for a recording without video. Raises VideoError
    where nothing of the video can be read."""
    if recording.video is None:
        return None
    timed = time_video(recording, track, recording.video)
    return ScreenReel(recording, track, timed.video, timed.packets, timed.clock, timed.matched)


class TimedVideo(NamedTuple):
    """A recording's video with its frames on the events' clock."""

    video: Video
    packets: list[Packet]
    clock: Clock
    matched: FramesFound


def time_video(recording: RawRecording, track: PointerTrack, path: Path) -> TimedVideo:
    """Bring the video and the events together. Raises VideoError where nothing of the video can be read."""
    video = Video(path)
    packets = video.packets()
    matched = match_frames(recording, packets, path)
    clock = estimate_clock(msgspec.structs.replace(recording, frame_times=matched.times), track, video, packets)
    return TimedVideo(video, packets, clock, matched)
