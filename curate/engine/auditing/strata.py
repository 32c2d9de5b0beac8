"""Drawing from strata, so that what is rare is seen too: more of a larger stratum, but far less than its share (the
square root of its size: power allocation, Bankier 1988), and one of each at least."""

from __future__ import annotations

import hashlib
import heapq
import math
from collections.abc import Iterable
from typing import NamedTuple

from curate.model.audit_label import About


class Candidate(NamedTuple):
    """A thing that may be drawn. `stratum`: by its name. `said`: the machine's answer; None where it has none.
    `kept`: whether its run gave examples; None where that says nothing."""

    stratum: str
    id: str
    step: int | None = None
    other: str | None = None
    said: str | None = None
    kept: bool | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """What it is, for hashes."""
        return self.id, "" if self.step is None else str(self.step), self.other or ""


class Drawn(NamedTuple):
    """A thing that was drawn, and how many of its stratum it stands for."""

    candidate: Candidate
    stands_for: float


def draw(candidates: Iterable[Candidate], about: About, size: int, seed: int) -> tuple[list[Drawn], dict[str, int]]:
    """`size` of them (all, where there are no more; one of each stratum, where there are more strata), in an order
    that tells nothing of strata; and how many there are, by stratum. The same for the same candidates and seed.

    Memory: at most `size` candidates a stratum."""
    found: dict[str, list[tuple[int, Candidate]]] = {}
    populations: dict[str, int] = {}
    for one in candidates:
        populations[one.stratum] = populations.get(one.stratum, 0) + 1
        heap = found.setdefault(one.stratum, [])
        entry = (-_rank(about, seed, one), one)
        if len(heap) < size:
            heapq.heappush(heap, entry)
        elif entry[0] > heap[0][0]:
            heapq.heapreplace(heap, entry)
    drawn: list[tuple[int, Drawn]] = []
    for stratum, count in allocation(populations, size).items():
        chosen = heapq.nlargest(count, found[stratum], key=lambda entry: entry[0])
        drawn += [(-rank, Drawn(one, populations[stratum] / count)) for rank, one in chosen]
    # A second hash: in the order of the first, rare strata would come late.
    drawn.sort(key=lambda entry: _rank(f"{about} order", seed, entry[1].candidate))
    return [one for _, one in drawn], dict(sorted(populations.items()))


def allocation(populations: dict[str, int], size: int) -> dict[str, int]:
    """How many to draw of each stratum: in all min(`size`, everything), one of each at least, then by the square roots
    of the populations (highest averages, as seats are given to parties), never more than there are."""
    given = {name: 1 for name, count in sorted(populations.items()) if count > 0}
    left = min(size, sum(populations.values())) - len(given)
    waiting = [(-math.sqrt(populations[name]) / 3, name) for name in given if populations[name] > 1]
    heapq.heapify(waiting)
    while left > 0 and waiting:
        _, name = heapq.heappop(waiting)
        given[name] += 1
        left -= 1
        if given[name] < populations[name]:
            heapq.heappush(waiting, (-math.sqrt(populations[name]) / (2 * given[name] + 1), name))
    return given


def _rank(what: str, seed: int, one: Candidate) -> int:
    told = "\x1f".join((what, str(seed), *one.key)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(told).digest()[:8])
