"""Jaccard similarity at a threshold, exactly: an integer test, and two ways to find all pairs at or above it.

`exact` finds them by a prefix filter: two sets that share enough must share one of their rarest members, so only sets
that meet there are compared. `minhash` takes datasketch's signatures and index as candidate finder and compares each
candidate exactly, so that it can miss a pair (with the bands here about one in 10^8 at J = 0.5) but never invents one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from curate.model.constants import MINHASH_BANDS, MINHASH_PERMUTATIONS

Members = frozenset[tuple[str, ...]]
Scope = frozenset[str]


class Pair(NamedTuple):
    """Two positions, `a` < `b`, and how many members the sets share."""

    a: int
    b: int
    shared: int


def at_least(shared: int, a: int, b: int, threshold: Fraction) -> bool:
    """Whether shared / (a + b - shared) >= threshold, in integers (3 * shared >= a + b at one half). Two empty sets
    are not similar: nothing is known of either."""
    p, q = threshold.numerator, threshold.denominator
    return shared > 0 and (p + q) * shared >= p * (a + b)


def as_fraction(threshold: float) -> Fraction:
    """The threshold as it is written: 0.1 is one tenth, not the nearest binary number."""
    return Fraction(str(threshold))


def similarity(shared: int, a: int, b: int) -> float:
    return shared / (a + b - shared)


def pairs_exact(sets: Sequence[Members], scopes: Sequence[Scope], threshold: Fraction) -> list[Pair]:
    """All pairs whose scopes meet and whose similarity is at least the threshold (above 0)."""
    return sorted(_verified(_prefix_candidates(sets, scopes, threshold), sets, scopes, threshold))


def pairs_minhash(sets: Sequence[Members], scopes: Sequence[Scope], threshold: Fraction) -> list[Pair]:
    """The same by MinHash and LSH, each candidate verified exactly."""
    return sorted(_verified(_lsh_candidates(sets), sets, scopes, threshold))


def _verified(
    candidates: Iterator[tuple[int, int]], sets: Sequence[Members], scopes: Sequence[Scope], threshold: Fraction
) -> Iterator[Pair]:
    for a, b in candidates:
        if not scopes[a] & scopes[b]:
            continue
        shared = len(sets[a] & sets[b])
        if at_least(shared, len(sets[a]), len(sets[b]), threshold):
            yield Pair(a, b, shared)


def _prefix_candidates(
    sets: Sequence[Members], scopes: Sequence[Scope], threshold: Fraction
) -> Iterator[tuple[int, int]]:
    """Pairs that share a member among their rarest |s| - ceil(t |s|) + 1, once each. Sets come in by size, so that one
    too small for the set at hand is skipped by its length alone."""
    frequency: Counter[Hashable] = Counter(member for members in sets for member in members)
    meeting: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for b in sorted(range(len(sets)), key=lambda i: (len(sets[i]), i)):
        members = sorted(sets[b], key=lambda member: (frequency[member], member))
        smallest = ceil(threshold * len(members))
        seen: set[int] = set()
        for member in members[: len(members) - smallest + 1]:
            for scope in scopes[b]:
                posting = meeting[scope, member]
                seen.update(a for a in posting if len(sets[a]) >= smallest)
                posting.append(b)
        for a in seen - {b}:
            yield min(a, b), max(a, b)


def _lsh_candidates(sets: Sequence[Members]) -> Iterator[tuple[int, int]]:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(num_perm=MINHASH_PERMUTATIONS, params=MINHASH_BANDS)
    for b, members in enumerate(sets):
        if not members:
            continue
        signature = MinHash(num_perm=MINHASH_PERMUTATIONS)
        signature.update_batch(["\x1f".join(member).encode("utf-8", "surrogatepass") for member in sorted(members)])
        for a in sorted(index.query(signature)):
            yield a, b
        index.insert(b, signature)
