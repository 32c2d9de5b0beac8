"""What the agent does in records of the Agent Data Protocol: calls of functions that each dataset names for itself,
Python code, messages. They are read as they stand first, so that a record's own numbers can say in which frame its
points are, and then brought into the record's frame.

What is decided here:
- A call on an element (`bid`, `xpath`) or of a function that only browsers have is BrowserGym's; converters have put
  its texts in quotes of their own, which are taken off where the element's name (else every text) has them.
- `touch_and_lift(x0, y0, x1, y1)` is a tap or a swipe, as in Android in the Wild, with x before y.
- `scroll(direction)` speaks of what is seen next, `scroll(delta_x, delta_y)` goes down by a positive delta_y,
  PyAutoGUI's up by a positive number.
- Points of a record are fractions where all lie in [0, 1] and some are no whole numbers, pixels of the picture where
  one is beyond 1; else nobody knows.
- A message to the user is an answer; one in `<finish>` ends the run too."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from curate.model import actions as act
from curate.model.actions import POINTED, Action, Swipe
from curate.model.calls import Call
from curate.model.parse import parse
from curate.sources.actions.browser_calls import browser_actions
from curate.sources.actions.dual_point import DUAL_POINT, Gesture, gesture_actions
from curate.sources.base import ReadContext
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts, Space
from curate.sources.common.reading import UnreadableError

Pair = tuple[float, float]


class Frames:
    """The frames and signs in which one record's actions are read, and where its pointer is."""

    def __init__(self, facts: Facts, context: ReadContext, space: Space | None, record: str) -> None:
        known = msgspec.structs.replace(facts, space=space)
        self.record = record
        self.wheel = Conventions(msgspec.structs.replace(known, scroll="plus_up"), context)
        self.page = Conventions(msgspec.structs.replace(known, scroll="plus_down"), context)
        self.words = Conventions(msgspec.structs.replace(known, scroll="view"), context)
        self.coded = Coded(self.wheel, record)


class Doing(NamedTuple):
    """One action of the agent. `points`: as they stand; `element_id`: of the first element it names; `unsupported`:
    what it is, where a record has no action for it; `phone`: whether only phones have such an action."""

    frame: Callable[[Frames, int, Around], Framed]
    points: Sequence[Pair] = ()
    element_id: str | None = None
    unsupported: str | None = None
    phone: bool = False


def space_of(points: Sequence[Pair]) -> Space | None:
    """The frame that a record's own numbers tell."""
    values = [value for point in points for value in point]
    if any(value > 1 for value in values):
        return None if any(0 < value < 1 for value in values) else "picture_pixel"
    return "fraction" if any(value != int(value) for value in values) else None


def of_code(code: str) -> Doing:
    """Python code. Raises CodeError."""
    raw = parse(code, pixels=True)
    return Doing(lambda frames, step, around: frames.coded.step(code, step, around), _points(raw))


def of_message(text: str) -> Doing:
    """A message to the user."""
    found = re.fullmatch(r"\s*<finish>(.*)</finish>\s*", text, re.DOTALL)
    said = (found[1] if found else text).strip()
    done: list[Action] = [act.Answer(said)] if said else []
    return _plain([*done, act.Terminate()] if found else done)


def of_call(function: str, kwargs: Mapping[str, Any]) -> Doing:
    """A call. Raises CodeError, UnreadableError."""
    known = {name: value for name, value in kwargs.items() if value is not None}
    if function == "touch_and_lift":
        return _gesture(known)
    if function == "end" and isinstance(known.get("succeeds"), bool):
        return _plain([act.Terminate("success" if known["succeeds"] else "failure")], phone=True)
    button = known.get("key_name")
    if function == "press" and isinstance(button, str) and button in _BUTTONS:
        return _plain([_BUTTONS[button]], phone=True)
    if function == "scroll" and isinstance(known.get("direction"), str):
        return Doing(lambda frames, step, around: _by_word(frames, step, around, known["direction"]))
    if {"bid", "xpath"} & known.keys() or function.replace("_", "").lower() in _BROWSER or "delta_y" in known:
        return _on_page(function, known)
    code = _as_code(function, known)
    doing = of_code(code)
    return doing._replace(phone=function in _PHONE)


_BUTTONS: dict[str, Action] = {"go_back": act.Back(), "go_home": act.Home(), "enter": act.Enter()}
_PHONE = ("open_app", "navigate_home", "navigate_back", "input_text", "long_press")
_BROWSER = frozenset(
    {"goto", "sendmsgtouser", "reportinfeasible", "noop", "tabfocus", "tabclose", "newtab", "goforward", "uploadfile",
     "keyboardpress", "keyboardtype", "keyboardinserttext", "keyboarddown", "keyboardup", "draganddrop"}
)  # fmt: skip


def _plain(actions: list[Action], phone: bool = False) -> Doing:
    return Doing(lambda *_: Framed(actions, []), phone=phone)


def _points(actions: Sequence[Action]) -> list[Pair]:
    found: list[Pair] = []
    for action in actions:
        if isinstance(action, POINTED) and action.x is not None and action.y is not None:
            found.append((action.x, action.y))
        elif isinstance(action, Swipe) and None not in (action.x, action.y, action.to_x, action.to_y):
            found += [(action.x, action.y), (action.to_x, action.to_y)]  # type: ignore[list-item]
    return found


def _gesture(known: Mapping[str, Any]) -> Doing:
    touch, lift = ([known.get(name) for name in names] for names in (("x0", "y0"), ("x1", "y1")))
    numbers = [value for value in (*touch, *lift) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) != 4:
        raise UnreadableError("validate.coordinate_out_of_range", "touch_and_lift without its four numbers.")
    gesture = Gesture(kind=DUAL_POINT, touch=touch, lift=lift)

    def frame(frames: Frames, step: int, around: Around) -> Framed:
        return gesture_actions(gesture, frames.wheel, record=frames.record, step=step, around=around)

    return Doing(frame, [(numbers[0], numbers[1]), (numbers[2], numbers[3])], phone=True)


def _by_word(frames: Frames, step: int, around: Around, word: str) -> Framed:
    scroll = frames.words.scroll(word, axis="y", unit="page", record=frames.record, step=step, words=around.words)
    return Framed([scroll], [])


def _on_page(function: str, known: Mapping[str, Any]) -> Doing:
    element = known.get("bid") or known.get("xpath")
    texts = [element] if element is not None else [value for value in known.values() if isinstance(value, str)]
    bare = bool(texts) and all(_in_quotes(text) for text in texts)
    arguments = {
        "bid" if name == "xpath" else name: value[1:-1] if bare and _in_quotes(value) else value
        for name, value in known.items()
    }
    call = Call(1, function, function.replace("_", "").lower(), [], arguments)
    meant = browser_actions([call], lambda pixels, axis: act.Scroll(pixels) if axis == "y" else act.HScroll(pixels))

    def frame(frames: Frames, step: int, around: Around) -> Framed:
        def scrolled(pixels: float, axis: str) -> Action:
            return frames.page.scroll(
                pixels, axis=axis, unit="pixel", record=frames.record, step=step, words=around.words
            )  # fmt: skip

        return Framed(browser_actions([call], scrolled).actions, [])

    return Doing(frame, element_id=meant.element_id, unsupported=meant.unsupported)


def _in_quotes(value: Any) -> bool:
    return isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"'


def _as_code(function: str, known: Mapping[str, Any]) -> str:
    if not function.isidentifier() or not all(name.isidentifier() for name in known):
        raise UnreadableError("read.code", f"{function[:60]!r} is no name of a function.")
    return f"{function}({', '.join(f'{name}={value!r}' for name, value in known.items())})"
