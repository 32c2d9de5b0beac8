"""Outlines as small pictures to compare with: for every shape and size one, flattened, with a weight for each pixel.
Twice the size is looked for in the picture at half its size, so one octave of sizes is enough."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.model.constants import POINTER_INNER, POINTER_SIZES, POINTER_WINDOW
from curate.stages.measures.pointer_finder.outlines import OUTLINES, Outline
from curate.store.late import cv2

Plane = NDArray[np.float32]
_FINE = 8  # sub-pixels a pixel that outlines are drawn with
_SHIFTS = (0.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.0, 0.5)
_PARTS = 8  # of a tone, around the middle


class Drawn(NamedTuple):
    """One shape in one size. `inner`, `edge`: how much of each pixel the tone covers (0 to 1), in a window of
    POINTER_WINDOW a side. `hot`: the hot spot in the window. `inner_parts`, `edge_parts`: the same cut like a cake,
    each part with the sum 1."""

    name: str
    height: float
    hot: tuple[int, int]
    inner: Plane
    edge: Plane
    inner_parts: Plane
    edge_parts: Plane


class Bank(NamedTuple):
    """Templates of much the same size whose hot spot is at the same place of the window, as matrices with a column
    each, of the part of the window that any of them fills (`box`: first row, first column, rows, columns). `signs` is
    weight times tone (mean 0, variance 1 under the weights), `weights` (a row each) sums to 1; `means` and `spreads`
    are those of the tone (1 inside, 0 in the edge, between where a pixel has of both)."""

    hot: tuple[int, int]
    drawn: tuple[Drawn, ...]
    box: tuple[int, int, int, int]
    signs: Plane
    weights: Plane
    means: Plane
    spreads: Plane


def draw(outline: Outline, height: float, shift: tuple[float, float] = (0.0, 0.0)) -> Drawn:
    """The shape so many pixels high, moved by a part of a pixel."""
    scale = height / outline.height
    hot = _hot(outline)
    size = POINTER_WINDOW * _FINE
    whole = np.zeros((size, size), np.uint8)
    for polygon in outline.polygons:
        # a pointer's hot spot is a pixel: its outline begins at that pixel's upper left corner
        corners = [
            ((x * scale + hot[0] + shift[0]) * _FINE, (y * scale + hot[1] + shift[1]) * _FINE) for x, y in polygon
        ]
        cv2.fillPoly(whole, [np.rint(corners).astype(np.int32)], 255)
    reach = max(1, round(outline.edge * scale * _FINE))
    round_reach = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    if outline.outside:
        inner, whole = whole, np.asarray(cv2.dilate(whole, round_reach), np.uint8)
    else:
        inner = np.asarray(cv2.erode(whole, round_reach), np.uint8)
    to = (POINTER_WINDOW, POINTER_WINDOW)
    fill, cover = (
        np.asarray(cv2.resize(plane, to, interpolation=cv2.INTER_AREA), np.float32) / np.float32(255)
        for plane in (inner, whole)
    )
    edge = np.maximum(cover - fill, np.float32(0))
    middle = _middle(cover)
    return Drawn(outline.name, height, hot, fill, edge, _parts(fill, middle), _parts(edge, middle))


def _hot(outline: Outline) -> tuple[int, int]:
    if outline.outside:
        return POINTER_WINDOW // 2, POINTER_WINDOW // 2
    left = min(x for polygon in outline.polygons for x, _ in polygon)
    return (2, 2) if left > -3 else (9, 2)


def _middle(cover: Plane) -> tuple[float, float]:
    rows, columns = np.indices(cover.shape)
    return float((rows * cover).sum() / cover.sum()), float((columns * cover).sum() / cover.sum())


def _parts(tone: Plane, middle: tuple[float, float]) -> Plane:
    """A tone cut like a cake about the middle, a row a part; what hardly covers a pixel is no part."""
    rows, columns = np.indices(tone.shape)
    turn = (np.arctan2(rows - middle[0], columns - middle[1]) + math.pi) / (2 * math.pi) * _PARTS
    parts = [np.where(turn.astype(int) % _PARTS == number, tone, 0).ravel() for number in range(_PARTS)]
    return np.asarray([part / part.sum() for part in parts if part.sum() > 1.0], np.float32)


@cache
def banks() -> tuple[Bank, ...]:
    """All shapes in all sizes of an octave, each twice, half a pixel apart; thin ones also apart each way."""
    grouped: dict[tuple[tuple[int, int], bool], list[Drawn]] = {}
    for outline in OUTLINES:
        for height in POINTER_SIZES:
            for shift in _SHIFTS if outline.outside else _SHIFTS[:2]:
                one = draw(outline, height, shift)
                grouped.setdefault((one.hot, height < POINTER_SIZES[len(POINTER_SIZES) // 2]), []).append(one)
    return tuple(_bank(hot, drawn) for (hot, _), drawn in grouped.items())


def _bank(hot: tuple[int, int], drawn: list[Drawn]) -> Bank:
    filled = np.max([one.inner + one.edge for one in drawn], axis=0) > 0
    rows, columns = np.flatnonzero(filled.any(axis=1)), np.flatnonzero(filled.any(axis=0))
    box = int(rows[0]), int(columns[0]), int(rows[-1] - rows[0] + 1), int(columns[-1] - columns[0] + 1)
    part = slice(box[0], box[0] + box[2]), slice(box[1], box[1] + box[3])
    signs, weights, means, spreads = [], [], [], []
    for one in drawn:
        cover = (one.inner + one.edge)[part]
        tone = one.inner[part] / np.maximum(cover, 1e-6)
        cover = cover**2  # of a pixel that is half covered the other half is anything
        balance = POINTER_INNER * tone / float((tone * cover).sum())
        balance += (1 - POINTER_INNER) * (1 - tone) / float(((1 - tone) * cover).sum())
        weight = cover * balance / float((cover * balance).sum())
        means.append(float((weight * tone).sum()))
        centred = tone - means[-1]
        spreads.append(math.sqrt(float((weight * centred**2).sum())))
        signs.append((weight * centred / spreads[-1]).ravel())
        weights.append(weight.ravel())
    return Bank(
        hot, tuple(drawn), box, _columns(signs), np.asarray(weights, np.float32), np.asarray(means, np.float32),
        np.asarray(spreads, np.float32),
    )  # fmt: skip


def _columns(rows: list[NDArray[np.float64]]) -> Plane:
    return np.ascontiguousarray(np.stack(rows, 1), np.float32)
