"""When the gesture begins that stops a recording. Its end shows the recorder, not the result of the task."""

from __future__ import annotations

import numpy as np

from curate.model.actions import Terminate
from curate.model.constants import STOP_WALK_END_S, STOP_WALK_PAUSE_S
from curate.reduce.types import ReducedStep
from curate.reduce.video.pointer_track import PointerTrack


def before_the_gesture(step: ReducedStep, track: PointerTrack) -> float:
    """When a step begins. For the final `terminate`: when the stop chord was begun, as the reducer found it; without
    a chord, when the pointer's last walk began (to the recorder's button, unless it rested since), but not before the
    last action had a second to show."""
    if not any(isinstance(action, Terminate) for action in step.actions):
        return step.start
    moves = track.times[track.times <= step.start]
    last_act = track.last_act_before(step.start)
    if not len(moves) or step.start - moves[-1] > STOP_WALK_END_S:
        return step.start
    if last_act is not None and last_act >= moves[-1]:
        return step.start
    pauses = np.flatnonzero(np.diff(moves) > STOP_WALK_PAUSE_S)
    begun = float(moves[pauses[-1] + 1]) if len(pauses) else float(moves[0])
    if last_act is not None:
        begun = max(begun, last_act + 1.0)
    return min(begun, step.start)
