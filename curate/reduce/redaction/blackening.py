"""What is black in which picture. Pictures pass twice: `Gathering` sees what changed while a secret was typed, and how
it looks; `Blackening` says of each picture what of it must be black.

A region that changed stays black until every piece of it that held something typed has become something else: neither
like what was typed, in either polarity, nor is what was there before back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import REDACTION_PIXEL, REDACTION_STAYS, REDACTION_TILE, REDACTION_TITLE_HEIGHT
from curate.reduce.redaction.drawn import Grey, Hunt, Looks, Mask, is_text
from curate.reduce.redaction.lettering import letters_of, line_around, lines_of
from curate.reduce.redaction.places import PixelBox, ShownBox, ShownSpan, ShownTitle

Planes = Sequence[Grey]
"""Planes of one size, the first is the picture in grey."""
_EDGE = 3  # pixels around what changed: the soft edges of letters
_JOINED = (15, 5)  # pixels, across and down, within which changes are of one region: the gaps between letters and words
_LEAST_PIXELS = 3
_BACK = 0.95  # correlation of all its pieces from which a region shows again what was typed there
_TITLE_LETTER, _TITLE_LEAST = 3, 20  # pixels of a letter; letters of a title that may be cut off: less shows no title
_SQUARE = 8  # pixels
_TURNS_TYPED, _TURNS_OTHER = 5, 2  # pictures in which a field changes at least that is typed into; a button, at most
_LETTERS_CAME = 0.25  # share of the ink that was there before, at most, that a ring around it or a tick adds
_SPREAD = 2.0  # grey levels: less is flat


class Region:
    """A box in which something was drawn while a secret was typed. `drawn`: what it showed then, `before`: what
    before that, `weight`: the pixels that changed."""

    def __init__(self, box: PixelBox, span: ShownSpan, before: Grey, drawn: Sequence[Grey], changed: Mask) -> None:
        self.box, self.span = box, span
        self.ends = False  # black only while the secret is typed: what changed here is plainly something else
        left, top, right, bottom = box
        near = cv2.dilate(changed[top:bottom, left:right].astype(np.uint8), np.ones((3, 3), np.uint8))
        self._weight = near.astype(np.float32)
        self._before = before[top:bottom, left:right]
        self._drawn = [one[top:bottom, left:right] for one in drawn]
        self._last: Grey | None = None
        self._active = True

    def is_within(self, other: Region) -> bool:
        """Whether another, of the same time, has this place."""
        left, top, right, bottom = self.box
        wide = min(right, other.box[2]) - max(left, other.box[0])
        high = min(bottom, other.box[3]) - max(top, other.box[1])
        same_time = self.span.since <= other.span.until and other.span.since <= self.span.until
        return same_time and min(wide, high) > 0 and wide * high >= 0.8 * (right - left) * (bottom - top)

    def is_black(self, t: int, grey: Grey) -> bool:
        """Whether it must be black in the picture of time `t`. To be asked in the order of times."""
        if t < self.span.since:
            return False
        left, top, right, bottom = self.box
        now = grey[top:bottom, left:right]
        title = self.span.title
        if t <= self.span.until or (title is not None and (title.until is None or t <= title.until)):
            return True
        if self.ends:
            return False
        if self._last is None or not np.array_equal(self._last, now):
            self._last = now.copy()
            self._active = self._shows(now)
        return self._active

    def _shows(self, now: Grey) -> bool:
        for drawn in self._drawn:
            alike, told = _alike(drawn, now, self._weight)
            own, _ = _alike(self._before, now, self._weight)
            back = _difference(self._before, now, self._weight) * 2 <= _difference(drawn, now, self._weight)
            stays = told & (alike >= REDACTION_STAYS) & ~(back & (own >= alike))
            if self._active and stays.any():
                return True
            if told.any() and alike[told].min() >= _BACK:
                return True
        return False


def _tiles(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Sums over squares of REDACTION_TILE pixels; what is left at the right and bottom is a piece of its own."""
    size = REDACTION_TILE
    rows, columns = range(0, values.shape[0], size), range(0, values.shape[1], size)
    by_rows = np.add.reduceat(values, list(rows), axis=0, dtype=np.float32)
    return np.asarray(np.add.reduceat(by_rows, list(columns), axis=1, dtype=np.float32), dtype=np.float32)


def _alike(drawn: Grey, now: Grey, weight: NDArray[np.float32]) -> tuple[NDArray[np.float32], Mask]:
    """Correlation of each piece without its sign, over what changed; and which pieces say anything: those in which
    something was drawn. Where the picture is flat now, nothing is alike."""
    a, b = drawn.astype(np.float32), now.astype(np.float32)
    total = np.maximum(_tiles(weight), 1e-6)
    mean_a, mean_b = _tiles(weight * a) / total, _tiles(weight * b) / total
    spread_a = np.maximum(_tiles(weight * a * a) / total - mean_a**2, 0)
    spread_b = np.maximum(_tiles(weight * b * b) / total - mean_b**2, 0)
    both = _tiles(weight * a * b) / total - mean_a * mean_b
    told = (spread_a > _SPREAD**2) & (_tiles(weight) >= _LEAST_PIXELS)
    alike = np.abs(both) / np.sqrt(np.maximum(spread_a * spread_b, 1e-6))
    alike[spread_b <= _SPREAD**2] = 0
    return alike.astype(np.float32), told


def _difference(one: Grey, now: Grey, weight: NDArray[np.float32]) -> NDArray[np.float32]:
    return _tiles(weight * np.abs(one.astype(np.float32) - now.astype(np.float32)))


class _Open:
    """A span whose pictures are passing."""

    def __init__(self, span: ShownSpan, before: Planes) -> None:
        self.span, self.before = span, before
        self.changed = np.zeros(before[0].shape, np.bool_)
        self.typed = np.zeros(before[0].shape, np.bool_)  # before anything else was done
        self.drawn: Grey | None = None
        self.last: Grey | None = None
        self._turns: list[Mask] = []

    def see(self, before: Planes, now: Planes) -> None:
        """What changed from one picture to the next, in squares of _SQUARE pixels."""
        changed = cv2.dilate(changed_pixels(before, now).astype(np.uint8), np.ones((_SQUARE, _SQUARE), np.uint8))
        self._turns.append(changed[:: _SQUARE // 2, :: _SQUARE // 2].astype(np.bool_))

    def turns(self, box: PixelBox) -> int:
        """In how many pictures something changed in a box."""
        left, top, right, bottom = (side * 2 // _SQUARE for side in box)
        return sum(bool(turn[top : bottom + 1, left : right + 1].any()) for turn in self._turns)


class Gathering:
    """First pass, pictures in the order of their times: `regions` and `looks` after `finish`."""

    def __init__(self, spans: Iterable[ShownSpan], boxes: Iterable[ShownBox]) -> None:
        self._waiting = sorted(spans, key=lambda span: span.since)
        self._boxes = sorted((box for box in boxes if box.alone), key=lambda box: box.at)
        self._open: list[_Open] = []
        self._before: Planes | None = None
        self.regions: list[Region] = []
        self.looks = Looks()
        self.released = 0  # regions that changed while a secret was typed and are no drawing of it

    @property
    def last_needed(self) -> int:
        """After this time no picture tells anything more."""
        return max([*(s.until for s in self._waiting), *(o.span.until for o in self._open),
                    *(box.at for box in self._boxes)], default=-1)  # fmt: skip

    def add(self, t: int, planes: Planes) -> None:
        """The next picture; its planes stay unchanged while they are needed."""
        self._see_boxes(t)
        while self._waiting and self._waiting[0].since <= t:
            self._open.append(_Open(self._waiting.pop(0), self._before or planes))
        for one in list(self._open):
            if t > one.span.until:
                self._open.remove(one)
                self._close(one)
                continue
            now = changed_pixels(one.before, planes)
            one.changed |= now
            if self._before is not None:
                one.see(self._before, planes)
            one.last = planes[0]
            if t <= one.span.drawn:
                one.typed |= now
                one.drawn = planes[0]
        self._before = planes

    def finish(self) -> None:
        """No picture comes any more."""
        self._see_boxes(None)
        for one in self._open:
            self._close(one)
        self._open = []
        typed = [region for region in self.regions if region.span.title is None and not region.ends]
        self.regions = [
            region for region in self.regions if region.span.title is None or not any(map(region.is_within, typed))
        ]  # a field that was typed into while a title came is followed as one

    def _see_boxes(self, t: int | None) -> None:
        """A node was seen in the picture that was on the screen then: the one before `t`."""
        while self._boxes and (t is None or self._boxes[0].at < t):
            box = self._boxes.pop(0)
            if self._before is not None:
                left, top, right, bottom = _within(box.box, self._before[0].shape)
                self.looks.add(self._before[0][top:bottom, left:right])

    def _close(self, one: _Open) -> None:
        pictures = [picture for picture in (one.drawn, one.last) if picture is not None]
        if len(pictures) == 2 and np.array_equal(pictures[0], pictures[1]):
            pictures.pop()
        if not pictures:
            return
        if one.span.title is not None:
            self._close_title(one, one.span.title, pictures)
            return
        boxes = regions_of(one.changed)
        turns = [one.turns(box) for box in boxes]
        few = [count <= _TURNS_OTHER and max(turns) >= _TURNS_TYPED for count in turns]
        same = [seldom and _shows_the_same(one, box, pictures[-1]) for seldom, box in zip(few, boxes, strict=True)]
        drawn = (one.typed if one.drawn is not None else one.changed).copy()
        for left, top, right, bottom in (box for box, is_same in zip(boxes, same, strict=True) if is_same):
            drawn[top:bottom, left:right] = False
        lines = [line for box in regions_of(drawn) for line in lines_of(pictures[0], drawn, box)]
        self.looks.add_lines(pictures[0], sorted(lines, key=lambda line: line.box[1]))
        for box, seldom, is_same in zip(boxes, few, same, strict=True):
            region = Region(box, one.span, one.before[0], pictures, one.changed)
            region.ends = is_same or (seldom and self._is_other(box, pictures[-1]))
            self.released += region.ends
            self.regions.append(region)

    def _is_other(self, box: PixelBox, picture: Grey) -> bool:
        """Whether a region shows no letters, and nothing like any part of what was typed: a bar that was scrolled."""
        left, top, right, bottom = box
        now = picture[top:bottom, left:right]
        return bool(self.looks.all) and not is_text(now) and not self.looks.resembles(now)

    def _close_title(self, one: _Open, title: ShownTitle, pictures: list[Grey]) -> None:
        """Of what changed when a title came, strips as high as a title: a window that came to the front changed as a
        whole, and its title is above."""
        shown = pictures[-1]
        high = max(REDACTION_TITLE_HEIGHT, shown.shape[0] // 16)
        for left, top, right, bottom in regions_of(one.changed):
            box, least = (left, top, right, min(bottom, top + high)), _TITLE_LETTER * min(len(title.text), _TITLE_LEAST)
            if right - left < least:
                box = line_around(shown, box)
            if box[2] - box[0] < least:
                continue
            self.regions.append(Region(box, one.span, one.before[0], pictures, np.ones_like(one.changed)))
            if bottom <= top + high:
                lines = lines_of(shown, np.ones_like(one.changed), box)
                self.looks.add_title(shown, lines, title.text, set(title.words))


def _shows_the_same(one: _Open, box: PixelBox, picture: Grey) -> bool:
    """Whether a region has the letters it had before the secret was typed: a button under the pointer."""
    left, top, right, bottom = box
    old, new = letters_of(one.before[0][top:bottom, left:right]), letters_of(picture[top:bottom, left:right])
    near = cv2.dilate(old.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
    return bool(np.count_nonzero(new & ~near) <= _LETTERS_CAME * np.count_nonzero(old))


class Blackening:
    """Second pass, the same pictures in the same order."""

    def __init__(self, gathered: Gathering, boxes: Sequence[ShownBox]) -> None:
        self._regions, self._boxes = gathered.regions, boxes
        self._hunt = Hunt(gathered.looks)

    def mask(self, t: int, planes: Planes) -> Mask | None:
        """The pixels that must be black, None for none."""
        grey = planes[0]
        found = self._hunt.found(grey)
        places = [region.box for region in self._regions if region.is_black(t, grey)]
        places += [box.box for box in self._boxes if box.since <= t and (box.until is None or t <= box.until)]
        if not places:
            return found
        out = np.zeros(grey.shape, np.bool_) if found is None else found
        for place in places:
            left, top, right, bottom = _within(place, grey.shape)
            out[top:bottom, left:right] = True
        return out if out.any() else None


def changed_pixels(before: Planes, now: Planes) -> Mask:
    """Pixels of which any plane changed."""
    out = cv2.absdiff(before[0], now[0]) > REDACTION_PIXEL
    for one, other in zip(before[1:], now[1:], strict=True):
        out |= cv2.absdiff(one, other) > REDACTION_PIXEL
    return np.asarray(out, dtype=np.bool_)


def regions_of(changed: Mask) -> list[PixelBox]:
    """Boxes around what changed, letters and words of one line together."""
    if not changed.any():
        return []
    joined = cv2.dilate(changed.astype(np.uint8), np.ones(_JOINED[::-1], np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    found = []
    for left, top, width, height, _ in stats[1:count]:
        own = changed[top : top + height, left : left + width]
        if np.count_nonzero(own) < _LEAST_PIXELS:
            continue
        rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
        box = (
            left + columns[0] - _EDGE,
            top + rows[0] - _EDGE,
            left + columns[-1] + 1 + _EDGE,
            top + rows[-1] + 1 + _EDGE,
        )
        found.append(_within((int(box[0]), int(box[1]), int(box[2]), int(box[3])), changed.shape))
    return found


def _within(box: PixelBox, shape: tuple[int, ...]) -> PixelBox:
    left, top, right, bottom = box
    return (max(left, 0), max(top, 0), min(max(right, 0), shape[1]), min(max(bottom, 0), shape[0]))
