"""Screens as evidence: the first and the last pictures of two runs are equal, or look alike.

Looking alike is no equivalence (three pictures in a row may each look like the next, and the ends not), so that a key
stands for a pair of screens that match: runs of a screen hold its own key and those of its pairs. Pairs are looked for
only among screens of similar runs."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.copies.keys import NONE, codes, sets_of, taken
from curate.stages.copies.projection import KEY, text_key
from curate.stages.copies.search.similar_kinds import SimilarKinds
from curate.stages.copies.types import Sets
from curate.stages.measures.picture_facts import look_alike
from curate.stages.tables import nulls

pc: Any = pyarrow.compute  # its stubs know no nulls
Numbers = NDArray[np.int64]


class Looks(NamedTuple):
    """What pictures look like: their keys (as in `projection`), difference hashes, and grey thumbnails (a row each)."""

    keys: Any
    dhash: NDArray[np.uint64]
    thumbnails: NDArray[np.uint8]


NO_LOOKS = Looks(nulls(0, KEY), np.zeros(0, np.uint64), np.zeros((0, 0), np.uint8))


def looks_of(images: pa.Table) -> Looks:
    """From what the stage images measured (columns image, dhash, thumbnail). Memory: 600 bytes for each picture that
    begins or ends a run."""
    known: Any = images.filter(pc.and_(pc.is_valid(images["thumbnail"]), pc.is_valid(images["dhash"])))
    if not known.num_rows:
        return NO_LOOKS
    _, rows = np.unique(codes(known["image"]), return_index=True)
    known = known.take(pa.array(rows))
    keys = pa.array([text_key(image) for image in known["image"].to_pylist()], KEY)
    dhash = np.array([int(text, 16) for text in known["dhash"].to_pylist()], np.uint64)
    cells = np.frombuffer(b"".join(known["thumbnail"].to_pylist()), np.uint8)
    return Looks(keys, dhash, cells.reshape(len(dhash), -1))


def screen_keys(facts: pa.Table, sets: Sets, threshold: Fraction, looks: Looks) -> Sets:
    """By run the keys of its screens; none for a run without pictures."""
    count = facts.num_rows
    pictures = codes(pa.concat_arrays([facts[name].combine_chunks() for name in ("first_image", "last_image")]))
    first, last = pictures[:count], pictures[count:]
    pair = np.where((first < 0) | (last < 0), NONE, first * (pictures.max(initial=0) + 1) + last)
    known = np.flatnonzero(pair != NONE)
    _, at, screen = np.unique(pair[known], return_index=True, return_inverse=True)
    ends = np.stack([first[known[at]], last[known[at]]])
    edges = _matching(sets, known, screen, ends, _look_rows(facts, pictures, looks), threshold, looks)
    owners, members = [known], [screen.astype(np.int64)]
    if len(edges):
        of_screen = np.concatenate([edges[:, 0], edges[:, 1]])
        names = len(at) + np.tile(np.arange(len(edges)), 2)
        order = np.argsort(of_screen, kind="stable")
        starts = np.searchsorted(of_screen[order], np.arange(len(at) + 1))
        each = np.diff(starts)[screen]
        within = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
        owners.append(np.repeat(known, each))
        members.append(names[order][np.repeat(starts[screen], each) + within])
    return sets_of(np.concatenate(owners), np.concatenate(members), count)


def _look_rows(facts: pa.Table, pictures: Numbers, looks: Looks) -> Numbers:
    """By code of a picture its row in `looks`, -1 where nothing is known."""
    column = pa.concat_arrays([facts[name].combine_chunks() for name in ("first_image", "last_image")])
    found = pc.fill_null(pc.index_in(column, value_set=looks.keys), -1).to_numpy(zero_copy_only=False)
    rows = np.full(int(pictures.max(initial=NONE)) + 1, -1, np.int64)
    rows[pictures[pictures >= 0]] = found[pictures >= 0]
    return rows


def _matching(
    sets: Sets, known: Numbers, screen: Numbers, ends: Numbers, rows: Numbers, threshold: Fraction, looks: Looks
) -> Numbers:
    """Pairs of screens (a row each, the smaller first) of similar runs that look alike at both ends."""
    found = [np.zeros((0, 2), np.int64)]
    if not len(looks.dhash) or not len(known):
        return found[0]
    deeds = SimilarKinds(taken(sets, known), None, threshold)
    of, count = deeds.kinds.of, len(deeds.kinds.size)
    both = np.unique(np.stack([of.astype(np.int64), screen], axis=1), axis=0)
    starts = np.searchsorted(both[:, 0], np.arange(count + 1))
    equal = np.repeat(np.arange(count), 2).reshape(-1, 2)
    parts = (np.stack([part.one, part.other], axis=1)[part.one < part.other] for part in deeds.parts())
    for a, b in (pair for pairs in chain([equal], parts) for pair in pairs.tolist()):
        one, other = both[starts[a] : starts[a + 1], 1], both[starts[b] : starts[b + 1], 1]
        for left in one.tolist():
            right = other[other > left] if a == b else other[other != left]
            if len(right):
                right = right[_look_alike(ends[:, left], ends[:, right], rows, looks)]
                found.append(np.sort(np.stack([np.full(len(right), left), right], axis=1), axis=1))
    return np.unique(np.concatenate(found), axis=0)


def _look_alike(one: Numbers, others: Numbers, rows: Numbers, looks: Looks) -> NDArray[np.bool_]:
    """Whether both pictures of a screen look like those of each of the others (`ends` of screens: first, last)."""
    alike = np.ones(others.shape[1], bool)
    for mine, theirs in zip(one.tolist(), others, strict=True):
        same = theirs == mine
        row, theirs_rows = rows[mine], rows[theirs]
        comparable = (theirs_rows >= 0) & (row >= 0) & alike & ~same
        at = np.flatnonzero(comparable)
        held = theirs_rows[at]
        same[at] = look_alike(looks.dhash[held], looks.thumbnails[held], looks.dhash[row], looks.thumbnails[row])
        alike &= same
    return alike
