"""Reduced steps in pixels become steps of the record."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from curate.model.actions import Click, DragTo, MoveTo, Press, Scroll, Terminate
from curate.model.events import ElementAt, RawEvent, RawRecording, ScreenAt, WindowAt
from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.model.trajectory import Screen, Step, decode, encode
from curate.reduce.assemble import Surroundings, assemble_step
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, Picture, ReducedStep, ReduceOptions
from curate.store.media import MediaStore

SCREEN = Screen(width=1000, height=500)


def recording(**fields: object) -> RawRecording:
    known = {"folder": Path(), "source": "recording", "id": "r", "events": lambda: iter(()), "instruction": "Do it"}
    return RawRecording(**{**known, "screen": SCREEN, **fields})  # type: ignore[arg-type]


def step(*actions: object, at: float = 10.0, **fields: object) -> ReducedStep:
    known = {"actions": list(actions), "events": [4, 5], "start": at, "end": at + 0.1, "rule": "click"}
    return ReducedStep(**{**known, **fields})  # type: ignore[arg-type]


def assemble(reduced: ReducedStep, previous: ReducedStep | None = None, zero: float = 8.0, **fields: object) -> Step:
    return assemble_step(reduced, 3, Picture(), Surroundings(recording(**fields), zero), previous)


def seen(at: float, box: tuple[float, float, float, float] | None, name: str = "Save") -> ElementAt:
    return ElementAt(time=at, role="button", name=name, box=box)


def test_pixels_become_fractions_of_the_screen() -> None:
    made = assemble(step(MoveTo(157, 61), DragTo(1000, 500, button="right")))
    assert made.code == "pyautogui.moveTo(x=0.157, y=0.122)\npyautogui.dragTo(x=1.0, y=1.0, button='right')"
    assert made.time is not None and (made.time.start, made.time.end) == (2.0, 2.1)
    assert (made.index, made.events, made.screen) == (3, [4, 5], SCREEN)
    assert made.flags == ["words_generated"] and made.action


@given(st.floats(-50, 1050), st.floats(-50, 550))
def test_a_point_is_its_fraction_or_none_and_never_moved_by_more_than_two_pixels(x: float, y: float) -> None:
    made = assemble(step(Click(x, y)))
    action = made.actions[0]
    assert isinstance(action, Click)
    if action.x is None or action.y is None:
        assert action.raw_point == (x, y) and made.code is None and "off_screen" in made.flags
        assert x < -2 or x > 1002 or y < -2 or y > 502
    else:
        assert action.raw_point is UNSET and 0 <= action.x <= 1 and 0 <= action.y <= 1
        moved = max(abs(action.x * 1000 - x), abs(action.y * 500 - y))
        assert moved <= (2.1 if "edge" in made.flags else 0.051)


def test_one_point_off_the_picture_takes_the_whole_code() -> None:
    made = assemble(step(MoveTo(100, 600), Scroll(-3)))
    assert made.code is None and made.actions[1] == Scroll(-3) and made.actions[0].raw_point == (100, 600)  # type: ignore[union-attr]


def test_without_a_screen_points_stay_pixels() -> None:
    made = assemble(step(Click(10, 10)), screen=None)
    assert made.actions[0] == Click(None, None, raw_point=(10.0, 10.0))
    assert made.code is None and made.screen is None and "screen_unknown" in made.flags
    assert assemble(step(Press("enter")), screen=None).code == "pyautogui.press('enter')"


@pytest.mark.parametrize(
    ("at", "box", "believed"),
    [
        (9.99, (0, 0, 200, 100), True),  # seen just before the press
        (10.03, (0, 0, 200, 100), True),  # the other thread was quicker
        (10.5, (0, 0, 200, 100), None),  # after it: of what came next
        (8.5, (0, 0, 200, 100), None),  # long before
        (9.99, (150, 0, 200, 100), False),  # beside the point
        (9.99, (-8, -8, 200, 100), False),  # leaves the picture
        (9.99, (0, 0, 1000, 501), False),
        (9.99, None, False),
    ],
)
def test_which_element_is_believed(at: float, box: tuple[float, float, float, float] | None, believed: bool) -> None:
    made = assemble(step(Click(100, 50)), elements=[seen(at, box)])
    assert (made.element is not None) == bool(believed)
    assert made.raw_box == (None if believed in (True, None) else box)
    if made.element is not None:
        assert made.element.box == (0.0, 0.0, 0.2, 0.2) and made.action == 'Click the button "Save"'


def test_an_element_belongs_to_one_press_only() -> None:
    first, second = step(Click(100, 50)), step(Click(100, 50), at=10.6)
    made = assemble(second, previous=first, elements=[seen(9.99, (0, 0, 200, 100))])
    assert made.element is None and made.raw_box is None


@pytest.mark.parametrize(("at", "found"), [(11.2, True), (9.99, True), (8.0, False), (12.5, False)])
def test_a_click_with_a_modifier_has_the_element_of_its_press(at: float, found: bool) -> None:
    """Ctrl went down at 10, the button at 11.2."""
    held = step(Click(100, 50, modifiers=("ctrl",)), end=12.0)
    made = assemble(held, elements=[seen(at, (0, 0, 200, 100))])
    assert (made.element is not None) == found


def test_elements_older_than_a_change_of_the_screen_are_not_believed() -> None:
    other = Screen(width=800, height=400)
    changes = [ScreenAt(time=9.995, screen=other)]
    box = (0.0, 0.0, 200.0, 100.0)
    old = assemble(step(Click(100, 50)), elements=[seen(9.99, box)], screens=changes)
    assert old.element is None and old.raw_box == box and old.screen == other and "screen_changed" in old.flags
    fresh = assemble(step(Click(100, 50)), elements=[seen(9.999, box)], screens=changes)
    assert fresh.element is not None
    logical = [ScreenAt(time=5.0, screen=SCREEN, boxes=False)]
    assert assemble(step(Click(100, 50)), elements=[seen(9.99, box)], screens=logical).element is None


def test_the_window_in_front_at_the_press_without_names_of_people() -> None:
    windows = [
        WindowAt(time=1.0, app="xterm", title="eve@laptop: /Users/eve/notes"),
        WindowAt(time=10.05, app="firefox", title="Inbox"),
    ]
    made = assemble(step(Click(1, 1)), windows=windows)
    assert made.app == "xterm" and made.window == "[account]: /Users/[user]/notes"
    assert assemble(step(Click(1, 1), at=0.5), windows=windows).app is None


def test_what_the_picture_says_comes_along() -> None:
    picture = Picture(image="media/aa/x.png", size=(640, 320), flags=["late_change"])
    made = assemble_step(step(Click(1, 1)), 0, picture, Surroundings(recording(), 0.0), None)
    assert (made.image, made.image_size) == ("media/aa/x.png", (640, 320)) and "late_change" in made.flags


# --- a whole recording --------------------------------------------------------------------------------------------


def moves_and_clicks(rows: list[tuple[float, str, float, float]]) -> list[RawEvent]:
    events = []
    for index, (time, kind, x, y) in enumerate(rows):
        pressed = {"down": True, "up": False}.get(kind)
        button = None if pressed is None else "left"
        what = "move" if pressed is None else "button"
        events.append(RawEvent(index=index, time=time, kind=what, x=x, y=y, button=button, pressed=pressed))  # type: ignore[arg-type]
    return events


@given(
    st.lists(
        st.tuples(st.floats(0, 60), st.sampled_from(["move", "down", "up"]), st.floats(-10, 1010), st.floats(-10, 510)),
        max_size=25,
    )
)
def test_every_event_of_any_recording_is_in_a_step_or_a_reason(rows: list[tuple[float, str, float, float]]) -> None:
    events = moves_and_clicks(sorted(rows, key=lambda row: row[0]))
    record, stretches = reduce_recording(
        recording(events=lambda: iter(events)), MediaStore(Path()), ReduceOptions(), KeyframeOptions()
    )
    covered = sorted(index for s in stretches for index in range(s.first, s.last + 1))
    assert covered == list(range(len(events)))
    for stretch in stretches:
        if stretch.step is None:
            assert stretch.reason in REASONS
        else:
            assert set(range(stretch.first, stretch.last + 1)) <= set(record.steps[stretch.step].events or ())
    assert [s.index for s in record.steps] == list(range(len(record.steps)))
    assert all(flag in FLAGS for made in record.steps for flag in made.flags)
    assert decode(encode(record)) == record


def test_the_recordings_outcome_ends_it() -> None:
    events = moves_and_clicks([(1.0, "move", 10, 10), (2.0, "down", 10, 10), (2.1, "up", 10, 10)])
    fields = {"events": lambda: iter(events), "completed": False, "status": "failure", "outcome_reason": "no network"}
    record, _ = reduce_recording(recording(**fields), MediaStore(Path()), ReduceOptions(), KeyframeOptions())
    assert record.steps[-1].actions == [Terminate(status="failure")]
    assert (record.outcome.completed, record.outcome.by, record.outcome.reason) == (False, "human", "no network")


def test_a_change_that_the_recorder_tells() -> None:
    before, after = Screen(width=1000, height=500), Screen(width=800, height=400)
    events = moves_and_clicks([(1.0, "down", 10, 10), (1.1, "up", 10, 10), (3.0, "down", 20, 20), (3.1, "up", 20, 20)])
    events = [
        RawEvent(index=0, time=0.5, kind="screen", screen=before),
        *[RawEvent(index=e.index + 1, time=e.time, kind="button", x=e.x, y=e.y, button="left", pressed=e.pressed)
          for e in events[:2]],
        RawEvent(index=3, time=2.0, kind="screen", screen=after),
        *[RawEvent(index=e.index + 2, time=e.time, kind="button", x=e.x, y=e.y, button="left", pressed=e.pressed)
          for e in events[2:]],
    ]  # fmt: skip
    record, _ = reduce_recording(
        recording(events=lambda: iter(events)), MediaStore(Path()), ReduceOptions(), KeyframeOptions()
    )
    first, second, _ = record.steps
    assert (first.screen, second.screen) == (before, after)
    assert "screen_changed" not in first.flags and "screen_changed" in second.flags
    assert second.actions[0] == Click(0.02, 0.04)  # of what the video goes on showing
