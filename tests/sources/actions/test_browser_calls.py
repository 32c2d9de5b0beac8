"""BrowserGym's calls, as its action set documents them."""

from __future__ import annotations

import pytest

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.calls import CodeError
from curate.sources.actions.browser_calls import read_browser_calls
from curate.sources.actions.element_calls import Meant


def scrolled(pixels: float, axis: str) -> Action:
    return act.Scroll(-pixels, "pixel") if axis == "y" else act.HScroll(pixels, "pixel")


def meant(code: str) -> Meant:
    return read_browser_calls(code, scrolled)


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("click('a51')", [act.Click(element_id="a51")]),
        ("click(51)", [act.Click(element_id="51")]),
        ("click('5', 'right', ['Control', 'Shift'])", [act.RightClick(element_id="5", modifiers=("ctrl", "shift"))]),
        ("click('5', button='middle')", [act.MiddleClick(element_id="5")]),
        ("dblclick('5')", [act.DoubleClick(element_id="5")]),
        ("hover('5')", [act.MoveTo(element_id="5")]),
        ("fill('5', 'it\\'s \\n two')", [act.Clear(element_id="5"), act.Write("it's \n two")]),
        ("fill('5', '')", [act.Clear(element_id="5")]),
        ("clear('5')", [act.Clear(element_id="5")]),
        ("select_option('5', 'blue')", [act.SelectOption(element_id="5", value="blue")]),
        ("press('5', 'Control+a')", [act.Hotkey(("ctrl", "a"))]),
        ("press('5', 'Enter')", [act.Press("enter")]),
        ("keyboard_type('x')", [act.Write("x")]),
        ("scroll(0, 200)", [act.Scroll(-200.0, "pixel")]),
        ("scroll(-50, 100)", [act.Scroll(-100.0, "pixel"), act.HScroll(-50.0, "pixel")]),
        ("drag_and_drop('1', '2')", [act.MoveTo(element_id="1"), act.DragTo(element_id="2")]),
        ("goto('http://a.example')", [act.Goto("http://a.example")]),
        ("go_back()", [act.Back()]),
        ("noop()", [act.Wait(None)]),
        ("noop(500)", [act.Wait(0.5)]),
        ("send_msg_to_user('It costs 3.')", [act.Answer("It costs 3.")]),
        ("report_infeasible('No such page.')", [act.Answer("No such page."), act.Terminate("impossible")]),
    ],
)
def test_a_call_and_what_it_does(code: str, actions: list[Action]) -> None:
    assert meant(code).actions == actions


def test_the_element_of_a_step_is_its_first_calls() -> None:
    assert meant("fill('5', 'x')\npress('6', 'Enter')").element_id == "5"


@pytest.mark.parametrize("code", ["tab_focus(1)", "go_forward()", "check('5')", "mouse_click(10, 20)"])
def test_what_has_no_action_is_named_and_nothing_of_the_step_is_done(code: str) -> None:
    found = meant(f"click('4')\n{code}")
    assert found.actions == [] and found.unsupported == code.split("(")[0]


@pytest.mark.parametrize(
    "code",
    ["Click the button", "click()", "click('5', modifiers=['Banana'])", "press('5', 'no key')", "fly()", "scroll(5)",
     "noop(-1)", "click(open('x'))"],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(code: str) -> None:
    with pytest.raises(CodeError):
        meant(code)
