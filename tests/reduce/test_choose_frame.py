"""The choice against the rule itself, written down plainly: on screens that change at random, with a pointer that walks
at random, every frame is tried, latest first."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from curate.model.constants import KEYFRAME_MARGIN_S
from curate.reduce.keyframes.choose_frame import moments_of
from curate.reduce.keyframes.pictures import chosen_keyframes
from curate.reduce.keyframes.targets import Target
from curate.reduce.types import KeyframeOptions
from curate.reduce.video.pointer_track import pointer_track
from curate.reduce.video.screen_reel import open_screen
from tests.reduce.film import HEIGHT, WIDTH, Film, Picture, blank, box

RATE = 10
TARGET = (320, 180)
T = (296.0, 156.0, 344.0, 204.0)
FAR = 0.05 * WIDTH
# places for panels: away from the target and from each other, so that nothing is excused but the target itself
PANELS = [(10, 10, 250, 130), (390, 10, 630, 130), (10, 230, 250, 350), (390, 230, 630, 350)]
# resting places of the pointer: on the target, near it, far away between the panels
PLACES = [(320, 180), (310, 170), (350, 180), (320, 210), (320, 40), (320, 330), (300, 250)]


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[tuple[int, int]]]:
    """For each of 25 frames: which panels are open, and where the pointer is. No panel changes more than twice: one
    that did, while nobody acts, would be a clock."""
    states, places = [], []
    changes = [0, 0, 0, 0]
    state, place = (0, 0, 0, 0), PLACES[4]
    for _ in range(25):
        if draw(st.integers(0, 5)) == 0:
            index = draw(st.integers(0, 3))
            changes[index] += 1
            if changes[index] <= 2:
                state = tuple(value ^ (number == index) for number, value in enumerate(state))
        if draw(st.integers(0, 2)) == 0:
            place = draw(st.sampled_from(PLACES))
        states.append(state)
        places.append(place)
    return states, places


def film_of(states: list[tuple[int, ...]], places: list[tuple[int, int]]) -> tuple[Film, float]:
    """The film, and when the press comes: after the last frame."""

    def draw(time: float) -> Picture:
        picture = blank()
        for panel, is_open in zip(PANELS, states[min(int(time * RATE + 0.01), len(states) - 1)], strict=True):
            if is_open:
                box(picture, *panel, 90)
        return picture

    film = Film(draw, length=len(states) / RATE, fps=RATE)
    film.settings = {"qp": "0", "preset": "ultrafast"}
    for number, (x, y) in enumerate(places):
        film.add("move", number / RATE - 0.001, x=float(x), y=float(y))
    return film, len(states) / RATE - 0.02


def is_on(place: tuple[int, int]) -> bool:
    return T[0] <= place[0] < T[2] and T[1] <= place[1] < T[3]


def distance(place: tuple[int, int]) -> float:
    return float(np.hypot(place[0] - TARGET[0], place[1] - TARGET[1]))


def by_the_rule(states: list[tuple[int, ...]], places: list[tuple[int, int]], act: float) -> tuple[str, set[int]]:
    """The rule of the issue: what it says, and the frames that satisfy it."""
    last = max(i for i in range(len(states)) if i / RATE <= act - KEYFRAME_MARGIN_S + 1e-9)
    away = [i for i in range(last + 1) if not is_on(places[i]) and (i == 0 or not is_on(places[i - 1]))]
    serve = [i for i in away if states[i] == states[last]]
    far = [i for i in serve if distance(places[i]) >= FAR]
    if far:
        return "latest_away", {far[-1]}
    if serve:
        most = max(distance(places[i]) for i in serve)
        return "farthest", {i for i in serve if distance(places[i]) == most}
    return ("none", {last})


# no shrinking: it films thousands of screens; the world that failed is short enough to read
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(world=worlds())
def test_the_choice_is_the_rules(world: tuple[list[tuple[int, ...]], list[tuple[int, int]]]) -> None:
    states, places = world
    film, act = film_of(states, places)
    step = film.click(act, *TARGET)
    rule, frames = by_the_rule(states, places, act)
    with tempfile.TemporaryDirectory() as folder:
        recording = film.recording(Path(folder))
        track = pointer_track(recording.events())
        reel = open_screen(recording, track)
        ((_, found),) = chosen_keyframes(recording, [step], track, reel, KeyframeOptions(pointer="none"))
    keyframe = found.picture.keyframe
    assert keyframe is not None and found.rgb is not None
    time = keyframe.time + track.first
    if rule == "none":
        assert keyframe.rule in ("inherited", "erased", "unmarked", "last_near")
        assert "pointer_inherited" in found.picture.flags or keyframe.rule != "inherited"
    else:
        assert keyframe.rule == rule, (rule, keyframe)
        if rule == "latest_away":
            assert int(time * RATE + 0.02) in frames, (sorted(frames), time)
        else:
            assert distance(tuple(map(int, film.place(time) or (0, 0)))) == distance(places[min(frames)])
    # whatever was chosen shows the panels of the last state
    last = max(i for i in range(len(states)) if i / RATE <= act - KEYFRAME_MARGIN_S + 1e-9)
    for (left, top, right, bottom), is_open in zip(PANELS, states[last], strict=True):
        level = found.rgb[top + 8 : bottom - 8, left + 8 : right - 8].mean()
        assert abs(level - (90 if is_open else 200)) < 4


@pytest.mark.parametrize("start", [None, 0.5])
def test_a_frame_that_stays_stands_for_all_its_time(tmp_path: Path, start: float | None) -> None:
    """One frame, on the screen for three seconds; the pointer passes over the target and back. The frame serves at the
    moments when it is away."""
    film = Film(lambda _: blank(), length=3.0)
    film.only_changes = True
    film.move(0.6, 1.0, (50, 50), TARGET)
    film.move(1.6, 2.0, TARGET, (600, 300))
    film.move(2.5, 2.6, (600, 300), TARGET)
    recording = film.recording(tmp_path)
    reel = open_screen(recording, pointer_track(recording.events()))
    assert reel is not None
    reel.advance(2.9)
    moments = moments_of(reel, start, 2.8, Target(*TARGET, T))
    assert len(reel.window.changes) == 1 and set(moments.positions.tolist()) == {0}
    assert moments.times[0] == (start or 0.0) and np.all(np.diff(moments.times) > 0)
    away = moments.times[moments.outside]
    assert away.max() > 2.3 and not ((away > 1.05) & (away < 1.6)).any()
    assert (moments.distance[(moments.times > 2.1) & (moments.times < 2.45)] > 250).all()
    assert HEIGHT == 360
