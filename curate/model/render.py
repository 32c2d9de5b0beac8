"""Actions as code: one call a line, valid Python for any text, safe to replay with PyAutoGUI.

`canonical` is the one form that code can say: modifiers folded into the actions they were held for, key names in
one spelling, points rounded to 4 decimals. `parse(render(actions)) == canonical(actions)`.

Points that are null: with `element_id` (the source names elements) the call names the element,
`browser.click(element_id='42')`; `clear` may go without (the field that has the focus); otherwise the point is off
the picture or unknown and there is no code for the whole step (`code_of` gives None). Code does not carry what
stands beside the act: `raw_point`, and `element_id` where the point is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import groupby
from typing import Any, get_args

import msgspec
from msgspec import UNSET

from curate.model import actions as act
from curate.model.actions import Action, Modifier
from curate.model.constants import COORDINATE_DECIMALS
from curate.model.keys import hotkey_order, key_name, modifier_of, modifier_order

_Modifiable = act.Pointed | act.Scroll | act.HScroll
"""Actions that a modifier may be held for."""
_POINTED = frozenset(get_args(act.Pointed))


class NoCodeError(ValueError):
    """There is no code for these actions, for the reason in the message."""


def render(actions: Iterable[Action]) -> str:
    """The code of a step's actions, one call a line ('' for none). Raises NoCodeError when a point is null."""
    lines: list[str] = []
    form = canonical(actions)
    if len(form) == 1 and not _modifiers(form[0]):  # most steps
        return _RENDERERS[type(form[0])](form[0])
    for modifiers, group in groupby(form, key=_modifiers):
        lines += [f"pyautogui.keyDown({key!r})" for key in modifiers]
        lines += [_RENDERERS[type(action)](action) for action in group]
        lines += [f"pyautogui.keyUp({key!r})" for key in reversed(modifiers)]
    return "\n".join(lines)


def code_of(actions: Iterable[Action]) -> str | None:
    """A step's `code`: None when there are no actions, or a point is off the picture or not known."""
    try:
        return render(actions) or None
    except NoCodeError:
        return None


def plain_code(actions: Sequence[Action]) -> str | None:
    """The code of actions that are in their one form as they stand and hold no modifiers: nearly all of a corpus. None
    where that is not seen at once, which says nothing: then `canonical` and `render` tell."""
    if len(actions) == 1:
        action = actions[0]
        code = _PLAIN_CODE.get(type(action))
        return None if code is None else code(action)
    lines = []
    for action in actions:
        code = _PLAIN_CODE.get(type(action))
        line = None if code is None else code(action)
        if line is None:
            return None
        lines.append(line)
    return "\n".join(lines) or None


def plain_codes(steps: Sequence[Sequence[Action]]) -> list[str | None]:
    """`plain_code` of the actions of each step."""
    found: list[str | None] = []
    for actions in steps:
        if len(actions) == 1:  # as plain_code does it, without the call
            code = _PLAIN_CODE.get(type(actions[0]))
            found.append(None if code is None else code(actions[0]))
        else:
            found.append(plain_code(actions))
    return found


def _modifiers(action: Action) -> tuple[Modifier, ...]:
    return action.modifiers if isinstance(action, _Modifiable) else ()


# --- one form -------------------------------------------------------------------------------------------------


def canonical(actions: Iterable[Action]) -> list[Action]:
    """The form of the actions that their code says: `keyDown ctrl, click, keyUp ctrl` is a click with ctrl.

    A modifier that is held for anything but pointing and scrolling stays as its own keyDown and keyUp
    (alt, tab, tab), and is then no modifier of the actions inside.
    """
    plain = [_plain(action) for action in actions]
    if len(plain) == 1 and not isinstance(plain[0], act.KeyDown | act.KeyUp) and not _modifiers(plain[0]):
        return plain  # most steps: nothing is held
    result: list[Action] = []
    held: set[Modifier] = set()
    at = 0
    while at < len(plain):
        action = plain[at]
        key = modifier_of(action.key) if isinstance(action, act.KeyDown | act.KeyUp) else None
        block = _fold(plain, at, held) if key is not None and isinstance(action, act.KeyDown) else None
        if block is not None:
            result += block[0]
            at = block[1]
            continue
        if key is not None and isinstance(action, act.KeyDown):
            held.add(key)
        elif key is not None:
            held.discard(key)
        result.append(_with(action, (), held))
        at += 1
    return result


def _fold(actions: Sequence[Action], start: int, held: set[Modifier]) -> tuple[list[Action], int] | None:
    """The actions of the block that the keyDown at `start` opens, with their modifiers, and the index after it;
    None when the modifiers of the block hold for anything else or for nothing."""
    down: dict[Modifier, bool] = {}  # and whether an action was made while it was down
    folded: list[Action] = []
    for at in range(start, len(actions)):
        action = actions[at]
        if isinstance(action, act.KeyDown | act.KeyUp):
            key = modifier_of(action.key)
            if key is None or key in held:
                return None
            if isinstance(action, act.KeyDown):
                if key in down:
                    return None
                down[key] = False
            elif not down.pop(key, False):
                return None
            elif not down:
                return folded, at + 1
        elif isinstance(action, _Modifiable):
            folded.append(_with(action, down, held))
            down = dict.fromkeys(down, True)
        else:
            return None
    return None


def _with(action: Action, more: Iterable[Modifier], held: set[Modifier]) -> Action:
    """The action with more modifiers and without those that are held around it anyway."""
    if not isinstance(action, _Modifiable):
        return action
    modifiers = modifier_order(set(action.modifiers).union(more) - held)
    return action if modifiers == action.modifiers else msgspec.structs.replace(action, modifiers=modifiers)


def _plain(action: Action) -> Action:
    """One action with key names in one spelling, rounded points, and nothing that code does not carry."""
    if type(action) in _POINTED and _is_plain_point(action):
        return action
    if isinstance(action, act.Hotkey):
        keys = hotkey_order(_key(key) for key in action.keys)
        return act.Hotkey(keys) if len(keys) > 1 else act.Press(keys[0])
    if isinstance(action, act.Press | act.KeyDown | act.KeyUp):
        return msgspec.structs.replace(action, key=_key(action.key))
    if isinstance(action, act.Swipe):
        return act.Swipe(*(_round(value) for value in (action.x, action.y, action.to_x, action.to_y)))
    if isinstance(action, act.Pointed):
        known = action.x is not None and action.y is not None
        changes: dict[str, Any] = {"x": _round(action.x), "y": _round(action.y)}
        if known:
            changes |= {"raw_point": UNSET, "element_id": UNSET}
        elif action.element_id is not UNSET:
            changes |= {"x": None, "y": None, "raw_point": UNSET}
        return msgspec.structs.replace(action, **changes, modifiers=modifier_order(action.modifiers))
    if isinstance(action, act.Scroll | act.HScroll):
        return msgspec.structs.replace(action, modifiers=modifier_order(action.modifiers))
    return action


def _is_plain_point(action: Any) -> bool:
    """Whether a pointed action is in its one form already: rounded points that are known, nothing beside them."""
    x, y = action.x, action.y
    if type(x) is not float or type(y) is not float or not x or not y or action.modifiers:  # 0.0 may be minus zero
        return False
    if action.raw_point is not UNSET or action.element_id is not UNSET:
        return False
    return round(x, COORDINATE_DECIMALS) == x and round(y, COORDINATE_DECIMALS) == y


def _key(name: str) -> str:
    return key_name(name) or name


def _round(value: float | None) -> float | None:
    return None if value is None else round(float(value), COORDINATE_DECIMALS) + 0.0  # + 0.0: no minus zero


# --- one call a line ------------------------------------------------------------------------------------------


@lru_cache(16384)
def _number(value: float) -> str:
    """A number as a plain decimal that reads back as the same float: never an exponent, `3` for 3.0. Equal numbers have
    one text, zeros too."""
    if not math.isfinite(value):
        raise NoCodeError(f"{value} is no number that code can carry")
    text = repr(float(value))
    if "e" in text:
        text = format(Decimal(text), "f")
    return text.removesuffix(".0") if value else "0"


def _decimal(value: float) -> str:
    """The same, always with a decimal point: a fraction of the picture must not look like a pixel."""
    text = _number(value)
    return text if "." in text else f"{text}.0"


def _at(action: Any) -> str:
    if action.x is None or action.y is None:
        raise NoCodeError(f"the point of {act.action_type(action)} is not in the picture or not known")
    return f"x={_decimal(action.x)}, y={_decimal(action.y)}"


def _pointed(call: str, browser_call: str) -> Callable[[Any], str]:
    def write(action: Any) -> str:
        if action.element_id is not UNSET and action.x is None:
            return f"browser.{browser_call}(element_id={action.element_id!r})"
        return f"{call}({_at(action)})"

    return write


def _drag(action: act.DragTo) -> str:
    button = f"button={action.button!r}"
    if action.element_id is not UNSET and action.x is None:
        return f"browser.drag_to(element_id={action.element_id!r}, {button})"
    return f"pyautogui.dragTo({_at(action)}, {button})"


def _select(action: act.SelectOption) -> str:
    by_id = action.element_id is not UNSET and action.x is None
    where = f"element_id={action.element_id!r}" if by_id else _at(action)
    return f"browser.select_option({where}, value={action.value!r})"


def _clear(action: act.Clear) -> str:
    if action.x is None and action.element_id is not UNSET:
        return f"browser.clear(element_id={action.element_id!r})"
    if action.x is None and action.y is None and action.raw_point is UNSET:
        return "browser.clear()"
    return f"browser.clear({_at(action)})"


def _scroll(name: str) -> Callable[[Any], str]:
    def write(action: Any) -> str:
        amount = _number(action.amount)
        if action.unit == "notch" and "." not in amount:  # PyAutoGUI scrolls by whole notches only
            return f"pyautogui.{name}({amount})"
        return f"computer.{name}(amount={amount}, unit={action.unit!r})"

    return write


def _press(action: act.Press) -> str:
    times = f", presses={action.presses}" if action.presses != 1 else ""
    return f"pyautogui.press({action.key!r}{times})"


def _swipe(action: act.Swipe) -> str:
    points = (action.x, action.y, action.to_x, action.to_y)
    if None in points:
        raise NoCodeError("a point of swipe is not in the picture or not known")
    x, y, to_x, to_y = (_decimal(value) for value in points if value is not None)
    return f"mobile.swipe(from_coord=[{x}, {y}], to_coord=[{to_x}, {to_y}])"


_RENDERERS: dict[type[Any], Callable[[Any], str]] = {
    act.Click: _pointed("pyautogui.click", "click"),
    act.DoubleClick: _pointed("pyautogui.doubleClick", "double_click"),
    act.TripleClick: _pointed("pyautogui.tripleClick", "triple_click"),
    act.RightClick: _pointed("pyautogui.rightClick", "right_click"),
    act.MiddleClick: _pointed("pyautogui.middleClick", "middle_click"),
    act.MoveTo: _pointed("pyautogui.moveTo", "move_to"),
    act.LongPress: _pointed("mobile.long_press", "long_press"),
    act.DragTo: _drag,
    act.Scroll: _scroll("scroll"),
    act.HScroll: _scroll("hscroll"),
    act.Write: lambda a: f"pyautogui.write(message={a.text!r})",
    act.Press: _press,
    act.Hotkey: lambda a: f"pyautogui.hotkey({', '.join(map(repr, a.keys))})",
    act.KeyDown: lambda a: f"pyautogui.keyDown({a.key!r})",
    act.KeyUp: lambda a: f"pyautogui.keyUp({a.key!r})",
    act.Wait: lambda a: "computer.wait()" if a.seconds is None else f"computer.wait(seconds={_decimal(a.seconds)})",
    act.Terminate: lambda a: f"computer.terminate({'' if a.status is None else f'status={a.status!r}'})",
    act.Swipe: _swipe,
    act.SelectOption: _select,
    act.Back: lambda _: "mobile.back()",
    act.Home: lambda _: "mobile.home()",
    act.Enter: lambda _: "mobile.enter()",
    act.OpenApp: lambda a: f"mobile.open_app(app_name={a.app!r})",
    act.Goto: lambda a: f"browser.goto(url={a.url!r})",
    act.Clear: _clear,
    act.Answer: lambda a: f"computer.answer(text={a.text!r})",
}


# --- the code of what is in its one form already ------------------------------------------------------------------


class _Decimals(dict[Any, str | None]):
    """The text of each rounded fraction between 0 and 1, once it was asked for: there are 9,999 of them. None for any
    other value; 0, 1 and None are never kept, since other values equal them (-0.0, True)."""

    def __missing__(self, value: Any) -> str | None:
        if type(value) is not float or not 0 < value < 1 or round(value, COORDINATE_DECIMALS) != value:
            return None
        self[value] = text = _decimal(value)
        return text


_DECIMALS = _Decimals()


def _plain_point(call: str) -> Callable[[Any], str | None]:
    def code(action: Any) -> str | None:
        x, y = _DECIMALS[action.x], _DECIMALS[action.y]
        if x is None or y is None or action.modifiers:
            return None
        if action.raw_point is not UNSET or action.element_id is not UNSET:
            return None
        return f"{call}(x={x}, y={y})"

    return code


def _plain_with(kind: type[Any]) -> Callable[[Any], str | None]:
    """For a kind at a point whose code says more than the point: the renderer writes it."""
    at_point, write = _plain_point(""), _RENDERERS[kind]
    return lambda action: None if at_point(action) is None else write(action)


def _plain_scroll(kind: type[Any]) -> Callable[[Any], str | None]:
    write = _RENDERERS[kind]
    return lambda action: None if action.modifiers or not math.isfinite(action.amount) else write(action)


@lru_cache(4096)
def _plain_keys(action: act.Press | act.Hotkey) -> str | None:
    """Keys, which are the same few everywhere."""
    return _RENDERERS[type(action)](action) if _plain(action) == action else None


def _plain_wait(action: act.Wait) -> str | None:
    return None if action.seconds is not None and not math.isfinite(action.seconds) else _RENDERERS[act.Wait](action)


_PLAIN_CODE: dict[type[Any], Callable[[Any], str | None]] = {
    act.Click: _plain_point("pyautogui.click"),
    act.DoubleClick: _plain_point("pyautogui.doubleClick"),
    act.TripleClick: _plain_point("pyautogui.tripleClick"),
    act.RightClick: _plain_point("pyautogui.rightClick"),
    act.MiddleClick: _plain_point("pyautogui.middleClick"),
    act.MoveTo: _plain_point("pyautogui.moveTo"),
    act.LongPress: _plain_point("mobile.long_press"),
    act.Press: _plain_keys,
    act.Hotkey: _plain_keys,
    act.Wait: _plain_wait,
    **{kind: _plain_with(kind) for kind in (act.DragTo, act.SelectOption, act.Clear)},
    **{kind: _plain_scroll(kind) for kind in (act.Scroll, act.HScroll)},
    **{
        kind: _RENDERERS[kind]
        for kind in (act.Write, act.Terminate, act.Back, act.Home, act.Enter, act.OpenApp, act.Goto, act.Answer)
    },
}
"""Held keys (keyDown, keyUp) fold into what they hold, so they are never seen at once; nor are swipes."""
