"""Tool calls of the Qwen models, `computer_use` and `mobile_use`: actions with points as they stand. The verbs are
those of both models' cookbooks; what a record has no action for is flagged `unsupported_action`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.keys import hotkey_order, key_name
from curate.model.trajectory import Platform
from curate.sources.common.reading import UnreadableError

TOOLS = ("computer_use", "mobile_use")


class Arguments(msgspec.Struct):
    """The arguments of a call, as far as the tools name any."""

    action: str
    coordinate: tuple[float, float] | None = None
    coordinate2: tuple[float, float] | None = None
    text: str | None = None
    keys: list[str] | str | None = None
    pixels: float | None = None
    time: float | None = None
    status: str | None = None
    button: str | None = None


class Call(msgspec.Struct):
    """A call as the models write it."""

    name: str
    arguments: Arguments


class Done(NamedTuple):
    """The actions of a step, and the flags that it gets for them."""

    actions: list[Action]
    flags: list[str]


def actions_of(texts: Sequence[str], platform: Platform | None = None) -> Done:
    """The actions of a step's calls, each a JSON text. Raises UnreadableError and what msgspec raises."""
    actions: list[Action] = []
    flags: set[str] = set()
    for text in texts:
        call = msgspec.json.decode(text, type=Call)
        if call.name not in TOOLS:
            raise UnreadableError("read.code", f"{call.name[:40]!r} is no tool of a computer or a phone.")
        found = _action(call.arguments, platform)
        actions += [] if found is None else [found]
        flags.update(["unsupported_action"] if found is None else [])
    return Done(actions, sorted(flags))


def _action(said: Arguments, platform: Platform | None) -> Action | None:
    verb = said.action
    if verb in _POINTED:
        pointed: Action = _POINTED[verb](*(said.coordinate or ()))
        return pointed
    if verb in ("key", "hotkey"):
        return _keys(said, platform)
    if verb == "system_button":
        return _BUTTONS[said.button or ""]() if said.button in _BUTTONS else None
    return _OTHERS[verb](said) if verb in _OTHERS else None


_POINTED: dict[str, type[Any]] = {
    "click": act.Click, "left_click": act.Click, "double_click": act.DoubleClick, "triple_click": act.TripleClick,
    "right_click": act.RightClick, "middle_click": act.MiddleClick, "mouse_move": act.MoveTo,
    "left_click_drag": act.DragTo, "long_press": act.LongPress,
}  # fmt: skip
_BUTTONS: dict[str, type[Any]] = {"Back": act.Back, "Home": act.Home, "Enter": act.Enter}


def _keys(said: Arguments, platform: Platform | None) -> Action | None:
    if said.keys is None:  # on a phone: the name of one of its key events
        return None
    given = [said.keys] if isinstance(said.keys, str) else said.keys
    names = [key_name(key, platform) for key in given]
    known = [name for name in names if name is not None]
    if not known or len(known) < len(names):
        raise UnreadableError("read.code", f"{str(given)[:80]} are no keys.")
    return act.Press(known[0]) if len(known) == 1 else act.Hotkey(hotkey_order(known))


def _given(said: Arguments, name: str) -> Any:
    value = getattr(said, name)
    if value is None:
        raise UnreadableError("read.code", f"{said.action} without {name}.")
    return value


def _swipe(said: Arguments) -> Action:
    (x, y), (to_x, to_y) = _given(said, "coordinate"), _given(said, "coordinate2")
    return act.Swipe(x, y, to_x, to_y)


_STATUS: dict[str | None, act.TerminateStatus] = {"success": "success", "failure": "failure", "fail": "failure"}
_OTHERS: dict[str, Callable[[Arguments], Action]] = {
    "type": lambda said: act.Write(_given(said, "text")),
    "answer": lambda said: act.Answer(_given(said, "text")),
    "open": lambda said: act.OpenApp(_given(said, "text")),
    "scroll": lambda said: act.Scroll(_given(said, "pixels"), "pixel"),
    "hscroll": lambda said: act.HScroll(_given(said, "pixels"), "pixel"),
    "swipe": _swipe,
    "wait": lambda said: act.Wait(said.time),
    "terminate": lambda said: act.Terminate(_STATUS.get(said.status)),
}
