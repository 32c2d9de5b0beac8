"""When each step begins."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curate.model.trajectory import Span
from recorders.replay.pace import KEY_S, LONGEST_GAP_S, UNKNOWN_GAP_S, Pace, key_interval, wait_before

TIMES = st.floats(0, 1000).flatmap(
    lambda start: st.floats(0, 100).map(lambda long: Span(start=start, end=start + long))
)


@given(TIMES, TIMES)
def test_never_sooner_than_recorded_but_for_long_pauses_which_are_told(previous: Span, this: Span) -> None:
    wait = wait_before(previous, this, Pace())
    gap = max(0.0, this.start - previous.end)
    assert abs(wait.seconds + wait.shortened - gap) < 1e-6
    assert wait.seconds <= LONGEST_GAP_S + 1e-6
    if not wait.shortened:
        assert wait.since_start >= this.start - previous.start - 1e-6


def test_speed_and_pause() -> None:
    one, two = Span(start=1.0, end=2.0), Span(start=6.0, end=6.5)
    assert wait_before(one, two, Pace(speed=2.0)).seconds == 2.0
    assert wait_before(one, two, Pace(pause=1.0)).seconds == 5.0
    assert wait_before(None, two, Pace()).seconds == UNKNOWN_GAP_S
    assert wait_before(None, two, Pace(), first=True).seconds == 0.0


def test_keys_come_as_recorded_within_what_programs_can_take() -> None:
    assert key_interval(Span(start=0.0, end=1.0), 10, Pace()) == 0.1
    assert key_interval(Span(start=0.0, end=0.1), 100, Pace()) == KEY_S[0]
    assert key_interval(Span(start=0.0, end=60.0), 10, Pace()) == KEY_S[1]
