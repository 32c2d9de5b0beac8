"""Loops: the same action, or the same set of actions, three times in a row (DigiData's runbook)."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.model.actions import Action, Hotkey, Pointed, Press, Scroll, Write
from curate.model.constants import LOOP_MAX_PERIOD, LOOP_REPEATS
from curate.model.trajectory import Step

LoopKey = tuple[object, ...]


def find_loop(keys: Sequence[object | None], repeats: int = LOOP_REPEATS) -> tuple[int, int] | None:
    """The first loop as (position of its first key, how many keys make one round), None without one.

    A round of up to LOOP_MAX_PERIOD keys that comes `repeats` times without a break is a loop. None is a step
    that cannot be compared: it equals nothing, itself included.
    """
    numbers: dict[object, int] = {}
    ids = [-position if key is None else numbers.setdefault(key, len(numbers) + 1) for position, key in enumerate(keys)]
    found: list[tuple[int, int]] = []
    for period in range(1, LOOP_MAX_PERIOD + 1):
        streak = 0  # how many keys in a row equal the one a round later
        for position in range(len(ids) - period):
            streak = streak + 1 if ids[position] == ids[position + period] else 0
            if streak == period * (repeats - 1):
                found.append((position - streak + 1, period))
                break
    return min(found, default=None)


def loop_of(steps: Sequence[Step], rough: Sequence[object] | None = None) -> tuple[int, int] | None:
    """The first loop of a run's steps, as `find_loop` gives it. Keys that loop come LOOP_REPEATS times, so steps of
    which something comes less often are told apart by that alone. `rough`: `rough_key` of each step."""
    known = [rough_key(step) for step in steps] if rough is None else rough
    if len(known) - len(set(known)) < LOOP_REPEATS - 1:
        return None
    often = {one for one, count in Counter(known).items() if count >= LOOP_REPEATS}
    if not often:
        return None
    return find_loop([loop_key(step) if one in often else None for step, one in zip(steps, known, strict=True)])


def may_loop(rough: Sequence[object], runs: NDArray[np.int64]) -> set[int]:
    """Of the steps of some runs, one run's after another's, given `rough_key` and the run of each: the runs whose rough
    keys loop. No other run does."""
    keys = np.fromiter(map(hash, rough), np.int64, len(rough))  # two keys of one hash only mean a closer look
    found: set[int] = set()
    for period in range(1, LOOP_MAX_PERIOD + 1):
        again = (keys[:-period] == keys[period:]) & (runs[:-period] == runs[period:])
        other = np.flatnonzero(~np.r_[False, again, False])
        found.update(runs[other[:-1][np.diff(other) > period * (LOOP_REPEATS - 1)]].tolist())
    return found


def rough_key(step: Step) -> object:
    """A part of what `loop_key` compares: steps that differ here differ there."""
    if not step.actions:
        return None
    if step.element is not None and step.element.name:
        return step.element.name
    first = step.actions[0]
    said = _SAID.get(type(first))
    return type(first) if said is None else said(first)


_SAID: dict[type, Callable[[Any], object]] = {
    Write: operator.attrgetter("text"),
    Press: operator.attrgetter("key"),
    Hotkey: operator.attrgetter("keys"),
    Scroll: lambda action: round(action.amount, 2),
}


def loop_key(step: Step) -> LoopKey | None:
    """What has to be equal for a step to repeat another: its element's name and its actions with points at a
    hundredth of the screen (a hand does not hit the same pixel twice), or its words where no action is typed. None
    if it has neither."""
    if step.actions:
        element = step.element.name if step.element else None
        keys = [_action_key(action, element) for action in step.actions]
        return None if None in keys else (element, *keys)
    return (" ".join(step.action.lower().split()),) if step.action else None


def _action_key(action: Action, element: str | None) -> LoopKey | None:
    if isinstance(action, Pointed) and action.x is None and not element and not action.element_id:
        raw = action.raw_point
        return (type(action).__name__, *(round(v, -1) for v in raw)) if raw else None  # nothing says where it was
    values = [getattr(action, field) for field in action.__struct_fields__ if field != "raw_point"]
    return (type(action).__name__, *(round(v, 2) if isinstance(v, float) else v for v in values))
