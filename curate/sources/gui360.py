"""GUI-360: one JSONL file a run, one line a step, recorded by Microsoft's UFO on Word, Excel and PowerPoint. Points and
boxes are pixels of the window's picture as it was recorded, 1040 x 736; copies of the pictures are 1036 x 728.

Pictures are named from a folder of their own (`train/image/<app>/<category>/success/<run>/...` for runs in
`train/data/<app>/<category>/success/`), with slashes of both kinds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec

from curate.model import actions as act
from curate.model.actions import Action, Modifier
from curate.model.constants import GUI360_COPY, GUI360_WINDOW
from curate.model.coordinates import place_box
from curate.model.finite import finite_number
from curate.model.keys import key_name, modifier_of
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.roles import role_of
from curate.model.trajectory import Actor, Origin, Outcome, Step, Trajectory
from curate.model.tree import Node, Tree
from curate.sources.actions.send_keys import read_keys
from curate.sources.base import Read, ReadContext
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Box, Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside, local_name
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_json_rows, row_lines
from curate.sources.common.step_rows import drained, mark_gaps, scratch
from curate.sources.common.targets import target
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine
from curate.store.trees import add_tree

_BUTTONS: dict[str, type[Any]] = {"left": act.Click, "right": act.RightClick, "middle": act.MiddleClick}
_POINTED = ("click", "click_input", "click_on_coordinates", "set_focus")
_DOUBLE = ("double_click", "double_click_input", "double_click_on_coordinates")
_NOTHING = ("", "summary", "no_action")
_ENDS: dict[str, act.TerminateStatus] = {"OVERALL_FINISH": "success", "FAIL": "failure"}

FACTS = Facts(
    title="GUI-360",
    card="https://huggingface.co/datasets/vyokky/GUI-360",
    space="screen_pixel",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="`evaluation.complete`, a model's judgement: yes, no, anything else is unknown.",
    licences={"": "MIT"},
    faults=(
        "Points and boxes are pixels of the 1040 x 736 window, also where the picture is the 1036 x 728 copy.",
        "A box that leaves the window by more than it can is not believed: it stays in `raw_box`.",
        "Calls of Office's own interface (`set_font`, `insert_table`, ...) have no action in a record: the step keeps "
        "its words, flagged `unsupported_action`.",
        "Steps that only say that a part is done have no actions.",
        "`type` clicks its target first; `clear_current_text` is Ctrl+A.",
        "`test/` is GUI-360-Bench: the lineage says so. `fail/` holds runs that failed.",
        "Pictures are published in `image.tar.gz`, which is to be unpacked before reading.",
        "Annotated pictures have marks drawn on them and are not read.",
    ),
)


class Call(msgspec.Struct):
    """What a step did."""

    function: str | None = None
    args: dict[str, Any] | None = None
    action_type: str | None = None
    control_text: str | None = None
    coordinate_x: float | None = None
    coordinate_y: float | None = None
    rectangle: dict[str, Any] | None = None


class Inner(msgspec.Struct):
    """One step."""

    action: Call | None = None
    screenshot_clean: str | None = None
    subtask: str | None = None
    observation: str | None = None
    thought: str | None = None
    status: str | None = None
    control_infos: Any = None


class Row(msgspec.Struct):
    """One line."""

    execution_id: str
    request: str
    step: Inner
    step_id: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
    app_domain: str | None = None
    evaluation: dict[str, Any] | None = None


class Gui360:
    """The source `gui360`."""

    name = "gui360"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON or JSONL whose first row is such a step."""
        return is_json_rows(path) and first_row(path).keys() >= {"execution_id", "request", "step"}

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The runs of the file, in order of their first lines."""
        trouble: list[Rejected] = []
        conventions = Conventions(FACTS, context)
        for group in grouped(_keyed(path, context, trouble), scratch(context)):
            yield from drained(trouble)
            yield _read(group, path, context, conventions)
        yield from drained(trouble)


def _keyed(path: Path, context: ReadContext, trouble: list[Rejected]) -> Iterator[Keyed]:
    decoder = msgspec.json.Decoder(Row)
    for line in row_lines(path, context):
        if isinstance(line, BadLine):
            trouble.append(rejected(context.shown, line.reason, line.detail, None, line.number))
            continue
        try:
            row = decoder.decode(line.data)
        except TROUBLE as error:
            trouble.append(refused(error, context.shown, None, line.number))
            continue
        yield Keyed(row.execution_id, row.step_id, context.shown, line.number, line.data)


def _read(group: Group, path: Path, context: ReadContext, conventions: Conventions) -> Read | Rejected:
    identity = f"gui360:{group.key}"
    decoder = msgspec.json.Decoder(Row)
    rows = [decoder.decode(row.data) for row in group.rows]
    root = _root(path, rows)
    pictures = Carrier(root, context)
    try:
        names = [beside(root, row.step.screenshot_clean) for row in rows]
        sizes = [pictures.size(name) for name in names]
        coded = Coded(conventions, identity, "windows")
        steps = [_step(row, name, size, coded) for row, name, size in zip(rows, names, sizes, strict=True)]
        mark_gaps(steps, first=min(rows[0].step_id, 1))
        final = set_moments(steps, conventions)
        record = Trajectory(
            id=identity,
            source=Origin(
                name="gui360", id=group.key, file=context.shown, line=group.rows[0].line,
                license=conventions.license(), url=FACTS.card, importer="gui360@1",
            ),
            instruction=rows[0].request,
            actor=Actor(kind="model"),
            platform="windows",
            apps=[rows[0].app_domain.lower()] if rows[0].app_domain else [],
            steps=steps,
            final_image=final,
            outcome=_outcome(rows[-1].evaluation),
            lineage=["gui360: a run of the benchmark's own part"] if "test" in path.parts[-6:-1] else [],
        )  # fmt: skip
        record = pictures.carry(record)
        for step, row, size in zip(record.steps, rows, sizes, strict=True):
            tree = _tree(row.step.control_infos, _frame(size))
            step.tree = add_tree(context.media, tree) if tree is not None else None
        return Read(trajectory=record)
    except TROUBLE as error:
        return refused(error, context.shown, identity, group.rows[0].line)


def _root(path: Path, rows: list[Row]) -> Path:
    """The folder from which pictures are named: the first in which one of the run's is found."""
    parts = list(path.parent.parts)
    found = [path.parent, path.parent.parent]
    if "data" in parts[-5:]:
        at = len(parts) - 1 - parts[::-1].index("data")
        found.append(Path(*parts[:at], "image", *parts[at + 1 : -1]))
    names = [local_name(row.step.screenshot_clean or "") for row in rows]
    return next((one for one in found if any(name and (one / name).is_file() for name in names)), path.parent)


def _frame(size: Size | None) -> Size:
    """The window in whose pixels points and boxes stand."""
    return GUI360_WINDOW if size is None or size == GUI360_COPY else size


def _step(row: Row, image: str | None, size: Size | None, coded: Coded) -> Step:
    inner, call = row.step, row.step.action or Call()
    frame, box = _frame(size), _corners(call.rectangle)
    around = Around(picture=size, screen=frame, box=box, box_space="screen_pixel" if box else None)
    try:
        actions = _actions(call, inner.status)
    except UnreadableError as error:
        raise UnreadableError(error.reason, f"Step {row.step_id}: {error}") from error
    acted = Framed([], ["unsupported_action"]) if actions is None else coded.acted(actions, row.step_id, around)
    believed = target(box, frame, acted.actions, name=call.control_text)
    return Step(
        index=row.step_id,
        image=image,
        image_size=size,
        observation=inner.observation or None,
        thought=inner.thought or None,
        action=None if actions is not None else f"{call.function}: {call.control_text or ''}".rstrip(": "),
        low_level=inner.subtask or None,
        actions=acted.actions,
        code=code_of(acted.actions),
        element=believed.element,
        raw_box=believed.raw_box,
        flags=acted.flags,
    )


def _actions(call: Call, status: str | None) -> list[Action] | None:
    """The actions of a call; None for one of Office's own interface."""
    function, args = (call.function or "").strip(), call.args or {}
    if function in _NOTHING:
        end = _ENDS.get((status or "").strip().upper())
        return [act.Terminate(end)] if end else []
    x, y = _point(call, args)
    if function in _DOUBLE or (function in _POINTED and args.get("double") is True):
        return [act.DoubleClick(x, y)]
    if function in _POINTED:
        kind = _BUTTONS.get(str(args.get("button") or "left"))
        return None if kind is None else [kind(x, y)]
    if function in ("type", "set_edit_text", "keyboard_input"):
        focus: list[Action] = [act.Click(x, y)] if x is not None else []
        clear: list[Action] = [act.Hotkey(("ctrl", "a"))] if args.get("clear_current_text") is True else []
        text, keys = args.get("text"), args.get("keys")
        if isinstance(text, str):
            return [*focus, *clear, *([act.Write(text)] if text else [])]
        return [*focus, *clear, *read_keys(keys)] if isinstance(keys, str) else None
    if function == "wheel_mouse_input":
        amount = finite_number(args.get("wheel_dist"))
        move: list[Action] = [act.MoveTo(x, y)] if x is not None else []
        return None if amount is None else [*move, act.Scroll(amount)]
    return _drag(args) if function in ("drag", "drag_on_coordinates") else None


def _drag(args: dict[str, Any]) -> list[Action] | None:
    numbers = [finite_number(args.get(name)) for name in ("start_x", "start_y", "end_x", "end_y")]
    x, y, to_x, to_y = numbers
    button: Any = args.get("button") or "left"
    if None in numbers or button not in _BUTTONS:
        return None
    key = key_name(str(args.get("key_hold") or ""), "windows") if args.get("key_hold") else None
    modifier = modifier_of(key) if key else None
    if args.get("key_hold") and modifier is None:
        return None
    held: tuple[Modifier, ...] = (modifier,) if modifier else ()
    return [act.MoveTo(x, y), act.DragTo(to_x, to_y, button=button, modifiers=held)]


def _point(call: Call, args: dict[str, Any]) -> tuple[float | None, float | None]:
    for x, y in ((call.coordinate_x, call.coordinate_y), (args.get("x"), args.get("y"))):
        across, down = finite_number(x), finite_number(y)
        if across is not None and down is not None:
            return across, down
    return None, None


def _corners(rectangle: dict[str, Any] | None) -> Box | None:
    sides = [finite_number((rectangle or {}).get(name)) for name in ("left", "top", "right", "bottom")]
    known = [side for side in sides if side is not None]
    return (known[0], known[1], known[2], known[3]) if len(known) == 4 else None


def _outcome(evaluation: dict[str, Any] | None) -> Outcome:
    said = str((evaluation or {}).get("complete", "")).strip().lower()
    reason = (evaluation or {}).get("reason")
    completed = {"yes": True, "no": False}.get(said)
    return Outcome(
        completed=completed, by="model" if said else None, reason=reason if isinstance(reason, str) and reason else None
    )


def _tree(infos: Any, frame: Size) -> Tree | None:
    """The controls that UI Automation listed, without their nesting."""
    listed = infos.get("uia_controls_info") if isinstance(infos, dict) else None
    nodes = []
    for control in listed if isinstance(listed, list) else []:
        if not isinstance(control, dict):
            continue
        rect = control.get("control_rect")
        sides = [finite_number(side) for side in rect] if isinstance(rect, list) else []
        known = [side for side in sides if side is not None]
        box = place_box(known[0], known[1], known[2], known[3], *frame) if len(known) == 4 else None
        kind, name = str(control.get("control_type") or ""), str(control.get("control_text") or "")
        role = role_of(kind)
        nodes.append(Node(role=role, raw_role=kind if kind and role is None else None, name=name or None, box=box))
    return Tree(time=0.0, nodes=nodes) if nodes else None


SOURCE = Gui360()
