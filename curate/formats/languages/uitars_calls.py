"""UI-TARS' calls, in its three ways to write a point: `start_box='<|box_start|>(528,269)<|box_end|>'` (v1, of 1000),
`start_box='(680,196)'` (1.5, pixels of the picture as the model sees it), `point='<point>680 196</point>'` (the same).

Several calls stand with a blank line between them. A scroll says which side it shows more of, not how much; a wait is
five seconds whatever it was; what ends in failure calls the user, where the dialect has words for that. Its keys are
at most three; hovers, triple and middle clicks, held keys and other buttons that drag have no word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from curate.formats.base import escape_code
from curate.formats.languages.phrases import Phrase, finger_path, phrases, quoted
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.constants import REPEATED_CALLS, UITARS_KEYS

Dialect = Literal["1.5", "v1", "point"]


class Frame(NamedTuple):
    """Coordinates run from 0 to `width` and `height`. `phone`: its words are those of a phone. `last`: the step is the
    run's last, where an answer ends it."""

    width: int
    height: int
    dialect: Dialect
    phone: bool
    last: bool


_Say = Callable[[Any, Frame, "act.MoveTo | None"], "str | None"]


def calls(actions: Sequence[Action], frame: Frame) -> str | None:
    """The calls of a step, with a blank line between them."""
    verbs = _PHONE if frame.phone else _DESKTOP
    said: list[str] = []
    found = phrases(actions)
    for phrase in found if len(found) == 1 else _joined(found):
        say = verbs.get(type(phrase.action))
        one = None if say is None else say(phrase.action, frame, phrase.start)
        if one is None:
            return None
        said.append(one)
    return "\n\n".join(said) or None


def _joined(given: list[Phrase]) -> list[Phrase]:
    """Text and Enter are one call (`\\n` at its end submits), an answer and the end that follows it another."""
    found: list[Phrase] = []
    for phrase in given:
        before = found[-1].action if found else None
        if isinstance(before, act.Write) and phrase.action in (act.Enter(), act.Press("enter")):
            found[-1] = Phrase(act.Write(before.text + "\n"))
        elif isinstance(before, act.Answer) and before.text and phrase.action == act.Terminate("success"):
            found[-1] = Phrase(_Ending(before.text))
        else:
            found.append(phrase)
    return found


class _Ending(act.Answer, frozen=True, tag="ending"):
    """An answer that ends the run."""


def _place(x: float, y: float, frame: Frame) -> str:
    across, down = round(x * frame.width), round(y * frame.height)
    if frame.dialect == "point":
        return f"'<point>{across} {down}</point>'"
    return f"'<|box_start|>({across},{down})<|box_end|>'" if frame.dialect == "v1" else f"'({across},{down})'"


def _name(frame: Frame) -> str:
    """What the argument of a point is called."""
    return "point" if frame.dialect == "point" else "start_box"


def _at(verb: str) -> _Say:
    def say(action: Any, frame: Frame, _: act.MoveTo | None) -> str | None:
        if action.x is None or action.modifiers:
            return None
        return f"{verb}({_name(frame)}={_place(action.x, action.y, frame)})"

    return say


def _path(frame: Frame, x: float, y: float, to_x: float, to_y: float) -> str:
    start, end = ("start_point", "end_point") if frame.dialect == "point" else ("start_box", "end_box")
    return f"drag({start}={_place(x, y, frame)}, {end}={_place(to_x, to_y, frame)})"


def _drag(action: act.DragTo, frame: Frame, start: act.MoveTo | None) -> str | None:
    if start is None or start.x is None or start.y is None or action.x is None or action.y is None:
        return None
    if action.button != "left" or action.modifiers or start.modifiers:
        return None
    return _path(frame, start.x, start.y, action.x, action.y)


def _swiped(action: act.Swipe, frame: Frame, _: act.MoveTo | None) -> str | None:
    path = finger_path(action)
    return None if path is None else _path(frame, *path)


def _scroll(more: str, less: str) -> _Say:
    def say(action: Any, frame: Frame, start: act.MoveTo | None) -> str | None:
        if action.modifiers or not action.amount or (start is not None and (start.x is None or start.modifiers)):
            return None
        direction = f"direction='{more if action.amount > 0 else less}'"
        if start is not None:
            return f"scroll({_name(frame)}={_place(start.x, start.y, frame)}, {direction})"  # type: ignore[arg-type]
        if frame.phone:  # a finger is somewhere: in the middle, as AndroidWorld scrolls
            return f"scroll({_name(frame)}={_place(0.5, 0.5, frame)}, {direction})"
        return f"scroll({direction})"  # where the pointer is

    return say


def _content(verb: str, text: str) -> str:
    return f"{verb}(content={escape_code(quoted(text))})"


def _hotkey(keys: Sequence[str]) -> str | None:
    if len(keys) > UITARS_KEYS or any("'" in key or "\\" in key for key in keys):
        return None
    if any(len(key.lower()) != len(key) for key in keys):  # a letter that no small letter is
        return None
    named = ["space" if key in (" ", "space") else key.lower() for key in keys]
    return None if any(" " in key for key in named) else f"hotkey(key='{' '.join(named)}')"


def _pressed(action: act.Press, _frame: Frame, _start: act.MoveTo | None) -> str | None:
    one = _hotkey([action.key]) if action.presses <= REPEATED_CALLS else None
    return None if one is None else "\n\n".join([one] * action.presses)


def _ended(action: act.Terminate, frame: Frame, _: act.MoveTo | None) -> str | None:
    if action.status == "success":
        return "finished(content='')"
    return None if action.status is None or frame.dialect == "point" else "call_user()"


def _answered(action: act.Answer, frame: Frame, _: act.MoveTo | None) -> str | None:
    return _content("finished", action.text) if frame.last and action.text else None  # without text it is an end


_EVERYWHERE: dict[type[Any], _Say] = {
    act.Click: _at("click"),
    act.DragTo: _drag,
    act.Scroll: _scroll("up", "down"),
    act.HScroll: _scroll("right", "left"),
    act.Write: lambda action, _frame, _start: _content("type", action.text),
    act.Wait: lambda _action, _frame, _start: "wait()",
    act.Terminate: _ended,
    act.Answer: _answered,
    _Ending: lambda action, _frame, _start: _content("finished", action.text),
}
_DESKTOP: dict[type[Any], _Say] = {
    **_EVERYWHERE,
    act.DoubleClick: _at("left_double"),
    act.RightClick: _at("right_single"),
    act.Press: _pressed,
    act.Hotkey: lambda action, _frame, _start: _hotkey(action.keys),
}
_PHONE: dict[type[Any], _Say] = {
    **_EVERYWHERE,
    act.LongPress: _at("long_press"),
    act.Swipe: _swiped,
    act.OpenApp: lambda action, _frame, _start: f"open_app(app_name={escape_code(quoted(action.app))})",
    act.Home: lambda _action, _frame, _start: "press_home()",
    act.Back: lambda _action, _frame, _start: "press_back()",
}
