"""Differences between two frames of one recording that are none of state: what the pointer lights up, what hides by
itself, what fades. Each is told by how it looks and by when it changed, never by its place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import (
    FAINT_LEVELS,
    HOVER_DELAY_S,
    HOVER_REST_PX,
    IDLE_AFTER_S,
    OPENED_INK,
    OPENED_MIN_PX,
    PASSED_WIDGETS,
    PIXEL_DIFFERS,
    PIXEL_DIFFERS_CLEARLY,
    RESTING_MAX_SHARE,
    SAME_INK,
    SCROLL_BAR_PX,
    TARGET_HALF_PX,
    TILE_EDGE_PIXELS,
    TILE_PX,
    TIP_MAX_PX,
    TIP_REACH_PX,
    TIP_REST_S,
)
from curate.reduce.keyframes.ink import grounds_differ, ink, same_places_inked
from curate.reduce.keyframes.restless import Restless
from curate.reduce.video.decoding import Plane
from curate.reduce.video.frame_window import TileMap, Tiles, components
from curate.reduce.video.pointer_track import Box
from curate.reduce.video.screen_reel import ScreenReel
from curate.reduce.video.shown_region import widget_px

_EARLY_S = 0.1  # a change may seem to come this much before the pointer: frames are looked at so often
_AROUND_PX = 3.0  # a widget's highlight begins this far within its box
_FEW = 4


@dataclass(frozen=True)
class Widget:
    """What differs of one widget: its tiles, and the box on the screen in which they do."""

    tiles: Tiles
    box: Box

    @property
    def around(self) -> Box:
        """The box that the pointer crosses."""
        left, top, right, bottom = self.box
        return left - _AROUND_PX, top - _AROUND_PX, right + _AROUND_PX, bottom + _AROUND_PX


@dataclass
class Excuses:
    """The excuses for the differences between the frame at `position`, on the screen at `time` (`then`, its luma),
    and the later one at `reference` (`now`). `excused`: tiles about the pointer, the target and clocks, which tell
    nothing about when a region changed. `resting_since`: as in `Comparison.unexcused`. `faint`: the regions are faint
    fills, and their changes are such as `clearly` does not tell. `answered`: what was pressed must have answered."""

    reel: ScreenReel
    now: Plane
    then: Plane
    position: int
    reference: int
    time: float
    excused: TileMap
    resting_since: float | None
    faint: bool = False
    answered: bool = False

    def hold(self, tiles: Tiles) -> bool:
        """Whether a connected region of differing tiles is excused."""
        telling = self._telling(tiles)
        if not len(telling):
            return True
        if self.reel.exact and self.answered and any(self._unanswered(piece) for piece in self._pieces(telling)):
            return False
        return self._hold(tiles, telling) or (
            self.reel.exact
            and all(
                self._tooltip_came(part) or all(self._hold_piece(piece) for piece in self._pieces(part))
                for part in self._by_time(telling)
            )
        )

    def _hold(self, tiles: Tiles, telling: Tiles) -> bool:
        return (
            (self._of_a_widget(tiles, 2) and all(self._crossed(part) for part in self._widgets(tiles)))
            or self._scroll_bar(telling)
            or self._fading(telling)
            or self._while_resting(telling)
        )

    def _hold_piece(self, tiles: Tiles) -> bool:
        """What more is known of exact frames. Asked of what lies and changed together, for what a region has besides
        must not lend it its looks."""
        return (
            self._hold(tiles, tiles)
            or self._tooltip_came(tiles)
            or self._tooltip_went(tiles)
            or self._passed_over(tiles)
            or self._restless(tiles)
        )

    def _restless(self, tiles: Tiles) -> bool:
        now, then = self._cut(self.now, tiles), self._cut(self.then, tiles)
        return Restless(self.reel, tiles, self.position, self.reference, now, then).excused()

    def _unanswered(self, tiles: Tiles) -> bool:
        """Whether a piece is of the widget that was last pressed, and may show the answer only later than the earlier
        frame: nothing changed there between the press and that frame, and it does not go out now to how it was before
        the pointer came."""
        changes, track = self.reel.window.changes, self.reel.track
        pressed = track.last_asked_before(changes[self.reference].time)
        if pressed is None or (place := track.place(pressed)) is None or self.time >= pressed + IDLE_AFTER_S:
            return False
        around = _grown(self._extent_of_difference(tiles), TARGET_HALF_PX)
        if not _holds(around, place):
            return False
        here = np.flatnonzero(self.reel.tiles_of(_grown(around, -TARGET_HALF_PX))).astype(np.int32)
        since = self.reel.window.position(pressed)
        if any(self._of(number, here).any() for number in range(since + 1, self.position + 1)):
            return False
        came = track.entered(around, pressed)
        before = self.reel.window.position(came) - 1 if came is not None else -1
        return before < 0 or not self._goes_out(tiles, self._looked(tiles, before))

    def _goes_out(self, tiles: Tiles, unlit: Plane) -> bool:
        """Whether tiles now are on the way from how they look in the earlier frame to `unlit`, or there."""
        now, then, unlit = self._cut(self.now, tiles), self._cut(self.then, tiles), unlit.astype(np.int16)
        beyond = np.maximum(np.minimum(then, unlit) - now, now - np.maximum(then, unlit))
        return bool(((beyond > PIXEL_DIFFERS).sum(axis=(1, 2)) < TILE_EDGE_PIXELS).all())

    def _looked(self, tiles: Tiles, position: int) -> Plane:
        """What tiles showed in an earlier frame."""
        looks = self._cut(self.now, tiles).astype(np.uint8)
        for number in range(self.reference, position, -1):
            change = self.reel.window.changes[number]
            if len(change.tiles):
                at = np.minimum(np.searchsorted(change.tiles, tiles), len(change.tiles) - 1)
                old = change.tiles[at] == tiles
                looks[old] = change.before[0][at[old]]
        return looks

    def lit(self, tiles: Tiles) -> list[Widget]:
        """The widgets in a region that lit up as the pointer came onto them, where it still is in the reference."""
        return [part for part in self._widgets(tiles) if self._lit(part)] if self._of_a_widget(tiles, 2) else []

    def _widgets(self, tiles: Tiles) -> list[Widget]:
        """A region as one widget; or, where neighbours went out and lit up as the pointer went from one to the other,
        as what became brighter and what became darker."""
        whole = self._widget(tiles, 0)
        if whole is not None and self._crossed(whole):
            return [whole]
        parts = [self._widget(tiles, sign) for sign in (1, -1)]
        found = [part for part in parts if part is not None]
        return found if found or whole is None else [whole]

    def _widget(self, tiles: Tiles, sign: int) -> Widget | None:
        """What differs in a region, of one sign (0: any), without the pointer's own picture unless that is nearly all
        there is."""
        base = tiles[~self._pointer.reshape(-1)[tiles]]
        if len(base) < _FEW:
            base = tiles
        away = self._cut(self.now, base) - self._cut(self.then, base)
        level = FAINT_LEVELS if self.faint else PIXEL_DIFFERS
        marks = np.abs(away) > level if sign == 0 else away * sign > level
        kept = marks.sum(axis=(1, 2)) >= TILE_EDGE_PIXELS
        if not kept.any():
            return None
        box = self._extent(base[kept], marks[kept])
        return Widget(base[kept], self._with_hidden_end(box, tiles[self._pointer.reshape(-1)[tiles]]))

    def _with_hidden_end(self, box: Box, hidden: Tiles) -> Box:
        """A widget's box, longer by the end of it that the pointer covers."""
        left, top, right, bottom = box
        for tile in hidden:
            x0, y0, x1, y1 = self.reel.grid.box(int(tile))
            (x0s, y0s), (x1s, y1s) = self.reel.view.to_screen(x0, y0), self.reel.view.to_screen(x1, y1)
            if box[2] - box[0] >= box[3] - box[1]:
                if y0s < box[3] and y1s > box[1]:
                    left, right = min(left, x0s), max(right, x1s)
            elif x0s < box[2] and x1s > box[0]:
                top, bottom = min(top, y0s), max(bottom, y1s)
        return left, top, right, bottom

    def _telling(self, tiles: Tiles) -> Tiles:
        return tiles[~self.excused.reshape(-1)[tiles]]

    @cached_property
    def _marked(self) -> NDArray[np.bool_]:
        return self.reel.grid.empty().reshape(-1)

    @cached_property
    def _pointer(self) -> TileMap:
        until = self.reel.window.changes[self.reference].time
        return self.reel.pointer_tiles(self.time) | self.reel.pointer_tiles(until)

    def _crossed(self, part: Widget) -> bool:
        """A widget that lit up as the pointer came onto it before the reference, or went out as it left after the
        earlier frame: of a widget's size, and changed just as the pointer crossed its edge."""
        if not self._of_a_widget(part.tiles) or self._opened(part.tiles):
            return False
        if self._lit(part):
            return True
        until = self.reel.window.changes[self.reference].time
        went = self.reel.track.left(part.around, self.time)
        crossed = went is not None and self.time < went <= until
        return crossed and went is not None and self._changed_at(self._telling(part.tiles), went, newest=False)

    def _opened(self, tiles: Tiles) -> bool:
        """Whether a region shows other things than before, as where a menu opened under the pointer or closed: that is
        no highlight. Told only of what is larger than a button."""
        if not self.reel.exact or len(tiles) * TILE_PX * TILE_PX <= OPENED_MIN_PX:
            return False
        return not same_places_inked(self._cut(self.now, tiles), self._cut(self.then, tiles), OPENED_INK)

    def _lit(self, part: Widget) -> bool:
        if not self._of_a_widget(part.tiles):
            return False
        came = self.reel.track.entered(part.around, self.reel.window.changes[self.reference].time)
        return came is not None and came > self.time and self._changed_at(self._telling(part.tiles), came, newest=True)

    def _of_a_widget(self, tiles: Tiles, of: int = 1) -> bool:
        """Whether tiles are no more than so many widgets."""
        view = self.reel.view
        on_screen = len(tiles) * TILE_PX * TILE_PX * view.scale_x * view.scale_y
        return on_screen <= of * widget_px(view)

    def _changed_at(self, tiles: Tiles, moment: float, newest: bool) -> bool:
        """Whether each tile's last change before the reference (or first after the earlier frame) came when the
        pointer crossed, or just after."""
        changes = self.reel.window.changes
        left = tiles
        for number in self._numbers(newest):
            now = self._of(number, left)
            if now.any():
                if changes[number].time < moment - _EARLY_S or changes[number - 1].time > moment + HOVER_DELAY_S:
                    return False
                left = left[~now]
                if not len(left):
                    return True
        return len(left) < len(tiles)

    def _numbers(self, newest: bool) -> range:
        """Positions of the frames after the earlier one up to the reference, newest or oldest first."""
        order = range(self.position + 1, self.reference + 1)
        return order[::-1] if newest else order

    def _of(self, number: int, tiles: Tiles) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which of the tiles a frame changed clearly (`faint`: at all), other than by the pointer's own picture."""
        change = self.reel.window.changes[number]
        changed = change.tiles if self.faint else change.clearly
        self._marked[changed] = True
        here = self._marked[tiles]
        self._marked[changed] = False
        if here.any() and self.reel.pointer_visible:
            before = self.reel.window.changes[number - 1].time
            pointer = self.reel.pointer_tiles(change.time) | self.reel.pointer_tiles(before)
            here &= ~pointer.reshape(-1)[tiles]
        return np.asarray(here)

    def _scroll_bar(self, tiles: Tiles) -> bool:
        """A narrow long strip: a scroll bar that hides itself or grows as the pointer comes near. What it scrolls is
        the same, else that would differ."""
        columns, rows = tiles % self.reel.grid.columns, tiles // self.reel.grid.columns
        if min(np.ptp(columns), np.ptp(rows)) > 2:
            return False
        away = np.abs(self._cut(self.now, tiles) - self._cut(self.then, tiles))
        left, top, right, bottom = self._extent(tiles, away > PIXEL_DIFFERS_CLEARLY)
        thick, long = sorted((right - left, bottom - top))
        return bool(0 < thick <= SCROLL_BAR_PX and long >= 4 * SCROLL_BAR_PX)

    def _cut(self, luma: Plane, tiles: Tiles) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
        grid = self.reel.grid.planes[0]
        return np.asarray(grid.windows(luma)[grid.place(tiles)], dtype=np.int16)

    def _extent(self, tiles: Tiles, marks: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Box:
        """The box on the screen around what is marked in tiles; without extent where nothing is."""
        if not marks.any():
            return 0.0, 0.0, 0.0, 0.0
        tops, lefts = self.reel.grid.planes[0].place(tiles)
        numbers, rows, columns = np.nonzero(marks)
        y, x = tops[numbers] + rows, lefts[numbers] + columns
        view = self.reel.view
        left, top = view.to_screen(float(x.min()), float(y.min()))
        right, bottom = view.to_screen(float(x.max() + 1), float(y.max() + 1))
        return left, top, right, bottom

    def _fading(self, tiles: Tiles) -> bool:
        """A faint difference that came so slowly that no look found a change: a background that fades."""
        away = np.abs(self._cut(self.now, tiles) - self._cut(self.then, tiles)).reshape(len(tiles), -1)
        if ((away > PIXEL_DIFFERS_CLEARLY).sum(axis=1) >= TILE_EDGE_PIXELS).any():
            return False
        return not any(self._of(number, tiles).any() for number in self._numbers(newest=True))

    def _by_time(self, tiles: Tiles) -> list[Tiles]:
        """A region in parts that took their look at different times: a button that lit up, and its tooltip."""
        newest = self._changed_last(tiles)
        moments = np.unique(newest)
        cuts = moments[1:][np.diff(moments) > TIP_REST_S]
        groups = np.searchsorted(cuts, newest, side="right")
        return [tiles[groups == group] for group in np.unique(groups)]

    def _pieces(self, tiles: Tiles) -> list[Tiles]:
        """A region in pieces that touch each other, and not only by way of the target."""
        marked = self.reel.grid.empty()
        marked.reshape(-1)[tiles] = True
        return components(marked)

    def _tooltip_came(self, tiles: Tiles) -> bool:
        """Something small beside the pointer that came once it had rested there."""
        came = float(self._changed_last(tiles).min())
        place, track = self.reel.track.place(came), self.reel.track
        if len(tiles) * TILE_PX * TILE_PX > TIP_MAX_PX or place is None or not np.isfinite(came):
            return False
        extent = self._extent_of_difference(tiles)
        under, beside = _holds(extent, place), _holds(_grown(extent, TIP_REACH_PX), place)
        return not under and beside and track.rested(came - TIP_REST_S, came, HOVER_REST_PX)

    def _tooltip_went(self, tiles: Tiles) -> bool:
        """Something small beside the pointer that came and went only as it moved there."""
        times = self._changed_last(tiles)
        if len(tiles) * TILE_PX * TILE_PX > TIP_MAX_PX or not np.isfinite(times.min()):
            return False
        beside = _grown(self._extent_of_difference(tiles), TIP_REACH_PX)
        return all(
            self.reel.track.moved_in(beside, float(time) - HOVER_DELAY_S, float(time)) for time in np.unique(times)
        )

    def _extent_of_difference(self, tiles: Tiles) -> Box:
        return self._extent(tiles, np.abs(self._cut(self.now, tiles) - self._cut(self.then, tiles)) > PIXEL_DIFFERS)

    def _changed_last(self, tiles: Tiles) -> NDArray[np.float64]:
        """When each tile last changed before the reference; minus infinity where no look found it."""
        changes, newest = self.reel.window.changes, np.full(len(tiles), -np.inf)
        for number in self._numbers(newest=False):
            newest[self._of(number, tiles)] = changes[number].time
        return newest

    def _passed_over(self, tiles: Tiles) -> bool:
        """Widgets that lit up and went out one after the other as the pointer passed over them: nothing changed but
        while it moved there, and what is drawn on them is the same (which is not so where something opened)."""
        if not self._of_a_widget(tiles, PASSED_WIDGETS):
            return False
        now, then = self._cut(self.now, tiles), self._cut(self.then, tiles)
        box = _grown(self._extent_of_difference(tiles), TIP_REACH_PX)
        changes, track = self.reel.window.changes, self.reel.track
        for number in self._numbers(newest=True):
            time = changes[number].time
            if self._of(number, tiles).any() and not track.moved_in(
                box, changes[number - 1].time - HOVER_DELAY_S, time
            ):
                return False
        return same_places_inked(now, then, SAME_INK) and grounds_differ(now, then)

    def _while_resting(self, tiles: Tiles) -> bool:
        """A small region that changed only while nobody had acted for a second, in place: one text for another, as a
        countdown does that was on the screen too briefly to be known as one."""
        if self.resting_since is None or len(tiles) > RESTING_MAX_SHARE * self.reel.grid.rows * self.reel.grid.columns:
            return False
        changes = self.reel.window.changes
        for number in self._numbers(newest=True):
            if self._of(number, tiles).any() and changes[number - 1].time < self.resting_since + IDLE_AFTER_S:
                return False
        now, then = ink(self._cut(self.now, tiles)), ink(self._cut(self.then, tiles))
        return 0.5 * max(now, then) <= min(now, then)


def _holds(box: Box, place: tuple[float, float]) -> bool:
    return box[0] <= place[0] < box[2] and box[1] <= place[1] < box[3]


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by
