"""Actions as AndroidControl and AndroidWorld write them, JSON objects: `{"action_type": "click", "x": 540, "y": 390}`.

What is decided here:
- `type` is a click, the text and Enter; `input_text` is the text alone, and all three where it names a point.
- A `scroll` tells no distance; it counts as one page. Its word is of what is seen next; what `swipe` says is of the
  finger for up and down and of what is seen next for left and right, as AndroidWorld carries it out.
- `wait` tells no time.
- Fields that are null are absent (tables have all of them in every row).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from curate.model import actions as act
from curate.model.actions import Action
from curate.sources.common.coded import Around, Framed, framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.reading import UnreadableError

_SWIPED = {"up": "down", "down": "up", "left": "left", "right": "right"}  # what is seen next
_ENDS: dict[str, act.TerminateStatus] = {
    "complete": "success", "successful": "success", "success": "success", "infeasible": "impossible",
    "impossible": "impossible", "failure": "failure", "failed": "failure",
}  # fmt: skip


def android_actions(
    action: Mapping[str, Any], conventions: Conventions, *, record: str, step: int, around: Around
) -> Framed:
    """One JSON action in the record's frame. Raises UnreadableError, which names the step: `validate.schema` for a
    field that is missing or of another kind, `import.unsupported_action` for a type that is not known."""
    known = {name: value for name, value in action.items() if value is not None}
    kind = known.get("action_type")
    if kind in ("scroll", "swipe"):
        word = _text(known, "direction", step).strip().lower()
        if kind == "swipe":
            word = _SWIPED.get(word, word)
        scroll = conventions.scroll(word, axis="y", unit="page", record=record, step=step, words=around.words)
        return Framed([scroll], [])
    meaning = _MEANINGS.get(kind) if isinstance(kind, str) else None
    if meaning is None:
        shown = str(kind)[:60]
        raise UnreadableError("import.unsupported_action", f"Step {step}: the action type {shown!r} is not known.")
    return framed(meaning(known, step), conventions, record=record, step=step, around=around)


def _text(known: Mapping[str, Any], name: str, step: int) -> str:
    value = known.get(name)
    if not isinstance(value, str):
        what = "missing" if value is None else "no text"
        raise UnreadableError("validate.schema", f"Step {step}: {name} of {known.get('action_type')!r} is {what}.")
    return value


def _point(known: Mapping[str, Any], step: int) -> dict[str, Any]:
    point = {name: known.get(name) for name in ("x", "y")}
    for name, value in point.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            what = "missing" if value is None else "no number"
            reason = "validate.schema" if value is None else "validate.coordinate_out_of_range"
            raise UnreadableError(reason, f"Step {step}: {name} of {known.get('action_type')!r} is {what}.")
    return point


def _pointed(kind: type[Any]) -> Callable[[Mapping[str, Any], int], list[Action]]:
    return lambda known, step: [kind(**_point(known, step))]


def _plain(kind: type[Any]) -> Callable[[Mapping[str, Any], int], list[Action]]:
    return lambda _known, _step: [kind()]


def _typed(known: Mapping[str, Any], step: int) -> list[Action]:
    return [act.Click(**_point(known, step)), act.Write(_text(known, "text", step)), act.Enter()]


def _input(known: Mapping[str, Any], step: int) -> list[Action]:
    if "x" in known and "y" in known:
        return _typed(known, step)
    return [act.Write(_text(known, "text", step))]


def _ended(known: Mapping[str, Any], step: int) -> list[Action]:
    status = _text(known, "goal_status", step).strip().lower()
    if status not in _ENDS:
        raise UnreadableError("validate.schema", f"Step {step}: {status[:60]!r} is no goal_status.")
    return [act.Terminate(_ENDS[status])]


_MEANINGS: dict[str, Callable[[Mapping[str, Any], int], list[Action]]] = {
    "click": _pointed(act.Click),
    "double_tap": _pointed(act.DoubleClick),
    "long_press": _pointed(act.LongPress),
    "open_app": lambda known, step: [act.OpenApp(_text(known, "app_name", step))],
    "type": _typed,
    "input_text": _input,
    "navigate_home": _plain(act.Home),
    "navigate_back": _plain(act.Back),
    "keyboard_enter": _plain(act.Enter),
    "wait": _plain(act.Wait),
    "status": _ended,
    "answer": lambda known, step: [act.Answer(_text(known, "text", step))],
}
