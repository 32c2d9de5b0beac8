"""What a draw is: shares within rounding, the same whatever else is there, people's floor, nothing out of thin air."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.mixing.drawing import Pool, draw, order_of, people_share
from curate.model.errors import UsageError

ROW = st.tuples(st.integers(0, 2), st.integers(1, 40), st.booleans())
ROWS = st.lists(ROW, min_size=1, max_size=120)
SHARES = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


def pool_of(rows: list[tuple[int, int, bool]], counts: bool, seed: int = 0) -> Pool:
    group, steps, people = (np.array(column) for column in zip(*rows, strict=True))
    amount = np.ones(len(rows)) if counts else steps.astype(float)
    return Pool(
        group.astype(np.int64), amount, people.astype(bool), order_of([f"r{i}" for i in range(len(rows))], seed)
    )


def amounts(pool: Pool, rows: np.ndarray) -> np.ndarray:
    return np.bincount(pool.group[rows], pool.amount[rows], 3)


@given(ROWS, SHARES, st.booleans(), st.integers(0, 3))
def test_each_group_has_its_share_within_one_row(rows, shares, counts, seed):
    pool = pool_of(rows, counts, seed)
    drawn = draw(pool, np.array(shares, float), None, whole=counts)
    wanted = np.array(shares) / sum(shares) * drawn.quotas.sum()
    largest = np.array([max([0, *pool.amount[pool.group == group]]) for group in range(3)])
    assert (np.abs(amounts(pool, drawn.rows) - drawn.quotas) <= largest / 2 + 1e-6).all()
    assert (np.abs(drawn.quotas - wanted) <= (1 if counts else 1e-6)).all()
    if counts:
        assert (amounts(pool, drawn.rows) == drawn.quotas).all()


@given(ROWS, SHARES, st.booleans())
def test_the_mixture_is_as_large_as_the_scarcest_group_allows(rows, shares, counts):
    pool = pool_of(rows, counts)
    have, share = amounts(pool, np.ones(len(rows), bool)), np.array(shares) / sum(shares)
    most = min(have[i] / share[i] for i in range(3) if share[i])
    assert draw(pool, np.array(shares, float), None, whole=counts).size == pytest.approx(
        np.floor(most + 1e-6) if counts else most
    )
    with pytest.raises(UsageError, match="give --size"):
        draw(pool, np.array(shares, float), most + 1.5, whole=counts)


@given(ROWS, SHARES, st.floats(0.05, 1.0), st.booleans())
def test_people_reach_their_floor_or_all_of_them_that_fit_are_taken(rows, shares, floor, counts):
    pool = pool_of(rows, counts)
    drawn = draw(pool, np.array(shares, float), None, floor, whole=counts)
    plain = draw(pool, np.array(shares, float), None, whole=counts)
    assert people_share(pool, drawn.rows) >= min(people_share(pool, plain.rows), floor) - 1e-9 or not counts
    if counts:
        assert (amounts(pool, drawn.rows) == amounts(pool, plain.rows)).all()  # shares stay
        lacking = floor * drawn.rows.sum() - (drawn.rows & pool.people).sum()
        if lacking > 1e-9:
            for group in range(3):
                mine = pool.group == group
                assert (drawn.rows & mine & ~pool.people).sum() == 0 or drawn.rows[mine & pool.people].all()


@given(ROWS, SHARES, st.integers(0, 5))
def test_the_same_draw_again_and_another_with_another_seed(rows, shares, seed):
    one, again = (draw(pool_of(rows, True, seed), np.array(shares, float), None).rows for _ in range(2))
    assert (one == again).all()


def test_more_data_moves_few_rows():
    few = [f"run-{number}" for number in range(1000)]
    many = [*few, *(f"new-{number}" for number in range(100))]

    def taken(ids: list[str]) -> set[str]:
        pool = Pool(np.zeros(len(ids), np.int64), np.ones(len(ids)), np.zeros(len(ids), bool), order_of(ids, 7))
        rows = draw(pool, np.array([1.0]), 300).rows
        return {ids[row] for row in np.flatnonzero(rows)}

    moved = taken(few) - taken(many)
    assert 0 < len(moved) < 60  # about 100/1100 of 300 make room for new ones; none is moved otherwise
    assert all(id.startswith("new-") for id in taken(many) - taken(few))


def test_another_seed_draws_others():
    ids = [f"run-{number}" for number in range(200)]
    assert (order_of(ids, 1) != order_of(ids, 2)).any()
