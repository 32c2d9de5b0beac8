"""When a tree is read: after the screen has settled, never on top of typing, within a share of the machine."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curate.model.constants import NS_PER_S
from recorders.a11y.when import When

SECOND = NS_PER_S


def due_at(when: When, now: int, steps: int = 100_000) -> int:
    """The first moment at which a tree may be read, asked as the reader does."""
    for _ in range(steps):
        wait = when.wait(now)
        assert wait is not None
        if wait == 0:
            return now
        now += wait
    raise AssertionError("never due")


def read(when: When, at: int, cpu: int = 0, same: bool = False) -> None:
    when.began()
    when.ended(at, cpu, same)


def test_a_tree_is_read_when_the_screen_has_settled() -> None:
    when = When(0)
    read(when, 0)
    when.changed(10 * SECOND)
    when.changed(10 * SECOND + SECOND // 5)
    settled = due_at(when, 10 * SECOND + SECOND // 5) - (10 * SECOND + SECOND // 5)
    assert SECOND // 4 <= settled <= SECOND // 2


def test_nothing_is_read_again_while_nothing_changes() -> None:
    when = When(0)
    read(when, 0)
    assert when.wait(1000 * SECOND) is None


def test_a_screen_that_never_settles_is_read_all_the_same() -> None:
    when = When(0)
    read(when, 0)
    now = SECOND
    while when.wait(now) != 0:
        now += SECOND // 10
        when.changed(now)
        assert now < 4 * SECOND
    assert now >= 2 * SECOND


@given(st.lists(st.integers(min_value=1, max_value=2 * SECOND), min_size=1, max_size=60))
def test_never_within_half_a_second_after_a_key(gaps: list[int]) -> None:
    """Report 13: a tree read while keys are typed makes Chromium type them again."""
    when = When(0)
    now = 0
    for gap in gaps:
        now += gap
        when.changed(now)
        when.acted(now, typed=True)
    assert due_at(when, now) - now >= SECOND // 2


def test_what_changes_by_itself_is_looked_at_less_and_less_until_somebody_acts() -> None:
    when, now, readings = When(0), 0, 0
    while now < 120 * SECOND:  # a caret that blinks for two minutes
        now += SECOND * 6 // 10
        when.changed(now)
        if when.wait(now + SECOND * 4 // 10) == 0:
            read(when, now + SECOND * 4 // 10, same=True)
            readings += 1
    assert readings <= 12
    when.acted(now)
    assert due_at(when, now + SECOND // 10) - now <= SECOND


@given(st.lists(st.tuples(st.integers(1, 3 * SECOND), st.integers(0, SECOND // 2)), min_size=20, max_size=80))
def test_trees_take_their_share_of_a_core_and_no_more(acts: list[tuple[int, int]]) -> None:
    """Readings that cost up to half a second each: over any stretch at most 10 % and what was saved."""
    when, now, spent = When(0), 0, 0
    for gap, cpu in acts:
        now += gap
        when.acted(now)
        when.changed(now)
        now = due_at(when, now)
        when.began()
        now += cpu
        when.ended(now, cpu, same=False)
        spent += cpu
    assert spent <= 0.1 * now + SECOND
