"""A record's steps as what can be performed on this desktop, and what cannot, before anything is done."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from curate.model import actions as act
from curate.model.actions import Action, action_type
from curate.model.coordinates import to_pixels
from curate.model.performed import CannotPerform
from curate.model.render import canonical, code_of
from curate.model.trajectory import Span, Step, Trajectory
from recorders.replay.errors import NotPerformableError
from recorders.replay.machine import Machine
from recorders.replay.text import KEYS_OF, paste_keys, plan_text
from recorders.replay.units import wheel_calls

_OTHER_HANDS = (
    act.Swipe, act.SelectOption, act.Back, act.Home, act.Enter, act.OpenApp, act.Goto, act.Clear, act.Answer,
)  # fmt: skip
"""Actions of phones and of browsers' own protocols: neither mouse nor keyboard does them."""


class PlannedStep(msgspec.Struct, frozen=True):
    """A step to perform: `actions` with their points in pixels of this screen. `time`, `app`, `window` (its title): as
    recorded."""

    index: int
    actions: tuple[Action, ...]
    time: Span | None
    app: str | None
    long_press: bool
    window: str | None = None


class Plan(msgspec.Struct, kw_only=True):
    """`notes`: what a person should know before it begins, as sentences. `lend`: characters that the layout lacks."""

    steps: list[PlannedStep]
    cannot: list[CannotPerform]
    notes: list[str]
    lend: list[str]


def plan(record: Trajectory, machine: Machine) -> Plan:
    """Look at every step; nothing is done. Points are fractions of the recorded screen and mean the same fractions of
    this one."""
    made = Plan(steps=[], cannot=[], notes=_notes(record, machine), lend=[])
    for step in record.steps:
        try:
            actions = tuple(_on_screen(action, machine) for action in _performable(step, machine))
        except NotPerformableError as error:
            made.cannot.append(CannotPerform(step.index, f"Step {step.index}: {error}."))
            continue
        long = "long_press" in step.flags
        made.steps.append(PlannedStep(step.index, actions, step.time, step.app, long, step.window))
        made.lend += _lacking(actions, machine)
        if any(isinstance(action, act.Terminate) for action in actions):
            break
    made.lend = list(dict.fromkeys(made.lend))
    return made


def pastes(planned: PlannedStep, machine: Machine) -> bool:
    """Whether a step's text goes through the clipboard, as the keyboard is now."""
    return any(
        run.by == "clipboard"
        for action in planned.actions
        if isinstance(action, act.Write)
        for run in plan_text(action.text, lambda c: machine.keyboard.character(c) is not None)
    )


def _performable(step: Step, machine: Machine) -> list[Action]:
    """The step's actions in their one form. Raises NotPerformableError."""
    actions = canonical(step.actions)
    if not actions:
        flags = f" ({', '.join(step.flags)})" if step.flags else ""
        raise NotPerformableError(f"the record does not say what was done{flags}")
    if code_of(actions) is None:
        raise NotPerformableError("its point lies off the recorded screen or is not known")
    for action in actions:
        _check(action, machine, step.app)
    return actions


def _check(action: Action, machine: Machine, app: str | None) -> None:
    name, keyboard = action_type(action), machine.keyboard
    if isinstance(action, _OTHER_HANDS):
        raise NotPerformableError(f"{name} is nothing that mouse and keyboard do")
    if isinstance(action, act.POINTED) and action.x is None:
        raise NotPerformableError(f"{name} names an element of a page instead of a point")
    if isinstance(action, act.Scroll | act.HScroll):
        wheel_calls(action, machine.platform)
    keys: tuple[str, ...] = getattr(action, "modifiers", ())
    if isinstance(action, act.Hotkey):
        keys = action.keys
    elif isinstance(action, act.Press | act.KeyDown | act.KeyUp):
        keys = (action.key,)
    elif isinstance(action, act.Write):
        plan_text(action.text, lambda c: True)
        keys = tuple(KEYS_OF[c] for c in KEYS_OF if c in action.text)
        if any(keyboard.character(c) is None for c in action.text if c not in KEYS_OF):
            keys += paste_keys(app, machine.platform)
    for key in keys:
        if keyboard.key(key) is None and not (len(key) == 1 and machine.platform == "linux"):
            raise NotPerformableError(f"this keyboard has no key {key!r}")


def _lacking(actions: Iterable[Action], machine: Machine) -> list[str]:
    """Characters that no key of the layout makes."""
    characters: list[str] = []
    for action in actions:
        if isinstance(action, act.Write):
            characters += [c for c in action.text if c not in KEYS_OF]
        elif isinstance(action, act.Hotkey):
            characters += [key for key in action.keys if len(key) == 1]
        elif isinstance(action, act.Press | act.KeyDown | act.KeyUp) and len(action.key) == 1:
            characters.append(action.key)
    return [c for c in characters if machine.keyboard.character(c) is None]


def _on_screen(action: Action, machine: Machine) -> Action:
    """The action with its point in pixels of this screen; a fraction of 1 is the last pixel."""
    if not isinstance(action, act.POINTED) or action.x is None or action.y is None:
        return action
    x, y = to_pixels(action.x, action.y, machine.width, machine.height)
    return msgspec.structs.replace(action, x=min(x, machine.width - 1), y=min(y, machine.height - 1))


def _notes(record: Trajectory, machine: Machine) -> list[str]:
    notes = []
    sizes = {(step.screen.width, step.screen.height) for step in record.steps if step.screen is not None}
    here = (machine.width, machine.height)
    if sizes and sizes != {here}:
        recorded = ", ".join(f"{width} x {height}" for width, height in sorted(sizes))
        notes.append(
            f"Recorded on a screen of {recorded}, this one is {here[0]} x {here[1]}: points are scaled, and programs "
            "may lie elsewhere."
        )
    if record.platform not in (None, machine.platform):
        notes.append(f"Recorded on {record.platform}, performed on {machine.platform}: shortcuts may differ.")
    unsure = [str(step.index) for step in record.steps if "text_unverified" in step.flags]
    if unsure:
        notes.append(f"The text of step {', '.join(unsure)} may not be what was typed.")
    return notes
