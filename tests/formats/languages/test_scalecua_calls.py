"""ScaleCUA's calls, read back by `model.parse`, which reads its published data."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.formats.languages.scalecua_calls import calls, same
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.parse import parse
from curate.model.render import canonical, code_of
from tests.model import strategies

AT = (0.5276, 0.2694)


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([act.Click(*AT)], "click(x=0.5276, y=0.2694)"),
        ([act.TripleClick(*AT)], "click(x=0.5276, y=0.2694, clicks=3)"),
        ([act.MiddleClick(*AT)], "click(x=0.5276, y=0.2694, button='middle')"),
        ([act.Click(*AT, modifiers=("ctrl",))], "keyDown(key='ctrl')\nclick(x=0.5276, y=0.2694)\nkeyUp(key='ctrl')"),
        (
            [act.MoveTo(0.5, 0.5), act.DragTo(*AT)],
            "moveTo(x=0.5, y=0.5)\ndragTo(x=0.5276, y=0.2694, button='left')",
        ),
        ([act.MoveTo(0.5, 0.5), act.Scroll(-3.0)], "scroll(clicks=-3, x=0.5, y=0.5)"),
        ([act.Scroll(5.0)], "scroll(clicks=5)"),
        ([act.Press("down", 3)], "press(keys='down', presses=3)"),
        ([act.Hotkey(("ctrl", "s"))], "hotkey('ctrl', 's')"),
        ([act.Write("it's <image>\n")], "write(message='it\\'s \\x3cimage>\\n')"),
        ([act.Wait(3.0)], "wait(seconds=3)"),
        ([act.Wait()], "wait()"),
        ([act.Answer("42")], "response(answer='42')"),
        ([act.Terminate("impossible")], "terminate(status='failure')"),
        ([act.HScroll(2.0)], None),
        ([act.Scroll(-100.0, "pixel")], None),
        ([act.SelectOption(*AT, value="Blue")], None),
        ([act.Back()], None),
        ([act.Click(element_id="4")], None),
        ([act.Click(None, None, raw_point=(9000.0, 1.0))], None),
        ([act.Terminate(None)], None),
        ([], None),
    ],
)
def test_a_computer(actions: list[Action], said: str | None) -> None:
    assert calls(actions, phone=False) == said


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([act.LongPress(*AT)], "long_press(x=0.5276, y=0.2694)"),
        ([act.Swipe(0.5, 0.8, 0.5, 0.2)], "swipe(from_coord=[0.5, 0.8], to_coord=[0.5, 0.2])"),
        ([act.Scroll(-1.0, "page")], "swipe(from_coord=[0.5, 0.5], to_coord=[0.5, 0])"),
        ([act.OpenApp("Maps")], "open_app(app_name='Maps')"),
        ([act.Home()], "navigate_home()"),
        ([act.Back()], "navigate_back()"),
        ([act.Enter()], "press(keys='enter')"),
        ([act.Scroll(-3.0)], None),
        ([act.RightClick(*AT)], None),
    ],
)
def test_a_phone(actions: list[Action], said: str | None) -> None:
    assert calls(actions, phone=True) == said


sane = strategies.some_actions.filter(lambda actions: not re.search(r"\\ud[89a-f]", ascii(actions)))


def meant(actions: list[Action]) -> list[Action]:
    """Actions as far as the calls can say them: numbers of four decimals, ends that are success or failure."""
    found: list[Action] = []
    for action in canonical(actions):
        match action:
            case act.Wait(float(seconds)):
                action = act.Wait(round(seconds, 4))
            case act.Scroll(amount, unit, modifiers):
                action = act.Scroll(round(amount, 4), unit, modifiers)
            case act.Terminate(status):
                action = act.Terminate("success" if status == "success" else "failure")
            case act.Enter():
                action = act.Press("enter")
        found.append(action)
    return canonical(found)


@given(sane, st.booleans())
def test_what_is_said_reads_back(actions: list[Action], phone: bool) -> None:
    said = calls(actions, phone)
    if said is None or (phone and any(isinstance(action, act.Scroll | act.HScroll) for action in actions)):
        return
    assert parse(said) == meant(actions), said


@given(sane, st.booleans())
def test_what_our_own_code_says_already_means_the_same(actions: list[Action], phone: bool) -> None:
    code = code_of(actions)
    if code is not None and (short := same(code, phone)) is not None:
        assert parse(short) == canonical(actions) and calls(actions, phone) is not None
