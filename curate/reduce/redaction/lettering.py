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
_CARET_HEIGHT, _CARET_FULL, _HOLLOW = 8, 0.9, 1.15  # pixels; share of a block that is ink; of its edge, when hollow
_CARET_AT_END = 3  # pixels from the right end of what changed
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
    under it), and the caret at the right end, a block, a hollow block or a bar, which is not there when the same text
    stands elsewhere."""
    ink = ink_of(picture)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    parts = []
    for number in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[number])
        if width > 2 * height and width >= _LINE_WIDTH and (height <= 3 or area < _FRAME_SHARE * width * height):
            ink[labels == number] = False
        else:
            parts.append((left + width, number, top, width, height, area))
    rights = [right for right, *_ in parts]
    for right, number, _, width, height, area in parts:
        if right < max(rights) - _CARET_AT_END or height < _CARET_HEIGHT:
            continue
        block = width >= 4 and area >= _CARET_FULL * width * height
        hollow = width >= 5 and area <= _HOLLOW * (2 * (width + height) - 4) and _is_hollow(labels == number)
        if block or hollow or (width <= 2 and area == width * height and height > 1.2 * _median_height(parts)):
            ink[labels == number] = False
    return ink


def _is_hollow(own: Mask) -> bool:
    rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
    box = own[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return bool(box[0].all() and box[-1].all() and box[:, 0].all() and box[:, -1].all())


def _median_height(parts: list[tuple[int, int, int, int, int, int]]) -> float:
    return float(np.median([height for *_, height, _ in parts]))


def lines_of(picture: Grey, changed: Mask, box: LineBox) -> list[Line]:
    """The rows of text that were drawn in a box, from above: of each, as far as it `changed`."""
    left, top, right, bottom = box
    ink = letters_of(picture[top:bottom, left:right]) if right > left and bottom > top else np.zeros((0, 0), np.bool_)
    near = cv2.dilate(changed[top:bottom, left:right].astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
    ink &= near
    found = []
    for first, end in _runs(ink.any(axis=1)):
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
        if runs and (end - first < _LEAST_HEIGHT or runs[-1][1] - runs[-1][0] < _LEAST_HEIGHT) and first - runs[-1][1] < 4:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((first, end))
    return [(first, end) for first, end in runs if end - first >= _LEAST_HEIGHT]


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
