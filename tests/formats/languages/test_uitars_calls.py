"""UI-TARS' calls: its published action spaces, read back by `model.parse`, which reads its published data."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curate.formats.languages.uitars_calls import Dialect, Frame, calls
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.parse import parse
from curate.model.render import canonical
from tests.model import strategies

AT = (0.5276, 0.2694)
COMPUTER = {
    "click", "left_double", "right_single", "drag", "hotkey", "type", "scroll", "wait", "finished", "call_user",
}  # fmt: skip
PHONE = {
    "click", "long_press", "type", "scroll", "open_app", "drag", "press_home", "press_back", "wait", "finished",
    "call_user",
}  # fmt: skip


def frame(dialect: Dialect = "1.5", phone: bool = False, last: bool = True) -> Frame:
    size = (1000, 1000) if dialect == "v1" else (1288, 728)
    return Frame(*size, dialect, phone, last)


@pytest.mark.parametrize(
    ("dialect", "click", "drag"),
    [
        ("1.5", "click(start_box='(680,196)')", "drag(start_box='(644,364)', end_box='(680,196)')"),
        (
            "v1",
            "click(start_box='<|box_start|>(528,269)<|box_end|>')",
            "drag(start_box='<|box_start|>(500,500)<|box_end|>', end_box='<|box_start|>(528,269)<|box_end|>')",
        ),
        (
            "point",
            "click(point='<point>680 196</point>')",
            "drag(start_point='<point>644 364</point>', end_point='<point>680 196</point>')",
        ),
    ],
)
def test_points_in_each_dialect(dialect: Dialect, click: str, drag: str) -> None:
    assert calls([act.Click(*AT)], frame(dialect)) == click
    assert calls([act.MoveTo(0.5, 0.5), act.DragTo(*AT)], frame(dialect)) == drag
    assert calls([act.Swipe(0.5, 0.5, *AT)], frame(dialect, phone=True)) == drag


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([act.DoubleClick(*AT)], "left_double(start_box='(680,196)')"),
        ([act.RightClick(*AT)], "right_single(start_box='(680,196)')"),
        ([act.Hotkey(("ctrl", "c"))], "hotkey(key='ctrl c')"),
        ([act.Press("enter")], "hotkey(key='enter')"),
        ([act.Press("down", 2)], "hotkey(key='down')\n\nhotkey(key='down')"),
        ([act.Press("space")], "hotkey(key='space')"),
        ([act.Write('it\'s "so"\\\n')], "type(content='it\\'s \\\"so\\\"\\\\\\n')"),
        ([act.Write("plan.txt"), act.Press("enter")], "type(content='plan.txt\\n')"),
        ([act.Write("see <image>")], "type(content='see \\x3cimage>')"),
        ([act.MoveTo(0.5, 0.5), act.Scroll(-3.0)], "scroll(start_box='(644,364)', direction='down')"),
        ([act.Scroll(120.0, "pixel")], "scroll(direction='up')"),
        ([act.HScroll(1.0)], "scroll(direction='right')"),
        ([act.Wait(0.5)], "wait()"),
        ([act.Terminate("success")], "finished(content='')"),
        ([act.Answer("42"), act.Terminate("success")], "finished(content='42')"),
        ([act.Answer("42")], "finished(content='42')"),
        ([act.Terminate("failure")], "call_user()"),
        ([act.Click(*AT), act.Write("a")], "click(start_box='(680,196)')\n\ntype(content='a')"),
        ([act.Hotkey(("ctrl", "alt", "shift", "t"))], None),  # three keys at most
        ([act.MiddleClick(*AT)], None),
        ([act.TripleClick(*AT)], None),
        ([act.MoveTo(*AT)], None),  # no hover
        ([act.DragTo(*AT)], None),  # from where?
        ([act.MoveTo(0.5, 0.5), act.DragTo(*AT, button="right")], None),
        ([act.Click(*AT, modifiers=("shift",))], None),
        ([act.Click(None, None, raw_point=(9000.0, 1.0))], None),
        ([act.OpenApp("Maps")], None),  # a phone's
        ([act.Terminate(None)], None),
        ([act.Press("backspace", 200)], None),
        ([], None),
    ],
)
def test_a_computer(actions: list[Action], said: str | None) -> None:
    assert calls(actions, frame()) == said


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([act.LongPress(*AT)], "long_press(start_box='(680,196)')"),
        ([act.OpenApp("Bob's")], "open_app(app_name='Bob\\'s')"),
        ([act.Home()], "press_home()"),
        ([act.Back()], "press_back()"),
        ([act.Scroll(-1.0, "page")], "scroll(start_box='(644,364)', direction='down')"),
        ([act.Write("a"), act.Enter()], "type(content='a\\n')"),
        ([act.Enter()], None),
        ([act.RightClick(*AT)], None),
        ([act.Hotkey(("ctrl", "c"))], None),
    ],
)
def test_a_phone(actions: list[Action], said: str | None) -> None:
    assert calls(actions, frame(phone=True)) == said


def test_an_answer_ends_the_run_and_so_only_the_last_step_has_one() -> None:
    assert calls([act.Answer("42")], frame(last=False)) is None
    assert calls([act.Terminate("failure")], frame("point")) is None  # the later prompts have no call_user


def meant(actions: list[Action], frame: Frame) -> list[Action]:
    """Actions as far as the calls can say them."""

    def grid(value: float, side: int) -> float:
        return float(round(value * side))

    found: list[Action] = []
    for action in canonical(actions):
        before = found[-1] if found else None
        match action:
            case act.Press("enter", 1) | act.Enter() if isinstance(before, act.Write):
                action = act.Write(found.pop().text + "\n")  # type: ignore[union-attr]
            case act.Press(key, presses) if isinstance(before, act.Press) and before.key == key.lower():
                action = act.Press(key.lower(), found.pop().presses + presses)  # type: ignore[union-attr]
            case act.Press(key, presses):
                action = act.Press(key.lower(), presses)
            case act.Scroll(amount):
                action = act.Scroll(1.0 if amount > 0 else -1.0)
            case act.HScroll(amount):
                action = act.HScroll(1.0 if amount > 0 else -1.0)
            case act.Wait():
                action = act.Wait()
            case act.Terminate("success") if isinstance(before, act.Answer):
                continue
            case act.Swipe(float(x), float(y), float(to_x), float(to_y)):
                found += [act.MoveTo(grid(x, frame.width), grid(y, frame.height))]
                action = act.DragTo(grid(to_x, frame.width), grid(to_y, frame.height))
            case _ if isinstance(action, act.Pointed) and action.x is not None and action.y is not None:
                action = type(action)(grid(action.x, frame.width), grid(action.y, frame.height))
        found.append(action)
    if found and isinstance(found[-1], act.Answer):
        found.append(act.Terminate("success"))  # `finished` with words is an answer and the end
    return found


SCROLLED = re.compile(r"scroll\((?:(?:start_box|point)='\D*(\d+)[, ](\d+)\D*', )?direction='(\w+)'\)")


def _one_notch(match: re.Match[str]) -> str:
    """A scroll by a word as one by a number: `model.parse` leaves words to the sources, which know what they mean."""
    kind, amount = "scroll" if match[3] in ("up", "down") else "hscroll", 1 if match[3] in ("up", "right") else -1
    return f"{kind}({amount}, x={match[1]}, y={match[2]})" if match[1] else f"{kind}({amount})"


def read(said: str) -> list[Action]:
    """The calls read back, in pixels; scrolls by one notch, a key that is pressed again as one press."""
    found: list[Action] = []
    for action in parse(SCROLLED.sub(_one_notch, said), pixels=True):
        before = found[-1] if found else None
        match action:
            case act.Scroll(amount):
                action = act.Scroll(1.0 if amount > 0 else -1.0)
            case act.HScroll(amount):
                action = act.HScroll(1.0 if amount > 0 else -1.0)
            case act.Wait():
                action = act.Wait()
            case act.Press(key, presses) if isinstance(before, act.Press) and before.key == key:
                action = act.Press(key, found.pop().presses + presses)  # type: ignore[union-attr]
        found.append(action)
    return found


sane = strategies.some_actions.filter(
    lambda actions: (
        not re.search(r"\\ud[89a-f]", ascii(actions))
        and not any(isinstance(action, act.Answer | act.Terminate) for action in actions[:-1])
    )
)


@example([act.Answer("")], "1.5", False)
@example([act.Answer("0")], "1.5", False)
@example([act.Answer("0"), act.Terminate("success")], "1.5", False)
@given(sane, st.sampled_from(["1.5", "v1", "point"]), st.booleans())
def test_what_is_said_reads_back(actions: list[Action], dialect: Dialect, phone: bool) -> None:
    here = frame(dialect, phone)
    said = calls(actions, here)
    if said is None:
        return
    for line in said.split("\n\n"):
        assert re.match(r"\w+", line)[0] in (PHONE if phone else COMPUTER)  # type: ignore[index]
    if "call_user()" in said or (any(isinstance(action, act.Scroll | act.HScroll) for action in actions) and phone):
        return
    assert read(said) == meant(actions, here), said
