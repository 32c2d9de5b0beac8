"""Every published spelling is read, and nothing else."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model import actions as act
from curate.model.parse import CodeError, parse
from curate.model.render import render

COPY = act.Hotkey(("ctrl", "c"))
DRAG = [act.MoveTo(0.1, 0.2), act.DragTo(0.3, 0.4)]


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("pyautogui.hotkey('ctrl', 'c')", [COPY]),
        ("pyautogui.hotkey(['ctrl', 'c'])", [COPY]),
        ("pyautogui.hotkey(keys=['ctrl', 'C'])", [COPY]),
        ("hotkey(key='ctrl c')", [COPY]),
        ("hotkey('c', 'ctrl', interval=0.1)", [COPY]),
        ("key('ctrl+c')", [COPY]),
        ("key(keys=['ctrl', 'c'])", [COPY]),
        ("hotkey('{VK_CONTROL}c')", [COPY]),
        ("pyautogui.hotkey('f5')", [act.Press("f5")]),
        ("pyautogui.press('enter')", [act.Press("enter")]),
        ("pyautogui.press(keys=['down'], presses=3)", [act.Press("down", 3)]),
        ("pyautogui.press(keys='page_down', presses=3)", [act.Press("pagedown", 3)]),
        ("pyautogui.press(['a', 'tab'], presses=2)", [act.Press("a"), act.Press("tab")] * 2),
        ("pyautogui.press('F')", [act.Write("F")]),
        ("pyautogui.write(message='a\\n')", [act.Write("a\n")]),
        ("pyautogui.write('C:\\dir')", [act.Write("C:\\dir")]),
        ("typewrite('a', interval=0.05)", [act.Write("a")]),
        ("typewrite(['a', 'b', 'enter', 'c'])", [act.Write("ab"), act.Press("enter"), act.Write("c")]),
        ("pyautogui.click(0.1, 0.2)", [act.Click(0.1, 0.2)]),
        ("pyautogui.click((0.1, 0.2))", [act.Click(0.1, 0.2)]),
        ("pyautogui.click(x=0.1, y=0.2, button='right')", [act.RightClick(0.1, 0.2)]),
        ("pyautogui.click(x=0.1, y=0.2, clicks=2, button='left')", [act.DoubleClick(0.1, 0.2)]),
        ("pyautogui.click(0.1, 0.2, 3)", [act.TripleClick(0.1, 0.2)]),
        ("computer.tripleClick(x=0.1, y=0.2)", [act.TripleClick(0.1, 0.2)]),
        ("computer.triple_click(x=0.1, y=0.2)", [act.TripleClick(0.1, 0.2)]),
        ("pyautogui.doubleClick(0.1, 0.2, button='right')", [act.RightClick(0.1, 0.2)] * 2),
        ("pyautogui.moveTo(x=0.1, y=0.2)\npyautogui.dragTo(x=0.3, y=0.4, button='left')", DRAG),
        ("pyautogui.dragTo(from_coord=[0.1, 0.2], to_coord=[0.3, 0.4])", DRAG),
        ("moveTo(0.1, 0.2); mouseDown(); moveTo(0.3, 0.4); mouseUp()", DRAG),
        ("mouseDown(0.1, 0.2)\nmouseUp(0.3, 0.4)", DRAG),
        ("mouseDown(0.1, 0.2, button='right')\nmouseUp(button='right')", [act.RightClick(0.1, 0.2)]),
        ("mouseDown(0.1, 0.2)\ntime.sleep(1.5)\nmouseUp(0.1, 0.2)", [act.LongPress(0.1, 0.2)]),
        ("pyautogui.scroll(-3)", [act.Scroll(-3.0)]),
        ("pyautogui.scroll(clicks=-3)", [act.Scroll(-3.0)]),
        ("pyautogui.scroll(-3, x=0.5, y=0.6)", [act.MoveTo(0.5, 0.6), act.Scroll(-3.0)]),
        ("pyautogui.moveTo(0.5, 0.6)\npyautogui.scroll(-3, 0.5, 0.6)", [act.MoveTo(0.5, 0.6), act.Scroll(-3.0)]),
        ("pyautogui.scroll(page=-0.1)", [act.Scroll(-0.1, "page")]),
        ("pyautogui.hscroll(2)", [act.HScroll(2.0)]),
        ("computer.wait()", [act.Wait()]),
        ("wait(3)", [act.Wait(3.0)]),
        ("import time\nimport pyautogui\npyautogui.PAUSE = 0.5\ntime.sleep(2)  # load", [act.Wait(2.0)]),
        ("computer.terminate(status='fail')", [act.Terminate("failure")]),
        ("terminate('impossible')", [act.Terminate("impossible")]),
        ("computer.terminate()", [act.Terminate()]),
        ("mobile.swipe(from_coord=[0.1, 0.2], to_coord=[0.3, 0.4])", [act.Swipe(0.1, 0.2, 0.3, 0.4)]),
        ("mobile.long_press(x=0.1, y=0.2)", [act.LongPress(0.1, 0.2)]),
        ("mobile.open_app(app_name='Maps')", [act.OpenApp("Maps")]),
        ("navigate_home()\nmobile.back()", [act.Home(), act.Back()]),
        ("answer('42')", [act.Answer("42")]),
        ("browser.select_option(x=0.1, y=0.2, value='b')", [act.SelectOption(0.1, 0.2, value="b")]),
        ("browser.clear(x=0.1, y=0.2)", [act.Clear(0.1, 0.2)]),
        ("with pyautogui.hold('shift'):\n    pyautogui.click(0.1, 0.2)", [act.Click(0.1, 0.2, ("shift",))]),
        ("keyDown('ctrl')\nclick(0.1, 0.2)\nkeyUp('ctrl')", [act.Click(0.1, 0.2, ("ctrl",))]),
        ("pyautogui.click(0.1, 0.2, tween=pyautogui.easeInQuad, duration=1)", [act.Click(0.1, 0.2)]),
        ("", []),
    ],
)
def test_published_spellings(code: str, actions: list[act.Action]) -> None:
    assert parse(code) == actions


def test_a_call_without_point_acts_where_the_pointer_is() -> None:
    assert parse("moveTo(0.1, 0.2)\ndoubleClick()") == [act.MoveTo(0.1, 0.2), act.DoubleClick(0.1, 0.2)]
    assert parse("doubleClick()", at=(0.5, 0.5)) == [act.DoubleClick(0.5, 0.5)]
    assert parse("doubleClick()") == [act.DoubleClick()]


def test_pixels_are_read_only_when_asked_for() -> None:
    assert parse("click(1288.5, 116.0)", pixels=True) == [act.Click(1288.5, 116.0)]
    with pytest.raises(CodeError, match="fractions"):
        parse("click(1288.5, 116.0)")


@pytest.mark.parametrize(
    ("code", "actions"),
    [
        ("click(point='<point>680 196</point>')", [act.Click(680, 196)]),
        ("click(start_box='<|box_start|>(528,269)<|box_end|>')", [act.Click(528, 269)]),
        ("left_double(start_box='(680, 196)')", [act.DoubleClick(680, 196)]),
        ("right_single(point='<point>680 196</point>')", [act.RightClick(680, 196)]),
        ("drag(start_point='(1,2)', end_point='(3,4)')", [act.MoveTo(1, 2), act.DragTo(3, 4)]),
        ("type(content='xxx\\n')", [act.Write("xxx\n")]),
        ("press_home()", [act.Home()]),
        ("open_app(app_name='Maps')", [act.OpenApp("Maps")]),
        ("finished(content='42')", [act.Answer("42"), act.Terminate("success")]),
        ("finished()", [act.Terminate("success")]),
    ],
)
def test_ui_tars_spellings(code: str, actions: list[act.Action]) -> None:
    assert parse(code, pixels=True) == actions


@pytest.mark.parametrize("point", ["680 196", "<a><b>1 2", "(1,2,3,4)", "1", "nan nan", "(1" + ",2" * 50_000 + ")"])
def test_tagged_points_are_two_fractions_and_nothing_else(point: str) -> None:
    with pytest.raises(CodeError) as refused:
        parse(f"click(point={point!r})")
    assert refused.value.reason == "validate.coordinate_out_of_range"


@pytest.mark.parametrize("value", ["1.0001", "-0.0001", "301", "True", "'0.5'", "1e999", "float('nan')", "[0.1]"])
def test_bad_coordinates_are_refused_never_clamped(value: str) -> None:
    for code in (f"click(x={value}, y=0.5)", f"dragTo(x=0.5, y={value})"):
        with pytest.raises(CodeError) as refused:
            parse(code)
        assert refused.value.reason == "validate.coordinate_out_of_range"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("clik(0.1, 0.2)", "did you mean click"),
        ("click(x=0.1, z=0.2)", "no such argument"),
        ("click(0.1, x=0.2, y=0.1)", "twice"),
        ("Click the button", "line 1"),
        ("click(0.1, 0.2)\npress('8000')", "line 2"),
        ("press('type this')", "no key"),
        ("click(0.1, 0.2, clicks=40)", "1 to 3"),
        ("press('a', presses=0)", "1 to 10000"),
        ("scroll()", "amount"),
        ("scroll(direction='down')", "amount"),
        ("swipe(direction='up')", "no such argument"),
        ("terminate('maybe')", "no status"),
        ("wait(-1)", "0 or more"),
        ("moveRel(0.1, 0.1)", "distance"),
        ("pyautogui.drag(30, 0)", "distance"),
        ("mouseDown(0.1, 0.1)", "never released"),
        ("mouseDown(0.1, 0.1); moveTo(0.2, 0.2); moveTo(0.3, 0.3); mouseUp()", "path"),
        ("mouseUp(0.1, 0.1)", "not held"),
        ("write(message)", "literal"),
        ("write('a' + 'b')", "literal"),
        ("write(**x)", "written out"),
        ("x = 1", "only calls"),
        ("for i in range(3):\n    click(0.1, 0.1)", "only calls"),
        ("'some prose'", "no call"),
        ("os.system('x')", "'os'"),
        ("__import__('os').system('x')", "plain name"),
        ("pyautogui.__class__('x')", "no such action"),
        ("eval('1')", "no such action"),
        ("write('\ud800')", "characters"),
        ("write('\x00')", "line 1"),
    ],
)
def test_everything_else_is_refused_with_its_place_and_reason(code: str, says: str) -> None:
    with pytest.raises(CodeError) as refused:
        parse(code)
    assert says in str(refused.value)
    assert refused.value.reason == "read.code"
    assert refused.value.line >= 1 and refused.value.fix


HOSTILE = {
    "brackets": "(" * 100_000,
    "calls": "f(" * 90 + ")" * 90,
    "call chain": "f" + "()" * 90_000,
    "attributes": "a" + ".b" * 90_000,
    "minus": "-" * 190_000 + "1",
    "sum": "1" + "+1" * 90_000,
    "not": "not " * 45_000 + "1",
    "lambda": "lambda:" * 25_000 + "1",
    "lists": "click(" + "[" * 90 + "]" * 90 + ")",
    "big": "write('" + "a" * 1_000_000 + "')",
    "digits": f"click(x={'9' * 100_000}, y=0)",
    "import": "__import__('os').system('id')",
    "subclass": "().__class__.__bases__[0].__subclasses__()",
    "with": "".join(f"{' ' * n}with pyautogui.hold('ctrl'):\n" for n in range(90)) + " " * 90 + "click(0.1, 0.1)",
    "f-string": 'write(f\'{__import__("os").system("id")}\')',
    "name": "x" * 190_000 + "()",
    "comprehension": "[click(0, 0) for _ in range(10**9)]",
    "presses": "press(['a', 'b'], presses=10**9)",
    "many presses": "press(['a', 'b'], presses=1000000000)",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_code_is_refused_quickly_in_a_short_sentence(name: str) -> None:
    begun = time.perf_counter()
    with pytest.raises(CodeError) as refused:
        parse(HOSTILE[name])
    assert time.perf_counter() - begun < 2.0
    assert len(str(refused.value)) < 500


@given(st.text(max_size=60) | st.from_regex(r"(pyautogui\.)?[a-zA-Z]{1,10}\([^()]{0,30}\)", fullmatch=True))
def test_any_text_gives_actions_or_a_code_error(code: str) -> None:
    try:
        actions = parse(code)
    except CodeError:
        return
    for action in actions:
        for name in ("x", "y", "to_x", "to_y"):
            value = getattr(action, name, None)
            assert value is None or (0.0 <= value <= 1.0 and math.isfinite(value))


def _codes_of(shared: Path) -> list[str]:
    """The code of every step in the samples of published desktop records."""
    codes: list[str] = []

    def walk(node: object) -> None:
        if isinstance(node, dict):
            codes.extend(v for k, v in node.items() if k in ("code", "action") and isinstance(v, str) and _is_code(v))
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    for path in [*shared.glob("data/sources/agentnet*/*.json*"), *shared.glob("data/sources/quoted_records/agent*")]:
        for text in [path.read_text("utf-8")] if path.suffix == ".json" else path.read_text("utf-8").splitlines():
            walk(json.loads(text))
    return codes


def _is_code(text: str) -> bool:
    return text.startswith(("pyautogui.", "computer."))


def test_published_desktop_records_are_read_and_said_again(shared: Path) -> None:
    codes = _codes_of(shared)
    assert len(codes) > 20
    for code in codes:
        actions = parse(code)
        assert actions and parse(render(actions)) == actions


def test_every_call_of_the_reducer_sequences_is_read(shared: Path) -> None:
    lines = (shared / "data" / "reducer" / "sequences.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        expected = "\n".join(json.loads(line)["expected"] or [])
        assert expected == "" or parse(expected, pixels=True), expected


def test_printed_action_spaces_are_known(shared: Path) -> None:
    vectors = json.loads((shared / "vectors/seed_vectors.json").read_text("utf-8"))["vectors"]
    spaces = {vector["id"]: vector["expected"] for vector in vectors if vector["capability"] == "schema.actions"}
    assert len(spaces) == 2
    arguments = {"scroll": "-1", "hscroll": "1", "write": "'a'", "press": "'a'", "hotkey": "'ctrl', 'a'"}
    arguments |= {"input_text": "'a'", "open_app": "'Maps'"}
    without = {"wait", "terminate", "navigate_home", "navigate_back"}
    for name in {name for names in spaces.values() for name in names}:
        assert parse(f"{name}({'' if name in without else arguments.get(name, '0.1, 0.2')})"), name
