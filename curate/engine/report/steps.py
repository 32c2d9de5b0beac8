"""Some thousand records as one flat table: a row a step, with where it points and what its picture gives away.

Only the columns that are counted are read, and steps are worked on as arrays over all of them. Points are fractions of
the picture, origin top left; an unknown number is NaN."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
from numpy.typing import NDArray

from curate.model.actions import POINTED
from curate.model.constants import POINTER_NEAR, TARGET_HALF_PX
from curate.model.errors import InputError
from curate.stages.tables import places

pc: Any = pyarrow.compute  # its stubs know neither lists nor nulls

CLICKS = ("click", "doubleClick", "tripleClick", "rightClick", "middleClick", "longPress")
_NOT_MAIN = ("moveTo", "keyDown", "keyUp")  # as model.actions.main_action
_POINTED = (*(str(kind.__struct_config__.tag) for kind in POINTED), "swipe")
_OFF = -9.0  # a pointer that left the picture: on no target, and not unknown

_RUN = ("id", "source.name", "source.license", "actor.kind", "platform", "weight")
_OUTCOME = ("completed", "by")
_STEP = (
    "index", "image", "correct", "flags", "image_size", "screen.width", "screen.height", "element.box", "keyframe.rule",
    "keyframe.pointer", "keyframe.pointer_on_target", "keyframe.hover", "keyframe.floor_on_target", "keyframe.erased",
)  # fmt: skip
_ACTION = ("type", "x", "y", "raw_point", "element_id", "to_x", "to_y")
_COLUMNS = [
    *_RUN,
    *(f"outcome.{name}" for name in _OUTCOME),
    *(f"steps.list.element.{name}" for name in _STEP),
    *(f"steps.list.element.actions.list.element.{name}" for name in _ACTION),
]
_Floats = NDArray[np.float64]
_Rows = NDArray[np.int64]


def read_parts(parts: Sequence[Path]) -> pa.Table:
    """The columns of some parts that are counted. Raises InputError."""
    return pa.concat_tables([_read(part) for part in parts]).combine_chunks()


def _read(part: Path) -> pa.Table:
    try:
        with pq.ParquetFile(part) as file:
            return file.read(columns=_COLUMNS, use_threads=False).replace_schema_metadata(None)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"Cannot read {part}: {error}.") from error


def flat_runs(table: pa.Table) -> pl.DataFrame:
    """One row a record: `source, license, actor, platform, completed, by` (of the outcome), `weight, weight_by, steps`
    (how many)."""
    source, outcome, weight = (table[name] for name in ("source", "outcome", "weight"))
    return _frame(
        source=pc.struct_field(source, "name"),
        license=pc.struct_field(source, "license"),
        actor=pc.struct_field(table["actor"], "kind"),
        platform=table["platform"],
        completed=pc.struct_field(outcome, "completed"),
        by=pc.struct_field(outcome, "by"),
        weight=pc.struct_field(weight, "value"),
        weight_by=pc.struct_field(weight, "by"),
        steps=pc.fill_null(pc.list_value_length(table["steps"]), 0).cast(pa.int64()),
    )


def flat_steps(table: pa.Table) -> pl.DataFrame:
    """One row a step: `run` (the record's row), `source, index, type` (of the main action), `click_x, click_y` (the
    main action's point), `x, y` (what the step points at: the first point of its actions), `raw_x, raw_y, by_element`
    (of the main action), `left .. bottom` (element box), `floor` (whether the place where the action before ended is
    on this step's target), `pointer_x, pointer_y, on_target, hover, erased, rule` (of the picture), `image, correct,
    flags, width, height`."""
    lists = table["steps"].combine_chunks()
    run, steps = pc.list_parent_indices(lists).to_numpy(), pc.list_flatten(lists)
    frame, screen = pc.struct_field(steps, "keyframe"), pc.struct_field(steps, "screen")
    box = _corners(pc.struct_field(pc.struct_field(steps, "element"), "box"), 4)
    pointer = _corners(pc.struct_field(frame, "pointer"), 2)
    size = _corners(pc.struct_field(steps, "image_size"), 2)
    width, height = (_over(_floats(pc.struct_field(screen, n)), size[k]) for k, n in enumerate(("width", "height")))
    points = _points(pc.struct_field(steps, "actions"), len(steps))
    floor = _floor(points, _where_it_was(points, run), box, width, height)
    known = pc.struct_field(frame, "floor_on_target")
    return _frame(
        run=run,
        source=pc.struct_field(table["source"], "name").take(places(run)),
        **{name: pc.struct_field(steps, name) for name in ("index", "image", "correct", "flags")},
        type=points.type, click_x=points.click[0], click_y=points.click[1], x=points.first[0], y=points.first[1],
        raw_x=points.raw[0], raw_y=points.raw[1], by_element=points.by_element,
        **dict(zip(("left", "top", "right", "bottom"), box, strict=True)),
        pointer_x=pointer[0], pointer_y=pointer[1], width=width, height=height,
        rule=pc.struct_field(frame, "rule"), on_target=pc.struct_field(frame, "pointer_on_target"),
        hover=pc.struct_field(frame, "hover"), erased=pc.fill_null(pc.struct_field(frame, "erased"), False),
        floor=pc.coalesce(known, floor),
    )  # fmt: skip


class _Points(NamedTuple):
    """By step: the main action's type (null: none), its point, its pixels and whether it names an element; the point
    the step starts with; the point where it ends (NaN: unknown), and whether it points at all."""

    type: Any
    click: tuple[_Floats, _Floats]
    raw: tuple[_Floats, _Floats]
    by_element: NDArray[np.bool_]
    first: tuple[_Floats, _Floats]
    end: tuple[_Floats, _Floats]
    points: NDArray[np.bool_]


def _points(lists: Any, count: int) -> _Points:
    row, actions = pc.list_parent_indices(lists).to_numpy(), pc.list_flatten(lists)
    kind = pc.struct_field(actions, "type")
    x, y, to_x, to_y = (_floats(pc.struct_field(actions, name)) for name in ("x", "y", "to_x", "to_y"))
    raw_point = pc.struct_field(actions, "raw_point")
    raw_x, raw_y = _corners(raw_point, 2)
    helper = np.asarray(pc.is_in(kind, value_set=pa.array(_NOT_MAIN)))
    main = _first_of_each(
        row, np.arange(len(row)), count
    )  # what only helps is the main action of a step of nothing else
    mains = _first_of_each(row, np.flatnonzero(~helper), count)
    main = np.where(mains >= 0, mains, main)
    pointed = np.flatnonzero(np.asarray(pc.is_in(kind, value_set=pa.array(_POINTED))))
    first = _first_of_each(row, pointed, count)
    last = _first_of_each(row, pointed[::-1], count)
    off = np.where(np.asarray(pc.is_valid(raw_point)), _OFF, np.nan)
    ends = _over(_over(to_x, x), off), _over(_over(to_y, y), off)
    named = np.asarray(pc.is_valid(pc.struct_field(actions, "element_id")))
    return _Points(
        type=kind.take(places(main, main < 0)),
        click=(_at(x, main), _at(y, main)),
        raw=(_at(raw_x, main), _at(raw_y, main)),
        by_element=_at(named.astype(float), main) == 1.0,
        first=(_at(x, first), _at(y, first)),
        end=(_at(ends[0], last), _at(ends[1], last)),
        points=last >= 0,
    )


def _first_of_each(row: _Rows, chosen: _Rows, count: int) -> _Rows:
    """By row the first of the chosen actions that is of it; -1 for none."""
    found = np.full(count, -1, np.int64)
    found[row[chosen[::-1]]] = chosen[::-1]  # what is written last stands
    return found


def _where_it_was(points: _Points, run: _Rows) -> tuple[_Floats, _Floats]:
    """Where the pointer was before each step, as far as the steps of its run before it say: where the last one that
    points ended."""
    count = len(run)
    last = np.maximum.accumulate(np.where(points.points, np.arange(count), -1)) if count else np.zeros(0, np.int64)
    before = np.concatenate([[-1], last[:-1]])[:count]
    begins = np.searchsorted(run, run)
    known = before >= begins
    return _at(points.end[0], np.where(known, before, -1)), _at(points.end[1], np.where(known, before, -1))


def _floor(
    points: _Points, before: tuple[_Floats, _Floats], box: list[_Floats], width: _Floats, height: _Floats
) -> Any:
    """Whether the place before lies in what reacts to the pointer at the target: the element's box, else the square
    around the point, else (screen unknown) near it. Null where the step points at nothing or nothing came before."""
    (x, y), (was_x, was_y) = points.first, before
    left, top, right, bottom = box
    in_box = (was_x >= left) & (was_x <= right) & (was_y >= top) & (was_y <= bottom)
    in_square = (abs(was_x - x) * width <= TARGET_HALF_PX) & (abs(was_y - y) * height <= TARGET_HALF_PX)
    near = (was_x - x) ** 2 + (was_y - y) ** 2 < POINTER_NEAR**2
    on = np.where(~np.isnan(left), in_box, np.where(~np.isnan(width), in_square, near))
    return pa.array(on, mask=np.isnan(x) | np.isnan(was_x))


def _floats(column: Any) -> _Floats:
    """Numbers, NaN where null."""
    found: _Floats = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return found


def _corners(lists: Any, count: int) -> list[_Floats]:
    """The first `count` numbers of each list, NaN where there is none."""
    length = pc.fill_null(pc.list_value_length(lists), 0).to_numpy()
    flat = _floats(pc.list_flatten(lists))
    start = np.cumsum(length) - length
    return [_at(flat, np.where(length > k, start + k, -1)) for k in range(count)]


def _at(values: _Floats, rows: _Rows) -> _Floats:
    """The values at these rows; NaN for -1."""
    if not len(values):
        return np.full(len(rows), np.nan)
    return np.where(rows >= 0, values[rows], np.nan)


def _over(values: _Floats, otherwise: _Floats) -> _Floats:
    return np.where(np.isnan(values), otherwise, values)


def _frame(**columns: Any) -> pl.DataFrame:
    """A frame of these columns; NaN is null."""
    plain = {
        name: pa.array(column, from_pandas=True) if isinstance(column, np.ndarray) else column
        for name, column in columns.items()
    }
    frame = pl.from_arrow(pa.table(plain))
    assert isinstance(frame, pl.DataFrame)
    return frame
