"""The closed union of actions a step may hold.

Points are fractions of the region that the picture shows (origin top left, inclusive [0, 1], 4 decimals) in a
record; the reducer uses the same types with recorded pixels and `reduce.assemble` turns them into fractions.
Names and fields are PyAutoGUI's where it has them, so that `model.render` is a plain translation.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

Fraction = Annotated[float, Meta(ge=0.0, le=1.0)]
"""A position across the picture: 0 is its left or top edge, 1 its right or bottom edge."""

Modifier = Literal["ctrl", "alt", "shift", "win", "command"]
"""Modifiers in the order in which a hotkey names them."""

MODIFIER_ORDER: tuple[Modifier, ...] = ("ctrl", "alt", "shift", "win", "command")

Button = Literal["left", "middle", "right"]
ScrollUnit = Literal["notch", "pixel", "page"]
TerminateStatus = Literal["success", "failure", "impossible"]


class _Action(msgspec.Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """Base of every action."""


class _Pointed(_Action, frozen=True):
    """An action at a point. `x` and `y` are null together: off the picture (`raw_point` keeps the recorded
    pixels), or the source names elements instead of points (`element_id`)."""

    x: Fraction | None = None
    y: Fraction | None = None
    modifiers: tuple[Modifier, ...] = ()
    raw_point: tuple[float, float] | UnsetType = UNSET
    element_id: str | UnsetType = UNSET


class Click(_Pointed, frozen=True, tag="click"):
    """Left button, once."""


class DoubleClick(_Pointed, frozen=True, tag="doubleClick"):
    """Left button, twice."""


class TripleClick(_Pointed, frozen=True, tag="tripleClick"):
    """Left button, three times."""


class RightClick(_Pointed, frozen=True, tag="rightClick"):
    """Right button, once."""


class MiddleClick(_Pointed, frozen=True, tag="middleClick"):
    """Middle button, once."""


class MoveTo(_Pointed, frozen=True, tag="moveTo"):
    """The pointer goes to a point: start of a drag, place of a scroll, or a hover."""


class LongPress(_Pointed, frozen=True, tag="longPress"):
    """A finger or button held down at a point."""


class DragTo(_Pointed, frozen=True, tag="dragTo"):
    """From where the moveTo before it ended, with a button held, to this point."""

    button: Button = "left"


class Scroll(_Action, frozen=True, tag="scroll"):
    """Vertical scroll; amount > 0 is up (earlier content appears)."""

    amount: float
    unit: ScrollUnit = "notch"
    modifiers: tuple[Modifier, ...] = ()


class HScroll(_Action, frozen=True, tag="hscroll"):
    """Horizontal scroll; amount > 0 is right."""

    amount: float
    unit: ScrollUnit = "notch"
    modifiers: tuple[Modifier, ...] = ()


class Write(_Action, frozen=True, tag="write"):
    """Typed text."""

    text: str


class Press(_Action, frozen=True, tag="press"):
    """One key (PyAutoGUI name), `presses` times."""

    key: str
    presses: Annotated[int, Meta(ge=1)] = 1


class Hotkey(_Action, frozen=True, tag="hotkey"):
    """Keys held together: modifiers in MODIFIER_ORDER, then the key."""

    keys: Annotated[tuple[str, ...], Meta(min_length=1)]


class KeyDown(_Action, frozen=True, tag="keyDown"):
    key: str


class KeyUp(_Action, frozen=True, tag="keyUp"):
    key: str


class Wait(_Action, frozen=True, tag="wait"):
    """Nothing is done for so many seconds (null: the source gives no time)."""

    seconds: Annotated[float, Meta(ge=0.0)] | None = None


class Terminate(_Action, frozen=True, tag="terminate"):
    """The run ends. A null status is unknown, and such a step is never a target."""

    status: TerminateStatus | None = None


class Swipe(_Action, frozen=True, tag="swipe"):
    """The finger goes from (x, y) to (to_x, to_y)."""

    x: Fraction | None
    y: Fraction | None
    to_x: Fraction | None
    to_y: Fraction | None


class SelectOption(_Pointed, frozen=True, tag="selectOption"):
    """An option of a list box is chosen."""

    value: str = ""


class Back(_Action, frozen=True, tag="back"):
    """The phone's or browser's back."""


class Home(_Action, frozen=True, tag="home"):
    """The phone's home."""


class Enter(_Action, frozen=True, tag="enter"):
    """The phone's enter."""


class OpenApp(_Action, frozen=True, tag="openApp"):
    app: str


class Goto(_Action, frozen=True, tag="goto"):
    url: str


class Clear(_Pointed, frozen=True, tag="clear"):
    """A field is emptied."""


class Answer(_Action, frozen=True, tag="answer"):
    """Text is given to the person who asked."""

    text: str


Action = (
    Click | DoubleClick | TripleClick | RightClick | MiddleClick | MoveTo | LongPress | DragTo | Scroll | HScroll
    | Write | Press | Hotkey | KeyDown | KeyUp | Wait | Terminate | Swipe | SelectOption | Back | Home | Enter
    | OpenApp | Goto | Clear | Answer
)  # fmt: skip
"""Any action."""

POINTED: tuple[type[_Pointed], ...] = (
    Click, DoubleClick, TripleClick, RightClick, MiddleClick, MoveTo, LongPress, DragTo, SelectOption, Clear,
)  # fmt: skip
"""Actions at one point, with modifiers."""

Pointed = (
    Click | DoubleClick | TripleClick | RightClick | MiddleClick | MoveTo | LongPress | DragTo | SelectOption | Clear
)  # fmt: skip


def action_type(action: Action) -> str:
    """The name the action has in a record, such as `doubleClick`."""
    return str(type(action).__struct_config__.tag)


def main_action(actions: tuple[Action, ...] | list[Action]) -> Action | None:
    """What a step does: the dragTo of moveTo + dragTo, the scroll of moveTo + scroll, else its first action."""
    for action in actions:
        if not isinstance(action, MoveTo | KeyDown | KeyUp):
            return action
    return actions[0] if actions else None
