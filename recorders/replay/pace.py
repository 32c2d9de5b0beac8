"""When each step begins. Pages load at their own pace, so that by default nothing comes sooner than it was recorded."""

from __future__ import annotations

import msgspec

from curate.model.trajectory import Span

LONGEST_GAP_S = 30.0
"""The person read, or was away; a page that takes longer than this has failed."""
UNKNOWN_GAP_S = 1.0
"""Between steps of records without times: about the pause of people between two acts (pointing takes most of it)."""
APART_S = 0.6
"""Between clicks of two steps at one place, at any speed: nearer, the system would make a double click of them
(MULTI_CLICK_GAP_S is the longest interval of any system's default)."""
KEY_S = (0.03, 0.12)
"""Shortest and longest time between two typed characters: slower than any program's event queue, faster than most
people. Autorepeat begins at 0.2 s at the earliest."""
TYPED_WITHOUT_TIME_S = 0.05


class Pace(msgspec.Struct, kw_only=True, frozen=True):
    """`speed`: how many times faster than recorded (1: as recorded). `pause`: seconds added before every step."""

    speed: float = 1.0
    pause: float = 0.0


class Wait(msgspec.Struct, frozen=True):
    """Before a step: `seconds` after the step before it ended, and not before `since_start` after that step began.
    `shortened`: by how many recorded seconds."""

    seconds: float
    since_start: float
    shortened: float = 0.0


def wait_before(previous: Span | None, this: Span | None, pace: Pace, first: bool = False) -> Wait:
    """How long to wait before a step."""
    if first:
        return Wait(pace.pause, 0.0)
    if previous is None or this is None:
        return Wait(UNKNOWN_GAP_S / pace.speed + pace.pause, 0.0)
    gap, apart = max(0.0, this.start - previous.end), max(0.0, this.start - previous.start)
    shortened = max(0.0, gap - LONGEST_GAP_S)
    return Wait((gap - shortened) / pace.speed + pace.pause, (apart - shortened) / pace.speed, shortened)


def key_interval(time: Span | None, characters: int, pace: Pace) -> float:
    """Seconds between the characters of a text: as recorded, within KEY_S."""
    if time is None or characters < 2:
        return TYPED_WITHOUT_TIME_S
    recorded = (time.end - time.start) / characters / pace.speed
    return min(max(recorded, KEY_S[0]), KEY_S[1])
