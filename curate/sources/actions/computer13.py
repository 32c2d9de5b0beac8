"""OSWorld's second action space, `computer_13`: one JSON object an action, `{"action_type": "CLICK", "parameters":
{...}}` or with the parameters beside the type. Points are pixels of the screen and stay so.

A click without a point is where the pointer was left (point null: `Coded` knows). Scrolls have PyAutoGUI's sign: `dy`
over 0 is up, `dx` over 0 is right. A button held over several steps has no action in the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.finite import finite_number
from curate.model.keys import hotkey_order, key_name
from curate.model.trajectory import Platform
from curate.sources.common.reading import UnreadableError

_CLICKS: dict[tuple[str, int], type[Any]] = {
    ("left", 1): act.Click, ("left", 2): act.DoubleClick, ("left", 3): act.TripleClick,
    ("right", 1): act.RightClick, ("middle", 1): act.MiddleClick,
}  # fmt: skip
_UNKNOWN = "import.unsupported_action"


def read_action(given: Mapping[str, Any], at: tuple[float, float] | None, platform: Platform | None) -> list[Action]:
    """The actions of one object. `at`: where the pointer is, in the same pixels. Raises UnreadableError."""
    kind = given.get("action_type")
    inner = given.get("parameters")
    parameters = inner if isinstance(inner, Mapping) else {k: v for k, v in given.items() if k != "action_type"}
    reading = _KINDS.get(kind) if isinstance(kind, str) else None
    if reading is None:
        raise UnreadableError(_UNKNOWN, f"{str(kind)[:40]!r} is no action of a record.")
    found: list[Action] = reading(parameters, at, platform)
    return found


def _point(given: Mapping[str, Any], at: tuple[float, float] | None) -> tuple[float | None, float | None]:
    x, y = given.get("x"), given.get("y")
    if x is None and y is None:
        return at or (None, None)
    across, down = finite_number(x), finite_number(y)
    if across is None or down is None:
        raise UnreadableError("validate.coordinate_out_of_range", f"({x!s:.30}, {y!s:.30}) is no point.")
    return across, down


def _click(given: Mapping[str, Any], at: Any, platform: Any) -> list[Action]:
    button, times = given.get("button") or "left", given.get("num_clicks") or 1
    kind = _CLICKS.get((button, times)) if isinstance(button, str) and isinstance(times, int) else None
    if kind is None:
        raise UnreadableError(_UNKNOWN, f"{times!s:.20} clicks of the button {button!s:.20} are no action of a record.")
    return [kind(*_point(given, at))]


def _pointed(kind: type[Any]) -> Any:
    return lambda given, at, platform: [kind(*_point(given, at))]


def _drag(given: Mapping[str, Any], at: tuple[float, float] | None, platform: Any) -> list[Action]:
    x, y = _point(given, None)
    start: list[Action] = [] if at is None else [act.MoveTo(*at)]
    return [*start, act.DragTo(x, y)]


def _scroll(given: Mapping[str, Any], at: Any, platform: Any) -> list[Action]:
    found: list[Action] = []
    for name, kind in (("dy", act.Scroll), ("dx", act.HScroll)):
        amount = finite_number(given.get(name, 0))
        if amount is None:
            raise UnreadableError("validate.schema", f"{given.get(name)!s:.30} is no amount to scroll by.")
        found += [kind(amount=amount)] if amount else []
    return found


def _typing(given: Mapping[str, Any], at: Any, platform: Any) -> list[Action]:
    text = given.get("text")
    if not isinstance(text, str):
        raise UnreadableError("validate.schema", f"{text!s:.30} is no text to type.")
    return [act.Write(text)]


def _key(kind: type[Any]) -> Any:
    return lambda given, at, platform: [kind(_key_of(given.get("key"), platform))]


def _hotkey(given: Mapping[str, Any], at: Any, platform: Platform | None) -> list[Action]:
    keys = given.get("keys")
    if not isinstance(keys, list) or not keys:
        raise UnreadableError("validate.schema", f"{keys!s:.30} are no keys.")
    names = hotkey_order(_key_of(key, platform) for key in keys)
    return [act.Hotkey(names)] if len(names) > 1 else [act.Press(names[0])]


def _key_of(key: Any, platform: Platform | None) -> str:
    name = key_name(key, platform) if isinstance(key, str) else None
    if name is None:
        raise UnreadableError("read.code", f"{key!s:.30} is no key.")
    return name


def _held(given: Mapping[str, Any], at: Any, platform: Any) -> list[Action]:
    raise UnreadableError(_UNKNOWN, "A mouse button held over several steps is no action of a record.")


_KINDS: dict[str, Any] = {
    "MOVE_TO": _pointed(act.MoveTo), "CLICK": _click, "RIGHT_CLICK": _pointed(act.RightClick),
    "DOUBLE_CLICK": _pointed(act.DoubleClick), "DRAG_TO": _drag, "SCROLL": _scroll, "TYPING": _typing,
    "PRESS": _key(act.Press), "KEY_DOWN": _key(act.KeyDown), "KEY_UP": _key(act.KeyUp), "HOTKEY": _hotkey,
    "MOUSE_DOWN": _held, "MOUSE_UP": _held,
    "WAIT": lambda given, at, platform: [act.Wait()],
    "DONE": lambda given, at, platform: [act.Terminate("success")],
    "FAIL": lambda given, at, platform: [act.Terminate("impossible")],
}  # fmt: skip
WORDS = frozenset({"WAIT", "DONE", "FAIL"})
"""Actions that stand alone, as a word instead of an object or code."""
