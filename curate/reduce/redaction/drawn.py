"""How a secret looks: pieces of pictures that showed it, found again wherever the same text is drawn, in either
polarity (selected text is inverted). A whole piece, and its two halves for places where only part of it shows."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import (
    REDACTION_INK,
    REDACTION_MATCH,
    REDACTION_PART_MATCH,
    REDACTION_SCAN_MATCH,
    REDACTION_TEMPLATES,
)

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]
_LEAST_WIDTH, _LEAST_HEIGHT, _MOST_HEIGHT = 14, 6, 96  # pixels of a piece of text that says something
_LEAST_CHANGES = 6  # from letter to ground and back along a line of it: two strokes are a caret or a frame
_LEAST_SPREAD = 6.0  # grey levels (standard deviation) of a place that may show text at all
_LINE_WIDTH, _FRAME_SHARE = 48, 0.25  # pixels of a line at least; share of its box that a frame covers at most
_LEAST_SHIFT = 4  # pixels: the narrowest sign of a password field
_VARIANTS_FROM = 40  # pixels of width: six letters; shorter ones are like too much when their size may vary
_VARIANTS = (
    (0.8, 1.06, False), (0.86, 1.0, False), (1.0, 1.1, True), (1.12, 1.0, False),
    (1.25, 1.0, False), (1.35, 1.12, True), (1.5, 1.0, False),
)  # fmt: skip
"""Size, additional width, bold: measured on pages of a browser, where a smaller preview correlates with 0.80 and a bold
heading with 0.71."""
_HALVES_FROM = 48  # pixels of width: half of it is still a few letters


class Look:
    """One piece. `least`: correlation from which a place shows it."""

    def __init__(self, picture: Grey, least: float) -> None:
        self.picture, self.least = np.ascontiguousarray(picture), least
        self.height, self.width = picture.shape

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
        self.left_out = 0
        self._known: set[bytes] = set()

    def add(self, picture: Grey) -> None:
        """A piece of a picture that shows a secret and little else; what is no text says nothing."""
        piece = _tight(picture)
        if piece is None or not _is_text(piece):
            return
        pieces = [(piece, REDACTION_MATCH)]
        width = piece.shape[1]
        if width >= _HALVES_FROM:
            half = width // 2 + 2
            pieces += [
                (part, REDACTION_PART_MATCH) for part in (piece[:, :half], piece[:, width - half :]) if _is_text(part)
            ]
        if width >= _VARIANTS_FROM and not _repeats(piece):
            pieces += [(variant, REDACTION_MATCH) for variant in _variants(piece)]
        for part, least in pieces:
            mark = part.tobytes() + str(part.shape).encode()
            if mark in self._known:
                continue
            if len(self.all) >= REDACTION_TEMPLATES:
                self.left_out += 1
                continue
            self._known.add(mark)
            self.all.append(Look(part, least))

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
            kernel = np.ones((look.height, look.width), np.uint8)
            whole = np.zeros(grey.shape, np.uint8)
            whole[: places.shape[0], : places.shape[1]] = places
            out |= cv2.dilate(whole, kernel, anchor=(look.width - 1, look.height - 1)).astype(np.bool_)
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


def _ink(picture: Grey) -> Mask:
    """What stands out from the ground, which is its commonest grey."""
    ground = int(np.bincount(picture.ravel(), minlength=256).argmax())
    return np.asarray(np.abs(picture.astype(np.int16) - ground) > REDACTION_INK, dtype=np.bool_)


def _tight(picture: Grey) -> Grey | None:
    """The part that has letters, with a pixel of ground around it. What goes from side to side is no letter: the frame
    of a field that got the focus, a line under it."""
    if not picture.size:
        return None
    ink = _ink(picture)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    for number in range(1, count):
        width, height, area = (int(stats[number][i]) for i in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
        if width > 2 * height and width >= _LINE_WIDTH and (height <= 3 or area < _FRAME_SHARE * width * height):
            ink[labels == number] = False
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return None
    return picture[max(rows[0] - 1, 0) : rows[-1] + 2, max(columns[0] - 1, 0) : columns[-1] + 2]


def _is_text(picture: Grey) -> bool:
    height, width = picture.shape
    if width < _LEAST_WIDTH or not _LEAST_HEIGHT <= height <= _MOST_HEIGHT:
        return False
    ink = _ink(picture)
    changes = np.count_nonzero(np.diff(ink.astype(np.int8), axis=1), axis=1)
    lines = {row.tobytes() for row in ink}
    return bool(changes.max() >= _LEAST_CHANGES and len(lines) > 2)
