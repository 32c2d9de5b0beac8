"""The letters of what was typed: rows of text without the caret, as pieces to be found again."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from curate.model.constants import REDACTION_INK

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]
LineBox = tuple[int, int, int, int]
_LINE_WIDTH, _FRAME_SHARE = 48, 0.25  # pixels of a line at least; share of its box that a frame covers at most
_LEAST_HEIGHT = 6  # pixels of a row of letters
_CARET = (5, 9)  # pixels, across and down, of the smallest caret that is a block; odd, so that opening shifts nothing
_CARET_WIDE, _CARET_FULL, _HOLLOW = (
    0.35,
    0.9,
    1.1,
)  # its width in heights; share of it that is ink; of its edge, if hollow
_WORDS_APART = 20  # pixels between words of one line, at most
_THREE_LETTERS = 2.0  # width of three letters, in their height (monospace: 2.4; two: 1.5)


class Line(msgspec.Struct, frozen=True):
    """One row of drawn text. `box`: around its letters in the picture. `is_short`: of one or two letters, which are
    found at too many places to be looked for."""

    box: LineBox
    is_short: bool


def ink_of(picture: Grey, ground: int | None = None) -> Mask:
    """What stands out from the ground, by itself the commonest grey."""
    if ground is None:
        ground = int(np.bincount(picture.ravel(), minlength=256).argmax())
    return np.asarray(np.abs(picture.astype(np.int16) - ground) > REDACTION_INK, dtype=np.bool_)


def letters_of(picture: Grey) -> Mask:
    """The ink without what is no letter: what goes from side to side (the frame of a field that got the focus, a line
    under it), and a caret that is a block, filled or hollow: it is not there when the same text stands elsewhere."""
    ink = ink_of(picture)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    for number in range(1, count):
        width, height, area = (int(stats[number][i]) for i in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
        line = width >= _LINE_WIDTH and width > 2 * height and (height <= 3 or area < _FRAME_SHARE * width * height)
        hollow = width >= _CARET[0] and height >= _CARET[1] and area <= _HOLLOW * 2 * (width + height)
        if line or (hollow and _is_hollow(labels == number)):
            ink[labels == number] = False
    return ink & ~_blocks(ink)


def _blocks(ink: Mask) -> Mask:
    """Carets: blocks filled with ink, wider for their height than the stem of any letter."""
    solid = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_OPEN, np.ones(_CARET[::-1], np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    out = np.zeros(ink.shape, np.bool_)
    for number in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[number])
        if width >= _CARET_WIDE * height and area >= _CARET_FULL * width * height:
            out[max(top - 1, 0) : top + height + 1, left : left + width + 1] = True
    return out


def _is_hollow(own: Mask) -> bool:
    rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
    box = own[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return bool(box[0].all() and box[-1].all() and box[:, 0].all() and box[:, -1].all())


def lines_of(picture: Grey, changed: Mask, box: LineBox) -> list[Line]:
    """The rows of text that were drawn in a box, from above: of each, as far as it `changed`."""
    left, top, right, bottom = box
    ink = letters_of(picture[top:bottom, left:right]) if right > left and bottom > top else np.zeros((0, 0), np.bool_)
    near = cv2.dilate(changed[top:bottom, left:right].astype(np.uint8), np.ones((3, 1), np.uint8)).astype(np.bool_)
    ink &= near  # across, the edge of the letter before would count
    found = []
    for first, end in _runs(np.atleast_1d(ink.any(axis=1))):
        columns = np.flatnonzero(ink[first:end].any(axis=0))
        here = (left + int(columns[0]), top + first, left + int(columns[-1]) + 1, top + end)
        is_short = here[2] - here[0] < _THREE_LETTERS * (here[3] - here[1])
        found.append(Line(here, is_short))
    return found


def _runs(filled: Mask) -> list[tuple[int, int]]:
    """Rows of text: stretches with ink; what is too low for letters belongs to the next, as dots above do."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], filled, [False]]).astype(np.int8)))
    runs: list[tuple[int, int]] = []
    for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if (
            runs
            and (end - first < _LEAST_HEIGHT or runs[-1][1] - runs[-1][0] < _LEAST_HEIGHT)
            and first - runs[-1][1] < 4
        ):
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((first, end))
    return [(first, end) for first, end in runs if end - first >= _LEAST_HEIGHT]


def line_around(picture: Grey, box: LineBox) -> LineBox:
    """The box with the rest of the line it lies in: of a title, only the end may have changed."""
    left, top, right, bottom = box
    ground = int(np.bincount(picture[top:bottom, left:right].ravel(), minlength=256).argmax())
    band = ink_of(picture[top:bottom], ground)
    columns = np.atleast_1d(band.any(axis=0) & ~band.all(axis=0))
    gap = min(bottom - top, _WORDS_APART)
    while left > 0 and columns[max(left - gap, 0) : left].any():
        left = max(left - gap, 0) + int(np.argmax(columns[max(left - gap, 0) : left]))
    while right < len(columns) and columns[right : right + gap].any():
        right += int(np.flatnonzero(columns[right : right + gap])[-1]) + 1
    return (left, top, right, bottom)


def widest_gap(picture: Grey) -> int:
    """Columns without ink between two letters of a word, at most."""
    columns = np.flatnonzero(letters_of(picture).any(axis=0))
    return int(np.diff(columns).max()) - 1 if len(columns) > 1 else 0


def words_of(picture: Grey, count: int) -> list[tuple[int, int]]:
    """First and last column (outside) of each of `count` words of a line: its widest gaps are the spaces."""
    columns = np.flatnonzero(letters_of(picture).any(axis=0))
    if len(columns) < 2:
        return []
    gaps = np.diff(columns)
    at = np.sort(np.argsort(-gaps, kind="stable")[: count - 1])
    starts = [int(columns[0]), *(int(columns[i + 1]) for i in at)]
    ends = [*(int(columns[i]) + 1 for i in at), int(columns[-1]) + 1]
    return list(zip(starts, ends, strict=True))
