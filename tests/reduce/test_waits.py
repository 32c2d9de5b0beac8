"""Waits: more than six seconds without any input, and the screen changed meanwhile."""

from __future__ import annotations

from curate.model.actions import Wait
from curate.reduce.events.reducer import reduce_events
from curate.reduce.types import ReducedStep, ReduceOptions
from curate.reduce.waits import idle_spans, insert_waits
from tests.reduce.person import script


def waited(text: str, changed: bool = True) -> list[str]:
    events = script(text)
    steps = [item for item in reduce_events(events, ReduceOptions()) if isinstance(item, ReducedStep)]
    return [step.rule for step in insert_waits(steps, idle_spans(events), lambda start, end: changed)]


def test_a_wait_between_two_clicks() -> None:
    assert waited("1,1 L ~20 9,9 L") == ["click", "wait", "click", "terminate"]


def test_no_wait_if_nothing_changed() -> None:
    assert waited("1,1 L ~20 9,9 L", changed=False) == ["click", "click", "terminate"]


def test_moving_about_is_not_idle() -> None:
    assert waited("1,1 L ~5 2,2 ~5 3,3 ~5 9,9 L") == ["click", "click", "terminate"]


def test_six_seconds_are_not_more_than_six() -> None:
    assert waited("1,1 L ~5.98 9,9 L") == ["click", "click", "terminate"]


def test_a_pause_is_no_idle_time() -> None:
    assert waited("1,1 L pause ~60 resume 9,9 L") == ["click", "click", "terminate"]
    assert waited("1,1 L ~7 pause ~60 resume ~7 9,9 L") == ["click", "wait", "wait", "click", "terminate"]


def test_window_changes_are_nothing_the_person_did() -> None:
    assert waited("1,1 L ~4 window ~4 9,9 L") == ["click", "wait", "click", "terminate"]


def test_a_button_held_still_is_no_wait() -> None:
    assert waited("1,1 L+ ~10 90,90 L-") == ["drag", "terminate"]


def test_waiting_for_the_result_at_the_end() -> None:
    assert waited("1,1 L ~10 5,5") == ["click", "wait", "terminate"]


def test_the_question_and_the_wait_span_the_idle_time() -> None:
    events = script("1,1 L ~20 9,9 L")
    asked: list[tuple[float, float]] = []

    def changed(start: float, end: float) -> bool:
        asked.append((start, end))
        return True

    steps = [item for item in reduce_events(events, ReduceOptions()) if isinstance(item, ReducedStep)]
    wait = list(insert_waits(steps, idle_spans(events), changed))[1]
    assert asked == [(events[2].time, events[3].time)]
    assert (wait.start, wait.end) == asked[0]
    assert wait.actions == [Wait(seconds=20.0)]
    assert wait.events == []
