"""ScreenAgent's actions: JSON objects for mouse, keyboard and waiting, in pixels of the screen, where a position is
`{"width": x, "height": y}`. Plans and evaluations of sub-tasks are no actions on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action
from curate.model.finite import finite_number
from curate.model.keys import hotkey_order, split_keys
from curate.model.trajectory import Platform

Scrolls = tuple[str, int]
"""Which way, and how many notches."""

_CLICKS: dict[tuple[str, str], type[Any]] = {
    ("click", "left"): act.Click, ("click", "right"): act.RightClick, ("click", "middle"): act.MiddleClick,
    ("double_click", "left"): act.DoubleClick,
}  # fmt: skip


def read_action(
    given: Mapping[str, Any], at: tuple[float, float] | None, platform: Platform | None
) -> list[Action] | Scrolls | None:
    """The actions of one object; a scroll as its way and notches; None for what has no action in a record. `at`: where
    the pointer is."""
    kind = given.get("action_type")
    if kind == "MouseAction":
        return _mouse(given, at)
    if kind == "KeyboardAction":
        return _keyboard(given, platform)
    if kind == "WaitAction":
        seconds = finite_number(given.get("wait_time"))
        return [act.Wait(seconds)] if seconds is None or seconds >= 0 else None
    return None


def _mouse(given: Mapping[str, Any], at: tuple[float, float] | None) -> list[Action] | Scrolls | None:
    what = given.get("mouse_action_type")
    button: Any = given.get("mouse_button") or "left"
    place = given.get("mouse_position")
    x, y = at or (None, None)
    if isinstance(place, Mapping):
        x, y = finite_number(place.get("width")), finite_number(place.get("height"))
    if what in ("scroll_up", "scroll_down"):
        times = given.get("scroll_repeat", 1)
        counted = isinstance(times, int) and not isinstance(times, bool) and times >= 1
        return (what.removeprefix("scroll_"), times) if counted else None
    if what == "move":
        return [act.MoveTo(x, y)]
    if what == "drag" and button in ("left", "middle", "right") and isinstance(place, Mapping):
        start: list[Action] = [] if at is None else [act.MoveTo(*at)]
        return [*start, act.DragTo(x, y, button=button)]
    clicked = _CLICKS.get((str(what), str(button)))
    return None if clicked is None else [clicked(x, y)]


def _keyboard(given: Mapping[str, Any], platform: Platform | None) -> list[Action] | None:
    text, key = given.get("keyboard_text"), given.get("keyboard_key")
    if isinstance(text, str):
        return [act.Write(text)]
    keys = split_keys(key, platform) if isinstance(key, str) else None
    if not keys:
        return None
    ordered = hotkey_order(keys)
    return [act.Hotkey(ordered)] if len(ordered) > 1 else [act.Press(ordered[0])]
