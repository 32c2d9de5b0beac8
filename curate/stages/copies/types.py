"""The shapes that near-copies are worked on in: sets of whole numbers, many to an array (a row a run, by position)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Sets(NamedTuple):
    """Sets of whole numbers in compressed rows: set `i` is `members[offsets[i]:offsets[i + 1]]`, ascending, each once.

    Sets of shingles hold ranks: the shingle that stands in the fewest sets has the lowest. `offsets` has one more entry
    than there are sets; an empty set is a run of which nothing is known, and is similar to none."""

    members: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def count(self) -> int:  # type: ignore[override]
        return len(self.offsets) - 1


class Problem(NamedTuple):
    """Which runs are copies of earlier ones that stay. Every array has a row for each run.

    `order`: positions of the runs, the first is judged first. `threshold`: Jaccard similarity, inclusive. `scopes`:
    runs are compared only if they share one of these keys (None: all are). `evidence`: a similar run is a copy only if
    it shares one of these keys too (None: similarity is enough). `needs`: a witness must hold all of a run's keys
    (mistakes it recovers from; None: nothing is asked). `short`: sets with fewer members have to be equal (0: none).
    `cap`: how many kept runs, similar with evidence, put a run out (0: it always stays, its witness is only noted)."""

    sets: Sets
    order: NDArray[np.int64]
    threshold: Fraction
    scopes: Sets | None
    evidence: Sets | None
    needs: Sets | None
    short: int
    cap: NDArray[np.int32]


class Decided(NamedTuple):
    """By run: the position of the first kept run (in the order) that is similar with evidence, -1 for none; how many
    members the two share; and whether the run is out."""

    witness: NDArray[np.int64]
    shared: NDArray[np.int32]
    dropped: NDArray[np.bool_]
