"""OpenAdapt's actions (its `Episode` schema, and the older internal form): a `type` and what belongs to it. Points are
given by the caller in one frame; what has no action in a record is None."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action, Modifier
from curate.model.finite import finite_number
from curate.model.keys import hotkey_order, key_name, modifier_of, modifier_order, split_keys
from curate.model.trajectory import Platform

Point = tuple[float | None, float | None]
_POINTED: dict[str, type[Any]] = {
    "click": act.Click, "left_click": act.Click, "double_click": act.DoubleClick, "right_click": act.RightClick,
    "hover": act.MoveTo, "move": act.MoveTo,
}  # fmt: skip
_ENDS: dict[str, act.TerminateStatus] = {"done": "success", "fail": "failure"}


def read_action(
    given: Mapping[str, Any], at: Point, start: Point, end: Point, platform: Platform | None
) -> list[Action] | None:
    """The actions of one object, but for scrolls (`scroll_of`). `at`, `start`, `end`: its points."""
    kind = str(given.get("type") or "").lower()
    held = _modifiers(given.get("modifiers"), platform)
    text = given.get("text")
    if kind in _POINTED:
        return [_POINTED[kind](*at, modifiers=held)]
    if kind == "drag":
        return [act.MoveTo(*start), act.DragTo(*end, modifiers=held)] if None not in (*start, *end) else None
    if kind in ("type", "click_and_type"):
        focus: list[Action] = [act.Click(*at)] if kind == "click_and_type" else []
        return [*focus, act.Write(text)] if isinstance(text, str) else None
    if kind in ("key", "key_press", "press", "hotkey"):
        return _keys(given, held, platform)
    if kind == "wait":
        seconds = finite_number(given.get("duration"))
        return [act.Wait(seconds if seconds is None or seconds >= 0 else None)]
    if kind in _ENDS:
        return [act.Terminate(_ENDS[kind])]
    return _elsewhere(kind, given)


def _elsewhere(kind: str, given: Mapping[str, Any]) -> list[Action] | None:
    """Pages and programs."""
    url, app = given.get("url"), given.get("app_name")
    if kind == "goto" and isinstance(url, str):
        return [act.Goto(url)]
    if kind == "back":
        return [act.Back()]
    if kind == "open_app" and isinstance(app, str):
        return [act.OpenApp(app)]
    return [] if kind == "screenshot" else None  # which nobody on the screen sees


def scroll_of(given: Mapping[str, Any]) -> tuple[str, float] | None:
    """Way and pixels of a scroll; None for another action, or one that names no way."""
    way = given.get("scroll_direction") or given.get("direction")
    if given.get("type") != "scroll" or way not in ("up", "down", "left", "right"):
        return None
    amount = finite_number(given.get("scroll_amount", given.get("amount")))
    return str(way), abs(amount) if amount else 0.0


def _keys(given: Mapping[str, Any], held: Iterable[Modifier], platform: Platform | None) -> list[Action] | None:
    key, keys = given.get("key"), given.get("keys")
    named = keys if isinstance(keys, list) else split_keys(key, platform) if isinstance(key, str) else None
    names = [key_name(str(one), platform) for one in named or []]
    known = [name for name in names if name is not None]
    if not known or len(known) != len(names):
        return None
    ordered = hotkey_order([*held, *known])
    return [act.Hotkey(ordered)] if len(ordered) > 1 else [act.Press(ordered[0])]


def _modifiers(given: Any, platform: Platform | None) -> tuple[Modifier, ...]:
    names = [key_name(str(one), platform) for one in given] if isinstance(given, list) else []
    found = [modifier_of(name) for name in names if name is not None]
    return modifier_order(one for one in found if one is not None)
