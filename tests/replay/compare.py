"""Whether the reduced actions equal the script's: points within their targets, everything else exactly."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from curate.model.actions import POINTED, Action, Terminate
from curate.model.render import render
from tests.replay.desk import SIZE
from tests.replay.person import Expected


def differences(expected: Sequence[Expected], got: Sequence[Action]) -> list[str]:
    """One line for each difference; none where all is equal."""
    actions = [action for action in got if not isinstance(action, Terminate)]
    said = [
        f"{number}: expected {msgspec.structs.asdict(want.action) | {'type': type(want.action).__name__}}"
        f" in {want.box}, got {render([action])}"
        for number, (want, action) in enumerate(zip(expected, actions, strict=False))
        if not _same(want, action)
    ]
    if len(expected) != len(actions):
        said.append(f"{len(expected)} actions expected, {len(actions)} found: {render(actions)}")
    return said


def _same(want: Expected, action: Action) -> bool:
    if want.box is None or not isinstance(action, POINTED):
        return action == want.action
    if action.x is None or action.y is None:
        return False
    x, y = action.x * SIZE[0], action.y * SIZE[1]
    inside = (
        want.box.x - 1 <= x <= want.box.x + want.box.width + 1
        and want.box.y - 1 <= y <= want.box.y + want.box.height + 1
    )
    return inside and msgspec.structs.replace(action, x=0.0, y=0.0) == want.action
