"""A shard of records as one flat table: a row a step, with where it points and what its picture gives away.

One shard is in memory at a time. Points are fractions of the picture, origin top left.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from curate.model.actions import POINTED
from curate.model.constants import POINTER_NEAR, TARGET_HALF_PX

CLICKS = ("click", "doubleClick", "tripleClick", "rightClick", "middleClick", "longPress")
_NOT_MAIN = ("moveTo", "keyDown", "keyUp")  # as model.actions.main_action
_POINTED = (*(str(kind.__struct_config__.tag) for kind in POINTED), "swipe")
_OFF = -9.0  # a pointer that left the picture: on no target, and not unknown


def read_runs(part: Path) -> pl.DataFrame:
    """One row a record, without its words and pictures."""
    return pl.read_parquet(
        part, columns=["id", "source", "actor", "platform", "outcome", "weight", "steps"], glob=False
    )


def flat_steps(runs: pl.DataFrame) -> pl.DataFrame:
    """One row a step: `id, source, index, type` (of the main action), `click_x, click_y` (the main action's point),
    `x, y` (what the step points at: the first point of its actions), `raw_x, raw_y, by_element, pointed` (of the
    main action), `left .. bottom` (element box), `prev_x, prev_y` (where the action before ended, null unknown),
    `floor` (whether that place is on this step's target), `pointer_x, pointer_y, on_target, hover, erased, rule`
    (of the picture), `image, correct, flags`. Actions that no step has are not here."""
    steps = (
        runs.lazy()
        .select("id", pl.col("source").struct.field("name").alias("source"), "steps")
        .explode("steps")
        .filter(pl.col("steps").is_not_null())
        .with_row_index("row")
        .collect()
    )
    table = steps.select("row", "id", "source", *_own_columns(steps)).join(
        _points(steps), on="row", how="left", maintain_order="left"
    )
    table = table.with_columns(
        pl.col("end_x", "end_y").forward_fill().shift(1).over("id").fill_nan(None).name.replace("^end", "prev")
    )
    return table.drop("end_x", "end_y").with_columns(_floor().alias("floor"))


def _own_columns(steps: pl.DataFrame) -> list[pl.Expr]:
    step = pl.col("steps").struct
    frame = step.field("keyframe").struct
    box = step.field("element").struct.field("box")
    size = step.field("image_size")
    screen = step.field("screen").struct
    has_floor = "floor_on_target" in {field.name for field in _fields(steps, "keyframe")}
    known_floor = frame.field("floor_on_target") if has_floor else pl.lit(None, dtype=pl.Boolean)
    return [
        *(step.field(name) for name in ("index", "image", "correct", "flags")),
        pl.coalesce(screen.field("width"), size.list.get(0, null_on_oob=True)).alias("width"),
        pl.coalesce(screen.field("height"), size.list.get(1, null_on_oob=True)).alias("height"),
        *(box.list.get(k, null_on_oob=True).alias(n) for k, n in enumerate(("left", "top", "right", "bottom"))),
        frame.field("rule"),
        frame.field("pointer").list.get(0, null_on_oob=True).alias("pointer_x"),
        frame.field("pointer").list.get(1, null_on_oob=True).alias("pointer_y"),
        frame.field("pointer_on_target").alias("on_target"),
        frame.field("hover"),
        frame.field("erased").fill_null(False),
        known_floor.alias("known_floor"),
    ]


def _fields(steps: pl.DataFrame, name: str) -> list[pl.Field]:
    step = steps.schema["steps"]
    assert isinstance(step, pl.Struct)
    kind = next(field.dtype for field in step.fields if field.name == name)
    return list(kind.fields) if isinstance(kind, pl.Struct) else []


def _points(steps: pl.DataFrame) -> pl.DataFrame:
    """By row: the main action's type and point, the point the step starts with, the point where it ends."""
    actions = (
        steps.select("row", pl.col("steps").struct.field("actions").alias("action"))
        .explode("action")
        .filter(pl.col("action").is_not_null())
        .with_row_index("place")
        .unnest("action")
        .with_columns(pl.col("type").is_in(_POINTED).alias("pointed"))
    )
    main = (
        actions.sort("row", pl.col("type").is_in(_NOT_MAIN), "place")
        .group_by("row", maintain_order=True)
        .first()
        .select(
            "row",
            "type",
            "pointed",
            pl.col("x").alias("click_x"),
            pl.col("y").alias("click_y"),
            pl.col("raw_point").list.get(0, null_on_oob=True).alias("raw_x"),
            pl.col("raw_point").list.get(1, null_on_oob=True).alias("raw_y"),
            pl.col("element_id").is_not_null().alias("by_element"),
        )
    )
    pointing = actions.filter("pointed")
    first = pointing.group_by("row", maintain_order=True).first().select("row", "x", "y")
    off = pl.when(pl.col("raw_point").is_not_null()).then(_OFF).otherwise(float("nan"))
    last = (
        pointing.with_columns(
            pl.coalesce("to_x", "x", off).alias("end_x"), pl.coalesce("to_y", "y", off).alias("end_y")
        )
        .group_by("row", maintain_order=True)
        .last()
        .select("row", "end_x", "end_y")
    )
    return main.join(first, on="row", how="left").join(last, on="row", how="left")


def _floor() -> pl.Expr:
    """Whether (prev_x, prev_y) lies in what reacts to the pointer at the target: the element's box, else the square
    around the point, else (screen unknown) near it. Null where the step points at nothing or nothing came before."""
    x, y, before_x, before_y = (pl.col(name) for name in ("x", "y", "prev_x", "prev_y"))
    in_box = before_x.is_between("left", "right") & before_y.is_between("top", "bottom")
    in_square = ((before_x - x).abs() * pl.col("width") <= TARGET_HALF_PX) & (
        (before_y - y).abs() * pl.col("height") <= TARGET_HALF_PX
    )
    near = (before_x - x) ** 2 + (before_y - y) ** 2 < POINTER_NEAR**2
    measured = (
        pl.when(x.is_null() | before_x.is_null())
        .then(None)
        .when(pl.col("left").is_not_null())
        .then(in_box)
        .when(pl.col("width").is_not_null())
        .then(in_square)
        .otherwise(near)
    )
    return pl.coalesce("known_floor", measured)
