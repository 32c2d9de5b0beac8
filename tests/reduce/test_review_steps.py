"""An annotator's review over reduced steps. Rows are AgentNetTool's: one for neighbouring keys, one for neighbouring
scrolls (its reducer appends to the previous row whatever the pause), and `event_start_idx` is the row's first event."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curate.reduce.events.reducer import reduce_events
from curate.reduce.review import apply_review
from curate.reduce.types import ReducedStep, ReduceOptions, Stretch
from tests.reduce.person import accounted, lines, script


def reviewed(text: str, kept: set[int] | None) -> tuple[list[ReducedStep], list[Stretch]]:
    items = list(apply_review(reduce_events(script(text), ReduceOptions()), kept))
    steps = [item for item in items if isinstance(item, ReducedStep)]
    assert steps.pop().rule == "terminate"
    return steps, [item for item in items if isinstance(item, Stretch)]


def test_without_a_review_everything_stays() -> None:
    assert len(reviewed("1,1 L 9,9 L", None)[0]) == 2


def test_an_empty_review_keeps_only_the_end() -> None:
    steps, stretches = reviewed('1,1 L 9,9 L "ab"', set())
    assert steps == []
    assert accounted(steps, stretches) == list(range(10))


def test_dropped_action_becomes_a_stretch() -> None:
    steps, stretches = reviewed("1,1 L 9,9 L", {4})
    assert lines(steps) == ["click(x=9, y=9)"]
    assert Stretch(first=1, last=2, reason="reduce.removed_by_annotator") in stretches


def test_a_start_anywhere_in_the_range_keeps() -> None:
    """A shortcut's row starts with its modifier."""
    assert lines(reviewed("1,1 L +ctrl_l *c -ctrl_l", {3})[0]) == ["hotkey('ctrl', 'c')"]


def test_text_and_enter_are_one_row() -> None:
    steps, _ = reviewed('1,1 L "ls" *enter ~3 "pwd" *enter 9,9 L', {3})
    assert lines(steps) == ["write(message='ls')", "press('enter')", "write(message='pwd')", "press('enter')"]


def test_text_on_both_sides_of_a_click_is_two_rows() -> None:
    steps, _ = reviewed('"ab" 9,9 L "cd"', {0})
    assert lines(steps) == ["write(message='ab')"]


def test_scrolls_there_and_back_are_one_row() -> None:
    assert len(reviewed("1,1 w0,-1 w0,1 9,9 L", {1})[0]) == 2
    assert len(reviewed("1,1 w0,-1 w0,1 9,9 L", {4})[0]) == 1


def test_clicks_under_one_held_ctrl_are_one_row() -> None:
    """Its row begins with the press of ctrl, however long before the first click that was."""
    steps, _ = reviewed("5,5 L +ctrl_l ~3 10,10 L 20,20 L -ctrl_l 30,30 L", {3})
    assert [step.events[0] for step in steps] == [3, 8]
    assert steps[0].start > 102  # the picture is of the moment before the click, not before ctrl
    assert len(reviewed("5,5 L +ctrl_l 10,10 L -ctrl_l +ctrl_l 20,20 L -ctrl_l", {3})[0]) == 1


@given(st.sets(st.integers(0, 30)))
def test_every_event_stays_accounted_for(kept: set[int]) -> None:
    text = '1,1 L 2,2 L+ 90,90 L- "abc" *enter w0,-1 w0,1 +ctrl_l *c *v -ctrl_l'
    steps, stretches = reviewed(text, kept)
    assert accounted(steps, stretches) == list(range(len(script(text))))
