"""What rows say of where they come from, behind what a trainer reads: no trainer minds members that it does not know,
and whoever looks at a row finds its step again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from curate.formats.base import Head, json_of_few, json_text


class Origin(msgspec.Struct, kw_only=True, frozen=True):
    """The step `step` (its index) of the record `trajectory`. `weight`: the run's weight times the step's."""

    id: str
    trajectory: str
    step: int
    split: str
    weight: float


LOSS = b'"last assistant message only"'
NO_LOSS = b'"nothing"'
"""Values of `loss_on`, in formats whose rows have no other place for where the loss is."""


def origin(head: Head) -> bytes:
    """The members of `Origin` as JSON, without braces."""
    (one,) = origins([head])
    return one


def origins(heads: Sequence[Head]) -> list[bytes]:
    """The same of each row of one run."""
    if not heads:
        return []
    start, behind, end = _around(heads[0].trajectory, heads[0].split)
    weights, found = _Texts(), []
    for _, step, _, weight, _, _ in heads:
        number = _NUMBERS[step] if 0 <= step < _FEW else b"%d" % step
        found.append(b"".join((start, number, behind, number, end, weights[weight])))
    return found


_FEW = 256
_NUMBERS = [b"%d" % number for number in range(_FEW)]


class _Texts(dict[float, bytes]):
    """Numbers as JSON: nearly all rows of a run have one weight."""

    def __missing__(self, number: float) -> bytes:
        text = self[number] = json_text(number)
        return text


@lru_cache(4)
def _around(trajectory: str, split: str) -> tuple[bytes, bytes, bytes]:
    """What the rows of one run say around their numbers."""
    id = json_text(trajectory)
    return b'"id":%b/' % id[:-1], b'","trajectory":%b,"step":' % id, b',"split":%b,"weight":' % json_of_few(split)
