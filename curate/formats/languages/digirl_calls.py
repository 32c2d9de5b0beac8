"""DigiRL's actions: a text that looks like JSON and is none, in Android in the Wild's words, points as `[y, x]`.

    Action Plan: [DUAL_POINT,TYPE] ; Action Decision: "action_type": "DUAL_POINT", "touch_point": "[0.7852, 0.6779]",
    "lift_point": "[0.7852, 0.6779]", "typed_text": ""

It has no long press, no app to open and no time to wait. Its released parser splits at `", "`, so a typed text that
holds it cannot be said, and takes two points near each other for a tap, so a swipe of a few pixels cannot either."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curate.formats.languages.phrases import finger_path
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.constants import DIGIRL_PLAN
from curate.model.trajectory import Step

_NOWHERE = "[-1.0, -1.0]"
_TAP_PX2 = 10  # squared pixels between touch and lift, below which DigiRL's environment taps
_SIDE = 1000  # of a picture whose size is not known
_BUTTONS: dict[type, str] = {act.Back: "PRESS_BACK", act.Home: "PRESS_HOME", act.Enter: "PRESS_ENTER"}


class Decision(NamedTuple):
    """One act: its `action_type`, and the whole text behind `Action Decision: `."""

    kind: str
    text: str


def decision(step: Step) -> Decision | None:
    """What a step of a phone does; None where the language has no word for it."""
    if len(step.actions) != 1:
        return None
    action = step.actions[0]
    if isinstance(action, act.Click):
        if action.x is None or action.y is None or action.modifiers:
            return None
        point = _point(action.x, action.y)
        return _said("DUAL_POINT", point, point)
    if isinstance(action, act.Write):
        return None if '", "' in action.text or not action.text else _said("TYPE", text=action.text)
    if type(action) in _BUTTONS:
        return _said(_BUTTONS[type(action)])
    if isinstance(action, act.Press):
        return _said("PRESS_ENTER") if (action.key, action.presses) == ("enter", 1) else None
    if isinstance(action, act.Terminate):
        return None if action.status is None else _said(_ENDS[action.status])
    return _swiped(action, step)


_ENDS = {"success": "STATUS_TASK_COMPLETE", "failure": "TASK_IMPOSSIBLE", "impossible": "TASK_IMPOSSIBLE"}


def answer(decisions: Sequence[Decision | None], position: int) -> str | None:
    """The whole action of a step: the plan is what is done from there on."""
    own = decisions[position]
    if own is None:
        return None
    plan = []
    for one in decisions[position : position + DIGIRL_PLAN]:
        if one is None:
            break
        plan.append(one.kind)
    return f"Action Plan: [{','.join(plan)}] ; Action Decision: {own.text}"


def _swiped(action: Action, step: Step) -> Decision | None:
    path = finger_path(action)
    if path is None:
        return None
    width, height = step.image_size or (_SIDE, _SIDE)
    if ((path.x - path.to_x) * width) ** 2 + ((path.y - path.to_y) * height) ** 2 < _TAP_PX2:
        return None
    return _said("DUAL_POINT", _point(path.x, path.y), _point(path.to_x, path.to_y))


def _point(x: float, y: float) -> str:
    return f"[{y:.4f}, {x:.4f}]"


def _said(kind: str, touch: str = _NOWHERE, lift: str = _NOWHERE, text: str = "") -> Decision:
    points = f'"touch_point": "{touch}", "lift_point": "{lift}"'
    return Decision(kind, f'"action_type": "{kind}", {points}, "typed_text": "{text}"')
