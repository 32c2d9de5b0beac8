"""OpenCUA's and Aguvis' code, read back by `model.parse`."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.formats.languages.pyautogui_code import aguvis, in_pixels, opencua
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.parse import parse
from curate.model.render import canonical, code_of
from tests.model import strategies

sane = strategies.some_actions.filter(lambda actions: not re.search(r"\\ud[89a-f]", ascii(actions)))
ENDS = {"impossible": "failure"}


def meant(actions: list[Action]) -> list[Action]:
    """Ends are success or failure."""
    return [act.Terminate("failure") if one == act.Terminate("impossible") else one for one in canonical(actions)]


@given(sane)
def test_opencua_reads_back(actions: list[Action]) -> None:
    code = opencua(code_of(actions) or "")
    if code:
        assert parse(code) == meant(actions)
        calls = set(re.findall(r"^(\w+)\.", code, re.M))
        assert calls <= {"pyautogui", "computer", "browser"} and "element_id=" not in re.sub(r"'.*'|\".*\"", "", code)


@given(sane, st.booleans())
def test_aguvis_reads_back(actions: list[Action], phone: bool) -> None:
    code = aguvis(code_of(actions) or "", phone)
    if code and not any(isinstance(one, act.Enter | act.Wait) for one in actions):
        assert parse(code) == meant(actions)


@pytest.mark.parametrize(
    ("actions", "phone", "said"),
    [
        ([act.Click(0.5276, 0.2694)], False, "pyautogui.click(x=0.5276, y=0.2694)"),
        ([act.Swipe(0.5, 0.8, 0.5, 0.2)], True, "mobile.swipe(from_coord=[0.5, 0.8], to_coord=[0.5, 0.2])"),
        ([act.Swipe(0.5, 0.8, 0.5, 0.2)], False, None),
        ([act.Scroll(-0.1, "page")], True, "pyautogui.scroll(page=-0.1)"),
        ([act.Scroll(-120.0, "pixel")], False, None),
        ([act.Wait()], True, "mobile.wait(seconds=2)"),
        ([act.Wait(3.0)], True, "mobile.wait(seconds=3.0)"),
        ([act.Wait(3.0)], False, "computer.wait(seconds=3.0)"),
        ([act.Terminate("success")], True, "mobile.terminate(status='success')"),
        ([act.Terminate("impossible")], False, "computer.terminate(status='failure')"),
        ([act.Answer("it's 42")], False, 'answer("it\'s 42")'),
        ([act.SelectOption(0.5, 0.5, value="Blue")], False, "browser.select_option(x=0.5, y=0.5, value='Blue')"),
        ([act.Click(element_id="4")], False, None),
        ([act.Goto("https://a.example")], False, None),
        ([act.Enter()], True, "pyautogui.press('enter')"),
    ],
)
def test_aguvis(actions: list[Action], phone: bool, said: str | None) -> None:
    assert aguvis(code_of(actions) or "", phone) == said


@given(sane, st.integers(28, 4000), st.integers(28, 4000))
def test_only_points_become_pixels(actions: list[Action], width: int, height: int) -> None:
    code = code_of(actions)
    if code is None or any(isinstance(action, act.Swipe) for action in actions):
        return
    made = parse(in_pixels(code, width, height), pixels=True)
    for one, other in zip(made, canonical(actions), strict=True):
        if isinstance(other, act.Pointed) and other.x is not None and other.y is not None:
            assert isinstance(one, act.Pointed)
            assert (one.x, one.y) == (round(other.x * width), round(other.y * height))
        else:
            assert one == other
