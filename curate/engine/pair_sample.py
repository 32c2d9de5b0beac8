"""Pairs of a run for a person to label: drawn from every band of similarity and length, so that rare ones are seen too.
Each pair says how many it stands for; shares are worked out with these weights."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.engine.decided_copies import read_decided
from curate.model.constants import LABEL_FLOOR, LABEL_RUNS, LABEL_SIMILARITIES, LABEL_SIZES
from curate.stages.copies.keys import list_sets
from curate.stages.copies.search.similar_kinds import SimilarKinds
from curate.stages.copies.shingle_sets import shingle_sets
from curate.stages.nearcopies import NearcopiesOptions


class LabelPair(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A line of a file of labels. `same`: whether a person says that the two did the same (null: not said yet);
    `stands_for`: how many pairs of the run it was drawn for; `shingles`: of each run."""

    a: str
    b: str
    same: bool | None = None
    similarity: float
    shared: int
    shingles: tuple[int, int]
    band: str
    stands_for: float


def sample_pairs(folder: Path, count: int, seed: int) -> list[LabelPair]:
    """About `count` pairs of runs that came to near-copies, at least LABEL_FLOOR similar, as many of each band as there
    are; the same for the same run and seed. Raises InputError for a folder without near-copies measured."""
    decided = read_decided(folder)
    rows = _drawn(decided.runs["id"].to_pylist(), seed)
    every: Any = decided.runs
    runs: Any = every.take(pa.array(rows))
    pairs = _different(runs, decided.options)
    ids = runs["id"].to_pylist()
    bands: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (*_, shared, one, other) in enumerate(pairs):
        bands[_band(shared / (one + other - shared), min(one, other))].append(number)
    chosen: list[LabelPair] = []
    for band, members in sorted(bands.items()):
        share = max(1, count // len(bands))
        ranked = sorted(members, key=lambda k: _hash(seed, ids[pairs[k][0]], ids[pairs[k][1]]))[:share]
        chosen += [_label_pair(ids, pairs[k], _name(*band), len(members) / len(ranked)) for k in ranked]
    return chosen


def _different(runs: pa.Table, options: NearcopiesOptions) -> list[tuple[int, ...]]:
    """Pairs of runs that are at least LABEL_FLOOR similar: positions, how much they share, their sizes. Runs that did
    exactly the same in the same places count as one, and one pair of them stands for all."""
    sets = shingle_sets(runs["labels"], options.n)
    scopes = None if options.across_apps else list_sets(runs["scope"], nothing=True)
    found = SimilarKinds(sets, scopes, Fraction(str(LABEL_FLOOR)))
    first, sizes = found.kinds.run, found.kinds.size
    twice: dict[int, int] = {}
    for run, kind in enumerate(found.kinds.of.tolist()):
        if run != first[kind]:
            twice.setdefault(kind, run)
    pairs = [(int(first[k]), run, *[int(sizes[k])] * 3) for k, run in sorted(twice.items()) if sizes[k]]
    for part in found.parts():
        once = part.one < part.other
        a, b, shared = part.one[once], part.other[once], part.shared[once]
        rows = np.stack([first[a], first[b], shared, sizes[a], sizes[b]], axis=1)
        pairs += map(tuple, rows.tolist())
    return pairs


def _label_pair(ids: list[Any], pair: tuple[int, ...], band: str, stands_for: float) -> LabelPair:
    sides = ((pair[0], pair[3]), (pair[1], pair[4]))
    (one, size), (other, size_other) = sorted(sides, key=lambda side: str(ids[side[0]]))
    return LabelPair(
        a=str(ids[one]),
        b=str(ids[other]),
        similarity=round(pair[2] / (size + size_other - pair[2]), 4),
        shared=pair[2],
        shingles=(size, size_other),
        band=band,
        stands_for=round(stands_for, 4),
    )


def _drawn(ids: list[Any], seed: int) -> NDArray[np.int64]:
    """Positions of at most LABEL_RUNS runs."""
    if len(ids) <= LABEL_RUNS:
        return np.arange(len(ids))
    ranked = sorted(range(len(ids)), key=lambda run: _hash(seed, ids[run], ""))
    return np.sort(np.array(ranked[:LABEL_RUNS]))


def _hash(seed: int, one: str, other: str) -> bytes:
    words = sorted((one, other))
    return hashlib.sha256("\x1f".join((str(seed), *words)).encode("utf-8", "surrogatepass")).digest()


def _band(similarity: float, shorter: int) -> tuple[int, int]:
    return bisect_right(LABEL_SIMILARITIES, similarity) - 1, bisect_right(LABEL_SIZES, shorter) - 1


def _name(low: int, short: int) -> str:
    def span(bounds: tuple[Any, ...], at: int) -> str:
        return f"{bounds[at]:g} to {bounds[at + 1]:g}" if at + 1 < len(bounds) else f"{bounds[at]:g} and more"

    likeness = "equal" if LABEL_SIMILARITIES[low] == 1 else span(LABEL_SIMILARITIES, low)
    return f"similarity {likeness}, shingles {span(LABEL_SIZES, short)}"
