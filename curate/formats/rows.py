"""What rows say of where they come from, behind what a trainer reads: no trainer minds members that it does not know,
and whoever looks at a row finds its step again."""

from __future__ import annotations

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
    start, behind, split = _around(head.trajectory, head.split)
    return b"%b%d%b%d%b%b" % (start, head.step, behind, head.step, split, json_text(head.weight))


@lru_cache(4)
def _around(trajectory: str, split: str) -> tuple[bytes, bytes, bytes]:
    """What the rows of one run say around their numbers."""
    id = json_text(trajectory)
    return b'"id":%b/' % id[:-1], b'","trajectory":%b,"step":' % id, b',"split":%b,"weight":' % json_of_few(split)
