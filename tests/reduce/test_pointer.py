"""The pointer's track: where it was, when it came and went, when somebody acted."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.events import RawEvent
from curate.reduce.video.pointer_track import PointerTrack, pointer_track

BOX = (10.0, 10.0, 20.0, 20.0)
steps = st.lists(
    st.tuples(st.floats(0.001, 0.5), st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=40
)  # fmt: skip


def walked(path: list[tuple[float, int, int]]) -> PointerTrack:
    time, events = 0.0, []
    for index, (pause, x, y) in enumerate(path):
        time += pause
        events.append(RawEvent(index=index, time=time, kind="move", x=float(x), y=float(y)))
    return pointer_track(events)


def inside(place: tuple[float, float] | None) -> bool:
    return place is not None and 10 <= place[0] < 20 and 10 <= place[1] < 20


@settings(max_examples=60, deadline=None)
@given(path=steps, at=st.floats(0.0, 15.0), before=st.floats(0.0, 0.4), after=st.floats(0.0, 0.4))
def test_being_inside_at_some_moment_is_what_walking_along_every_moment_finds(
    path: list[tuple[float, int, int]], at: float, before: float, after: float
) -> None:
    track = walked(path)
    moments = [at - before, at + after, *track.times[(track.times >= at - before) & (track.times <= at + after)]]
    expected = any(inside(track.place(float(moment))) for moment in moments)
    assert bool(track.was_inside(BOX, np.array([at]), before, after)[0]) == expected


@settings(max_examples=60, deadline=None)
@given(path=steps, at=st.floats(0.0, 15.0))
def test_coming_and_going(path: list[tuple[float, int, int]], at: float) -> None:
    track = walked(path)
    came, went = track.entered(BOX, at), track.left(BOX, at)
    if came is not None:
        assert came <= at and inside(track.place(came)) and inside(track.place(at))
        stay = track.times[(track.times >= came) & (track.times <= at)]
        assert all(inside(track.place(float(time))) for time in stay)
        assert not inside(track.place(float(track.times[track.times < came][-1])))
    if went is not None:
        assert went >= at and (not inside(track.place(went)) or went == at)
        assert all(inside(track.place(float(t))) for t in track.times[(track.times >= at) & (track.times < went)])


def test_acts_are_presses_releases_wheel_and_keys_but_no_moves() -> None:
    events = [
        RawEvent(index=0, time=1.0, kind="move", x=1.0, y=2.0),
        RawEvent(index=1, time=2.0, kind="button", x=3.0, y=4.0, button="left", pressed=True),
        RawEvent(index=2, time=2.5, kind="button", x=3.0, y=4.0, button="left", pressed=False),
        RawEvent(index=3, time=3.0, kind="scroll", x=3.0, y=4.0, dy=-1.0),
        RawEvent(index=4, time=4.0, kind="key", key="a", pressed=True),
        RawEvent(index=5, time=4.1, kind="key", key="a", pressed=False),
        RawEvent(index=6, time=5.0, kind="window", title="x"),
    ]
    track = pointer_track(events)
    assert track.acts.tolist() == [2.0, 2.5, 3.0, 4.0, 4.1] and track.presses.tolist() == [2.0, 3.0, 4.0]
    assert track.held == [(2.0, 2.5)] and (track.first, track.last) == (1.0, 5.0)
    assert track.last_act_before(2.0) is None and track.last_act_before(3.0) == 2.5
    assert track.place(0.0) == (1.0, 2.0) and track.place(9.0) == (3.0, 4.0)


def test_rows_out_of_order_and_no_rows_at_all() -> None:
    late = [RawEvent(index=i, time=t, kind="move", x=t, y=0.0) for i, t in enumerate((3.0, 1.0, 2.0))]
    assert pointer_track(late).times.tolist() == [1.0, 2.0, 3.0]
    empty = pointer_track([])
    assert empty.place(1.0) is None and empty.entered(BOX, 1.0) is None and empty.left(BOX, 1.0) is None
    assert not empty.was_inside(BOX, np.array([1.0]), 1.0, 1.0)[0]
