"""Steps whose actions are Python calls with numbers in the source's own frame: read as they stand, then brought into
the record's frame by `Conventions`, the one place where that is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from curate.model.actions import POINTED, Action, Clear, HScroll, Scroll, Swipe
from curate.model.calls import CodeError
from curate.model.coordinates import Placed
from curate.model.parse import parse
from curate.model.trajectory import Platform
from curate.sources.common.conventions import Box, Conventions, Size
from curate.sources.common.facts import Space


class Framed(NamedTuple):
    """Actions in the record's frame, and the flags that their step gets for it."""

    actions: list[Action]
    flags: list[str]


class Around(NamedTuple):
    """What is known around a step's actions: the sizes of its picture and of the recorded screen, the target's box
    (left, top, right, bottom in `box_space`), the words that say what the step does; `way`: the direction of view of
    its scroll, where its words count for more than its sign (`Conventions.scroll`)."""

    picture: Size | None = None
    screen: Size | None = None
    box: Box | None = None
    box_space: Space | None = None
    words: str | None = None
    way: str | None = None


class Coded:
    """The code of one run's steps, in order: a call without a point acts where the pointer was left."""

    def __init__(self, conventions: Conventions, record: str, platform: Platform | None = None) -> None:
        self._conventions, self.record, self.platform = conventions, record, platform
        self._pointer: tuple[float, float] | None = None

    @property
    def pointer(self) -> tuple[float, float] | None:
        """Where the steps so far left the pointer, in the source's own frame."""
        return self._pointer

    def step(self, code: str, step: int, around: Around | None = None) -> Framed:
        """The actions of a step's code. Raises CodeError and UnreadableError, which name the step."""
        try:
            actions = parse(code, pixels=True, at=self._pointer, platform=self.platform)
        except CodeError as error:
            error.args = (f"Step {step}: {error}",)
            raise
        here = any(isinstance(one, POINTED) and (one.x, one.y) == self._pointer for one in actions)
        inferred = here and self._pointer is not None and not _stands_alone(code, actions, self.platform)
        found = self.acted(actions, step, around)
        return Framed(found.actions, sorted({*found.flags, *(["point_inferred"] if inferred else [])}))

    def aside(self, code: str, step: int, around: Around | None = None) -> list[Action]:
        """The actions of code that was not done at a step: it leaves the pointer where it is."""
        return self.read_aside(parse(code, pixels=True, platform=self.platform), step, around or Around())

    def read_aside(self, actions: Sequence[Action], step: int, around: Around) -> list[Action]:
        """The same of actions that are read already, their points in the source's own frame."""
        return framed(actions, self._conventions, record=self.record, step=step, around=around).actions

    def scroll(self, way: str, amount: float, step: int, words: str | None = None) -> Scroll | HScroll:
        """So many notches the way that a word says, as the source means it."""
        return self._conventions.scroll(
            way, axis="y", unit="notch", amount=amount, record=self.record, step=step, words=words
        )

    def acted(self, actions: Sequence[Action], step: int, around: Around | None = None) -> Framed:
        """The same for actions that are read already, their points in the source's own frame."""
        for action in actions:
            self._pointer = _left_at(action, self._pointer)
        return framed(actions, self._conventions, record=self.record, step=step, around=around or Around())


def _stands_alone(code: str, actions: Sequence[Action], platform: Platform | None) -> bool:
    """Whether the code says the same without what came before it."""
    try:
        return parse(code, pixels=True, platform=platform) == actions
    except CodeError:
        return False


def framed(actions: Sequence[Action], conventions: Conventions, *, record: str, step: int, around: Around) -> Framed:
    """Actions with raw numbers in the record's frame."""
    flags: set[str] = set()
    found: list[Action] = []

    def place(x: float, y: float) -> Placed:
        placed = conventions.point(
            (x, y), record=record, step=step, picture=around.picture, screen=around.screen,
            box=around.box, box_space=around.box_space,
        )  # fmt: skip
        flags.update([placed.flag] if placed.flag else [])
        return placed

    for action in actions:
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            at = place(action.x, action.y)
            raw = msgspec.UNSET if at.raw_point is None else at.raw_point
            found.append(msgspec.structs.replace(action, x=at.x, y=at.y, raw_point=raw))
        elif isinstance(action, Swipe):
            found.append(_swipe(action, place))
        elif isinstance(action, Scroll | HScroll):
            axis = "y" if isinstance(action, Scroll) else "x"
            way = around.way if around.way in {"y": ("up", "down"), "x": ("left", "right")}[axis] else None
            found.append(
                conventions.scroll(
                    action.amount, axis=axis, unit=action.unit, record=record, step=step, words=around.words,
                    modifiers=action.modifiers, way=way,
                )
            )  # fmt: skip
            flags.update(["scroll_from_words"] if way and conventions.options.scroll is None else [])
        else:
            flags.update(["point_unknown"] if _pointless(action) else [])
            found.append(action)
    return Framed(found, sorted(flags))


def _pointless(action: Action) -> bool:
    """Whether it should have a point and has none, nor an element. A field may be cleared wherever the focus is."""
    if not isinstance(action, POINTED) or isinstance(action, Clear):
        return False
    return action.x is None and action.raw_point is msgspec.UNSET and action.element_id is msgspec.UNSET


def _swipe(action: Swipe, place: Any) -> Swipe:
    if None in (action.x, action.y, action.to_x, action.to_y):
        return action
    start, end = place(action.x, action.y), place(action.to_x, action.to_y)
    return Swipe(start.x, start.y, end.x, end.y)


def _left_at(action: Action, before: tuple[float, float] | None) -> tuple[float, float] | None:
    if isinstance(action, POINTED):
        if action.x is not None and action.y is not None:
            return action.x, action.y
        return None if action.element_id is not msgspec.UNSET else before
    if isinstance(action, Swipe) and action.to_x is not None and action.to_y is not None:
        return action.to_x, action.to_y
    return before
