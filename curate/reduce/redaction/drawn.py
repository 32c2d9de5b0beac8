"""How a secret looks: pieces of pictures that showed it, found again wherever the same text is drawn, in either
polarity (selected text is inverted). A whole piece, and its halves for places where only part of it shows: there the
whole is black, and whatever is written on with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from curate.model.constants import (
    REDACTION_HALF_HEIGHT_MATCH,
    REDACTION_MATCH,
    REDACTION_PART_MATCH,
    REDACTION_RESEMBLES,
    REDACTION_SCAN_MATCH,
    REDACTION_TEMPLATES,
)
from curate.reduce.redaction.lettering import Grey, Line, LineBox, Mask, ink_of, letters_of, widest_gap, words_of

__all__ = ["Grey", "Hunt", "Look", "Looks", "Mask", "is_text"]
_LEAST_WIDTH, _LEAST_HEIGHT, _MOST_HEIGHT = 14, 6, 96  # pixels of a piece of text that says something
_LEAST_CHANGES = 6  # from letter to ground and back along a line of it: two strokes are a caret or a frame
_LEAST_SPREAD = 6.0  # grey levels (standard deviation) of a place that may show text at all
_LEAST_SHIFT = 4  # pixels: the narrowest sign of a password field
_VARIANTS_FROM = 40  # pixels of width: six letters; shorter ones are like too much when their size may vary
_VARIANTS = (
    (0.8, 1.06, False), (0.86, 1.0, False), (1.0, 1.1, True), (1.12, 1.0, False),
    (1.25, 1.0, False), (1.35, 1.12, True), (1.5, 1.0, False),
)  # fmt: skip
"""Size, additional width, bold: measured on pages of a browser, where a smaller preview correlates with 0.80 and a bold
heading with 0.71."""
_HALVES_FROM = 48  # pixels of width: half of it is still a few letters


_LOW_FROM = 10  # pixels of height: half of it still tells letters apart
_SHORT = 5  # width in heights: fewer than six letters are like more things
_LETTER = (0.25, 0.68)  # width of a letter in heights of its line
_EDGE = 1  # pixels: the soft edges of letters
_GROWS = 0.5  # of its width, at most, by which a place grows along letters that are written on with it
_LINES_APART = 2.5  # heights: rows further apart are not of one text


class Look:
    """One piece. `least`: correlation from which a place shows it. `whole`: what is black then, from the corner of
    the place; `others`: further boxes, where the text goes on in another row. `gap`: between two letters."""

    def __init__(
        self, picture: Grey, least: float, whole: LineBox | None = None, others: Sequence[LineBox] = (), gap: int = 0
    ) -> None:
        self.picture, self.least = np.ascontiguousarray(picture), least
        self.height, self.width = picture.shape
        self.whole = whole or (0, 0, self.width, self.height)
        self.others, self.gap = others, gap

    def at(self, grey: Grey) -> Mask:
        """Where in a picture it shows: a value for each place of its top left corner."""
        found = np.abs(cv2.matchTemplate(grey, self.picture, cv2.TM_CCOEFF_NORMED))
        places = np.isfinite(found) & (found >= self.least)
        if places.any():  # on flat ground the correlation is a matter of rounding
            for y, x in np.argwhere(places)[:4096]:
                places[y, x] = grey[y : y + self.height, x : x + self.width].std() >= _LEAST_SPREAD
        return np.asarray(places, dtype=np.bool_)


class Looks:
    """All pieces. `left_out`: how many were beyond what is searched for."""

    def __init__(self) -> None:
        self.all: list[Look] = []
        self.pieces: list[Grey] = []  # rows of text as they were drawn
        self.wrapped = 0  # secrets drawn in more than one row
        self.left_out = 0
        self._known: set[bytes] = set()

    def add(self, picture: Grey) -> None:
        """A piece of a picture that shows a secret and little else; what is no text says nothing."""
        box = _tight(picture)
        if box is not None:
            self._add(picture[box[1] : box[3], box[0] : box[2]], ())

    def add_title(self, picture: Grey, lines: Sequence[Line], title: str, holding: set[int]) -> None:
        """A title that was drawn: as a whole, and its words of the numbers `holding`, which hold the secret."""
        count = len(title.split())
        for line in lines:
            left, top, right, bottom = line.box
            piece = picture[max(top - 1, 0) : bottom + 1, max(left - 1, 0) : right + 1]
            share = (right - left) / (len(title) * (bottom - top))
            if not is_text(piece) or not _LETTER[0] <= share <= _LETTER[1]:
                continue
            self._add(piece, (), parts=count == 1)
            words = words_of(piece, count)
            if count > 1 and len(words) == count:
                first, end = words[min(holding)][0], words[max(holding)][1]
                self._add(piece[:, max(first - 1, 0) : end + 1], ())

    def add_lines(self, picture: Grey, lines: Sequence[Line]) -> None:
        """Rows of one text. Each is found by itself, and where it is, the others are black by where they lie."""
        self.wrapped += len(lines) > 1
        for line in lines:
            left, top, right, bottom = line.box
            left, top = max(left - 1, 0), max(top - 1, 0)
            near = [
                other.box
                for other in lines
                if other is not line and abs(other.box[1] - top) <= _LINES_APART * (bottom - top)
            ]
            if line.is_short and near:
                continue
            others = [(box[0] - left - 2, box[1] - top - 2, box[2] - left + 2, box[3] - top + 2) for box in near]
            self._add(picture[top : bottom + 1, left:right], others)

    def _add(self, piece: Grey, others: Sequence[LineBox], parts: bool = True) -> None:
        if not is_text(piece):
            return
        height, width = piece.shape
        gap = min(widest_gap(piece), height // 2)
        is_short = width < _SHORT * height
        whole = REDACTION_PART_MATCH if is_short and others else REDACTION_MATCH
        self.pieces.append(piece)
        self._keep(Look(piece, whole, None, others, gap))
        if parts and width >= _HALVES_FROM:
            half = width // 2 + 2
            for start in (0, width - half, (width - half) // 2):
                self._part(piece, (start, 0, start + half, height), REDACTION_PART_MATCH, others, gap)
            if height >= _LOW_FROM and not _repeats(piece):
                for top in (0, height - height // 2 - 1):
                    part = (0, top, width, top + height // 2 + 1)
                    self._part(piece, part, REDACTION_HALF_HEIGHT_MATCH, others, gap)
        if parts and width >= _VARIANTS_FROM and not _repeats(piece):
            for variant in _variants(piece):
                self._keep(Look(variant, REDACTION_MATCH, gap=gap))

    def _part(self, piece: Grey, box: LineBox, least: float, others: Sequence[LineBox], gap: int) -> None:
        left, top, right, bottom = box
        part = piece[top:bottom, left:right]
        if is_text(part):
            moved = [(o[0] - left, o[1] - top, o[2] - left, o[3] - top) for o in others]
            whole = (-left, -top, piece.shape[1] - left, piece.shape[0] - top)
            self._keep(Look(part, least, whole, moved, gap))

    def _keep(self, look: Look) -> None:
        mark = look.picture.tobytes() + str((look.picture.shape, look.whole, look.others)).encode()
        if mark in self._known:
            return
        if len(self.all) >= REDACTION_TEMPLATES:
            self.left_out += 1
            return
        self._known.add(mark)
        self.all.append(look)

    def resembles(self, picture: Grey) -> bool:
        """Whether anything in a small picture is like any of them, by a lower bar than a place of a whole screen."""
        wide = cv2.copyMakeBorder(picture, 4, 4, 4, 4, cv2.BORDER_REPLICATE)
        for look in self.all:
            if look.height <= wide.shape[0] and look.width <= wide.shape[1]:
                least = look.least - REDACTION_RESEMBLES
                if Look(look.picture, least).at(np.asarray(wide, dtype=np.uint8)).any():
                    return True
        return False

    def strict(self) -> Looks:
        """The same, for looking whether anything was left: only what is certain."""
        looks = Looks()
        looks.all = [Look(look.picture, max(look.least, REDACTION_SCAN_MATCH)) for look in self.all]
        return looks


class Hunt:
    """Looks for all pieces in one picture after another; only what changed is searched again."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks.all
        self._places: list[Mask | None] = [None] * len(self._looks)
        self._before: Grey | None = None

    def found(self, grey: Grey) -> Mask | None:
        """The pixels of the picture that show any of them; None for none."""
        if not self._looks:
            return None
        area = _changed_area(self._before, grey)
        self._before = grey
        out: Mask | None = None
        for number, look in enumerate(self._looks):
            places = self._search(number, look, grey, area)
            if places is None or not places.any():
                continue
            out = np.zeros(grey.shape, np.bool_) if out is None else out
            count, _, stats, _ = cv2.connectedComponentsWithStats(places.astype(np.uint8), connectivity=8)
            for x, y, across, down, _ in stats[1:count].tolist():
                for left, top, right, bottom in (look.whole, *look.others):
                    box = _inside((x + left, y + top, x + across - 1 + right, y + down - 1 + bottom), grey)
                    left, top, right, bottom = _grown(grey, box, look)
                    left, top = max(left - _EDGE, 0), max(top - _EDGE, 0)
                    right, bottom = right + _EDGE, bottom + _EDGE
                    out[top:bottom, left:right] = True
        return out

    def _search(self, number: int, look: Look, grey: Grey, area: tuple[int, int, int, int] | None) -> Mask | None:
        height, width = grey.shape[0] - look.height + 1, grey.shape[1] - look.width + 1
        if height < 1 or width < 1:
            return None
        places = self._places[number]
        if places is None or places.shape != (height, width):
            places = self._places[number] = look.at(grey)
        elif area is not None:
            left, top, right, bottom = area
            x0, y0 = max(0, left - look.width + 1), max(0, top - look.height + 1)
            x1, y1 = min(width, right), min(height, bottom)
            if x0 < x1 and y0 < y1:
                part = grey[y0 : y1 + look.height - 1, x0 : x1 + look.width - 1]
                places[y0:y1, x0:x1] = look.at(part)
        return places


def _repeats(piece: Grey) -> bool:
    """Whether it is one sign again and again: the stars of a password field, which at another size are like much."""
    half = np.ascontiguousarray(piece[:, : piece.shape[1] // 2])
    alike = np.abs(cv2.matchTemplate(piece, half, cv2.TM_CCOEFF_NORMED))[:, _LEAST_SHIFT:]
    return bool(alike.size and alike.max() >= REDACTION_MATCH)


def _variants(piece: Grey) -> Iterator[Grey]:
    """The same text smaller, larger and bolder, as a heading, a preview or a message would say it again."""
    ground = int(np.bincount(piece.ravel(), minlength=256).argmax())
    is_dark = ground > int(piece.mean())  # dark letters: made bolder by what is darkest nearby
    for scale, wider, bold in _VARIANTS:
        shape = piece
        if bold:
            stroke = np.ones((1, 2), np.uint8)
            shape = np.asarray(cv2.erode(piece, stroke) if is_dark else cv2.dilate(piece, stroke), dtype=np.uint8)
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        yield np.asarray(cv2.resize(shape, None, fx=scale * wider, fy=scale, interpolation=how), dtype=np.uint8)


def _changed_area(before: Grey | None, grey: Grey) -> tuple[int, int, int, int] | None:
    """The smallest box that holds all that changed; None where nothing did."""
    if before is None or before.shape != grey.shape:
        return (0, 0, grey.shape[1], grey.shape[0])
    different = before != grey
    rows, columns = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    if not len(rows):
        return None
    return (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def _inside(box: LineBox, grey: Grey) -> LineBox:
    left, top, right, bottom = box
    height, width = grey.shape
    return (min(max(left, 0), width), min(max(top, 0), height), min(max(right, 0), width), min(max(bottom, 0), height))


def _grown(grey: Grey, box: LineBox, look: Look) -> LineBox:
    """The box with the letters to its left and right that are no further apart than those of the text: a template may
    lack the last letter typed, or a part of the text be drawn otherwise."""
    left, top, right, bottom = box
    if right - left < 2 or bottom - top < 2:
        return box
    most = int(_GROWS * (look.whole[2] - look.whole[0])) + 1
    first, end = max(left - most, 0), min(right + most, grey.shape[1])
    ground = int(np.bincount(grey[top:bottom, left:right].ravel(), minlength=256).argmax())
    ink = ink_of(grey[top:bottom, first:end], ground)
    letters = np.atleast_1d(
        ink.any(axis=0) & ~ink.all(axis=0)
    )  # a column that is all ink is the end of what is behind the text
    return (
        first + _goes_to(letters[: left - first][::-1], look.gap, left - first, back=True),
        top,
        right + _goes_to(letters[right - first :], look.gap, 0, back=False),
        bottom,
    )


def _goes_to(letters: Mask, gap: int, start: int, back: bool) -> int:
    reached = 0
    for column in np.flatnonzero(letters).tolist():
        if column - reached > gap:
            break
        reached = column + 1
    return start - reached if back else reached


def _tight(picture: Grey) -> LineBox | None:
    """The part that has letters, with a pixel of ground around it."""
    if not picture.size:
        return None
    ink = letters_of(picture)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return None
    return (max(int(columns[0]) - 1, 0), max(int(rows[0]) - 1, 0), int(columns[-1]) + 2, int(rows[-1]) + 2)


def is_text(picture: Grey) -> bool:
    """Whether it has the strokes of a few letters."""
    height, width = picture.shape
    if width < _LEAST_WIDTH or not _LEAST_HEIGHT <= height <= _MOST_HEIGHT:
        return False
    ink = ink_of(picture)
    changes = np.count_nonzero(np.diff(ink.astype(np.int8), axis=1), axis=1)
    lines = {row.tobytes() for row in ink}
    return bool(changes.max() >= _LEAST_CHANGES and len(lines) > 2)
