"""What the detector looks at: a bounded piece of an input as its source reads it, with small copies of pictures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.model.rejected import Rejected
from curate.sources.common.facts import Facts
from curate.sources.common.sightings import PointSeen, ScrollSeen

Grey = NDArray[np.uint8]
"""H x W grey levels, at most DETECTOR_PICTURE pixels along the longer side."""


class Shot(NamedTuple):
    """A picture: its small copy, and its size (width, height) in pixels as it is stored."""

    grey: Grey
    size: tuple[int, int]


class Seen(NamedTuple):
    """One step: its raw points and scrolls as the source noted them. `acts`: it does something that may change the
    screen (a wait or an end does not)."""

    step: int
    points: tuple[PointSeen, ...]
    scrolls: tuple[ScrollSeen, ...]
    acts: bool = True


class Run(NamedTuple):
    """One record. `shots`: what the record gives as each step's picture before it, and behind the last the final one;
    None where there is none or no more were looked at. `file`, `line`: where it stands."""

    record: str
    file: str | None
    line: int | None
    steps: tuple[Seen, ...]
    shots: tuple[Shot | None, ...]


class Sample(NamedTuple):
    """What was read. `declared`: the facts that the source goes by, with what the user states; where an input holds
    rows of several kinds, a fact that they do not share is None. `records`, `refused`: how many were read and could
    not be; `first_refused`: why the first of these could not."""

    declared: Facts
    runs: tuple[Run, ...]
    records: int = 0
    refused: int = 0
    first_refused: Rejected | None = None
