"""What is drawn of a mixture's groups: shares, a size, a floor for people's data. Pure.

Rows are drawn in the order of a hash of their id and the seed: a group's draw is a beginning of that order, so that
more data, or another size, moves few rows. Memory: some 50 bytes a row."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from curate.model.errors import UsageError

Numbers = NDArray[np.int64]
Amounts = NDArray[np.float64]
_SLACK = 1e-9  # of a share: what binary fractions lose


class Pool(NamedTuple):
    """The rows that may be drawn. By row: its `group`, its `amount` (1, its steps, its weight), whether it is
    `people`'s, and its place in the `order` of drawing (a permutation: `order[0]` is the first row drawn)."""

    group: Numbers
    amount: Amounts
    people: NDArray[np.bool_]
    order: Numbers


class Drawn(NamedTuple):
    """`rows`: which were taken. `quotas`: by group, how much was to be taken. `size`: of all."""

    rows: NDArray[np.bool_]
    quotas: Amounts
    size: float


def order_of(ids: Sequence[str], seed: int) -> Numbers:
    """The order of drawing: by the SHA-256 of seed and id, rows of one id as they come."""
    start = f"{seed}\0".encode()
    digests = (hashlib.sha256(start + id.encode("utf-8", "surrogatepass")).digest() for id in ids)
    numbers = np.fromiter((int.from_bytes(digest[:8], "big") for digest in digests), np.uint64, len(ids))
    return np.argsort(numbers, kind="stable").astype(np.int64)


def draw(pool: Pool, shares: Amounts, size: float | None, floor: float = 0.0, whole: bool = True) -> Drawn:
    """`shares`: by group, in any unit (they are ratios). `size`: how much in all (None: the most that keeps the
    shares). `floor`: the least share of people's rows, as far as there are any. `whole`: amounts are counts, and so
    quotas are whole.

    Raises UsageError for shares that cannot be had."""
    have = np.bincount(pool.group, pool.amount, len(shares)).astype(np.float64)
    share = shares / shares.sum() if shares.sum() > 0 else shares
    most = _most(have, share)
    if size is not None and size > most * (1 + _SLACK):
        raise UsageError(
            f"A size of {size:g} keeps these shares up to {np.floor(most):g}: give --size {np.floor(most):g}."
        )
    total = most if size is None else size
    quotas = _whole(share * total, int(np.floor(total * (1 + _SLACK)))) if whole else share * total
    quotas = np.minimum(quotas, have)
    groups = [pool.order[pool.group[pool.order] == number] for number in range(len(shares))]
    rows = np.zeros(len(pool.group), bool)
    for members, quota in zip(groups, quotas, strict=True):
        rows[members[: _nearest(pool.amount[members], quota)]] = True
    if floor > 0:
        _lift(pool, groups, quotas, floor, rows)
    return Drawn(rows, quotas, float(quotas.sum()))


def people_share(pool: Pool, rows: NDArray[np.bool_]) -> float:
    """How much of the chosen amount is people's; 0 of nothing."""
    total = float(pool.amount[rows].sum())
    return float(pool.amount[rows & pool.people].sum()) / total if total else 0.0


def _most(have: Amounts, share: Amounts) -> float:
    """The largest size of which every group can give its share."""
    asked = share > 0
    return float((have[asked] / share[asked]).min()) if asked.any() else 0.0


def _whole(amounts: Amounts, total: int) -> Amounts:
    """The amounts as whole numbers with this sum: the largest remainders are rounded up."""
    down = np.floor(amounts * (1 + _SLACK))
    rest = int(total - down.sum())
    up = np.argsort(-(amounts - down), kind="stable")[: max(rest, 0)]
    down[up] += 1
    return down


def _nearest(amounts: Amounts, quota: float) -> int:
    """How many rows from the first come nearest to the quota; of two, fewer."""
    upto = np.concatenate([[0.0], np.cumsum(amounts)])
    return int(np.argmin(np.abs(upto - quota))) if quota > 0 else 0


def _at_least(amounts: Amounts, quota: float) -> int:
    """How many rows from the first reach the quota; all where they do not."""
    upto = np.concatenate([[0.0], np.cumsum(amounts)])
    return min(int(np.searchsorted(upto, quota * (1 - _SLACK))), len(amounts))


def _lift(pool: Pool, groups: list[Numbers], quotas: Amounts, floor: float, rows: NDArray[np.bool_]) -> None:
    """Take people's rows in place of others of their own groups, until they are `floor` of all or there are no more:
    each group gives in proportion to what it has left of them."""
    amount = pool.amount
    taken = np.array([amount[one[rows[one] & pool.people[one]]].sum() for one in groups])
    spare = np.array(
        [min(amount[one[pool.people[one]]].sum(), quota) for one, quota in zip(groups, quotas, strict=True)]
    )
    spare = np.maximum(spare - taken, 0.0)
    lacking = floor * float(amount[rows].sum()) - taken.sum()
    if lacking <= 0 or spare.sum() <= 0:
        return
    wanted = taken + spare * min(lacking / spare.sum(), 1.0)
    for number, members in enumerate(groups):
        if wanted[number] <= taken[number]:
            continue
        people, others = members[pool.people[members]], members[~pool.people[members]]
        rows[members] = False
        first = people[: _at_least(amount[people], wanted[number])]
        rows[first] = True
        rows[others[: _nearest(amount[others], quotas[number] - amount[first].sum())]] = True
