"""Tokens: what counts as having done the same."""

from __future__ import annotations

import pytest

from curate.model.actions import (
    Action,
    Answer,
    Back,
    Clear,
    Click,
    DoubleClick,
    DragTo,
    Enter,
    Goto,
    Home,
    Hotkey,
    HScroll,
    KeyDown,
    KeyUp,
    LongPress,
    MoveTo,
    OpenApp,
    Press,
    RightClick,
    Scroll,
    SelectOption,
    Swipe,
    Terminate,
    Wait,
    Write,
)
from curate.model.trajectory import Element
from curate.stages.copies.tokens import token, tokens
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


def test_steps_that_give_no_token():
    assert tokens([step(0, Scroll(amount=1)), said(1, "scroll down")]) == []
    assert tokens([step(0, action=None)]) == []


def test_the_same_cell_of_another_app_is_another_place():
    """Where no element is known, the point says something only in its window."""
    here, there = (token(step(0, Click(x=0.5, y=0.5), app=app)) for app in ("Files", "Mail"))
    assert here != there == token(step(0, Click(x=0.51, y=0.51), app="mail", window="Inbox (3)"))
    named = [token(step(0, Click(x=0.5, y=0.5), name="Save", app=app)) for app in ("Files", "Mail")]
    assert named[0] == named[1]  # runs are compared within an app as it is


def test_names_of_any_length_and_spelling_are_told_apart():
    long = ["x" * 5000 + end for end in "ab"]
    assert token(step(0, Click(x=0.1, y=0.1), name=long[0])) != token(step(0, Click(x=0.1, y=0.1), name=long[1]))
    wide, plain = "\uff33ave", "save"  # fullwidth S
    assert token(step(0, Click(x=0.1, y=0.1), name=wide)) == token(step(0, Click(x=0.1, y=0.1), name=plain))


ACTIONS: list[Action] = [
    Click(x=0.1, y=0.2), Click(x=0.1, y=0.2, modifiers=("ctrl",)), DoubleClick(x=0.1, y=0.2), LongPress(x=0.1, y=0.2),
    RightClick(x=0.1, y=0.2), SelectOption(x=0.1, y=0.2, value="red"), SelectOption(x=0.1, y=0.2, value="blue"),
    Clear(x=0.1, y=0.2), Swipe(x=0.1, y=0.2, to_x=0.9, to_y=0.2), Swipe(x=0.1, y=0.2, to_x=0.1, to_y=0.9), Back(),
    Home(), Enter(), OpenApp(app="Mail"), OpenApp(app="Maps"), Goto(url="https://a.example"), Answer(text="42"),
    Write(text="42"), Write(text="43"), Press(key="enter"), KeyDown(key="enter"), KeyUp(key="enter"),
    Hotkey(keys=("ctrl", "c")), Terminate(),
]  # fmt: skip


def test_every_kind_of_action_has_tokens_of_its_own():
    found = [token(step(0, action)) for action in ACTIONS]
    assert None not in found and len(set(found)) == len(ACTIONS)
    named = [token(step(0, action, name="Field")) for action in ACTIONS]
    assert None not in named and len(set(named)) == len(ACTIONS)
