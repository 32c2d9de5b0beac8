"""Code says exactly what the actions say, for every action and text."""

from __future__ import annotations

import ast
import re
from typing import get_args

import pytest
from hypothesis import given, settings

from curate.model import actions as act
from curate.model.parse import parse
from curate.model.render import NoCodeError, canonical, code_of, render
from tests.model import strategies


@settings(max_examples=600)
@given(strategies.some_actions)
def test_reading_code_back_gives_the_canonical_actions(actions: list[act.Action]) -> None:
    assert parse(render(actions)) == canonical(actions)


@given(strategies.some_actions)
def test_canonical_form_is_stable_and_says_the_same_code(actions: list[act.Action]) -> None:
    once = canonical(actions)
    assert canonical(once) == once
    assert render(once) == render(actions)


@given(strategies.some_actions)
def test_code_is_one_python_call_a_line_without_exponents_in_points(actions: list[act.Action]) -> None:
    code = render(actions)
    lines = code.split("\n") if code else []
    for line in lines:
        (statement,) = ast.parse(line).body
        assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        if re.match(r"[a-z]+\.\w+\(x=", line):
            for number in re.findall(r"\b[xy]=([^,)]*)", line.split("'")[0].split('"')[0]):
                assert re.fullmatch(r"[01]\.\d{1,4}", number), line


@given(strategies.some_actions)
def test_replaying_leaves_no_key_down_that_the_actions_do_not_hold(actions: list[act.Action]) -> None:
    def still_down(of: list[act.Action]) -> set[str]:
        down: set[str] = set()
        for action in of:
            if isinstance(action, act.KeyDown):
                down.add(action.key)
            elif isinstance(action, act.KeyUp):
                down.discard(action.key)
        return down

    flat = [
        act.KeyDown(re.findall(r"keyDown\((.*)\)", line)[0]) if ".keyDown(" in line
        else act.KeyUp(re.findall(r"keyUp\((.*)\)", line)[0])
        for line in render(actions).split("\n")
        if re.match(r"pyautogui\.key(Down|Up)\(", line)
    ]  # fmt: skip
    assert {ast.literal_eval(key) for key in still_down(flat)} == still_down(canonical(actions))


def test_every_kind_of_action_has_code() -> None:
    fields = {"text": "a", "key": "a", "keys": ("ctrl", "c"), "amount": 1.0, "app": "a", "url": "a", "x": 0.5, "y": 0.5}
    fields |= {"to_x": 0.5, "to_y": 0.5}
    for kind in get_args(act.Action):
        required = {name: value for name, value in fields.items() if name in kind.__struct_fields__}
        assert code_of([kind(**required)]), kind


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        ([act.Click(0.157, 0.1229)], "pyautogui.click(x=0.157, y=0.1229)"),
        ([act.Click(0.00001, 1.0)], "pyautogui.click(x=0.0, y=1.0)"),
        ([act.Hotkey(("c", "ctrl"))], "pyautogui.hotkey('ctrl', 'c')"),
        ([act.Hotkey(("shift", "ctrl", "'"))], "pyautogui.hotkey('ctrl', 'shift', \"'\")"),
        ([act.Press("down", 4)], "pyautogui.press('down', presses=4)"),
        ([act.MoveTo(0.1, 0.2), act.Scroll(-3.0)], "pyautogui.moveTo(x=0.1, y=0.2)\npyautogui.scroll(-3)"),
        ([act.Scroll(-0.5, "page")], "computer.scroll(amount=-0.5, unit='page')"),
        ([act.Scroll(0.25)], "computer.scroll(amount=0.25, unit='notch')"),
        ([act.Wait(1.0)], "computer.wait(seconds=1.0)"),
        ([act.Terminate("success")], "computer.terminate(status='success')"),
        ([act.Back()], "mobile.back()"),
        ([act.Goto("https://a.b/?q='x'")], "browser.goto(url=\"https://a.b/?q='x'\")"),
        ([act.Write("\ud800\n'\"\\👍")], "pyautogui.write(message='\\ud800\\n\\'\"\\\\👍')"),
        (
            [act.Click(0.1, 0.1, ("ctrl",)), act.Click(0.2, 0.2, ("ctrl",)), act.Click(0.3, 0.3)],
            "pyautogui.keyDown('ctrl')\npyautogui.click(x=0.1, y=0.1)\npyautogui.click(x=0.2, y=0.2)\n"
            "pyautogui.keyUp('ctrl')\npyautogui.click(x=0.3, y=0.3)",
        ),
    ],
)
def test_code_as_the_contract_writes_it(actions: list[act.Action], code: str) -> None:
    assert render(actions) == code


def test_a_point_off_the_picture_leaves_the_whole_step_without_code() -> None:
    off = act.Click(None, None, raw_point=(-20.0, 5.0))
    assert code_of([act.Write("a"), off]) is None
    assert code_of([act.Swipe(0.1, 0.2, None, 0.3)]) is None
    assert code_of([act.Clear(raw_point=(-1.0, 0.0))]) is None
    assert code_of([]) is None
    with pytest.raises(NoCodeError, match="click"):
        render([off])


def test_elements_named_by_the_source_stand_in_the_code() -> None:
    assert code_of([act.Click(element_id="42")]) == "browser.click(element_id='42')"
    assert parse("browser.click(element_id='42')") == [act.Click(element_id="42")]


def test_modifiers_held_for_typing_stay_keys_of_their_own() -> None:
    tabs = [act.KeyDown("alt"), act.Press("tab"), act.Press("tab"), act.KeyUp("alt")]
    assert canonical(tabs) == tabs
    inside = [act.KeyDown("ctrl"), act.Click(0.1, 0.1, ("ctrl", "shift")), act.Press("a"), act.KeyUp("ctrl")]
    assert canonical(inside)[1] == act.Click(0.1, 0.1, ("shift",))
