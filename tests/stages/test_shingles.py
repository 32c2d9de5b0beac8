"""Tokens and shingles: what counts as having done the same."""

from __future__ import annotations

import pytest

from curate.model.actions import (
    Click,
    DragTo,
    Hotkey,
    HScroll,
    KeyDown,
    KeyUp,
    MoveTo,
    Press,
    Scroll,
    Terminate,
    Wait,
    Write,
)
from curate.model.trajectory import Element
from curate.stages.measures.shingles import shingles, token, tokens
from tests.stages.factories import press_button, said, step


def test_scrolls_waits_and_bare_moves_are_ignored_by_type():
    moves = [Scroll(amount=-3), HScroll(amount=2), Wait(seconds=1.0), MoveTo(x=0.1, y=0.1)]
    assert [token(step(0, move, name="Story", action="a word")) for move in moves] == [None] * 4
    assert token(step(0, MoveTo(x=0.1, y=0.1), Scroll(amount=1))) is None


@pytest.mark.parametrize(
    "words",
    [
        "pyautogui.scroll(-3)",
        "scroll:down",
        "scroll down",
        "Scroll up",
        "wait",
        "wait 5 seconds",
        "hscroll(2)",
        "scroll down by 3 notches",
    ],
)
def test_words_that_only_scroll_or_wait_are_ignored(words):
    assert token(said(0, words)) is None


@pytest.mark.parametrize("words", ["Scroll story", "wait for the page to load", "tap Waiting room", "scrolling list"])
def test_words_that_do_something_are_not(words):
    assert token(said(0, words)) is not None


def test_words_beside_a_typed_action_are_no_label():
    click = Click(x=0.31, y=0.72)
    assert token(step(0, click, action="Click the search box")) == token(
        step(0, click, action="Tap on the field to search")
    )
    assert token(press_button(0, "Search", action="a")) == token(press_button(0, "Search", action="b", thought="c"))


def test_an_element_is_the_same_wherever_it_is():
    here, there = Click(x=0.1, y=0.1), Click(x=0.9, y=0.9)
    assert token(step(0, here, name="Save  As")) == token(step(0, there, name="save as"))
    assert token(step(0, here, name="Save")) != token(step(0, here, name="Open"))


def test_without_an_element_points_are_compared_coarsely():
    assert token(step(0, Click(x=0.501, y=0.501))) == token(step(0, Click(x=0.52, y=0.54)))
    assert token(step(0, Click(x=0.501, y=0.501))) != token(step(0, Click(x=0.61, y=0.5)))
    assert token(step(0, Click(x=1.0, y=1.0))) == token(step(0, Click(x=0.99, y=0.99)))
    nameless = step(0, Click(x=0.1, y=0.1))
    nameless.element = Element(role="edit")
    assert token(nameless) != token(step(0, Click(x=0.1, y=0.1)))


def test_points_off_the_picture_are_told_apart_by_their_pixels():
    one, near, far = (token(step(0, Click(raw_point=p))) for p in ((827.0, 843.0), (830.0, 850.0), (435.0, 790.0)))
    assert one == near != far


def test_text_keys_and_main_actions():
    assert token(step(0, Write(text="shoes"))) != token(step(0, Write(text="boots")))
    assert token(step(0, Hotkey(keys=("ctrl", "c")))) != token(step(0, Hotkey(keys=("ctrl", "v"))))
    assert token(step(0, Press(key="down", presses=2))) == token(step(0, Press(key="down", presses=3)))
    drag = token(step(0, MoveTo(x=0.1, y=0.1), DragTo(x=0.9, y=0.9)))
    assert drag is not None and drag.startswith("dragTo")
    assert drag != token(step(0, MoveTo(x=0.5, y=0.1), DragTo(x=0.9, y=0.9)))
    held = step(0, KeyDown(key="ctrl"), Click(x=0.1, y=0.1), KeyUp(key="ctrl"))
    assert token(held) == token(step(0, Click(x=0.1, y=0.1)))
    assert token(step(0, Terminate(status="success"))) == token(step(0, Terminate()))


def test_short_runs():
    assert shingles([]) == frozenset()
    assert shingles(["tap"]) == frozenset({("tap",)})
    assert shingles(["a", "b"], 3) == frozenset({("a", "b")})
    assert shingles(["a", "b", "a", "b"]) == frozenset({("a", "b"), ("b", "a")})
    assert tokens([step(0), said(1, "scroll down")]) == []
