"""What can be performed is known before anything is done."""

from __future__ import annotations

import pytest

from curate.model import actions as act
from curate.model.actions import Action
from recorders.replay.plan import pastes, plan
from tests.replay.machine import machine, record


def test_fractions_mean_the_same_place_on_another_screen_and_that_is_said() -> None:
    made = plan(
        record([act.Click(0.5, 0.25)], [act.Click(1.0, 1.0)], size=(1920, 1080)), machine(width=1280, height=720)
    )
    assert [(step.actions[0].x, step.actions[0].y) for step in made.steps] == [(640, 180), (1279, 719)]  # type: ignore[union-attr]
    assert any("1920 x 1080" in note and "1280 x 720" in note for note in made.notes)
    assert not plan(record([act.Click(0.5, 0.5)]), machine()).notes


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (act.Swipe(0.1, 0.1, 0.2, 0.2), "swipe"),
        (act.Goto("http://x.example"), "goto"),
        (act.Back(), "back"),
        (act.Answer("yes"), "answer"),
        (act.Click(element_id="12"), "element"),
        (act.Click(raw_point=(-50.0, 3.0)), "off the recorded screen"),
        (act.Scroll(0.5, unit="page"), "page"),
        (act.Press("kana"), "'kana'"),
        (act.Write("a\x1b]0;title\x07"), "U+001B"),
    ],
)
def test_what_mouse_and_keyboard_cannot_do_is_named(action: Action, why: str) -> None:
    made = plan(record([act.Click(0.1, 0.1)], [action], [act.Press("enter")]), machine())
    assert [cannot.step for cannot in made.cannot] == [1]
    assert why in made.cannot[0].why
    assert made.cannot[0].why.startswith("Step 1: ")
    assert "\x1b" not in made.cannot[0].why
    assert [step.index for step in made.steps] == [0, 2], "the others are there for --skip"


def test_a_step_that_does_not_say_what_was_done() -> None:
    made = plan(record([], flags=["unsupported_button"]), machine())
    assert "unsupported_button" in made.cannot[0].why


def test_the_run_ends_where_it_says() -> None:
    made = plan(record([act.Press("enter")], [act.Terminate("success")], [act.Press("f5")]), machine())
    assert [step.index for step in made.steps] == [0, 1]


def test_characters_that_the_layout_lacks() -> None:
    made = plan(record([act.Write("né日né")], [act.Write("plain <text>\n")]), machine())
    assert made.lend == ["é", "日"]
    assert [pastes(step, machine()) for step in made.steps] == [True, False]


def test_modifiers_around_actions_are_part_of_them() -> None:
    steps = record([act.KeyDown("ctrl"), act.Click(0.1, 0.2), act.Click(0.3, 0.2), act.KeyUp("ctrl")])
    (step,) = plan(steps, machine()).steps
    assert [getattr(action, "modifiers", None) for action in step.actions] == [("ctrl",), ("ctrl",)]
