"""Small things that change by themselves while somebody works in haste, so that no rest of a second ever shows that
nobody asked for it (`idle_changes.py` learns from such rests): a clock, a caret, a spinner. Told from their own changes
in the last seconds, and only of what differs between two frames: their hands never follow the person's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import (
    BAR_MIN_PX,
    BAR_WIDE_PX,
    BLINK_CHANGES,
    PIXEL_DIFFERS_CLEARLY,
    RESTLESS_ALONE_S,
    RESTLESS_BACK_S,
    RESTLESS_MAX_TILES,
    TARGET_HALF_PX,
    TICK_APART_S,
    TICK_CHANGES,
    TICK_EVEN_S,
    TICK_LONGEST_S,
    TURN_CHANGES,
    TURN_PAUSE_S,
    TURN_SINCE_ACT,
)
from curate.reduce.keyframes.ink import ink
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import Tiles, differs
from curate.reduce.video.screen_reel import ScreenReel

Look = NDArray[np.int16]


@dataclass(frozen=True)
class Restless:
    """What is known about a few tiles that differ between the frame at `position` (their luma there: `then`) and the
    later one at `reference` (`now`)."""

    reel: ScreenReel
    tiles: Tiles
    position: int
    reference: int
    now: Look
    then: Look

    def excused(self) -> bool:
        """Whether they are a clock that ticks, a caret that blinks, or a spinner that turns."""
        if len(self.tiles) > RESTLESS_MAX_TILES:
            return False
        if self._blinks():
            return True
        return self._as_much_drawn() and not self._near_the_pointer() and (self._ticks() or self._turns())

    def _near_the_pointer(self) -> bool:
        """Whether the pointer was there lately: what changes then may be its doing."""
        boxes = [self.reel.grid.box(int(tile)) for tile in self.tiles]
        left, top = self.reel.view.to_screen(min(b[0] for b in boxes), min(b[1] for b in boxes))
        right, bottom = self.reel.view.to_screen(max(b[2] for b in boxes), max(b[3] for b in boxes))
        beside = (left - TARGET_HALF_PX, top - TARGET_HALF_PX, right + TARGET_HALF_PX, bottom + TARGET_HALF_PX)
        newest = np.array([self.reel.window.changes[self.reference].time])
        return bool(self.reel.track.was_inside(beside, newest, RESTLESS_ALONE_S, 0.0)[0])

    def _as_much_drawn(self) -> bool:
        """One text, or one drawing, in place of another: nothing came and nothing went."""
        now, then = ink(self.now), ink(self.then)
        return 0.5 * max(now, then) <= min(now, then)

    def _times(self, apart: float) -> list[float]:
        """When the tiles changed in the last seconds before the reference, newest first; changes that follow each
        other within `apart` are one."""
        changes = self.reel.window.changes
        times: list[float] = []
        newest = changes[self.reference].time
        for number in range(self.reference, 0, -1):
            time = changes[number].time
            if newest - time > RESTLESS_BACK_S:
                break
            if np.isin(self.tiles, changes[number].clearly, assume_unique=True).any() and (
                not times or times[-1] - time >= apart
            ):
                times.append(time)
        return times

    def _ticks(self) -> bool:
        """A clock: it changes at even intervals, and not when somebody acted."""
        times = self._times(TICK_APART_S)[:TICK_CHANGES]
        if len(times) < TICK_CHANGES:
            return False
        intervals = -np.diff(times)
        even = bool(np.abs(intervals - np.median(intervals)).max() <= TICK_EVEN_S)
        return even and float(intervals.max()) <= TICK_LONGEST_S and self._by_itself(times)

    def _by_itself(self, times: list[float]) -> bool:
        """Whether changes come at various times after the last act that asked for something, as no answers do."""
        asked = [self.reel.track.last_asked_before(time) for time in times]
        delays = [time - since if since is not None else np.inf for time, since in zip(times, asked, strict=True)]
        return max(delays) - min(delays) >= TICK_EVEN_S

    def _turns(self) -> bool:
        """A spinner: it changes many times a second, goes on over the last press of a mouse button, and did so already
        in the earlier frame. One answer comes once after a press, and what slides in does not stay in one place. While
        keys are typed, or a wheel is turned, answers come as quickly, and nothing is known."""
        changes, track = self.reel.window.changes, self.reel.track
        times = self._times(0.0)
        quick = 1 + next((i for i, gap in enumerate(-np.diff(times)) if gap > TURN_PAUSE_S), len(times) - 1)
        times = times[:quick]
        newest = changes[self.reference].time
        if len(times) < TURN_CHANGES or newest - times[0] > TURN_PAUSE_S or times[-1] > changes[self.position].time:
            return False
        first, last = np.searchsorted(track.presses, [times[-1] - TURN_PAUSE_S, newest])
        buttons = {begun for begun, _ in track.held}
        if any(float(press) not in buttons for press in track.presses[first:last]):
            return False
        since = track.last_act_before(newest)
        after = sum(time > since for time in times) if since is not None else len(times)
        return after >= TURN_SINCE_ACT

    def _blinks(self) -> bool:
        """A caret: a thin upright bar that was there and was not, in turns, with nothing else drawn in its place."""
        away = np.abs(self.now - self.then) > PIXEL_DIFFERS_CLEARLY
        if not self._upright_bar(away):
            return False
        return all(
            self._in_turns(int(tile), now.astype(np.uint8)) for tile, now in zip(self.tiles, self.now, strict=True)
        )

    def _upright_bar(self, marks: NDArray[np.bool_]) -> bool:
        tops, lefts = self.reel.grid.planes[0].place(self.tiles)
        numbers, rows, columns = np.nonzero(marks)
        if not len(numbers):
            return False
        wide, high = np.ptp(lefts[numbers] + columns) + 1, np.ptp(tops[numbers] + rows) + 1
        return bool(wide <= BAR_WIDE_PX and high >= BAR_MIN_PX and len(numbers) >= 0.6 * wide * high)

    def _in_turns(self, tile: int, now: Plane) -> bool:
        """Whether a tile showed the same two looks in turns, by so many changes."""
        changes, looks = self.reel.window.changes, [now]
        for number in range(self.reference, 0, -1):
            change = changes[number]
            if changes[self.reference].time - change.time > RESTLESS_BACK_S:
                break
            if tile in change.clearly:
                looks.append(change.before[0][int(np.searchsorted(change.tiles, tile))])
                if len(looks) > 2 and differs(looks[-1][None], looks[-3][None])[0]:
                    return False
                if len(looks) > BLINK_CHANGES:
                    return True
        return False
