"""`click [12]` and its like, as WebArena's prompt and its users define them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model import actions as act
from curate.model.actions import Action
from curate.sources.actions.element_calls import Meant, read_element_call, thought_before
from curate.sources.common.reading import UnreadableError


def scrolled(way: str) -> Action:
    return act.Scroll(amount={"down": -1.0, "up": 1.0}[way], unit="page")


def meant(text: str, enter: bool = True) -> Meant:
    return read_element_call(text, scrolled=scrolled, enter=enter)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("click [12]", [act.Click(element_id="12")]),
        ("click [225] where [225] is link 'admin'", [act.Click(element_id="225")]),
        ("Click [a12]", [act.Click(element_id="a12")]),
        ("hover [3]", [act.MoveTo(element_id="3")]),
        ("select [4] [Dark blue]", [act.SelectOption(element_id="4", value="Dark blue")]),
        ("press [Ctrl+v]", [act.Hotkey(("ctrl", "v"))]),
        ("press [Enter]", [act.Press("enter")]),
        ("scroll [down]", [act.Scroll(-1.0, "page")]),
        ("scroll up", [act.Scroll(1.0, "page")]),
        ("goto [http://a.example/x?[1]]", [act.Goto("http://a.example/x?[1]")]),
        ("go_back", [act.Back()]),
        ("stop [279.49 [USD]]", [act.Answer("279.49 [USD]"), act.Terminate()]),
        ("stop [N/A]", [act.Terminate("impossible")]),
        ("stop", [act.Terminate()]),
    ],
)
def test_a_call_and_what_it_does(text: str, actions: list[Action]) -> None:
    assert meant(text).actions == actions


@pytest.mark.parametrize(
    ("text", "written", "enter"),
    [
        ("type [7] [hello] [1]", "hello", True),
        ("type [7] [hello]", "hello", True),  # the prompt: Enter is pressed unless it is set to 0
        ("type [7] [hello] [0]", "hello", False),
        ("type [7] [hello] [press_enter_after=0]", "hello", False),
        ("type [7] [a [b] c] [1]", "a [b] c", True),
        ("type [7] [1]", "1", True),
        ("type [7] [two\nlines] [0]", "two\nlines", False),
    ],
)
def test_typing_presses_enter_unless_it_says_not_to(text: str, written: str, enter: bool) -> None:
    first = [act.Click(element_id="7"), act.Write(written)]
    assert meant(text) == Meant([*first, act.Press("enter")] if enter else first, "7")


def test_a_dialect_without_enter_presses_none() -> None:
    assert meant("type [7] [hello]", enter=False).actions == [act.Click(element_id="7"), act.Write("hello")]


def test_typing_nothing_is_the_click_and_enter() -> None:
    assert meant("type [7] []").actions == [act.Click(element_id="7"), act.Press("enter")]


@pytest.mark.parametrize("text", ["new_tab", "tab_focus [2]", "close_tab", "go_forward", "google_search [seeds]"])
def test_what_has_no_action_is_named(text: str) -> None:
    assert meant(text) == Meant([], None, text)


@pytest.mark.parametrize(
    "text", ["", "I will click", "click 12", "type [7] hello", "press [a sentence of words]", "fly [3]"]
)
def test_what_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError) as error:
        meant(text)
    assert error.value.reason == "read.code"


@given(st.one_of(st.text(max_size=60), st.text(alphabet="clickto ype[]scrol01\n ", max_size=60)))
def test_any_text_is_a_call_or_refused(text: str) -> None:
    try:
        found = meant(text)
    except UnreadableError:
        return
    except KeyError:  # `scrolled` of this file knows two directions
        return
    assert found.actions or found.unsupported


@pytest.mark.parametrize("text", ["click [" + " " * 50_000, "type [1] [" + "] [" * 20_000, "]" * 50_000, "[" * 50_000])
def test_hostile_texts_are_refused_before_the_suite_gives_up(text: str) -> None:
    """A pattern that goes over such a text again and again takes minutes, and a test has five."""
    with pytest.raises(UnreadableError):
        meant(text)


@pytest.mark.parametrize(
    ("text", "thought"),
    [
        ("It is a link. In summary, the next action I will perform is ", "It is a link."),
        ("It is a link. In summary, the next action I will perform is: ", "It is a link."),
        ("In summary, it is a link.", "In summary, it is a link."),
        ("In summary, the next action I will perform is", None),
        ("  ", None),
    ],
)
def test_the_phrase_that_leads_to_a_call_is_no_thought(text: str, thought: str | None) -> None:
    assert thought_before(text) == thought
