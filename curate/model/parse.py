"""Code as actions: what each call means, in every spelling that released datasets use.

`parse(render(actions)) == canonical(actions)`. Nothing is evaluated, clamped or guessed: an unknown call or argument,
a coordinate that is no number from 0 to 1, or prose is a CodeError.

What is decided here:
- `write('a\\n')`: the text stays as it is; PyAutoGUI types its line break as Enter and its tab as Tab.
- `press('F')` types a capital F, so it is `write('F')`; in a hotkey `F` is the key f.
- A call without a point acts where an earlier call of the code, or `at`, left the pointer; else its point is null.
- `scroll(-3, x, y)` is a moveTo and a scroll. Mouse down, at most one move and mouse up are a click or a drag;
  with a wait and no move between, a long press.
- Times that only shape the motion (`duration`, `interval`, `tween`) and `info` of terminate are no part of an act.
- Directions in words (`scroll(direction='down')`) are refused: how far, and whether finger or page, is the source's.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.arguments import Arguments, Point, bind, kind_of
from curate.model.calls import Call, CodeError, Value, read_calls
from curate.model.keys import hotkey_order, key_name, split_keys
from curate.model.render import canonical
from curate.model.trajectory import Platform

__all__ = ["CodeError", "parse"]

_STATUSES: dict[str, act.TerminateStatus] = {
    "success": "success", "done": "success", "complete": "success", "completed": "success",
    "fail": "failure", "failed": "failure", "failure": "failure", "incomplete": "failure",
    "impossible": "impossible", "infeasible": "impossible",
}  # fmt: skip
_CLICKS: dict[act.Button, tuple[type[Any], ...]] = {
    "left": (act.Click, act.DoubleClick, act.TripleClick),
    "middle": (act.MiddleClick,),
    "right": (act.RightClick,),
}


def parse(
    code: str, *, pixels: bool = False, at: Point | None = None, platform: Platform | None = None
) -> list[Action]:
    """The actions of a step's code, in canonical form (see `render.canonical`).

    `pixels`: points are pixels of the picture, of any size, and stay so; else fractions from 0 to 1. `at`: where
    earlier steps left the pointer. `platform`: tells which key `cmd` is. Raises CodeError.
    """
    script = _Script(pixels, at, platform)
    for call in read_calls(code):
        meaning = _MEANINGS.get(call.word)
        if meaning is None:
            raise _unknown_call(call)
        parameters, act_on = meaning
        act_on(script, bind(call, parameters, pixels))
    if script.down is not None:
        line = script.down[2]
        raise CodeError(line, "mouseDown", "the button is never released", "add mouseUp, or write click or dragTo")
    return canonical(script.actions)


def _unknown_call(call: Call) -> CodeError:
    near = difflib.get_close_matches(call.word, _MEANINGS, n=1)
    if call.word in ("moverel", "dragrel", "move"):
        return _by_a_distance(call)
    fix = f"did you mean {near[0]}?" if near else "see the action table of the docs"
    return CodeError(call.line, f"{call.shown}(...)", "no such action", fix)


def _by_a_distance(call: Call) -> CodeError:
    return CodeError(call.line, f"{call.shown}(...)", "it moves by a distance", "write the point: moveTo, dragTo")


_TIMES_MOST = 10_000
"""Presses of one key in one call. Like the next three, far beyond what a person or an agent does in a step, so that a
number beyond it is a fault of the data; the project's own choice."""
_KEYS_MOST = 16  # of one hotkey; hands and the system's own shortcuts use at most five
_WAIT_MOST = 86_400.0  # seconds: a day
_SCROLL_MOST = 1e6  # notches, pixels or pages

# --- meanings -------------------------------------------------------------------------------------------------


class _Script:
    """The actions so far, and where pointer and button are."""

    def __init__(self, pixels: bool, at: Point | None, platform: Platform | None) -> None:
        self.pixels, self.pointer, self.platform = pixels, at, platform
        self.actions: list[Action] = []
        self.down: tuple[act.Button, Point, int] | None = None  # button, where, line
        self.moved: Point | None = None
        self.waited = False

    def add(self, arguments: Arguments, action: Action) -> None:
        if self.down is not None:
            why = "it comes while the mouse button is held"
            raise CodeError(arguments.call.line, arguments.call.shown, why, "only one moveTo fits there: write dragTo")
        self.actions.append(action)

    def pointed(self, arguments: Arguments, kind: type[Any], **fields: Any) -> None:
        """An action at the call's point or element."""
        if arguments.get("element_id") is not None:
            self.add(arguments, kind(element_id=arguments.text("element_id"), **fields))
            self.pointer = None
            return
        point = arguments.point(None if kind is act.Clear else self.pointer)
        x, y = point or (None, None)
        self.add(arguments, kind(x=x, y=y, **fields))
        self.pointer = point

    def go(self, arguments: Arguments, point: Point) -> None:
        """A moveTo, unless the action before it already left the pointer there."""
        if not self.actions or self.pointer != point:
            self.add(arguments, act.MoveTo(*point))
        self.pointer = point

    def key(self, arguments: Arguments, value: Value) -> str:
        name = key_name(value, self.platform) if isinstance(value, str) else None
        if name is None:
            fix = "use PyAutoGUI's key names; typed text goes into write(message=...)"
            raise arguments.fail("key", f"{kind_of(value)} is no key", fix)
        return name


def _click(button: act.Button | None, clicks: int | None) -> Callable[[_Script, Arguments], None]:
    def meaning(script: _Script, arguments: Arguments) -> None:
        which = button or arguments.button()
        times = clicks or arguments.count("clicks", most=3)
        kinds = _CLICKS[which]
        once = times <= len(kinds)
        for _ in range(1 if once else times):  # two right clicks have no name of their own
            script.pointed(arguments, kinds[times - 1] if once else kinds[0])

    return meaning


def _move(script: _Script, arguments: Arguments) -> None:
    if script.down is None:
        script.pointed(arguments, act.MoveTo)
        return
    point = arguments.point(script.pointer)
    if script.moved is not None or point is None:
        raise CodeError(arguments.call.line, arguments.call.shown, "dragTo has no path", "move once, or split the step")
    script.moved = script.pointer = point


def _drag(script: _Script, arguments: Arguments) -> None:
    start, end = arguments.pair("from_coord"), arguments.pair("to_coord")
    if start is not None:
        script.go(arguments, start)
    if end is not None:
        script.add(arguments, act.DragTo(*end, button=arguments.button()))
        script.pointer = end
    else:
        script.pointed(arguments, act.DragTo, button=arguments.button())


def _drag_between(script: _Script, arguments: Arguments) -> None:
    start, end = (arguments.values.get(name) for name in ("from_coord", "to_coord"))
    if start is None or end is None or isinstance(start, int | float):
        raise _by_a_distance(arguments.call)
    _drag(script, arguments)


def _mouse_down(script: _Script, arguments: Arguments) -> None:
    point = arguments.point(script.pointer)
    if script.down is not None or point is None:
        why = "a button is held already" if script.down else "where the pointer is, is not known"
        raise CodeError(arguments.call.line, arguments.call.shown, why, "write click or moveTo and dragTo")
    script.down, script.pointer = (arguments.button(), point, arguments.call.line), point
    script.moved, script.waited = None, False


def _mouse_up(script: _Script, arguments: Arguments) -> None:
    point = arguments.point(script.pointer)
    if script.down is None or script.down[0] != arguments.button() or point is None:
        raise CodeError(arguments.call.line, arguments.call.shown, "the button is not held", "add mouseDown before it")
    button, start, _ = script.down
    script.down = None
    if point == start and script.moved is None:
        held_long = script.waited and button == "left"
        script.add(arguments, act.LongPress(*point) if held_long else _CLICKS[button][0](x=point[0], y=point[1]))
    else:
        if not (script.actions and isinstance(script.actions[-1], act.MoveTo) and _place(script.actions[-1]) == start):
            script.add(arguments, act.MoveTo(*start))
        script.add(arguments, act.DragTo(*point, button=button))
    script.pointer = point


def _place(action: act.MoveTo) -> tuple[float | None, float | None]:
    return action.x, action.y


def _scroll(kind: type[Any]) -> Callable[[_Script, Arguments], None]:
    def meaning(script: _Script, arguments: Arguments) -> None:
        if arguments.values.get("direction") is not None:
            raise arguments.fail("direction", "a word gives no amount", "write scroll(amount), > 0 is up or right")
        given = {name: arguments.number(name) for name in ("amount", "page", "pixels")}
        amounts = [(name, value) for name, value in given.items() if value is not None]
        if len(amounts) != 1:
            raise arguments.fail("amount", "exactly one amount is needed", "write scroll(amount), > 0 is up or right")
        name, amount = amounts[0]
        if abs(amount) > _SCROLL_MOST:
            raise arguments.fail(name, f"nobody scrolls by {amount:g}", f"use at most {_SCROLL_MOST:,.0f} either way")
        unit = {"page": "page", "pixels": "pixel"}.get(name) or arguments.get("unit") or "notch"
        if unit not in ("notch", "pixel", "page"):
            raise arguments.fail("unit", f"{kind_of(unit)} is no unit", "use notch, pixel or page")
        if arguments.get("x") is not None or arguments.get("y") is not None:
            point = arguments.point(script.pointer)
            if point is not None:
                script.go(arguments, point)
        script.add(arguments, kind(amount=amount, unit=unit))

    return meaning


def _write(script: _Script, arguments: Arguments) -> None:
    message = arguments.get("message")
    if not isinstance(message, list):
        script.add(arguments, act.Write(arguments.text("message")))
        return
    text = ""
    for part in message:  # characters and key names, as typewrite takes them
        if isinstance(part, str) and len(part) == 1 and part.isprintable():
            text += part
            continue
        if text:
            script.add(arguments, act.Write(text))
            text = ""
        script.add(arguments, act.Press(script.key(arguments, part)))
    if text:
        script.add(arguments, act.Write(text))


_PRESS_LIST_MOST = 1000  # presses of a list that are written out one by one


def _press(script: _Script, arguments: Arguments) -> None:
    keys, presses = arguments.get("keys"), arguments.count("presses", most=_TIMES_MOST)
    if isinstance(keys, list) and len(keys) != 1:
        if not keys or len(keys) * presses > _PRESS_LIST_MOST:
            raise arguments.fail("keys", f"{len(keys)} keys, {presses} times", "name each key once, or split the step")
        for key in keys * presses:
            _press_one(script, arguments, key, 1)
    else:
        _press_one(script, arguments, keys[0] if isinstance(keys, list) else keys, presses)


def _press_one(script: _Script, arguments: Arguments, key: Value, presses: int) -> None:
    name = script.key(arguments, key)
    if isinstance(key, str) and len(key) == 1 and key.isupper() and name != key:
        if presses > _PRESS_LIST_MOST:
            raise arguments.fail("presses", f"{presses} capitals are no typing", "split the step")
        script.add(arguments, act.Write(key * presses))
    else:
        script.add(arguments, act.Press(name, presses))


def _hotkey(script: _Script, arguments: Arguments) -> None:
    given = arguments.values.get("*") or arguments.get("keys")
    if isinstance(given, list) and len(given) == 1 and isinstance(given[0], list | str):
        given = given[0]
    if isinstance(given, str):
        given = list(split_keys(given, script.platform) or [given])
    if not isinstance(given, list) or not given:
        raise arguments.fail("keys", "no key is named", "write hotkey('ctrl', 'c')")
    if len(given) > _KEYS_MOST:
        raise arguments.fail("keys", f"{len(given):,} keys are no hotkey", f"name at most {_KEYS_MOST}")
    keys = hotkey_order(script.key(arguments, key) for key in given)
    script.add(arguments, act.Hotkey(keys) if len(keys) > 1 else act.Press(keys[0]))


def _wait(script: _Script, arguments: Arguments) -> None:
    seconds = arguments.number("seconds")
    if seconds is not None and seconds < 0:
        raise arguments.fail("seconds", "time does not run back", "write 0 or more")
    if seconds is not None and seconds > _WAIT_MOST:
        raise arguments.fail("seconds", f"no step waits {seconds:g} seconds", f"use at most {_WAIT_MOST:,.0f}, a day")
    if script.down is not None:
        script.waited = True  # a button held for a time
    else:
        script.add(arguments, act.Wait(seconds))


def _terminate(script: _Script, arguments: Arguments) -> None:
    given = arguments.get("status")
    status = None if given is None else _STATUSES.get(str(given).lower())
    if given is not None and status is None:
        raise arguments.fail("status", f"{kind_of(given)} is no status", "use success, failure or impossible")
    script.add(arguments, act.Terminate(status))


def _finished(script: _Script, arguments: Arguments) -> None:
    if arguments.get("text"):
        script.add(arguments, act.Answer(arguments.text("text")))
    script.add(arguments, act.Terminate("success"))


def _swipe(script: _Script, arguments: Arguments) -> None:
    start, end = arguments.pair("from_coord"), arguments.pair("to_coord")
    if start is None and end is None and arguments.values.get("x") is not None:
        start = arguments.point(None)
        end = (
            arguments.coordinate("to_x", arguments.values.get("to_x")),
            arguments.coordinate("to_y", arguments.values.get("to_y")),
        )
    if start is None or end is None:
        why = "a swipe is from one point to another"
        raise arguments.fail("from_coord", why, "write swipe(from_coord=[x, y], to_coord=[x, y])")
    script.add(arguments, act.Swipe(*start, *end))


def _pointed(kind: type[Any], value: str | None = None) -> Callable[[_Script, Arguments], None]:
    def meaning(script: _Script, arguments: Arguments) -> None:
        script.pointed(arguments, kind, **({value: arguments.text(value)} if value else {}))

    return meaning


def _with_text(kind: type[Any], name: str) -> Callable[[_Script, Arguments], None]:
    return lambda script, arguments: script.add(arguments, kind(arguments.text(name)))


def _plain(kind: type[Any]) -> Callable[[_Script, Arguments], None]:
    return lambda script, arguments: script.add(arguments, kind())


def _one_key(kind: type[Any]) -> Callable[[_Script, Arguments], None]:
    return lambda script, arguments: script.add(arguments, kind(script.key(arguments, arguments.get("key"))))


_AT = "x y element_id point|start_box"
_CLICK = "x y clicks interval button duration tween element_id point|start_box"
_MULTI = "x y interval button duration tween element_id point|start_box"
_SCROLL = "amount|clicks x y page pixels unit direction"
_Meaning = tuple[str, Callable[[_Script, Arguments], None]]
_MEANINGS: dict[str, _Meaning] = {}


def _says(words: str, parameters: str, meaning: Callable[[_Script, Arguments], None]) -> None:
    _MEANINGS.update(dict.fromkeys(words.split(), (parameters, meaning)))


_says("click", _CLICK, _click(None, None))
_says("leftclick tap", _CLICK, _click("left", None))
_says("leftdouble", _AT, _click("left", 2))
_says("rightsingle", _AT, _click("right", 1))
_says("doubleclick", _MULTI, _click(None, 2))
_says("tripleclick", _MULTI, _click(None, 3))
_says("rightclick", _CLICK, _click("right", 1))
_says("middleclick", _CLICK, _click("middle", 1))
_says("longpress", f"{_AT} seconds|time", _pointed(act.LongPress))
_says("moveto", "x y duration tween element_id", _move)
_says("dragto", "x y duration tween button from_coord to_coord element_id point", _drag)
_says("drag", "from_coord|start_point|start_box to_coord|end_point|end_box button", _drag_between)
_says("mousedown", "x y button duration tween", _mouse_down)
_says("mouseup", "x y button duration tween", _mouse_up)
_says("scroll vscroll", _SCROLL, _scroll(act.Scroll))
_says("hscroll", _SCROLL, _scroll(act.HScroll))
_says("write typewrite type inputtext", "message|text|content interval", _write)
_says("press", "keys|key presses interval", _press)
_says("hotkey shortcut key", "* keys|key", _hotkey)
_says("keydown", "key", _one_key(act.KeyDown))
_says("keyup", "key", _one_key(act.KeyUp))
_says("wait sleep", "seconds|time|duration|t|secs", _wait)
_says("terminate", "status info", _terminate)
_says("swipe", "from_coord to_coord x|x1 y|y1 to_x|x2 to_y|y2", _swipe)
_says("selectoption", "x y value|option|text element_id", _pointed(act.SelectOption, "value"))
_says("clear", _AT, _pointed(act.Clear))
_says("finished", "text|content", _finished)
_says("back goback navigateback pressback", "", _plain(act.Back))
_says("home navigatehome presshome", "", _plain(act.Home))
_says("enter pressenter keyboardenter", "", _plain(act.Enter))
_says("openapp", "app_name|app|name|text", _with_text(act.OpenApp, "app_name"))
_says("goto", "url", _with_text(act.Goto, "url"))
_says("answer response", "text|answer|content", _with_text(act.Answer, "text"))
