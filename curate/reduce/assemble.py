"""Steps in recorded pixels become steps of the record: fractions, code, words, the element and window acted on.

What a recording knows beside its events (screen, elements, windows) is asked by time; the questions are methods of
`Surroundings`, each under one rule.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import cast

import msgspec
from msgspec import UNSET

from curate.model.actions import POINTED, Action
from curate.model.constants import ELEMENT_LATE_S, ELEMENT_WINDOW_S
from curate.model.coordinates import holds, place, place_box
from curate.model.events import ElementAt, RawRecording, ScreenAt, WindowAt
from curate.model.privacy import Masker
from curate.model.render import code_of
from curate.model.trajectory import Box, Element, Screen, Span, Step
from curate.model.words import words
from curate.reduce.types import Picture, ReducedStep

_TIME_DECIMALS = 6  # recorders' clocks tick in microseconds at best


class Surroundings:
    """What stood around the events of a recording. `zero`: time of its first raw event on the events' clock.
    `region`: width and height in pixels of the screen that the picture shows, from the screen's top left (None:
    not known)."""

    def __init__(self, recording: RawRecording, zero: float, screens: Sequence[ScreenAt] = ()) -> None:
        self.zero = zero
        self.region = recording.screen
        self._screens = sorted([*recording.screens, *screens], key=lambda change: change.time)
        self._elements = sorted(recording.elements, key=lambda element: element.time)
        self._element_times = [element.time for element in self._elements]
        self._windows = sorted(recording.windows, key=lambda window: window.time)
        self._window_times = [window.time for window in self._windows]
        self._mask = Masker()

    def change_before(self, time: float) -> ScreenAt | None:
        """The latest change of the screen at or before a time."""
        past = [change for change in self._screens if change.time <= time]
        return past[-1] if past else None

    def notes(self) -> list[str]:
        """A line for each change of the screen, for the record's lineage."""
        lines = []
        for change in self._screens:
            if not change.boxes:
                what = "size" if change.screen is None else "scale"
                lines.append(f"screen: {what} changed by {change.time - self.zero:.2f} s ({change.why})")
        return lines

    def screen_at(self, time: float) -> Screen | None:
        """The screen's size and scale, None once it is not known."""
        change = self.change_before(time)
        return self.region if change is None else change.screen

    def window_at(self, time: float) -> WindowAt | None:
        """The window in front, its title without what identifies a person."""
        index = bisect.bisect_right(self._window_times, time) - 1
        if index < 0:
            return None
        window = self._windows[index]
        return WindowAt(time=window.time, app=self._mask.maybe(window.app), title=self._mask.maybe(window.title))

    def element_of(self, step: ReducedStep, after: float) -> ElementAt | None:
        """The element seen at the step's press or just before it, and not before `after` (that was another action's).
        A step that holds modifiers may begin with theirs, long before its press."""
        if any(getattr(action, "modifiers", ()) for action in step.actions):
            index = bisect.bisect_left(self._element_times, step.start)
            if index < len(self._elements) and self._elements[index].time <= step.end:
                return self._elements[index]
        time = step.start
        index = bisect.bisect_right(self._element_times, time + ELEMENT_LATE_S) - 1
        if index < 0:
            return None
        element = self._elements[index]
        return element if element.time >= max(time - ELEMENT_WINDOW_S, after) else None

    def believed_box(self, element: ElementAt, point: tuple[float, float], time: float) -> Box | None:
        """The element's box as fractions: only if it holds the point, lies in the picture, and is from the screen as
        it is now."""
        change = self.change_before(time)
        stale = change is not None and (not change.boxes or element.time < change.time)
        if element.box is None or self.region is None or stale:
            return None
        if not holds(element.box, *point):
            return None
        return place_box(*element.box, self.region.width, self.region.height)

    def element_name(self, element: ElementAt) -> str | None:
        """The element's name without what identifies a person."""
        return self._mask.maybe(element.name)


def assemble_step(
    step: ReducedStep, index: int, picture: Picture, around: Surroundings, previous: ReducedStep | None
) -> Step:
    """One step of the record."""
    flags = {*step.flags, *picture.flags}
    point = first_point(step.actions)
    actions = [_in_fractions(action, around.region, flags) for action in step.actions]
    change = around.change_before(step.start)
    if change is not None:
        flags.add("screen_changed")
    element, raw_box = None, None
    seen = around.element_of(step, previous.start + ELEMENT_LATE_S if previous else float("-inf"))
    if seen is not None and point is not None:
        box = around.believed_box(seen, point, step.start)
        if box is not None:
            element = Element(role=seen.role, name=around.element_name(seen), box=box)
        else:
            raw_box = seen.box
    sentence = words(actions, element) or None
    if sentence is not None:
        flags.add("words_generated")
    window = around.window_at(step.start)
    return Step(
        index=index,
        image=picture.image,
        image_size=picture.size,
        screen=around.screen_at(step.start),
        app=window.app if window else None,
        window=window.title if window else None,
        tree=picture.tree,
        action=sentence,
        actions=actions,
        code=code_of(actions),
        element=element,
        raw_box=raw_box,
        time=Span(start=_seconds(step.start - around.zero), end=_seconds(step.end - around.zero)),
        keyframe=picture.keyframe,
        events=list(step.events),
        flags=sorted(flags),
    )


def first_point(actions: Sequence[Action]) -> tuple[float, float] | None:
    """Where a step acts first, in the unit of its actions; None for a step without a point."""
    for action in actions:
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            return action.x, action.y
    return None


def _in_fractions(action: Action, region: Screen | None, flags: set[str]) -> Action:
    if not isinstance(action, POINTED) or action.x is None or action.y is None:
        return action
    raw = (float(action.x), float(action.y))
    if region is None:
        flags.add("screen_unknown")
        return cast(Action, msgspec.structs.replace(action, x=None, y=None, raw_point=raw))
    placed = place(*raw, region.width, region.height)
    if placed.flag is not None:
        flags.add(placed.flag)
    raw_point = UNSET if placed.raw_point is None else placed.raw_point
    return cast(Action, msgspec.structs.replace(action, x=placed.x, y=placed.y, raw_point=raw_point))


def _seconds(value: float) -> float:
    return round(value, _TIME_DECIMALS)
